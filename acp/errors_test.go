package acp

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"zcode-acp/atomicwrite"
	"zcode-acp/lockfile"
	"zcode-acp/settings"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/provider"
)

// failing returns an agent whose operation task fails with err.
func failing(err error, log *logBuffer) *Agent {
	fail := func(context.Context, settings.Call, taskParams) (taskAnswer, error) { return taskAnswer{}, err }
	return &Agent{
		Log: log.logger(),
		Catalog: settings.NewCatalog([]settings.Operation{
			settings.Write("task", "POST /settings/task", settings.Immediate, "Fail.", fail),
		}),
	}
}

func TestErrorCodes(t *testing.T) {
	tests := []struct {
		err  error
		want int
		word settings.Code
	}{
		{settings.ErrInvalid, -32602, "invalid"},
		{cliconfig.ErrInvalid, -32602, "invalid"},
		{provider.ErrInvalid, -32602, "invalid"},
		{settings.ErrUnknown, -32002, "not_found"},
		{settings.ErrConflict, -32009, "conflict"},
		{provider.ErrExists, -32009, "exists"},
		{lockfile.ErrTimeout, -32011, "lock_timeout"},
		{lockfile.ErrInvalid, -32011, "lock_invalid"},
		{lockfile.ErrLost, -32011, "lock_lost"},
		{atomicwrite.ErrUnstable, -32011, "busy"},
		{settings.ErrBroken, -32012, "broken"},
		{provider.ErrNewer, -32012, "newer_version"},
		{atomicwrite.ErrNoSpace, -32013, "no_space"},
		{atomicwrite.ErrReadOnly, -32013, "read_only"},
		{atomicwrite.ErrPermission, -32013, "permission"},
		{atomicwrite.ErrIO, -32013, "io_error"},
		{context.DeadlineExceeded, -32800, "cancelled"},
	}
	for _, tt := range tests {
		t.Run(string(tt.word), func(t *testing.T) {
			err := fmt.Errorf("doing it: %w", tt.err)
			got := converse(t, failing(err, new(logBuffer)), ask("a"))[`"a"`].Error
			want := failure{tt.want, err.Error(), settings.ErrorBody{Error: err.Error(), Code: tt.word}}
			if got == nil || !reflect.DeepEqual(*got, want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// TestUnexpectedErrorStaysInside: its text was not written for a client.
func TestUnexpectedErrorStaysInside(t *testing.T) {
	var log logBuffer
	got := converse(t, failing(errors.New("unforeseen"), &log), ask("a"))[`"a"`].Error
	const sentence = "something went wrong inside the server: see its log"
	want := failure{-32603, sentence, settings.ErrorBody{Error: sentence, Code: "internal"}}
	if got == nil || !reflect.DeepEqual(*got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if !strings.Contains(log.String(), "unforeseen") {
		t.Errorf("the log is %s, want the error", &log)
	}
}
