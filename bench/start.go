package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// nothing is the floor of a start: a Go program that only prints.
const nothing = "package main\n\nimport \"os\"\n\nfunc main() { os.Stdout.WriteString(\"none\\n\") }\n"

// measureStart compares settings mcp list from a cold start with a program that
// does nothing.
func measureStart(dir string) ([]row, error) {
	product, floor := filepath.Join(dir, "zcode-acp"), filepath.Join(dir, "nothing")
	source := filepath.Join(dir, "nothing.go")
	err := errors.Join(
		os.WriteFile(source, []byte(nothing), 0o600),
		build(product, "zcode-acp/cmd/zcode-acp"),
		build(floor, source),
	)
	if err != nil {
		return nil, err
	}
	small := filepath.Join(dir, "small")
	if err := os.MkdirAll(filepath.Join(small, "cli"), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(small, "cli", "config.json"), configOf(4<<10), 0o600); err != nil {
		return nil, err
	}
	r, err := duel("settings mcp list from a cold start", "under 15 ms", 200,
		func() error { return start(product, "--home", small, "settings", "mcp", "list") },
		func() error { return start(floor) })
	return []row{r}, err
}

func build(out, what string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", out, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as releases are built
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("building %s: %w", what, err)
	}
	return nil
}

func start(program string, args ...string) error {
	return exec.Command(program, args...).Run()
}
