package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/atomicwrite"
	"zcode-acp/settings/home"
)

const tokenVariable = "ZCODE_ACP_REMOTE_TOKEN"

// token is a secret and where it comes from.
type token struct {
	from string
	read func() (string, error)
}

// findToken takes the token from the flag, the environment or our own file,
// which is made when it is missing.
func (a *app) findToken(file string) (token, error) {
	if file != "" {
		t := token{file, func() (string, error) { return readToken(file) }}
		_, err := t.read()
		return t, err
	}
	if value := strings.TrimSpace(a.env(tokenVariable)); value != "" {
		return token{tokenVariable, func() (string, error) { return value, nil }}, nil
	}
	path := a.tokenPath()
	if _, err := readToken(path); errors.Is(err, fs.ErrNotExist) {
		if err := a.makeToken(path); err != nil {
			return token{}, err
		}
	} else if err != nil {
		return token{}, err
	}
	return token{path, func() (string, error) { return readToken(path) }}, nil
}

func (a *app) tokenPath() string { return filepath.Join(a.layout.StateDir(), "token") }

func readToken(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("reading the token: %w", err)
	}
	value := strings.TrimSpace(string(text))
	if len(value) < shortToken {
		return "", fmt.Errorf("reading the token: %s holds fewer than 16 characters: put a longer one there, or run zcode-acp serve token rotate", path)
	}
	return value, nil
}

// makeToken writes a new token of 256 bits, readable by this user only.
func (a *app) makeToken(path string) error {
	if err := home.EnsureStateDir(a.layout); err != nil {
		return err
	}
	var secret [32]byte
	if _, err := rand.Read(secret[:]); err != nil {
		return fmt.Errorf("making a token: %w", err)
	}
	_, err := atomicwrite.Writer{}.Update(context.Background(), atomicwrite.Request{
		Path: path, NoBackup: true,
		Edit: func([]byte, bool) ([]byte, error) { return []byte(hex.EncodeToString(secret[:]) + "\n"), nil },
	})
	if err != nil {
		return err
	}
	return os.Chmod(path, 0o600) // a replace keeps the mode that somebody gave it
}

// warnOpen tells of a token that others can read, or guess.
func (a *app) warnOpen(t token) {
	if info, err := os.Stat(t.from); err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		fmt.Fprintf(a.stderr, "zcode-acp: warning: others can read %s: chmod 600 it\n", t.from)
	}
	if value, err := t.read(); err == nil && len(value) < shortToken {
		fmt.Fprintf(a.stderr, "zcode-acp: warning: the token of %s is shorter than %d characters and may be guessed\n", t.from, shortToken)
	}
}

// shortToken is the length below which a token is told to be weak.
const shortToken = 16

func newTokenCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "token", Short: "Show or replace the token", Example: `  zcode-acp serve token show`,
		Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "show", Short: "Print the token", Example: `  zcode-acp serve token show`, Args: noArgs,
			RunE: func(*cobra.Command, []string) error {
				if err := a.open(); err != nil {
					return err
				}
				t, err := a.findToken("")
				if err != nil {
					return err
				}
				value, err := t.read()
				if err == nil {
					_, err = fmt.Fprintln(a.stdout, value)
				}
				return err
			},
		},
		&cobra.Command{
			Use: "rotate", Short: "Replace the token; the old one stops working at once", Example: `  zcode-acp serve token rotate`, Args: noArgs,
			RunE: func(*cobra.Command, []string) error {
				if err := a.open(); err != nil {
					return err
				}
				if a.env(tokenVariable) != "" {
					return usage("%s is set and decides: change it there", tokenVariable)
				}
				if err := a.makeToken(a.tokenPath()); err != nil {
					return err
				}
				fmt.Fprintf(a.stdout, "replaced the token in %s\n", a.tokenPath())
				return nil
			},
		},
	)
	return cmd
}
