package lockfile

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	maxSafeInteger = 1<<53 - 1 // the largest integer that ZCode's language keeps exact
	maxDate        = 8.64e15   // its last date, in milliseconds
	maxOwnerSize   = 1 << 20   // bytes; far above what any writer produces
)

// owner is what an owner file says, as far as it can be used.
type owner struct {
	pid     int64     // zero when unusable
	created time.Time // zero when unusable
}

// newToken makes the text that tells this acquisition from every other.
func newToken(pid int, now time.Time) string {
	return fmt.Sprintf("%d-%d-%s", pid, now.UnixMilli(), strconv.FormatUint(rand.Uint64(), 36))
}

func ownerName(token string) string { return "owner-" + token + ".json" }

func isOwnerName(name string) bool {
	return strings.HasPrefix(name, "owner-") && strings.HasSuffix(name, ".json")
}

// ownerLine is the content of an owner file, byte for byte as ZCode writes it.
func ownerLine(pid int, created time.Time, token string) []byte {
	return fmt.Appendf(nil, "{\"pid\":%d,\"createdAt\":%d,\"token\":%q}\n", pid, created.UnixMilli(), token)
}

// parseOwner reads the content of an owner file by ZCode's rules: names are
// case-sensitive, the last of equal names counts, and a number is judged by its
// value, not by how it is written.
func parseOwner(content []byte) owner {
	var o owner
	var members map[string]json.RawMessage
	if json.Unmarshal(content, &members) != nil {
		return o
	}
	if pid, ok := number(members["pid"]); ok && pid > 0 && pid <= maxSafeInteger && pid == float64(int64(pid)) {
		o.pid = int64(pid)
	}
	if ms, ok := number(members["createdAt"]); ok && ms >= 0 && ms <= maxDate {
		o.created = time.UnixMilli(int64(ms))
	}
	return o
}

// number returns the value of a JSON number that is finite.
func number(raw json.RawMessage) (float64, bool) {
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	return f, err == nil
}

// readOwner reads an owner file without following a link or waiting for the
// other end of a pipe.
func readOwner(path string) ([]byte, fs.FileInfo, error) {
	f, err := openFile(path, os.O_RDONLY|openWary, 0)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("reading %s: not a regular file", path)
	}
	content, err := io.ReadAll(io.LimitReader(f, maxOwnerSize+1))
	if err == nil && len(content) > maxOwnerSize {
		err = fmt.Errorf("reading %s: longer than %d bytes", path, maxOwnerSize)
	}
	return content, info, err
}
