//go:build !unix

package lockfile

func unixCases() []lockCase { return nil }
