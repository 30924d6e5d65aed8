package main

// measureLock has no floor to compare with here.
func measureLock(string) ([]row, error) { return nil, nil }
