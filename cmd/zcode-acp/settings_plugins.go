package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
)

func newPluginsCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "plugins", Short: "Plugins", Example: `  zcode-acp settings plugins`, Args: noArgs, RunE: a.listPlugins,
	}
	list := &cobra.Command{
		Use: "list", Short: "List the plugins and what they bring", Example: `  zcode-acp settings plugins list --cwd .`,
		Args: noArgs, RunE: a.listPlugins,
	}
	for _, c := range []*cobra.Command{cmd, list} {
		cwdFlag(c)
	}
	cmd.AddCommand(
		list,
		&cobra.Command{
			Use: "show ID", Short: "Show one plugin with everything it brings", Example: `  zcode-acp settings plugins show pdf@zcode-plugins-official`,
			Args: exactly(1), ValidArgsFunction: a.completePlugins, RunE: a.showPlugin,
		},
		a.newPluginSwitchCmd("enable", true), a.newPluginSwitchCmd("disable", false),
	)
	return cmd
}

func (a *app) newPluginSwitchCmd(verb string, on bool) *cobra.Command {
	return &cobra.Command{
		Use: verb + " ID", Short: "Turn a plugin " + onOff(on), Example: "  zcode-acp settings plugins " + verb + " pdf@zcode-plugins-official",
		Args: exactly(1), ValidArgsFunction: a.completePlugins,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), "plugins/enable", params{{"id", args[0]}, {"enabled", on}}, "turned the plugin "+args[0]+" "+onOff(on))
		},
	}
}

func (a *app) listPlugins(cmd *cobra.Command, _ []string) error {
	in, err := inProject(cmd)
	if err != nil {
		return err
	}
	return do(cmd.Context(), a, "plugins/list", in, func(list *settings.PluginsList) error {
		var rows [][]string
		for _, p := range list.Plugins {
			rows = append(rows, []string{p.ID, onOff(p.Enabled), p.Version, brings(p), p.Reason})
		}
		if len(rows) == 0 {
			fmt.Fprintln(a.text, "none")
		} else {
			table(a.text, 1, []string{"ID", "STATE", "VERSION", "BRINGS", "WHY"}, rows)
		}
		a.warn(list.Warnings)
		return nil
	})
}

// brings counts what a plugin adds.
func brings(p settings.Plugin) string {
	hooks := 0
	for _, h := range p.Contents.Hooks {
		hooks += h.Count
	}
	var parts []string
	for _, part := range []struct {
		count int
		name  string
	}{
		{len(p.Contents.Skills), "skill"}, {len(p.Contents.Agents), "agent"}, {len(p.Contents.Commands), "command"},
		{hooks, "hook"}, {len(p.Contents.MCPServers), "server"},
	} {
		switch part.count {
		case 0:
		case 1:
			parts = append(parts, "1 "+part.name)
		default:
			parts = append(parts, strconv.Itoa(part.count)+" "+part.name+"s")
		}
	}
	return strings.Join(parts, ", ")
}

func (a *app) showPlugin(cmd *cobra.Command, args []string) error {
	list, err := fetch[*settings.PluginsList](cmd.Context(), a, "plugins/list", nil)
	if err != nil {
		return err
	}
	for _, p := range list.Plugins {
		if p.ID == args[0] {
			return a.showJSON(p)
		}
	}
	return fmt.Errorf("%w: there is no plugin %q: list the plugins to see them", settings.ErrUnknown, args[0])
}

func (a *app) completePlugins(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := fetch[*settings.PluginsList](cmd.Context(), a, "plugins/list", nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var words []string
	for _, p := range list.Plugins {
		words = append(words, p.ID)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
