package settings

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"zcode-acp/atomicwrite"
	"zcode-acp/lockfile"
	"zcode-acp/settings/agents"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/history"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/provider"
	"zcode-acp/settings/skills"
)

// What can go wrong beside the sentinels of the packages below.
var (
	ErrInvalid  = errors.New("invalid request")
	ErrUnknown  = errors.New("not configured")
	ErrConflict = errors.New("changed since it was read")
	ErrBroken   = errors.New("ZCode cannot use this file")
)

// InvalidError is a parameter that cannot be accepted.
type InvalidError struct {
	Pointer string // into the parameters, "" is the whole
	Reason  string
}

func (e *InvalidError) Error() string {
	if e.Pointer == "" {
		return e.Reason
	}
	return e.Pointer + " " + e.Reason
}

func (e *InvalidError) Unwrap() error { return ErrInvalid }

func invalid(pointer, reason string) error { return &InvalidError{pointer, reason} }

// BrokenError is a file of ZCode's that cannot be edited as it is.
type BrokenError struct {
	Document     string
	File         string
	Pointer      string
	Line, Column int
	Reason       string
	cause        error
}

func (e *BrokenError) Error() string {
	switch {
	case e.Pointer != "":
		return fmt.Sprintf("%s: line %d, column %d (%s) %s", e.File, e.Line, e.Column, e.Pointer, e.Reason)
	case e.Line > 0:
		return fmt.Sprintf("%s: line %d, column %d: %s", e.File, e.Line, e.Column, e.Reason)
	}
	return e.File + ": " + e.Reason
}

func (e *BrokenError) Unwrap() []error {
	if e.cause == nil {
		return []error{ErrBroken}
	}
	return []error{ErrBroken, e.cause}
}

// ConflictError is a precondition that does not hold.
type ConflictError struct {
	Section string
	ETag    string // what the section has now
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s changed since it was read: read it again and repeat the change", e.Section)
}

func (e *ConflictError) Unwrap() error { return ErrConflict }

// Code is the stable word for a kind of error.
type Code string

// The codes; every error of an operation has one.
const (
	CodeInvalid     Code = "invalid"
	CodeUnknown     Code = "not_found"
	CodeExists      Code = "exists"
	CodeAmbiguous   Code = "ambiguous"
	CodeAccount     Code = "account_managed"
	CodeConflict    Code = "conflict"
	CodeBroken      Code = "broken"
	CodeNewer       Code = "newer_version"
	CodeTooLarge    Code = "too_large"
	CodeLockTimeout Code = "lock_timeout"
	CodeLockInvalid Code = "lock_invalid"
	CodeLockLost    Code = "lock_lost"
	CodeBusy        Code = "busy"
	CodeNoSpace     Code = "no_space"
	CodeReadOnly    Code = "read_only"
	CodePermission  Code = "permission"
	CodeMount       Code = "mount_point"
	CodeIrregular   Code = "not_a_file"
	CodeLoop        Code = "link_loop"
	CodeIO          Code = "io_error"
	CodeNoHome      Code = "no_home"
	CodeCancelled   Code = "cancelled"
	CodeInternal    Code = "internal"
)

// codes maps sentinels to words; the first that matches counts, so the more
// telling ones stand first.
var codes = []struct {
	sentinel error
	code     Code
}{
	{provider.ErrNewer, CodeNewer},
	{jsonedit.ErrTooLarge, CodeTooLarge},
	{jsonedit.ErrTooDeep, CodeTooLarge},
	{atomicwrite.ErrTooLarge, CodeTooLarge},
	{ErrBroken, CodeBroken},
	{ErrConflict, CodeConflict},
	{ErrInvalid, CodeInvalid},
	{cliconfig.ErrInvalid, CodeInvalid},
	{provider.ErrInvalid, CodeInvalid},
	{ErrUnknown, CodeUnknown},
	{cliconfig.ErrUnknown, CodeUnknown},
	{provider.ErrUnknown, CodeUnknown},
	{provider.ErrExists, CodeExists},
	{provider.ErrAccount, CodeAccount},
	{agents.ErrInvalid, CodeInvalid},
	{agents.ErrUnknown, CodeUnknown},
	{agents.ErrExists, CodeExists},
	{agents.ErrAmbiguous, CodeAmbiguous},
	{agents.ErrNotAgent, CodeBroken},
	{agents.ErrTooLarge, CodeTooLarge},
	{agents.ErrTooMany, CodeTooLarge},
	{agents.ErrNotUTF8, CodeBroken},
	{agents.ErrRoot, CodeIrregular},
	{frontmatter.ErrRefused, CodeInvalid},
	{frontmatter.ErrMissing, CodeBroken},
	{skills.ErrInvalid, CodeInvalid},
	{skills.ErrOutside, CodeInvalid},
	{skills.ErrUnknown, CodeUnknown},
	{skills.ErrExists, CodeExists},
	{history.ErrUnknown, CodeUnknown},
	{history.ErrBusy, CodeBusy},
	{history.ErrIrregular, CodeIrregular},
	{lockfile.ErrTimeout, CodeLockTimeout},
	{lockfile.ErrInvalid, CodeLockInvalid},
	{lockfile.ErrLost, CodeLockLost},
	{atomicwrite.ErrUnstable, CodeBusy},
	{atomicwrite.ErrNoSpace, CodeNoSpace},
	{atomicwrite.ErrReadOnly, CodeReadOnly},
	{atomicwrite.ErrMount, CodeMount},
	{atomicwrite.ErrPermission, CodePermission},
	{atomicwrite.ErrIrregular, CodeIrregular},
	{atomicwrite.ErrLoop, CodeLoop},
	{atomicwrite.ErrIO, CodeIO},
	{home.ErrNoHome, CodeNoHome},
	{home.ErrNoProject, CodeInvalid},
	{home.ErrUnsafeState, CodePermission},
	{context.Canceled, CodeCancelled},
	{context.DeadlineExceeded, CodeCancelled},
	{jsonedit.ErrSyntax, CodeBroken},
	{jsonedit.ErrEmpty, CodeBroken},
	{jsonedit.ErrDuplicate, CodeBroken},
	{jsonedit.ErrPath, CodeBroken},
	// What the system says where no package of ours has a word for it.
	{syscall.ENOSPC, CodeNoSpace},
	{syscall.EROFS, CodeReadOnly},
	{fs.ErrPermission, CodePermission},
}

// CodeOf returns the word for an error, [CodeInternal] for one that is not
// expected.
func CodeOf(err error) Code {
	for _, c := range codes {
		if errors.Is(err, c.sentinel) {
			return c.code
		}
	}
	if _, ok := errors.AsType[syscall.Errno](err); ok {
		return CodeIO
	}
	return CodeInternal
}

// sentences returns the texts of errors that are told as warnings.
func sentences(problems ...error) []string {
	var list []string
	for _, problem := range problems {
		if problem != nil {
			list = append(list, problem.Error())
		}
	}
	return list
}

// ErrorBody is an error as clients see it, at every door.
type ErrorBody struct {
	OK      bool    `json:"ok"`
	Error   string  `json:"error"`
	Code    Code    `json:"code"`
	File    string  `json:"file,omitempty"`
	Pointer string  `json:"pointer,omitempty"`
	Line    int     `json:"line,omitzero"`
	Column  int     `json:"column,omitzero"`
	ETag    string  `json:"etag,omitempty"`
	Holder  *Holder `json:"holder,omitempty"`
	// Changes are what stands in the way of an undo: what is there now, and what
	// would have come back.
	Changes []Change `json:"changes,omitempty"`
}

// Holder is who holds a lock that could not be had in time.
type Holder struct {
	PID   int       `json:"pid"`
	Since time.Time `json:"since,omitzero"`
}

// Describe turns an error into the body that doors answer.
func Describe(err error) ErrorBody {
	body := ErrorBody{Error: err.Error(), Code: CodeOf(err)}
	if e, ok := errors.AsType[*BrokenError](err); ok {
		body.File, body.Pointer, body.Line, body.Column = e.File, e.Pointer, e.Line, e.Column
	}
	if e, ok := errors.AsType[*InvalidError](err); ok {
		body.Pointer = e.Pointer
	}
	if e, ok := errors.AsType[*cliconfig.InvalidError](err); ok {
		body.Pointer = e.Pointer
	}
	if e, ok := errors.AsType[*provider.InvalidError](err); ok {
		body.Pointer = e.Pointer
	}
	if e, ok := errors.AsType[*agents.InvalidError](err); ok {
		body.Pointer = e.Pointer
	}
	if e, ok := errors.AsType[*skills.InvalidError](err); ok {
		body.Pointer = e.Pointer
	}
	if e, ok := errors.AsType[*ConflictError](err); ok {
		body.ETag = e.ETag
	}
	if e, ok := errors.AsType[*OverwriteError](err); ok {
		body.File, body.Changes = e.File, e.Changes
	}
	if e, ok := errors.AsType[*lockfile.TimeoutError](err); ok && e.Holder.PID > 0 {
		body.Holder = &Holder{PID: e.Holder.PID, Since: e.Holder.Since}
	}
	return body
}

// advise adds to an error of the system, met before anything was written, what
// a person can do about it.
func advise(err error) error {
	if errors.Is(err, home.ErrUnsafeState) {
		return err // which says it already
	}
	switch CodeOf(err) {
	case CodeNoSpace:
		return fmt.Errorf("%w: free some space and try again; nothing was changed", err)
	case CodeReadOnly:
		return fmt.Errorf("%w: make the file system writable and try again; nothing was changed", err)
	case CodePermission:
		return fmt.Errorf("%w: let this user write there and try again; nothing was changed", err)
	}
	return err
}
