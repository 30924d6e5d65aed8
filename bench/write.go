package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"zcode-acp/atomicwrite"
	"zcode-acp/settings"
	"zcode-acp/settings/home"
)

// measureWrite compares a durable replace of 100 KB, alone and as a whole
// operation, with temp, fsync, rename and fsync of the folder.
func measureWrite(dir string) ([]row, error) {
	config := filepath.Join(dir, ".zcode", "cli", "config.json")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		return nil, err
	}
	text := configOf(100 << 10)
	if err := os.WriteFile(config, text, 0o600); err != nil {
		return nil, err
	}
	bare := filepath.Join(dir, "bare.json")
	floor := func() error { return bareReplace(bare, text) }

	plain := filepath.Join(dir, "plain.json")
	flip := byte('a')
	replace, err := duel("durable replace of 100 KB", "1.3", 400, func() error {
		flip ^= 3
		next := append([]byte{flip}, text...)
		_, err := atomicwrite.Writer{}.Update(context.Background(), atomicwrite.Request{
			Path: plain, NoBackup: true, Edit: func([]byte, bool) ([]byte, error) { return next, nil },
		})
		return err
	}, floor)
	if err != nil {
		return nil, err
	}

	toggle, err := toggler(dir)
	if err != nil {
		return nil, err
	}
	whole, err := duel("one change of a 100 KB file, with lock, checks, backup, history", "2", 400, toggle, floor)
	return []row{replace, whole}, err
}

// toggler turns an MCP server off and on through the engine.
func toggler(dir string) (func() error, error) {
	layout, err := home.Resolve(home.Options{Dir: filepath.Join(dir, ".zcode"), Env: func(name string) string {
		if name == "ZCODE_ACP_STATE_DIR" {
			return filepath.Join(dir, "state")
		}
		return ""
	}})
	if err != nil {
		return nil, err
	}
	catalog := settings.NewCatalog(settings.NewEngine(layout, nil).Operations())
	enable, _ := catalog.Lookup("mcp/enable")
	on := true
	return func() error {
		on = !on
		_, err := enable.Run(context.Background(), settings.Call{}, fmt.Appendf(nil, `{"name":"server-7","enabled":%t}`, on))
		return err
	}, nil
}

// configOf is a config of that many bytes, mostly MCP servers.
func configOf(size int) []byte {
	var b strings.Builder
	b.WriteString("{\n  \"mcp\": {\n    \"servers\": {")
	for i := 0; b.Len() < size-300; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n      \"server-%d\": {\n        \"type\": \"stdio\",\n        \"command\": \"npx\",\n        \"args\": [\n          \"-y\",\n          \"server-%d\"\n        ],\n        \"env\": {\n          \"ROOT\": \"/srv/%d\"\n        }\n      }", i, i, i)
	}
	b.WriteString("\n    }\n  }\n}\n")
	return []byte(b.String())
}

func bareReplace(path string, text []byte) error {
	temp := path + ".tmp"
	f, err := os.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer folder.Close()
	return folder.Sync()
}
