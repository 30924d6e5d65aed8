package home

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ourFolder is what our folders are called under each system's own.
const ourFolder = "zcode-acp"

// linkLimit is how many symbolic links realPath follows in one path, as the kernels do.
const linkLimit = 40

// resolveOwn adds our own places. They never lie below ZCode's folders, so that --home changes only which sub-folder is used.
func (r *resolver) resolveOwn() {
	root := r.ownStateRoot()
	if root.path == "" {
		r.fail(fmt.Errorf("finding the state folder: %w: set ZCODE_ACP_STATE_DIR to a folder of your own", ErrNoHome))
		return
	}
	r.layout.stateRoot = root.path
	r.add(StateDir, join(root, r.homeKey()), root.by)
	if config := r.ownConfigRoot(); config.path != "" {
		r.add(OwnConfig, join(config, ourFolder, "config.json"), config.by)
	} else {
		r.note("no home folder is known: there is no configuration file of our own")
	}
}

func (r *resolver) ownStateRoot() folder {
	if dir := r.variable("ZCODE_ACP_STATE_DIR"); dir.path != "" {
		return dir
	}
	var base folder
	switch r.goos {
	case "windows":
		base = r.first("LOCALAPPDATA", r.below("AppData", "Local"))
	case "darwin":
		base = r.below("Library", "Application Support")
	default:
		base = r.xdg("XDG_STATE_HOME", ".local", "state")
	}
	if base.path == "" {
		return folder{}
	}
	return folder{join(base, ourFolder), base.by}
}

func (r *resolver) ownConfigRoot() folder {
	return r.xdg("XDG_CONFIG_HOME", ".config")
}

// xdg is the folder of a variable of the XDG base directory specification, which tells to ignore a relative one.
func (r *resolver) xdg(name string, otherwise ...string) folder {
	if value := r.env(name); value != "" && !startsAtHome(value) && !filepath.IsAbs(value) {
		r.note("%s is ignored: it is relative, which the XDG rules do not allow", name)
		return r.below(otherwise...)
	}
	return r.first(name, r.below(otherwise...))
}

// below is a folder in the home folder; unknown when that is.
func (r *resolver) below(parts ...string) folder {
	home := r.anyHome()
	if home.path == "" {
		return folder{}
	}
	return folder{join(home, parts...), home.by}
}

// homeKey tells ZCode homes apart: the first 16 hex digits of the SHA-256 of the root's real path.
func (r *resolver) homeKey() string {
	path := realPath(r.layout.root)
	if r.goos == "windows" {
		path = strings.ToLower(path) // its file systems do not tell the two cases apart
	}
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}

// realPath resolves symbolic links as far as they exist, so that a home has the same key before and after it is created.
func realPath(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	done, rest := splitRoot(path)
	for links := 0; len(rest) > 0; {
		next := filepath.Join(done, rest[0])
		rest = rest[1:]
		target, err := os.Readlink(next)
		if err != nil || links == linkLimit {
			done = next
			continue
		}
		links++
		names := strings.Split(target, string(filepath.Separator))
		if filepath.IsAbs(target) {
			done, names = splitRoot(target)
		}
		rest = append(names, rest...)
	}
	return done
}

// splitRoot parts an absolute path into its root and the names below.
func splitRoot(path string) (root string, names []string) {
	volume := filepath.VolumeName(path)
	separator := string(filepath.Separator)
	return volume + separator, strings.Split(path[len(volume):], separator)
}
