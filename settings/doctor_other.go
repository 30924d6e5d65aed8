//go:build !linux

package settings

// sharedFileSystem has no way to tell here.
func sharedFileSystem(string) string { return "" }
