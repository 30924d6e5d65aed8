package agents

// openFlags is empty: opening waits for nothing here.
const openFlags = 0
