package home

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"
)

// A file that another program is writing in place can be caught half written. It gets this long to become whole, since a
// path that goes unseen would send a later write to another folder.
const (
	tornFresh = time.Second // only a file this young is looked at again
	tornPause = 20 * time.Millisecond
	tornLooks = 25
)

// maxFile bounds what is read of one file, in bytes.
const maxFile = 64 << 20

var byteOrderMark = []byte("\xef\xbb\xbf")

// settingValues is what setting.json can say about places.
type settingValues struct{ dataBaseDir string }

// cliConfigValues is what cli/config.json can say about places.
type cliConfigValues struct{ storageDir, sessionDB string }

func (r *resolver) readSetting(path string) settingValues {
	members := r.readObject(path)
	return settingValues{dataBaseDir: r.text(members, "dataBaseDir", path, "dataBaseDir")}
}

func (r *resolver) readCLIConfig(path string) cliConfigValues {
	section := r.readObject(path)["storage"]
	var members map[string]json.RawMessage
	if section != nil && json.Unmarshal(section, &members) != nil {
		r.note("storage in %s is ignored: it is not an object", path)
		return cliConfigValues{}
	}
	return cliConfigValues{
		storageDir: r.text(members, "dir", path, "storage.dir"),
		sessionDB:  r.text(members, "sessionDbPath", path, "storage.sessionDbPath"),
	}
}

// text is a string member, trimmed; "" when absent, null or, with a note, something else.
func (r *resolver) text(members map[string]json.RawMessage, key, path, name string) string {
	value, ok := members[key]
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		r.note("%s in %s is ignored: it is not a string", name, path)
		return ""
	}
	return strings.TrimSpace(s)
}

// readObject is the members of the object in a file, or nil, with a note unless the file is missing. It goes through a
// map and not a struct because Go would match the names of struct fields in any case and merge duplicates, as ZCode does
// not.
func (r *resolver) readObject(path string) map[string]json.RawMessage {
	for look := 1; ; look++ {
		members, fresh, trouble := readOnce(path)
		if trouble == "" {
			return members
		}
		if !fresh || look == tornLooks {
			r.note("%s is ignored: %s, so nothing in it can move a file", path, trouble)
			return nil
		}
		r.pause()
	}
}

// readOnce answers trouble in words without any of the file's content; fresh means that another look may help.
func readOnce(path string) (members map[string]json.RawMessage, fresh bool, trouble string) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, false, ""
	case err != nil:
		return nil, false, "it cannot be read (" + cause(err) + ")"
	case !info.Mode().IsRegular():
		return nil, false, "it is not a regular file"
	case info.Size() > maxFile:
		return nil, false, "it is larger than 64 MiB"
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, false, "it cannot be read (" + cause(err) + ")"
	}
	age := time.Since(info.ModTime())
	fresh = age >= 0 && age < tornFresh
	if bytes.HasPrefix(data, byteOrderMark) {
		return nil, false, "it begins with a byte order mark, which ZCode cannot read"
	}
	if json.Unmarshal(data, &members) != nil || members == nil {
		return nil, fresh, "it does not hold a JSON object"
	}
	return members, false, ""
}

// cause is the system's reason alone, without the path, which the note names already.
func cause(err error) string {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return pathErr.Err.Error()
	}
	return err.Error()
}
