package atomicwrite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The kinds of errors, for errors.Is. Each error that wraps one of them also wraps the error of the system, if any.
var (
	ErrNoSpace    = errors.New("no space left on the disk")             // ENOSPC, EDQUOT
	ErrReadOnly   = errors.New("the file system is read-only")          // EROFS
	ErrPermission = errors.New("permission denied")                     // EACCES, EPERM
	ErrMount      = errors.New("the file is a mount of its own")        // EBUSY, EXDEV
	ErrIrregular  = errors.New("not a regular file")                    // a folder, FIFO, socket or device
	ErrLoop       = errors.New("symbolic links lead in a circle")       // ELOOP
	ErrTooLarge   = errors.New("the file is too large")                 // larger than MaxSize
	ErrUnstable   = errors.New("other programs keep writing this file") // after 16 rebases
	ErrIO         = errors.New("the system reported an error")          // everything else, such as EIO of a sync
)

var kinds = []error{ErrNoSpace, ErrReadOnly, ErrPermission, ErrMount, ErrIrregular, ErrLoop, ErrTooLarge, ErrUnstable, ErrIO}

// stopped carries an error of the caller's own function through unchanged.
type stopped struct{ error }

func (s stopped) Unwrap() error { return s.error }

// failure tells an error of the system as a sentence for a person.
type failure struct {
	doing string // "reading", "writing", "removing" …
	path  string
	kind  error
	cause error
	state string // what is on disk now; "" after a read
}

func (f *failure) Unwrap() []error { return []error{f.kind, f.cause} }

func (f *failure) Error() string {
	text := fmt.Sprintf("%s %s: %v: %s", f.doing, f.path, f.kind, f.advice())
	if f.state != "" {
		text += "; " + f.state
	}
	return text
}

func (f *failure) advice() string {
	switch f.kind {
	case ErrNoSpace:
		return "free some space and try again"
	case ErrReadOnly:
		return "make it writable and try again"
	case ErrPermission:
		if own, ok := errors.AsType[ownerError](f.cause); ok {
			return fmt.Sprintf("the file belongs to user %d: change it as that user", own.uid)
		}
		if f.doing == "writing" || f.doing == "removing" {
			return "allow this user to read the file and to write in " + filepath.Dir(f.path)
		}
		return "allow this user to read it"
	case ErrMount:
		return "mount the folder instead of the single file"
	case ErrIrregular:
		if link, ok := errors.AsType[linkError](f.cause); ok {
			return link.Error()
		}
		return "move it away or give another path"
	case ErrLoop:
		return "remove one of the links"
	case ErrTooLarge:
		return reason(f.cause)
	case ErrUnstable:
		return "close them or try again later"
	default:
		return reason(f.cause) + ": check the disk and the folder, and try again"
	}
}

// reason is the innermost text of an error, without the paths of temporary files.
func reason(err error) string {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Op + ": " + path.Err.Error()
	case errors.As(err, &link):
		return link.Op + ": " + link.Err.Error()
	}
	return err.Error()
}

// describe turns an error from inside into one for the caller; the end of a context stays what it is.
func describe(doing, path, state string, err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		text := fmt.Errorf("%s %s: %w", doing, path, err)
		if state != "" {
			text = fmt.Errorf("%w; %s", text, state)
		}
		return text
	}
	return &failure{doing: doing, path: path, kind: kindOf(err), cause: err, state: state}
}

func kindOf(err error) error {
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			return kind
		}
	}
	return systemKind(err)
}

// explain turns the error that ended the work into one that also says what is on disk.
func (u *update) explain(doing string, err error) error {
	state := u.state
	if state == "" {
		state = "the file is unchanged"
	}
	if len(u.litter) > 0 {
		state += "; left behind: " + strings.Join(u.litter, ", ")
	}
	var own stopped
	switch {
	case errors.As(err, &own) && u.state == "" && len(u.litter) == 0:
		return own.error
	case errors.As(err, &own):
		return fmt.Errorf("%w; %s", own.error, state)
	}
	return describe(doing, u.r.Path, state, err)
}

// ownerError is the cause of ErrPermission when the new file could not belong to the owner of the old one.
type ownerError struct {
	uid   int
	cause error
}

func (e ownerError) Error() string { return fmt.Sprintf("giving it to user %d: %v", e.uid, e.cause) }

func (e ownerError) Unwrap() []error { return []error{ErrPermission, e.cause} }

// linkError is the cause of ErrIrregular when a path that must be the file itself is a symbolic link.
type linkError struct{}

func (linkError) Error() string {
	return "it is a symbolic link: remove the link by hand, or name the file that it leads to"
}

func (linkError) Unwrap() error { return ErrIrregular }

// sizeError is the cause of ErrTooLarge.
type sizeError struct{ have, limit int64 }

func (e sizeError) Error() string {
	return fmt.Sprintf("%d bytes, at most %d are edited", e.have, e.limit)
}

func (e sizeError) Unwrap() error { return ErrTooLarge }

func tooLarge(have, limit int64) error { return sizeError{have, limit} }
