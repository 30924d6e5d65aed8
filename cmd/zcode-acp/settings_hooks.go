package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
	"zcode-acp/settings/cliconfig"
)

func newHooksCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "hooks", Short: "Hooks: programs that ZCode runs at events",
		Long: `Hooks are programs that ZCode runs at events. One is called by its event and by
two numbers, counted from 0: its group (all hooks with one matcher) and its
place in the group.`,
		Example: `  zcode-acp settings hooks`,
		Args:    noArgs, RunE: a.listHooks,
	}
	list := &cobra.Command{
		Use: "list", Short: "List the hooks, and which of them ZCode runs", Example: `  zcode-acp settings hooks list --cwd .`,
		Args: noArgs, RunE: a.listHooks,
	}
	for _, c := range []*cobra.Command{cmd, list} {
		cwdFlag(c)
	}
	cmd.AddCommand(
		list,
		a.newHookCmd("show", "Show one hook, its secrets masked", "zcode-acp settings hooks show Stop 0 0", a.showHook),
		a.newHooksSwitchCmd("on", true), a.newHooksSwitchCmd("off", false),
		a.newHookAddCmd(),
		a.newHookSetCmd(),
		a.newHookCmd("enable", "Turn one hook on", "zcode-acp settings hooks enable Stop 0 0", a.switchHook(true)),
		a.newHookCmd("disable", "Turn one hook off", "zcode-acp settings hooks disable Stop 0 0", a.switchHook(false)),
		a.newHookMoveCmd(),
		a.newHookCmd("remove", "Remove a hook", "zcode-acp settings hooks remove Stop 0 0", a.removeHook, "delete"),
	)
	return cmd
}

// hookAt names a hook on the command line.
func hookAt(args []string) (params, error) {
	group, err := index(args[1])
	if err != nil {
		return nil, err
	}
	place, err := index(args[2])
	return params{{"event", args[0]}, {"matcherIndex", group}, {"hookIndex", place}}, err
}

func index(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, usage("%q is no place in a list: places are counted from 0", text)
	}
	return n, nil
}

func hookName(args []string) string { return "the hook " + strings.Join(args[:3], " ") }

func (a *app) newHookCmd(verb, short, example string, run func(*cobra.Command, []string) error, aliases ...string) *cobra.Command {
	return &cobra.Command{
		Use: verb + " EVENT GROUP PLACE", Short: short, Example: "  " + example, Aliases: aliases,
		Args: exactly(3), ValidArgsFunction: a.completeHooks, RunE: run,
	}
}

func (a *app) newHooksSwitchCmd(verb string, on bool) *cobra.Command {
	return &cobra.Command{
		Use: verb, Short: "Turn all hooks " + verb, Example: "  zcode-acp settings hooks " + verb, Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.change(cmd.Context(), "hooks/enabled", params{{"enabled", on}}, "turned all hooks "+verb)
		},
	}
}

// hookMembers are the flags of hooks add and hooks set.
var hookMembers = []flagMember{
	{"matcher", "matcher"}, {"type", "type"}, {"command", "command"}, {"arg", "args"}, {"shell", "shell"}, {"async", "async"},
	{"timeout", "timeout"}, {"timeout-ms", "timeoutMs"}, {"status-message", "statusMessage"}, {"enabled", "enabled"},
}

func hookFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("matcher", "", "`REGEX` of the tools that its group is for")
	flags.String("type", "", "command (a line for a shell) or process (a program)")
	flags.String("command", "", "`LINE` for the shell, or the program")
	flags.StringArray("arg", nil, "`ARGUMENT` of the program (process), once for each")
	flags.String("shell", "", "`SHELL` to run the line with (command)")
	flags.Bool("async", false, "do not wait for it (command)")
	flags.Float64("timeout", 0, "`SECONDS` it may take (command)")
	flags.Float64("timeout-ms", 0, "`MILLISECONDS` it may take; counts before seconds")
	flags.String("status-message", "", "`TEXT` that ZCode shows meanwhile")
	flags.Bool("enabled", true, "whether ZCode runs it")
	completeWords(cmd, "type", "command", "process")
}

func (a *app) newHookAddCmd() *cobra.Command {
	var position int
	cmd := &cobra.Command{
		Use: "add EVENT", Short: "Add a hook",
		Long: `Add a hook to the group with the same matcher, or to a new group. The matcher is
a regular expression, and case counts; without one the group is for everything.`,
		Example: `  zcode-acp settings hooks add PreToolUse --matcher 'Bash|Write' \
    --command ./check.sh --timeout 5
  zcode-acp settings hooks add Stop --type process --command log --arg -v`,
		Args: exactly(1), ValidArgsFunction: completeEvents,
	}
	hookFlags(cmd)
	cmd.Flags().IntVar(&position, "position", 0, "`PLACE` in its group, counted from 0; last when left out")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		body, err := fromFlags(cmd, nil, append(hookMembers, flagMember{"position", "position"}))
		if err != nil {
			return err
		}
		if !body.has("type") {
			body = append(params{{"type", "command"}}, body...)
		}
		body = append(body, param{"event", args[0]})
		return a.change(cmd.Context(), "hooks/add", body, "added a hook to "+args[0])
	}
	return cmd
}

func (a *app) newHookSetCmd() *cobra.Command {
	cmd := a.newHookCmd("set", "Change members of a hook", "zcode-acp settings hooks set Stop 0 0 --timeout 10", nil)
	hookFlags(cmd)
	cmd.Flags().StringArray("clear", nil, "`FIELD` to remove, once for each")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		at, err := hookAt(args)
		if err != nil {
			return err
		}
		body, err := fromFlags(cmd, nil, hookMembers)
		if err != nil {
			return err
		}
		if len(body) == 0 {
			return usage("nothing to set: give a flag, see zcode-acp settings hooks set --help")
		}
		return a.change(cmd.Context(), "hooks/update", append(body, at...), "set "+hookName(args))
	}
	return cmd
}

func (a *app) newHookMoveCmd() *cobra.Command {
	return &cobra.Command{
		Use: "move EVENT GROUP PLACE TO", Short: "Move a hook within its group", Example: `  zcode-acp settings hooks move Stop 0 2 0`,
		Args: exactly(4), ValidArgsFunction: a.completeHooks,
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := hookAt(args)
			if err != nil {
				return err
			}
			to, err := index(args[3])
			if err != nil {
				return err
			}
			return a.change(cmd.Context(), "hooks/move", append(at, param{"to", to}), "moved "+hookName(args))
		},
	}
}

func (a *app) switchHook(on bool) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		at, err := hookAt(args)
		if err != nil {
			return err
		}
		return a.change(cmd.Context(), "hooks/update", append(at, param{"enabled", on}), "turned "+hookName(args)+" "+onOff(on))
	}
}

func (a *app) removeHook(cmd *cobra.Command, args []string) error {
	at, err := hookAt(args)
	if err != nil {
		return err
	}
	return a.change(cmd.Context(), "hooks/remove", at, "removed "+hookName(args))
}

func (a *app) listHooks(cmd *cobra.Command, _ []string) error {
	in, err := inProject(cmd)
	if err != nil {
		return err
	}
	return do(cmd.Context(), a, "hooks/list", in, func(list *settings.HooksList) error {
		fmt.Fprintf(a.text, "hooks are %s\n", onOff(list.Enabled))
		if len(list.Entries) == 0 {
			fmt.Fprintln(a.text, "none; add one with zcode-acp settings hooks add EVENT")
		} else {
			a.hookTable(list.Entries, "runs")
		}
		for _, p := range list.Project {
			if p.Problem != "" {
				fmt.Fprintf(a.stderr, "zcode-acp: %s\n", p.Problem)
				continue
			}
			fmt.Fprintf(a.text, "\n%s: %s\n", p.File, p.Trust)
			a.hookTable(p.Entries, "if trusted")
		}
		for _, note := range list.Notes {
			fmt.Fprintf(a.stderr, "zcode-acp: %s\n", note)
		}
		a.warn(list.Warnings)
		return nil
	})
}

// hookTable shows hooks; live is the state of those that nothing in their file
// keeps from running.
func (a *app) hookTable(entries []cliconfig.HookEntry, live string) {
	var rows [][]string
	for _, h := range entries {
		state := live
		switch {
		case !h.Enabled:
			state = "off"
		case !h.Live:
			state = "ignored"
		}
		rows = append(rows, []string{
			h.Event, strconv.Itoa(h.MatcherIndex), strconv.Itoa(h.HookIndex), state, h.Matcher,
			strings.Join(append([]string{h.Command}, h.Args...), " "),
		})
	}
	table(a.text, 4, []string{"EVENT", "GROUP", "PLACE", "STATE", "MATCHER", "COMMAND"}, rows)
	said := map[string]bool{}
	for _, h := range entries {
		if h.Ignored != "" && !said[h.Ignored] {
			said[h.Ignored] = true
			fmt.Fprintf(a.stderr, "zcode-acp: %s %d %d: %s\n", h.Event, h.MatcherIndex, h.HookIndex, h.Ignored)
		}
		for _, w := range h.Warnings {
			fmt.Fprintf(a.stderr, "zcode-acp: warning: %s %d %d: %s\n", h.Event, h.MatcherIndex, h.HookIndex, w)
		}
	}
}

func (a *app) showHook(cmd *cobra.Command, args []string) error {
	group, err := index(args[1])
	if err != nil {
		return err
	}
	place, err := index(args[2])
	if err != nil {
		return err
	}
	list, err := fetch[*settings.HooksList](cmd.Context(), a, "hooks/list", nil)
	if err != nil {
		return err
	}
	for _, h := range list.Entries {
		if h.Event == args[0] && h.MatcherIndex == group && h.HookIndex == place {
			return a.showJSON(h)
		}
	}
	return fmt.Errorf("%w: there is %s nowhere: list the hooks to see the places", settings.ErrUnknown, hookName(args))
}

func completeEvents(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return cliconfig.HookEvents(), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

func (a *app) completeHooks(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	return a.hookWords(cmd.Context(), args), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// hookWords are what can follow the arguments that stand there.
func (a *app) hookWords(ctx context.Context, args []string) []string {
	list, err := fetch[*settings.HooksList](ctx, a, "hooks/list", nil)
	if err != nil {
		return nil
	}
	var words []string
	for _, h := range list.Entries {
		place := []string{h.Event, strconv.Itoa(h.MatcherIndex), strconv.Itoa(h.HookIndex)}
		if len(args) >= len(place) || !equalBegin(place, args) {
			continue
		}
		if word := place[len(args)]; len(words) == 0 || words[len(words)-1] != word {
			words = append(words, word)
		}
	}
	return words
}

func equalBegin(place, args []string) bool {
	for i, arg := range args {
		if place[i] != arg {
			return false
		}
	}
	return true
}
