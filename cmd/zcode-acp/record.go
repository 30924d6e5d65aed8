package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/go-json-experiment/json"

	"zcode-acp/atomicwrite"
	"zcode-acp/settings/home"
)

// serverRecord is serve.json of the state folder: which server runs for this
// home. A crash leaves it behind, so a reader asks the address before it
// believes the record.
type serverRecord struct {
	PID       int       `json:"pid"`
	Address   string    `json:"address"`
	Version   string    `json:"version"`
	StartedAt time.Time `json:"startedAt"`

	path string
}

func (a *app) recordServer(addr net.Addr) (*serverRecord, error) {
	if err := home.EnsureStateDir(a.layout); err != nil {
		return nil, err
	}
	r := &serverRecord{
		PID: os.Getpid(), Address: url(addr), Version: version, StartedAt: time.Now().UTC(),
		path: filepath.Join(a.layout.StateDir(), "serve.json"),
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("recording the server: %w", err)
	}
	_, err = atomicwrite.Writer{}.Update(context.Background(), atomicwrite.Request{
		Path: r.path, NoBackup: true,
		Edit: func([]byte, bool) ([]byte, error) { return append(text, '\n'), nil },
	})
	return r, err
}

// remove takes the record away unless a later server has put its own there.
func (r *serverRecord) remove(stderr io.Writer) {
	var now serverRecord
	text, err := os.ReadFile(r.path)
	if err == nil && json.Unmarshal(text, &now) == nil && now.PID != r.PID {
		return
	}
	if err := os.Remove(r.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(stderr, "zcode-acp: removing %s: %v\n", r.path, err)
	}
}

// explainListen says what to do about an address that cannot be had.
func explainListen(ctx context.Context, address string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		who := "another program"
		if answersHealth(ctx, address) {
			who = "another zcode-acp serve"
		}
		return fmt.Errorf("listening on %s: %s uses the port already: stop it, or choose another with --listen 127.0.0.1:0: %w", address, who, err)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("listening on %s: the port needs rights that this user does not have: choose one above 1023: %w", address, err)
	}
	return fmt.Errorf("listening on %s: %w", address, err)
}

// answersHealth asks whether a server of this program listens at the address.
func answersHealth(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+address+"/api/health", nil)
	if err != nil {
		return false
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	return resp.StatusCode == http.StatusOK && resp.ContentLength == 2
}
