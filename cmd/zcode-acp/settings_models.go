package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
	"zcode-acp/settings/provider"
)

func newModelsCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "models",
		Short:   "Models and their rules",
		Example: `  zcode-acp settings models`,
		Args:    noArgs,
		RunE:    a.listModels,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the models", Example: `  zcode-acp settings models list --json`,
			Args: noArgs, RunE: a.listModels,
		},
		a.newModelSetCmd(),
		a.newModelSwitchCmd("enable", true),
		a.newModelSwitchCmd("disable", false),
		a.newModelDefaultCmd(),
		&cobra.Command{
			Use: "remove PROVIDER MODEL", Aliases: []string{"delete"}, Short: "Remove a model from a provider",
			Example: `  zcode-acp settings models remove router small`,
			Args:    exactly(2), ValidArgsFunction: a.completeModels,
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.change(cmd.Context(), "models/remove", params{{"providerId", args[0]}, {"modelId", args[1]}}, "removed the model "+args[1])
			},
		},
	)
	return cmd
}

func (a *app) newModelSetCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set PROVIDER MODEL",
		Short: "Add a model or change its rule",
		Example: `  zcode-acp settings models set router large --context-window 200000
  zcode-acp settings models set router large \
    --reasoning-level low --reasoning-level high`,
		Args: exactly(2), ValidArgsFunction: a.completeModels,
	}
	flags := cmd.Flags()
	flags.Int("context-window", 0, "size of the context window in `TOKENS`")
	flags.Int("max-output-tokens", 0, "most `TOKENS` of one answer")
	flags.StringArray("reasoning-level", nil, "`LEVEL`, once for each from weak to strong")
	flags.Bool("enabled", true, "whether ZCode offers it")
	flags.StringArray("clear", nil, "`FIELD` to remove, once for each")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		body, err := fromFlags(cmd, params{{"providerId", args[0]}, {"modelId", args[1]}}, []flagMember{
			{"context-window", "contextWindow"}, {"max-output-tokens", "maxOutputTokens"},
			{"reasoning-level", "reasoningLevels"}, {"enabled", "enabled"},
		})
		if err != nil {
			return err
		}
		return a.change(cmd.Context(), "models/upsert", body, "set the model "+args[1]+" of "+args[0])
	}
	return cmd
}

func (a *app) newModelSwitchCmd(verb string, on bool) *cobra.Command {
	return &cobra.Command{
		Use: verb + " PROVIDER MODEL", Short: "Turn a model " + onOff(on), Example: "  zcode-acp settings models " + verb + " router small",
		Args: exactly(2), ValidArgsFunction: a.completeModels,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), "models/upsert", params{{"providerId", args[0]}, {"modelId", args[1]}, {"enabled", on}},
				"turned the model "+args[1]+" "+onOff(on))
		},
	}
}

func (a *app) newModelDefaultCmd() *cobra.Command {
	var level string
	var remove bool
	cmd := &cobra.Command{
		Use:   "default [PROVIDER MODEL]",
		Short: "Show or choose the model that new sessions start with",
		Example: `  zcode-acp settings models default
  zcode-acp settings models default router large --reasoning-level high
  zcode-acp settings models default --clear`,
		ValidArgsFunction: a.completeModels,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 0 && len(args) != 2 || remove && len(args) > 0 {
				return usage("give a provider and a model, or --clear, or nothing")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case remove:
				return a.change(cmd.Context(), "models/default", params{{"providerId", nil}, {"modelId", nil}}, "cleared the default model")
			case len(args) == 0:
				return a.showDefault(cmd)
			}
			body := params{{"providerId", args[0]}, {"modelId", args[1]}}
			if level != "" {
				body = append(body, param{"reasoningLevel", level})
			}
			return a.change(cmd.Context(), "models/default", body, "made "+args[1]+" of "+args[0]+" the default model")
		},
	}
	cmd.Flags().StringVar(&level, "reasoning-level", "", "`LEVEL` that sessions start with")
	cmd.Flags().BoolVar(&remove, "clear", false, "have no default of your own")
	return cmd
}

func (a *app) showDefault(cmd *cobra.Command) error {
	list, err := fetch[*settings.ModelsList](cmd.Context(), a, "models/list", nil)
	if err != nil {
		return err
	}
	return present(a, list, func(list *settings.ModelsList) error {
		if list.Models.Default == nil {
			fmt.Fprintln(a.text, "none of your own")
			return nil
		}
		d := list.Models.Default
		fmt.Fprintln(a.text, strings.TrimSpace(d.ProviderID+" "+d.ModelID+" "+d.ReasoningLevel))
		return nil
	})
}

func (a *app) listModels(cmd *cobra.Command, _ []string) error {
	return do(cmd.Context(), a, "models/list", nil, func(list *settings.ModelsList) error {
		a.modelTable(list.Models)
		a.warn(list.Warnings)
		return nil
	})
}

// modelTable lists the models of each provider with what their rules say.
func (a *app) modelTable(models provider.Models) {
	rules := map[[2]string]provider.ModelRule{}
	for _, r := range models.ModelRules {
		rules[[2]string{r.ProviderID, r.ModelID}] = r
	}
	var rows [][]string
	row := func(providerID, modelID string) {
		rule, ok := rules[[2]string{providerID, modelID}]
		delete(rules, [2]string{providerID, modelID})
		window := ""
		if rule.ContextWindow > 0 {
			window = strconv.FormatInt(rule.ContextWindow, 10)
		}
		mark := ""
		if d := models.Default; d != nil && d.ProviderID == providerID && d.ModelID == modelID {
			mark = "yes"
		}
		rows = append(rows, []string{providerID, modelID, onOff(!ok || rule.Enabled), window, strings.Join(rule.ReasoningLevels, " "), mark})
	}
	for _, p := range models.Providers {
		for _, id := range p.ModelIDs {
			row(p.ProviderID, id)
		}
	}
	for _, r := range models.ModelRules {
		if _, left := rules[[2]string{r.ProviderID, r.ModelID}]; left {
			row(r.ProviderID, r.ModelID)
		}
	}
	if len(rows) == 0 {
		fmt.Fprintln(a.text, "none of your own; add one with zcode-acp settings models set PROVIDER MODEL")
		return
	}
	table(a.text, 2, []string{"PROVIDER", "MODEL", "STATE", "CONTEXT", "REASONING", "DEFAULT"}, rows)
}

func (a *app) completeModels(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return a.completeProviders(cmd, args, typed)
	}
	list, err := fetch[*settings.ModelsList](cmd.Context(), a, "models/list", nil)
	if err != nil || len(args) > 1 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var ids []string
	for _, p := range list.Models.Providers {
		if p.ProviderID == args[0] {
			ids = append(ids, p.ModelIDs...)
		}
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
