package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
)

func newSettingsCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "settings",
		Short: "Read and change ZCode's settings",
		Long: `Read and change ZCode's settings. A noun alone lists; every command that changes
something takes --dry-run, --if-match and --repair, and answers with --json
exactly what the REST service answers.`,
		Example: `  zcode-acp settings providers
  zcode-acp settings mcp set files --command npx --arg -y --arg server-files
  zcode-acp settings models set router large --context-window 200000 --dry-run`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(
		newAllCmd(a), newProvidersCmd(a), newModelsCmd(a), newSkillsCmd(a), newMCPCmd(a), newHooksCmd(a), newPluginsCmd(a), newAgentsCmd(a),
		newConfigCmd(a), newBackupsCmd(a), newHistoryCmd(a), newEditCmd(a), newWhereCmd(a), newEffectiveCmd(a), newDoctorCmd(a, "zcode-acp settings doctor"),
	)
	return cmd
}

func newAllCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "all",
		Short: "Show everything at once",
		Long: `Show everything at once. A file that is broken is told on stderr, the rest is
shown, and the exit code is 5.`,
		Example: `  zcode-acp settings all --json`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all, err := fetch[*settings.All](cmd.Context(), a, "all", nil)
			if err != nil {
				return err
			}
			if err := present(a, all, a.showAll); err != nil {
				return err
			}
			said := map[string]bool{} // one file can be that of several sections
			for _, p := range all.Problems {
				if !said[p.Error] {
					fmt.Fprintf(a.stderr, "zcode-acp: %s: %s\n", p.Section, p.Error)
				}
				said[p.Error] = true
			}
			if len(all.Problems) > 0 {
				return exitError(exitBroken)
			}
			return nil
		},
	}
}

func (a *app) showAll(all *settings.All) error {
	unreadable := map[string]bool{}
	for _, p := range all.Problems {
		unreadable[p.Section] = true
	}
	section := func(name, title string, there bool, show func()) {
		fmt.Fprintln(a.text, title)
		if unreadable[name] && !there {
			fmt.Fprintln(a.text, "cannot be read, see below")
			return
		}
		show()
	}
	section("models", "Providers", len(all.Models.Providers) > 0, func() { a.providerTable(all.Models) })
	section("models", "\nModels", len(all.Models.Providers) > 0, func() { a.modelTable(all.Models) })
	section("skills", "\nSkills", len(all.Skills) > 0, func() { a.skillTable(all.Skills) })
	section("mcp", "\nMCP servers", len(all.MCP.Servers) > 0, func() { a.serverTable(all.MCP.Servers) })
	section("agents", "\nSubagents", len(all.Agents) > 0, func() { a.agentTable(all.Agents) })
	return nil
}
