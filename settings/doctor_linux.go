package settings

import "syscall"

// sharedFileSystems are the types of statfs(2) that other machines or containers
// commonly mount as well.
var sharedFileSystems = map[int64]string{
	0x6969:     "a network file system (NFS)",
	0xff534d42: "a network file system (SMB)",
	0xfe534d42: "a network file system (SMB)",
	0x01021997: "a file system shared with another system (9p)",
	0x65735546: "a FUSE file system",
}

// sharedFileSystem names the kind of a file system on which processes that we
// cannot see may hold locks, "" for any other.
func sharedFileSystem(path string) string {
	var stat syscall.Statfs_t
	if err := syscall.Statfs(path, &stat); err != nil {
		return ""
	}
	return sharedFileSystems[int64(uint32(stat.Type))]
}
