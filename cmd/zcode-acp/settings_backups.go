package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
)

func newBackupsCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "backups",
		Short:   "Earlier states of the files",
		Example: `  zcode-acp settings backups`,
		Args:    noArgs,
		RunE:    a.listBackups,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the backups, newest first", Example: `  zcode-acp settings backups list`,
			Args: noArgs, RunE: a.listBackups,
		},
		&cobra.Command{
			Use: "restore FILE STAMP", Short: "Put a backup back",
			Long: `Put a backup back through the same checks as any write; the present file becomes
a backup itself. A path in the place of STAMP names one backup among those that
share it.`,
			Example: `  zcode-acp settings backups restore cliConfig 2026-09-22T14-10-00-000Z
  zcode-acp settings backups restore agents PATH`,
			Args: exactly(2), ValidArgsFunction: a.completeBackups,
			RunE: func(cmd *cobra.Command, args []string) error {
				which := param{"stamp", args[1]}
				if strings.ContainsAny(args[1], `/\`) {
					which.name = "path"
				}
				return a.change(cmd.Context(), "backups/restore", params{{"file", args[0]}, which}, "restored "+args[0]+" of "+args[1])
			},
		},
	)
	return cmd
}

func (a *app) listBackups(cmd *cobra.Command, _ []string) error {
	return do(cmd.Context(), a, "backups/list", nil, func(list *settings.BackupsList) error {
		var rows [][]string
		for _, file := range slices.Sorted(maps.Keys(list.Backups)) {
			for _, b := range list.Backups[file] {
				rows = append(rows, []string{file, b.Stamp, strconv.FormatInt(b.Size, 10), strings.TrimSuffix(filepath.Base(b.Path), ".bak-"+b.Stamp)})
			}
		}
		if len(rows) == 0 {
			fmt.Fprintln(a.text, "none yet; every write keeps the state before it")
			return nil
		}
		table(a.text, 2, []string{"FILE", "STAMP", "BYTES", "OF"}, rows)
		return nil
	})
}

func (a *app) completeBackups(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	list, err := fetch[*settings.BackupsList](cmd.Context(), a, "backups/list", nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var words []string
	switch len(args) {
	case 0:
		words = slices.Sorted(maps.Keys(list.Backups))
	case 1:
		for _, b := range list.Backups[args[0]] {
			words = append(words, b.Stamp)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
