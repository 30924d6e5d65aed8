package main

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"zcode-acp/settings/home"
)

// sample is the home that --demo looks around in.
//
//go:embed demo
var sample embed.FS

// openDemo copies the sample home into a fresh private folder, removed at the end.
func (a *app) openDemo(options *home.Options) error {
	dir, err := os.MkdirTemp("", "zcode-acp-demo-")
	if err != nil {
		return fmt.Errorf("making the demo home: %w", err)
	}
	a.cleanup = append(a.cleanup, func() {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintf(a.stderr, "zcode-acp: removing the demo home: %v\n", err)
		}
	})
	options.Dir = filepath.Join(dir, ".zcode")
	env := a.env
	options.Env = func(name string) string {
		if name == "ZCODE_ACP_STATE_DIR" {
			return filepath.Join(dir, "state")
		}
		return env(name)
	}
	return copySample(options.Dir)
}

func copySample(to string) error {
	return fs.WalkDir(sample, "demo", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("making the demo home: %w", err)
		}
		relative, err := filepath.Rel("demo", filepath.FromSlash(path))
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o700)
		}
		content, err := sample.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o600)
	})
}
