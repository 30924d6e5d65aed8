package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
	"zcode-acp/settings/provider"
)

func newProvidersCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "providers",
		Short:   "Providers of models",
		Example: `  zcode-acp settings providers`,
		Args:    noArgs,
		RunE:    a.listProviders,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List the providers", Example: `  zcode-acp settings providers list --json`,
			Args: noArgs, RunE: a.listProviders,
		},
		&cobra.Command{
			Use: "show ID", Short: "Show one provider, its secrets masked", Example: `  zcode-acp settings providers show router`,
			Args: exactly(1), ValidArgsFunction: a.completeProviders, RunE: a.showProvider,
		},
		a.newProviderCreateCmd(),
		a.newProviderSetCmd(),
		a.newProviderSwitchCmd("enable", true),
		a.newProviderSwitchCmd("disable", false),
		a.newProviderKeyCmd(),
		&cobra.Command{
			Use: "order ID…", Short: "Choose the order in which ZCode shows providers", Example: `  zcode-acp settings providers order local router`,
			Args: cobra.MinimumNArgs(1), ValidArgsFunction: a.completeProviders,
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.change(cmd.Context(), "providers/order", params{{"order", args}}, "ordered the providers")
			},
		},
		&cobra.Command{
			Use: "remove ID", Aliases: []string{"delete"}, Short: "Remove a provider with its models", Example: `  zcode-acp settings providers remove local`,
			Args: exactly(1), ValidArgsFunction: a.completeProviders,
			RunE: func(cmd *cobra.Command, args []string) error {
				return a.change(cmd.Context(), "providers/remove", params{{"id", args[0]}}, "removed the provider "+args[0])
			},
		},
	)
	return cmd
}

// reachMembers are the members that the flags of reachFlags set.
var reachMembers = []flagMember{
	{"name", "providerName"}, {"type", "apiType"}, {"url", "baseUrl"}, {"header", "headers"}, {"key-url", "apiKeyManagementUrl"},
}

// reachFlags are the flags that say how a provider is reached.
func reachFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.String("name", "", "`NAME` that people see")
	flags.String("type", "", strings.Join(provider.APITypes(), ", "))
	flags.String("url", "", "base `URL` of the API")
	flags.StringArray("header", nil, "`NAME=VALUE` of a request header, once for each")
	flags.String("key-url", "", "`URL` where people manage their keys")
	completeWords(cmd, "type", provider.APITypes()...)
}

func (a *app) newProviderCreateCmd() *cobra.Command {
	var keyFile string
	cmd := &cobra.Command{
		Use:   "create ID",
		Short: "Add a provider of your own",
		Example: `  zcode-acp settings providers create mine --name Mine \
    --type openai-chat-completions --url https://mine.example/v1 \
    --model large --model small --key-file - < key.txt`,
		Args: exactly(1), ValidArgsFunction: cobra.NoFileCompletions,
	}
	reachFlags(cmd)
	cmd.Flags().String("template", "", "`ID` of a built-in template")
	cmd.Flags().StringArray("model", nil, "`ID` of a model, once for each")
	cmd.Flags().Bool("enabled", true, "whether ZCode offers it")
	cmd.Flags().StringVar(&keyFile, "key-file", "", "`FILE` with the API key, - for stdin")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		body, err := fromFlags(cmd, params{{"providerId", args[0]}}, append([]flagMember{
			{"template", "templateId"}, {"model", "modelIds"}, {"enabled", "enabled"},
		}, reachMembers...))
		if err != nil {
			return err
		}
		if keyFile != "" {
			key, err := a.readSecret(keyFile)
			if err != nil {
				return err
			}
			body = append(body, param{"apiKey", key})
		}
		return a.change(cmd.Context(), "providers/create", body, "added the provider "+args[0])
	}
	return cmd
}

func (a *app) newProviderSetCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set ID",
		Short: "Rename a provider or change how it is reached",
		Example: `  zcode-acp settings providers set router --name "My router"
  zcode-acp settings providers set router --clear headers`,
		Args: exactly(1), ValidArgsFunction: a.completeProviders,
	}
	reachFlags(cmd)
	cmd.Flags().Bool("enabled", true, "whether ZCode offers it")
	cmd.Flags().String("visibility", "", "visible or hidden")
	cmd.Flags().StringArray("clear", nil, "`FIELD` to remove, once for each")
	completeWords(cmd, "visibility", "visible", "hidden")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		body, err := fromFlags(cmd, params{{"id", args[0]}}, append([]flagMember{
			{"enabled", "enabled"}, {"visibility", "visibility"},
		}, reachMembers...))
		if err != nil {
			return err
		}
		if len(body) == 1 {
			return usage("nothing to set: give a flag, see zcode-acp settings providers set --help")
		}
		return a.change(cmd.Context(), "providers/update", body, "set the provider "+args[0])
	}
	return cmd
}

func (a *app) newProviderSwitchCmd(verb string, on bool) *cobra.Command {
	return &cobra.Command{
		Use: verb + " ID", Short: "Turn a provider " + onOff(on), Example: "  zcode-acp settings providers " + verb + " local",
		Args: exactly(1), ValidArgsFunction: a.completeProviders,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.change(cmd.Context(), "providers/update", params{{"id", args[0]}, {"enabled", on}}, "turned the provider "+args[0]+" "+onOff(on))
		},
	}
}

func (a *app) newProviderKeyCmd() *cobra.Command {
	var file string
	var remove bool
	cmd := &cobra.Command{
		Use:   "set-key ID",
		Short: "Set the API key of a provider",
		Long: `Set the API key of a provider. The key is read from stdin, or from a file, never
from an argument.`,
		Example: `  zcode-acp settings providers set-key router < key.txt
  zcode-acp settings providers set-key router --clear`,
		Args: exactly(1), ValidArgsFunction: a.completeProviders,
		RunE: func(cmd *cobra.Command, args []string) error {
			var key any
			if !remove {
				secret, err := a.readSecret(file)
				if err != nil {
					return err
				}
				key = secret
			}
			return a.change(cmd.Context(), "providers/set-key", params{{"id", args[0]}, {"apiKey", key}}, "set the key of "+args[0])
		},
	}
	cmd.Flags().StringVar(&file, "key-file", "-", "`FILE` with the key, - for stdin")
	cmd.Flags().BoolVar(&remove, "clear", false, "remove the key")
	return cmd
}

// readSecret reads a secret without the line end that editors and echo add.
func (a *app) readSecret(file string) (string, error) {
	text, err := a.readInput(file)
	if err != nil {
		return "", err
	}
	secret := strings.TrimRight(string(text), "\r\n")
	if secret == "" {
		return "", usage("%s holds no key", inputName(file))
	}
	return secret, nil
}

func (a *app) listProviders(cmd *cobra.Command, _ []string) error {
	return do(cmd.Context(), a, "models/list", nil, func(list *settings.ModelsList) error {
		a.providerTable(list.Models)
		a.warn(list.Warnings)
		return nil
	})
}

func (a *app) providerTable(models provider.Models) {
	if len(models.Providers) == 0 {
		fmt.Fprintln(a.text, "none of your own; add one with zcode-acp settings providers create ID")
		return
	}
	var rows [][]string
	for _, p := range models.Providers {
		key := "no"
		if p.APIKey != nil && p.APIKey.Set {
			key = "yes"
		}
		rows = append(rows, []string{p.ProviderID, p.ProviderName, onOff(p.Enabled), key, p.BaseURL})
	}
	table(a.text, 1, []string{"ID", "NAME", "STATE", "KEY", "URL"}, rows)
}

func (a *app) showProvider(cmd *cobra.Command, args []string) error {
	list, err := fetch[*settings.ModelsList](cmd.Context(), a, "models/list", nil)
	if err != nil {
		return err
	}
	for _, p := range list.Models.Providers {
		if p.ProviderID == args[0] {
			return a.showJSON(p)
		}
	}
	return fmt.Errorf("%w: there is no provider %q of your own", settings.ErrUnknown, args[0])
}

func (a *app) completeProviders(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 && cmd.Name() != "order" {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := fetch[*settings.ModelsList](cmd.Context(), a, "models/list", nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for _, p := range list.Models.Providers {
		ids = append(ids, p.ProviderID+"\t"+p.ProviderName)
	}
	return ids, cobra.ShellCompDirectiveNoFileComp
}
