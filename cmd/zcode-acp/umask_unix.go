//go:build unix

package main

import "syscall"

// privateUmask makes what is created next readable by this user only, until
// restore is called.
func privateUmask() (restore func()) {
	old := syscall.Umask(0o077)
	return func() { syscall.Umask(old) }
}
