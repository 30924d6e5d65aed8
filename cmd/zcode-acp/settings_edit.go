package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"zcode-acp/settings"
	"zcode-acp/settings/jsonedit"
)

func newEditCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "edit",
		Short: "Change something in your editor, checked before it is saved",
		Long: `Change an MCP server, the hooks or a subagent in your editor ($VISUAL, else
$EDITOR). What you save is checked first: nothing is written that ZCode would
not take, and nothing that changed meanwhile is overwritten. Secrets stand there
as ********; left so, they keep their values.`,
		Example: `  zcode-acp settings edit mcp files
  EDITOR='code --wait' zcode-acp settings edit hooks`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "mcp NAME", Short: "Edit an MCP server, or add one", Example: `  zcode-acp settings edit mcp files`,
			Args: exactly(1), ValidArgsFunction: a.completeServers,
			RunE: func(cmd *cobra.Command, args []string) error { return a.editServer(cmd.Context(), args[0]) },
		},
		&cobra.Command{
			Use: "hooks", Short: "Edit the hooks", Example: `  zcode-acp settings edit hooks`,
			Args: noArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.editHooks(cmd.Context()) },
		},
		&cobra.Command{
			Use: "agent NAME", Short: "Edit the file of a subagent", Example: `  zcode-acp settings edit agent reviewer`,
			Args: exactly(1), ValidArgsFunction: a.completeAgents,
			RunE: func(cmd *cobra.Command, args []string) error { return a.editAgent(cmd.Context(), args[0]) },
		},
	)
	return cmd
}

// editing is one text that a person changes in an editor.
type editing struct {
	file string // how the text is called; its ending tells the editor the kind
	text []byte
	etag string // what the section had when the text was made
	// params turns the edited text into the parameters of the operation.
	operation string
	params    func(edited []byte) (params, error)
	done      string
}

// newServer is what the editor shows for a server that does not exist yet.
const newServer = "{\n  \"type\": \"stdio\",\n  \"command\": \"\",\n  \"args\": []\n}\n"

func (a *app) editServer(ctx context.Context, name string) error {
	list, err := quietly[*settings.MCPList](ctx, a, "mcp/list", nil)
	if err != nil {
		return err
	}
	text, present := []byte(newServer), emptyObject
	for _, s := range list.MCP.Servers {
		if s.Name != name || s.Source != "user" {
			continue
		}
		if text, err = indented(s); err != nil {
			return err
		}
		if present, err = jsonedit.Parse(text); err != nil {
			return fmt.Errorf("showing the MCP server %q: %w", name, err)
		}
		for _, member := range []string{"name", "source", "ignored", "legacy"} {
			if present, err = present.Delete(jsonedit.Path{member}); err != nil {
				return fmt.Errorf("showing the MCP server %q: %w", name, err)
			}
		}
		text = present.Text()
	}
	return a.edit(ctx, editing{
		file: fileName(name) + ".json", text: text, etag: list.ETag, operation: "mcp/upsert", done: "set the MCP server " + name,
		params: func(edited []byte) (params, error) {
			body, err := changedMembers(present, edited)
			return append(body, param{"name", name}), err
		},
	})
}

func (a *app) editHooks(ctx context.Context) error {
	list, err := quietly[*settings.HooksList](ctx, a, "hooks/list", nil)
	if err != nil {
		return err
	}
	text, err := indented(list.Hooks)
	if err != nil {
		return err
	}
	return a.edit(ctx, editing{
		file: "hooks.json", text: text, etag: list.ETag, operation: "hooks/set", done: "set the hooks",
		params: func(edited []byte) (params, error) {
			if _, err := parseObject(edited); err != nil {
				return nil, err
			}
			return params{{"hooks", jsontext.Value(edited)}}, nil
		},
	})
}

func (a *app) editAgent(ctx context.Context, name string) error {
	shown, err := quietly[*settings.AgentText](ctx, a, "agents/show", params{{"name", name}})
	if err != nil {
		return err
	}
	switch {
	case shown.Agent.Source != "user":
		return fmt.Errorf("%w: the agent %q has no file of yours: set its model with zcode-acp settings agents set %s", settings.ErrInvalid, name, name)
	case shown.Text == "":
		return fmt.Errorf("%w: the file of the agent %q may hold secrets, which are not shown here: edit %s itself", settings.ErrInvalid, name, shown.Agent.Path)
	}
	return a.edit(ctx, editing{
		file: fileName(name) + ".md", text: []byte(shown.Text), etag: shown.ETag, operation: "agents/upsert", done: "set the agent " + name,
		params: func(edited []byte) (params, error) {
			return params{{"name", name}, {"text", string(edited)}}, nil
		},
	})
}

var emptyObject, _ = jsonedit.Parse([]byte("{}"))

// fileName keeps what cannot harm in a file name.
func fileName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

func parseObject(text []byte) (*jsonedit.Doc, error) {
	d, err := jsonedit.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%w: the text is not valid JSON: %w", settings.ErrInvalid, err)
	}
	if d.Root().Kind() != jsonedit.Object {
		return nil, fmt.Errorf("%w: the text must hold one JSON object", settings.ErrInvalid)
	}
	return d, nil
}

// changedMembers are the members of an object that were added or changed, and
// null for those that went.
func changedMembers(before *jsonedit.Doc, text []byte) (params, error) {
	after, err := parseObject(text)
	if err != nil {
		return nil, err
	}
	var body params
	for member := range after.Root().Children() {
		if !jsonedit.Equal(before.Root().Get(member.Key()), member) {
			body = append(body, param{member.Key(), jsontext.Value(member.Raw())})
		}
	}
	for member := range before.Root().Children() {
		if !after.Root().Get(member.Key()).Exists() {
			body = append(body, param{member.Key(), nil})
		}
	}
	return body, nil
}

// edit lets a person change the text until it is taken or given up. A text that
// was not saved stays where it is, so that no work is lost.
func (a *app) edit(ctx context.Context, e editing) error {
	dir, err := os.MkdirTemp("", "zcode-acp-edit-")
	if err != nil {
		return fmt.Errorf("making a place for the text: %w", err)
	}
	file := filepath.Join(dir, e.file)
	if err := os.WriteFile(file, e.text, 0o600); err != nil {
		return fmt.Errorf("making a place for the text: %w", err)
	}
	saved, err := a.editFile(ctx, e, file)
	if saved {
		if err := os.RemoveAll(dir); err != nil {
			fmt.Fprintf(a.stderr, "zcode-acp: warning: the text stays in %s: %v\n", file, err)
		}
		return err
	}
	fmt.Fprintf(a.stderr, "zcode-acp: your text is kept in %s\n", file)
	return err
}

// editFile reports saved when the text is of no more use.
func (a *app) editFile(ctx context.Context, e editing, file string) (saved bool, err error) {
	if a.ifMatch == "" {
		a.ifMatch = e.etag
	}
	for {
		if err := a.runEditor(ctx, file); err != nil {
			return false, err
		}
		edited, err := os.ReadFile(file)
		if err != nil {
			return false, fmt.Errorf("reading the text back: %w", err)
		}
		if string(edited) == string(e.text) {
			fmt.Fprintln(a.text, "nothing to change")
			return true, nil
		}
		in, err := e.params(edited)
		if err == nil {
			err = do(ctx, a, e.operation, in, func(w interface{ Outcome() *settings.Written }) error {
				return a.showWritten(w.Outcome(), e.done)
			})
		}
		if err == nil {
			return !a.dryRun, nil
		}
		if errors.Is(err, settings.ErrConflict) || ctx.Err() != nil || !a.again(err) {
			return false, err
		}
	}
}

// again asks whether to go back into the editor; only a person at a terminal can
// answer.
func (a *app) again(err error) bool {
	if !a.interactive() {
		return false
	}
	fmt.Fprintf(a.stderr, "zcode-acp: %s\nEdit again? [Y/n] ", settings.Describe(err).Error)
	answer, readErr := bufio.NewReader(a.stdin).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return readErr == nil && (answer == "" || answer == "y" || answer == "yes")
}

// runEditor starts the editor and waits until it ends.
func (a *app) runEditor(ctx context.Context, file string) error {
	editor := a.env("VISUAL")
	if editor == "" {
		editor = a.env("EDITOR")
	}
	windows := runtime.GOOS == "windows"
	switch {
	case editor == "" && windows:
		editor = "notepad"
	case editor == "":
		editor = "vi"
	}
	// The variable holds a command line, as every program takes it: 'code --wait'.
	command := exec.Command("sh", "-c", editor+` "$1"`, "sh", file)
	if windows {
		command = exec.Command("cmd", "/s", "/c", `"`+editor+` "`+file+`""`)
	}
	command.Stdin, command.Stdout, command.Stderr = a.stdin, os.Stdout, os.Stderr
	// Ctrl-C in the terminal is for the editor, which has it too; only when it is
	// over does this program end.
	err := command.Run()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		return fmt.Errorf("running the editor %q: %w: set EDITOR to another one", editor, err)
	}
	return nil
}

// interactive reports whether a person at a terminal can answer.
func (a *app) interactive() bool {
	stdin, ok := a.stdin.(*os.File)
	return ok && term.IsTerminal(int(stdin.Fd()))
}

// indented writes a value as people read JSON.
func indented(v any) ([]byte, error) {
	b, err := json.Marshal(v, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return nil, fmt.Errorf("showing it: %w", err)
	}
	return append(b, '\n'), nil
}
