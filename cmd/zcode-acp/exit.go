package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"zcode-acp/settings"
)

// Exit codes.
const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitConflict = 3
	exitLocked   = 4
	exitBroken   = 5
)

// exitCodes says which exit code each kind of error has.
var exitCodes = map[settings.Code]int{
	settings.CodeInvalid:     exitFailed,
	settings.CodeUnknown:     exitFailed,
	settings.CodeAccount:     exitFailed,
	settings.CodeExists:      exitConflict,
	settings.CodeAmbiguous:   exitConflict,
	settings.CodeConflict:    exitConflict,
	settings.CodeBroken:      exitBroken,
	settings.CodeNewer:       exitBroken,
	settings.CodeTooLarge:    exitBroken,
	settings.CodeLockTimeout: exitLocked,
	settings.CodeLockInvalid: exitLocked,
	settings.CodeLockLost:    exitLocked,
	settings.CodeBusy:        exitLocked,
	settings.CodeNoSpace:     exitFailed,
	settings.CodeReadOnly:    exitFailed,
	settings.CodePermission:  exitFailed,
	settings.CodeMount:       exitFailed,
	settings.CodeIrregular:   exitFailed,
	settings.CodeLoop:        exitFailed,
	settings.CodeIO:          exitFailed,
	settings.CodeNoHome:      exitFailed,
	settings.CodeCancelled:   exitFailed,
	settings.CodeInternal:    exitFailed,
}

// usageError is a command line that makes no sense.
type usageError struct{ reason string }

func (e usageError) Error() string { return e.reason }

func usage(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// exitError ends the program with a code after everything was said.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// exit says what went wrong and returns the exit code for it.
func (a *app) exit(err error) int {
	if err == nil {
		return exitDone
	}
	if e, ok := errors.AsType[exitError](err); ok {
		return int(e)
	}
	if e, ok := errors.AsType[usageError](err); ok {
		a.sayError(settings.ErrorBody{Error: firstLower(e.reason), Code: "usage"})
		return exitUsage
	}
	if errors.Is(err, context.Canceled) {
		a.sayError(settings.ErrorBody{Error: "interrupted; nothing was changed by what had not answered yet", Code: settings.CodeCancelled})
		return exitFailed
	}
	body := settings.Describe(err)
	a.sayError(body)
	code, ok := exitCodes[body.Code]
	if !ok {
		return exitFailed
	}
	return code
}

// sayError tells people, and with --json programs, what went wrong.
func (a *app) sayError(body settings.ErrorBody) {
	if a.json {
		if b, err := settings.Encode(body); err == nil {
			fmt.Fprintf(a.stdout, "%s\n", b)
		}
	}
	fmt.Fprintf(a.stderr, "zcode-acp: %s\n", body.Error)
}

// firstLower begins a sentence of a library as ours begin.
func firstLower(s string) string {
	if len(s) < 2 || s[0] < 'A' || s[0] > 'Z' || s[1] < 'a' || s[1] > 'z' {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
