package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"time"

	"github.com/go-json-experiment/json"

	"zcode-acp/settings"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// app is what commands share: the streams, the global flags, and the one engine
// with its catalog, opened at first use.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	text           io.Writer // stdout for people: nothing that a file holds can steer the terminal
	env            func(string) string

	home    string
	demo    bool
	json    bool
	dryRun  bool
	repair  bool
	ifMatch string

	layout  home.Layout
	catalog *settings.Catalog
	cleanup []func()
}

func newApp(stdin io.Reader, stdout, stderr io.Writer, env func(string) string) *app {
	return &app{stdin: stdin, stdout: stdout, text: plain{stdout}, stderr: plain{stderr}, env: env}
}

// open finds ZCode's files and builds the catalog.
func (a *app) open() error {
	if a.catalog != nil {
		return nil
	}
	options := home.Options{Dir: a.home, Env: a.env}
	if a.demo {
		if a.home != "" {
			return usage("--demo and --home exclude each other")
		}
		if err := a.openDemo(&options); err != nil {
			return err
		}
	}
	layout, err := home.Resolve(options)
	if err != nil {
		return err
	}
	engine := settings.NewEngine(layout, slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: slog.LevelWarn})))
	a.layout, a.catalog = layout, settings.NewCatalog(engine.Operations())
	return nil
}

func (a *app) close() {
	for _, f := range a.cleanup {
		f()
	}
}

// params are the parameters of an operation by their JSON names, in the order in
// which they are written into a file that gets something new.
type params []param

type param struct {
	name  string
	value any
}

func (p params) has(name string) bool {
	return slices.ContainsFunc(p, func(have param) bool { return have.name == name })
}

func (p params) encode() ([]byte, error) {
	b := []byte("{")
	for i, member := range p {
		if i > 0 {
			b = append(b, ',')
		}
		value, err := json.Marshal(member.value, json.Deterministic(true))
		if err != nil {
			return nil, fmt.Errorf("encoding %s: %w", member.name, err)
		}
		b = append(append(append(b, jsonedit.Quote(member.name)...), ':'), value...)
	}
	return append(b, '}'), nil
}

// call runs an operation of the catalog.
func (a *app) call(ctx context.Context, name string, in params) (any, error) {
	if err := a.open(); err != nil {
		return nil, err
	}
	o, ok := a.catalog.Lookup(name)
	if !ok {
		return nil, fmt.Errorf("there is no operation %q", name)
	}
	if !o.Writes() && (a.dryRun || a.repair || a.ifMatch != "") {
		return nil, usage("--dry-run, --if-match and --repair belong to commands that change something")
	}
	encoded, err := in.encode()
	if err != nil {
		return nil, err
	}
	defer a.patiently()()
	return o.Run(ctx, settings.Call{
		Door: settings.CommandLine, DryRun: a.dryRun, IfMatch: a.ifMatch, Repair: a.repair,
	}, encoded)
}

// patiently says after a second that something takes its time; the function that
// it returns ends that.
func (a *app) patiently() (done func()) {
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case <-time.After(time.Second):
			fmt.Fprintln(a.stderr, "zcode-acp: still waiting: another program may hold the lock; Ctrl-C gives up")
		case <-stop:
		}
	}()
	return func() { close(stop); <-stopped }
}

// fetch runs an operation whose answer has a known type.
func fetch[T any](ctx context.Context, a *app, name string, in params) (T, error) {
	answer, err := a.call(ctx, name, in)
	if err != nil {
		return *new(T), err
	}
	typed, ok := answer.(T)
	if !ok {
		return typed, fmt.Errorf("%s answered a %T", name, answer)
	}
	return typed, nil
}

// quietly runs a read that belongs to a write: the flags are meant for the write.
func quietly[T any](ctx context.Context, a *app, name string, in params) (T, error) {
	dryRun, repair, ifMatch := a.dryRun, a.repair, a.ifMatch
	a.dryRun, a.repair, a.ifMatch = false, false, ""
	defer func() { a.dryRun, a.repair, a.ifMatch = dryRun, repair, ifMatch }()
	return fetch[T](ctx, a, name, in)
}

// do runs an operation and shows its answer: with --json as the REST door sends
// it, else as show prints it for people.
func do[T any](ctx context.Context, a *app, name string, in params, show func(T) error) error {
	answer, err := fetch[T](ctx, a, name, in)
	if err != nil {
		return err
	}
	return present(a, answer, show)
}

// change runs a write and says in one sentence what was done.
func (a *app) change(ctx context.Context, name string, in params, done string) error {
	return do(ctx, a, name, in, func(w *settings.Written) error { return a.showWritten(w, done) })
}
