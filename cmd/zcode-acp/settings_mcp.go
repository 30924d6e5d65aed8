package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"zcode-acp/settings"
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

func newMCPCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "mcp",
		Short:   "MCP servers",
		Example: `  zcode-acp settings mcp`,
		Args:    noArgs,
		RunE:    a.listServers,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the MCP servers", Example: `  zcode-acp settings mcp list --json`,
			Args: noArgs, RunE: a.listServers,
		},
		&cobra.Command{
			Use: "show NAME", Short: "Show one MCP server, its secrets masked", Example: `  zcode-acp settings mcp show files`,
			Args: exactly(1), ValidArgsFunction: a.completeServers, RunE: a.showServer,
		},
		a.newMCPSetCmd(),
		a.newMCPImportCmd(),
		a.newMCPSwitchCmd("enable", true),
		a.newMCPSwitchCmd("disable", false),
		&cobra.Command{
			Use: "remove NAME", Aliases: []string{"delete"}, Short: "Remove an MCP server",
			Example: `  zcode-acp settings mcp remove files`,
			Args:    exactly(1), ValidArgsFunction: a.completeServers,
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.change(cmd.Context(), "mcp/remove", params{{"name", args[0]}}, "removed the MCP server "+args[0])
			},
		},
	)
	return cmd
}

func (a *app) newMCPSwitchCmd(verb string, on bool) *cobra.Command {
	return &cobra.Command{
		Use: verb + " NAME", Short: "Turn an MCP server " + onOff(on), Example: "  zcode-acp settings mcp " + verb + " files",
		Args: exactly(1), ValidArgsFunction: a.completeServers,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), "mcp/enable", params{{"name", args[0]}, {"enabled", on}}, "turned the MCP server "+args[0]+" "+onOff(on))
		},
	}
}

func (a *app) newMCPSetCmd() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "set NAME",
		Short: "Add an MCP server or change one",
		Long: `Add an MCP server or change members of one; what is not named stays. --arg,
--env and --header replace the whole list or map. Secrets are better given in a
file: --file takes a JSON object with the same members, - reads it from stdin.`,
		Example: `  zcode-acp settings mcp set files --command npx --arg -y --arg server-files
  zcode-acp settings mcp set tickets --type http \
    --url https://tickets.example/mcp
  zcode-acp settings mcp set tickets --file - < tickets.json
  zcode-acp settings mcp set files --clear timeoutMs`,
		Args: exactly(1), ValidArgsFunction: a.completeServers,
	}
	flags := cmd.Flags()
	flags.StringVar(&file, "file", "", "JSON `FILE` with the members, - for stdin")
	flags.String("type", "", "stdio, http or sse")
	flags.String("command", "", "`PROGRAM` to start (stdio)")
	flags.StringArray("arg", nil, "`ARGUMENT` of the program, once for each")
	flags.String("cwd", "", "`DIR` to start the program in")
	flags.StringArray("env", nil, "`KEY=VALUE` of its environment, once for each")
	flags.String("url", "", "`URL` of the server (http, sse)")
	flags.StringArray("header", nil, "`NAME=VALUE` of a request header, once for each")
	flags.String("protocol-version", "", "auto, legacy or 2026-07-28")
	flags.Float64("timeout-ms", 0, "`MILLISECONDS` to wait for an answer")
	flags.Bool("enabled", true, "whether ZCode starts it")
	flags.StringArray("clear", nil, "`FIELD` to remove, once for each")
	completeWords(cmd, "type", "stdio", "http", "sse")
	completeWords(cmd, "protocol-version", "auto", "legacy", "2026-07-28")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		body, err := a.bodyFrom(file)
		if err != nil {
			return err
		}
		body, err = fromFlags(cmd, body, []flagMember{
			{"type", "type"}, {"command", "command"}, {"arg", "args"}, {"cwd", "cwd"}, {"env", "env"}, {"url", "url"},
			{"header", "headers"}, {"protocol-version", "protocolVersion"}, {"timeout-ms", "timeoutMs"}, {"enabled", "enabled"},
		})
		if err != nil {
			return err
		}
		if len(body) == 0 {
			return usage("nothing to set: give a flag, see zcode-acp settings mcp set --help")
		}
		body = append(body, param{"name", args[0]})
		return a.change(cmd.Context(), "mcp/upsert", body, "set the MCP server "+args[0])
	}
	return cmd
}

func (a *app) newMCPImportCmd() *cobra.Command {
	var overwrite bool
	cmd := &cobra.Command{
		Use: "import [FILE]", Short: "Add MCP servers from the file of another tool",
		Long: `Add MCP servers from a file of another tool (mcpServers and its relatives), or
from stdin with -; without a FILE, from ~/.agents/mcp.json. What ZCode cannot
take is named, and nothing that is configured differently is replaced without
--overwrite. With --dry-run, see first what would happen.`,
		Example: `  zcode-acp settings mcp import ~/.cursor/mcp.json --dry-run
  zcode-acp settings mcp import - < servers.json`,
		Args: between(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in := params{{"overwrite", overwrite}}
			if len(args) == 1 {
				text, err := a.readInput(args[0])
				if err != nil {
					return err
				}
				in = append(in, param{"text", string(text)})
			}
			return do(cmd.Context(), a, "mcp/import", in, a.showImport)
		},
	}
	cmd.Flags().BoolVar(&overwrite, "overwrite", false, "replace servers that are configured differently")
	return cmd
}

func (a *app) showImport(done *settings.MCPImported) error {
	if len(done.Servers) == 0 {
		fmt.Fprintln(a.text, "there is no server in it")
	}
	for _, s := range done.Servers {
		fmt.Fprintf(a.text, "%s: %s\n", s.Action, s.Name)
		notes := append(append([]string{}, s.Changed...), s.Hints...)
		for _, dropped := range s.Dropped {
			notes = append(notes, "without "+dropped)
		}
		if s.Reason != "" {
			notes = append([]string{s.Reason}, notes...)
		}
		for _, note := range notes {
			fmt.Fprintf(a.text, "    %s\n", note)
		}
	}
	w := done.Written
	if w.DryRun {
		fmt.Fprintln(a.text, "nothing was changed: this is a dry run")
		a.warn(w.Warnings)
		return nil
	}
	return a.showWritten(&w, "imported the MCP servers")
}

// bodyFrom reads a JSON object from a file or stdin; no name, an empty one.
func (a *app) bodyFrom(file string) (params, error) {
	if file == "" {
		return nil, nil
	}
	text, err := a.readInput(file)
	if err != nil {
		return nil, err
	}
	d, err := jsonedit.Parse(text)
	if err != nil {
		return nil, usage("%s is not valid JSON: %s", inputName(file), err)
	}
	if d.Root().Kind() != jsonedit.Object {
		return nil, usage("%s does not hold one JSON object", inputName(file))
	}
	var body params
	for member := range d.Root().Children() {
		body = append(body, param{member.Key(), jsontext.Value(member.Raw())})
	}
	return body, nil
}

// readInput reads a file, or stdin for "-".
func (a *app) readInput(file string) ([]byte, error) {
	if file == "" {
		return nil, usage("the name of the file is empty: give one, or - for stdin")
	}
	var text []byte
	var err error
	if file == "-" {
		text, err = io.ReadAll(a.stdin)
	} else {
		text, err = os.ReadFile(file)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", inputName(file), err)
	}
	return text, nil
}

func inputName(file string) string {
	if file == "-" {
		return "stdin"
	}
	return file
}

func (a *app) listServers(cmd *cobra.Command, _ []string) error {
	return do(cmd.Context(), a, "mcp/list", nil, func(list *settings.MCPList) error {
		a.serverTable(list.MCP.Servers)
		for _, s := range list.MCP.Servers {
			if s.Ignored != "" {
				fmt.Fprintf(a.stderr, "zcode-acp: %s: %s\n", s.Name, s.Ignored)
			}
		}
		a.warn(list.Warnings)
		return nil
	})
}

func (a *app) serverTable(servers []cliconfig.Server) {
	if len(servers) == 0 {
		fmt.Fprintln(a.text, "none; add one with zcode-acp settings mcp set NAME")
		return
	}
	var rows [][]string
	for _, s := range servers {
		what := s.URL
		if what == "" {
			what = strings.Join(append([]string{s.Command}, s.Args...), " ")
		}
		state := onOff(s.Enabled)
		if s.Ignored != "" {
			state = "skipped"
		}
		rows = append(rows, []string{s.Name, state, s.Type, what})
	}
	table(a.text, 1, []string{"NAME", "STATE", "TYPE", "COMMAND OR URL"}, rows)
}

func (a *app) showServer(cmd *cobra.Command, args []string) error {
	list, err := fetch[*settings.MCPList](cmd.Context(), a, "mcp/list", nil)
	if err != nil {
		return err
	}
	for _, s := range list.MCP.Servers {
		if s.Name == args[0] {
			return a.showJSON(s)
		}
	}
	return fmt.Errorf("%w: there is no MCP server %q", settings.ErrUnknown, args[0])
}

func (a *app) completeServers(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := fetch[*settings.MCPList](cmd.Context(), a, "mcp/list", nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, s := range list.MCP.Servers {
		names = append(names, s.Name+"\t"+s.Type+" "+onOff(s.Enabled))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
