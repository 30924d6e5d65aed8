package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
)

func newHistoryCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "history", Short: "What was changed here, and taking it back",
		Long: `Every change that this program makes is recorded, whichever way it came: from
the command line, over REST or from an editor. The record holds the values that
were there before, secrets too; it is a private file, and forgets after 90 days.`,
		Example: `  zcode-acp settings history`,
		Args:    noArgs, RunE: a.listHistory,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the changes, newest first", Example: `  zcode-acp settings history list`, Args: noArgs, RunE: a.listHistory,
		},
		&cobra.Command{
			Use: "show ID", Short: "Show one change with its values, secrets masked",
			Example: `  zcode-acp settings history show ID`,
			Args:    exactly(1), ValidArgsFunction: a.completeHistory, RunE: a.showHistory,
		},
		&cobra.Command{
			Use: "undo [ID]", Short: "Take a change back; the newest when no ID is given",
			Long: `Take a change back: what it changed gets the value that it had, if all of it
still stands; else nothing is changed and both values are told. A list and a
server are taken back whole. Without an ID, the newest change that can be taken
back and was not yet.`,
			Example: `  zcode-acp settings history undo --dry-run
  zcode-acp settings history undo`,
			Args: between(0, 1), ValidArgsFunction: a.completeHistory,
			RunE: func(cmd *cobra.Command, args []string) error {
				var in params
				if len(args) == 1 {
					in = params{{"id", args[0]}}
				}
				return a.change(cmd.Context(), "history/undo", in, "taken the change back")
			},
		},
		a.newHistoryPurgeCmd(),
	)
	return cmd
}

func (a *app) newHistoryPurgeCmd() *cobra.Command {
	var days int
	cmd := &cobra.Command{
		Use: "purge", Short: "Forget changes, and the secrets that they hold",
		Example: `  zcode-acp settings history purge
  zcode-acp settings history purge --older-than-days 7`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var in params
			if cmd.Flags().Changed("older-than-days") {
				if days < 1 {
					return usage("--older-than-days must be 1 or more")
				}
				in = params{{"before", time.Now().AddDate(0, 0, -days)}}
			}
			return do(cmd.Context(), a, "history/purge", in, func(p *settings.HistoryPurged) error {
				if p.DryRun {
					fmt.Fprintf(a.text, "would forget %d changes\n", p.Removed)
					return nil
				}
				fmt.Fprintf(a.text, "forgot %d changes\n", p.Removed)
				return nil
			})
		},
	}
	cmd.Flags().IntVar(&days, "older-than-days", 0, "only those older than so many `DAYS`")
	return cmd
}

func (a *app) listHistory(cmd *cobra.Command, _ []string) error {
	return do(cmd.Context(), a, "history/list", nil, func(list *settings.HistoryList) error {
		if len(list.Entries) == 0 {
			fmt.Fprintln(a.text, "none yet; every change that this program makes is recorded")
			return nil
		}
		var rows [][]string
		for _, e := range list.Entries {
			state := ""
			if e.UndoneBy != "" {
				state = "undone"
			}
			rows = append(rows, []string{e.ID, state, e.Operation, strings.Join(pathsOf(e), " ")})
		}
		table(a.text, 2, []string{"ID", "STATE", "OPERATION", "PATHS"}, rows)
		return nil
	})
}

func pathsOf(e settings.HistoryEntry) []string {
	var paths []string
	for _, f := range e.Files {
		paths = append(paths, f.Paths...)
		if len(f.Paths) == 0 {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

func (a *app) showHistory(cmd *cobra.Command, args []string) error {
	return do(cmd.Context(), a, "history/show", params{{"id", args[0]}}, func(shown *settings.HistoryShown) error {
		e := shown.Entry
		fmt.Fprintf(a.text, "%s  %s  by %s %s\n", e.Operation, e.Time.Local().Format("2006-01-02 15:04:05"), e.Door, e.Client)
		for _, f := range e.Files {
			fmt.Fprintln(a.text, f.Path)
			for _, c := range f.Changes {
				fmt.Fprintf(a.text, "  %s: %s -> %s\n", c.Path, orNothing(c.Before), orNothing(c.After))
			}
			if f.Note != "" {
				fmt.Fprintf(a.text, "  %s\n", f.Note)
			}
		}
		return nil
	})
}

func (a *app) completeHistory(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := fetch[*settings.HistoryList](cmd.Context(), a, "history/list", nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var words []string
	for _, e := range list.Entries {
		words = append(words, e.ID+"\t"+e.Operation)
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
