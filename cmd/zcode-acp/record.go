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
	"strings"
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
	if other, err := readRecord(r.path); err == nil && other.answers() {
		r.path = "" // a server that runs for this home already keeps its entry
		return r, nil
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

func readRecord(path string) (*serverRecord, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := &serverRecord{path: path}
	return r, json.Unmarshal(text, r)
}

// answers asks the address of the record whether a server is still there.
func (r *serverRecord) answers() bool {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if path, ok := strings.CutPrefix(r.Address, "unix:"); ok {
		conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
		if err != nil {
			return false
		}
		return conn.Close() == nil
	}
	return answersHealth(ctx, strings.TrimPrefix(r.Address, "http://"))
}

// remove takes the record away, if it is this server's.
func (r *serverRecord) remove(stderr io.Writer) {
	if r.path == "" {
		return
	}
	if now, err := readRecord(r.path); err == nil && now.PID != r.PID {
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
