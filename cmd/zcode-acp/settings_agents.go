package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
)

func newAgentsCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "agents", Short: "Subagents", Example: `  zcode-acp settings agents`, Args: noArgs, RunE: a.listAgents,
	}
	list := &cobra.Command{
		Use: "list", Short: "List the subagents", Example: `  zcode-acp settings agents list --cwd .`, Args: noArgs, RunE: a.listAgents,
	}
	show := &cobra.Command{
		Use: "show NAME", Short: "Show one subagent", Example: `  zcode-acp settings agents show reviewer`,
		Args: exactly(1), ValidArgsFunction: a.completeAgents,
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := inProject(cmd)
			if err != nil {
				return err
			}
			return do(cmd.Context(), a, "agents/show", append(in, param{"name", args[0]}), func(t *settings.AgentText) error { return a.showJSON(t.Agent) })
		},
	}
	for _, c := range []*cobra.Command{cmd, list, show} {
		cwdFlag(c)
	}
	cmd.AddCommand(
		list,
		show,
		a.newAgentSetCmd(),
		a.newAgentSwitchCmd("enable", true), a.newAgentSwitchCmd("disable", false),
		&cobra.Command{
			Use: "rename NAME NEW", Short: "Give a subagent another name; its switch moves along", Example: `  zcode-acp settings agents rename reviewer code-reviewer`,
			Args: exactly(2), ValidArgsFunction: a.completeAgents,
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.changeAgent(cmd, "agents/rename", params{{"name", args[0]}, {"newName", args[1]}}, "renamed the agent "+args[0]+" to "+args[1])
			},
		},
		&cobra.Command{
			Use: "remove NAME", Aliases: []string{"delete"}, Short: "Delete a subagent; its file is kept as a backup", Example: `  zcode-acp settings agents remove reviewer`,
			Args: exactly(1), ValidArgsFunction: a.completeAgents,
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.change(cmd.Context(), "agents/delete", params{{"name", args[0]}}, "deleted the agent "+args[0])
			},
		},
	)
	return cmd
}

// agentMembers are the flags of agents set for an agent with a file.
var agentMembers = []flagMember{
	{"description", "description"}, {"color", "color"}, {"model", "model"}, {"thought-level", "thoughtLevel"}, {"tool", "tools"},
	{"disallowed-tool", "disallowedTools"}, {"skill", "skills"}, {"permission-mode", "permissionMode"}, {"max-turns", "maxTurns"},
	{"background", "background"}, {"inject-agents-md", "injectAgentsMd"}, {"mcp-server", "mcpServers"}, {"memory", "memory"},
	{"provider-id", "providerId"}, {"model-id", "modelId"}, {"reasoning-level", "reasoningLevel"}, {"prompt-file", "prompt"},
}

func (a *app) newAgentSetCmd() *cobra.Command {
	var prompt string
	cmd := &cobra.Command{
		Use: "set NAME", Short: "Add a subagent or change one",
		Long: `Add a subagent or change members of one; what is not named stays, to the byte.
Of a built-in one, and of one that a plugin brings, only the model can be set:
by --model, or by --provider-id, --model-id and --reasoning-level.`,
		Example: `  zcode-acp settings agents set reviewer --description 'Reviews changes' \
    --color blue --prompt-file reviewer.txt
  zcode-acp settings agents set reviewer --model router/large
  zcode-acp settings agents set Explore --model router/small`,
		Args: exactly(1), ValidArgsFunction: a.completeAgents,
	}
	flags := cmd.Flags()
	flags.String("description", "", "`TEXT` by which ZCode decides when to use it")
	flags.String("color", "", "one of red, blue, green, yellow, purple, orange, pink, cyan")
	flags.String("model", "", "`PROVIDER/MODEL`, or inherit")
	flags.String("thought-level", "", "`LEVEL` of reasoning")
	flags.StringArray("tool", nil, "`TOOL` it may use, once for each")
	flags.StringArray("disallowed-tool", nil, "`TOOL` it may not use, once for each")
	flags.StringArray("skill", nil, "`SKILL` it knows, once for each")
	flags.String("permission-mode", "", "auto, plan, acceptEdits, bypassPermissions, default or\ndontAsk")
	flags.Int("max-turns", 0, "most `TURNS` of one run")
	flags.Bool("background", false, "run it in the background")
	flags.Bool("inject-agents-md", false, "give it AGENTS.md")
	flags.StringArray("mcp-server", nil, "`NAME` of an MCP server it may use, once for each")
	flags.String("memory", "", "user, project or local")
	flags.String("provider-id", "", "`PROVIDER` of the model (built-in or plugin)")
	flags.String("model-id", "", "`MODEL` (built-in or plugin)")
	flags.String("reasoning-level", "", "`LEVEL` of reasoning (built-in or plugin)")
	flags.StringVar(&prompt, "prompt-file", "", "`FILE` with its prompt, - for stdin")
	flags.StringArray("clear", nil, "`FIELD` to remove, once for each")
	completeWords(cmd, "color", "red", "blue", "green", "yellow", "purple", "orange", "pink", "cyan")
	completeWords(cmd, "permission-mode", "auto", "plan", "acceptEdits", "bypassPermissions", "default", "dontAsk")
	completeWords(cmd, "memory", "user", "project", "local")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		body, err := fromFlags(cmd, nil, agentMembers)
		if err != nil {
			return err
		}
		for i, member := range body {
			switch {
			case member.name == "prompt" && member.value != nil:
				text, err := a.readInput(prompt)
				if err != nil {
					return err
				}
				body[i].value = string(text)
			case member.name == "modelId" && member.value == nil && !body.has("providerId"):
				body = append(body, param{"providerId", nil})
			}
		}
		if len(body) == 0 {
			return usage("nothing to set: give a flag, see zcode-acp settings agents set --help")
		}
		return a.changeAgent(cmd, "agents/upsert", append(body, param{"name", args[0]}), "set the agent "+args[0])
	}
	return cmd
}

func (a *app) changeAgent(cmd *cobra.Command, operation string, in params, done string) error {
	return do(cmd.Context(), a, operation, in, func(w *settings.AgentWritten) error { return a.showWritten(&w.Written, done) })
}

func (a *app) newAgentSwitchCmd(verb string, on bool) *cobra.Command {
	return &cobra.Command{
		Use: verb + " NAME", Short: "Turn a subagent " + onOff(on), Example: "  zcode-acp settings agents " + verb + " reviewer",
		Args: exactly(1), ValidArgsFunction: a.completeAgents,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), "agents/enable", params{{"name", args[0]}, {"enable", on}}, "turned the agent "+args[0]+" "+onOff(on))
		},
	}
}

func (a *app) listAgents(cmd *cobra.Command, _ []string) error {
	in, err := inProject(cmd)
	if err != nil {
		return err
	}
	return do(cmd.Context(), a, "agents/list", in, func(list *settings.AgentsList) error {
		a.agentTable(list.Agents)
		a.warn(list.Warnings)
		return nil
	})
}

func (a *app) agentTable(list []settings.Agent) {
	var rows [][]string
	for _, agent := range list {
		model := "inherit"
		if m := agent.ModelSelection; m != nil {
			model = strings.TrimSuffix(m.ProviderID+"/"+m.ModelID+" "+m.ThoughtLevel, " ")
		}
		name := agent.Name
		if agent.ID != "" {
			name = agent.ID
		}
		rows = append(rows, []string{name, onOff(agent.Enabled), agent.Source, model})
	}
	table(a.text, 1, []string{"NAME", "STATE", "SOURCE", "MODEL"}, rows)
	for _, agent := range list {
		for _, w := range agent.Warnings {
			fmt.Fprintf(a.stderr, "zcode-acp: warning: %s: %s\n", agent.Name, w)
		}
	}
}

func (a *app) completeAgents(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := fetch[*settings.AgentsList](cmd.Context(), a, "agents/list", nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var words []string
	for _, agent := range list.Agents {
		if agent.ID != "" {
			words = append(words, agent.ID)
		} else {
			words = append(words, agent.Name)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
