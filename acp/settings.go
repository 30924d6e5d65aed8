package acp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/acp/jsonrpc"
	"zcode-acp/settings"
	"zcode-acp/settings/jsonedit"
)

const (
	settingsMethod = "_zcode/settings"
	everything     = "all" // the operation that the bare method stands for
)

// settingsOperation returns the operation that a method names.
func settingsOperation(method string) (name string, ok bool) {
	if method == settingsMethod {
		return everything, true
	}
	return strings.CutPrefix(method, settingsMethod+"/")
}

// settingsMethods lists the methods that this agent answers.
func (a *Agent) settingsMethods() []string {
	methods := []string{settingsMethod}
	for o := range a.Catalog.All() {
		if o.Has(settings.ACP) {
			methods = append(methods, settingsMethod+"/"+o.Name)
		}
	}
	return methods
}

func (a *Agent) admitSettings(serve context.Context, name string, req *jsonrpc.Request) (any, error) {
	o, ok := a.Catalog.Lookup(name)
	if !ok || !o.Has(settings.ACP) {
		return nil, methodNotFound(req.Method)
	}
	call, params, err := splitCall(req.Params)
	if err != nil {
		return nil, a.settingsError(name, err)
	}
	call.Client = a.client
	begin, end := a.turn()
	return jsonrpc.Work(func(ctx context.Context) (any, error) {
		defer end()
		ctx, stop := finishing(serve, ctx)
		defer stop()
		if err := begin(ctx); err != nil {
			return nil, a.settingsError(name, err)
		}
		answer, err := o.Run(ctx, call, params)
		if err != nil {
			return nil, a.settingsError(name, err)
		}
		encoded, err := settings.Encode(answer)
		if err != nil {
			return nil, a.settingsError(name, err)
		}
		return jsontext.Value(encoded), nil
	}), nil
}

// finishing returns a context that ends with that of Serve, or when the client
// cancels the request, but not when the client has nothing more to say: what was
// asked before is still done.
func finishing(serve, request context.Context) (context.Context, func()) {
	own, cancel := context.WithCancel(serve)
	stop := context.AfterFunc(request, func() {
		if !errors.Is(context.Cause(request), jsonrpc.ErrClosed) {
			cancel()
		}
	})
	return own, func() { stop(); cancel() }
}

// turn keeps the settings operations of the client in the order in which it
// sent them. begin waits for the operation before; end lets the next one begin,
// also when this one was cancelled before its turn. Only the read loop calls it.
func (a *Agent) turn() (begin func(context.Context) error, end func()) {
	mine := make(chan struct{})
	a.mu.Lock()
	before := a.last
	a.last = mine
	a.mu.Unlock()
	if before == nil {
		return func(context.Context) error { return nil }, func() { close(mine) }
	}
	begin = func(ctx context.Context) error {
		select {
		case <-before:
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("waiting for the operations before: %w", err)
		}
		return nil
	}
	end = func() {
		select {
		case <-before:
			close(mine)
		default:
			go func() { <-before; close(mine) }()
		}
	}
	return begin, end
}

// splitCall takes what concerns the call itself out of the parameters.
func splitCall(params jsontext.Value) (settings.Call, []byte, error) {
	call := settings.Call{Door: settings.ACP}
	if len(params) == 0 {
		return call, nil, nil
	}
	d, err := jsonedit.Parse(params)
	if err != nil {
		return call, nil, &settings.InvalidError{Reason: "the parameters cannot be used: " + errors.Unwrap(err).Error()}
	}
	var meta jsontext.Value // the protocol lets clients add it to anything
	for _, member := range []struct {
		name string
		into any
	}{{"dryRun", &call.DryRun}, {"ifMatch", &call.IfMatch}, {"repair", &call.Repair}, {"_meta", &meta}} {
		value := d.Root().Get(member.name)
		if !value.Exists() {
			continue
		}
		wrong := member.name != "_meta" && value.Kind() == jsonedit.Null
		if wrong || json.Unmarshal(value.Raw(), member.into, lenient) != nil {
			return call, nil, &settings.InvalidError{Pointer: "/" + member.name, Reason: "is of the wrong type"}
		}
		if member.name == "ifMatch" && call.IfMatch == "" {
			return call, nil, &settings.InvalidError{Pointer: "/ifMatch", Reason: "is empty: send an etag, or no precondition"}
		}
		if d, err = d.Delete(jsonedit.Path{member.name}); err != nil {
			return call, nil, err
		}
	}
	return call, d.Text(), nil
}

// errorCodes says which JSON-RPC error each kind of error is answered with.
var errorCodes = map[settings.Code]int64{
	settings.CodeInvalid:     jsonrpc.InvalidParams,
	settings.CodeAccount:     jsonrpc.InvalidParams,
	settings.CodeTooLarge:    -32012,
	settings.CodeUnknown:     -32002,
	settings.CodeExists:      -32009,
	settings.CodeAmbiguous:   -32009,
	settings.CodeConflict:    -32009,
	settings.CodeLockTimeout: -32011,
	settings.CodeLockInvalid: -32011,
	settings.CodeLockLost:    -32011,
	settings.CodeBusy:        -32011,
	settings.CodeBroken:      -32012,
	settings.CodeNewer:       -32012,
	settings.CodeNoSpace:     -32013,
	settings.CodeReadOnly:    -32013,
	settings.CodePermission:  -32013,
	settings.CodeMount:       -32013,
	settings.CodeIrregular:   -32013,
	settings.CodeLoop:        -32013,
	settings.CodeIO:          -32013,
	settings.CodeNoHome:      -32013,
	settings.CodeCancelled:   jsonrpc.RequestCancelled,
	settings.CodeInternal:    jsonrpc.InternalError,
}

// settingsError turns the error of an operation into the one that the client
// gets; its data is the body of the REST answer. Of an unexpected error only the
// log gets the text, since it was not written for the client.
func (a *Agent) settingsError(operation string, err error) error {
	body := settings.Describe(err)
	code, ok := errorCodes[body.Code]
	if !ok || body.Code == settings.CodeInternal {
		a.Log.Error("an operation failed unexpectedly", "operation", operation, "error", err)
		code, body.Error = jsonrpc.InternalError, "something went wrong inside the server: see its log"
	}
	data, encodeErr := settings.Encode(body)
	if encodeErr != nil {
		return encodeErr
	}
	return &jsonrpc.Error{Code: code, Message: body.Error, Data: data}
}
