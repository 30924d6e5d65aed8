//go:build unix

package agents

import "golang.org/x/sys/unix"

// openFlags keep a FIFO that stands in the place of a file from being waited for.
const openFlags = unix.O_NONBLOCK
