package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"

	"zcode-acp/settings"
	"zcode-acp/settings/cliconfig"
)

func newConfigCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "config", Short: "General settings: permission, network, ui and others",
		Example: `  zcode-acp settings config`, Args: noArgs, RunE: a.listConfig,
	}
	list := &cobra.Command{
		Use: "list", Short: "List them all, ZCode's defaults beside what is set", Example: `  zcode-acp settings config list`,
		Args: noArgs, RunE: a.listConfig,
	}
	get := &cobra.Command{
		Use: "get SECTION[.FIELD]", Aliases: []string{"show"}, Short: "Show one section or field",
		Example: `  zcode-acp settings config get permission
  zcode-acp settings config get ui.theme
  zcode-acp settings config get setting    the app's own file, only to read`,
		Args: exactly(1), ValidArgsFunction: completeSections, RunE: a.getConfig,
	}
	set := &cobra.Command{
		Use: "set SECTION.FIELD VALUE...", Short: "Set a field; several values make a list",
		Long: `Set a field. true, false and numbers are written as such where the field takes
them; of a field that is a list, every VALUE is one element, and '' alone makes
it empty.`,
		Example: `  zcode-acp settings config set ui.theme dark
  zcode-acp settings config set permission.allowedTools Read Grep`,
		Args: atLeast(2), ValidArgsFunction: a.completeValues, RunE: a.setConfig,
	}
	clear := &cobra.Command{
		Use: "clear SECTION.FIELD", Short: "Remove a field, so that ZCode's default counts", Example: `  zcode-acp settings config clear ui.theme`,
		Args: exactly(1), ValidArgsFunction: completeSections,
		RunE: func(cmd *cobra.Command, args []string) error {
			section, field, err := splitField(args[0])
			if err != nil {
				return err
			}
			return a.change(cmd.Context(), "config/set", params{{"section", section}, {field, nil}}, "cleared "+args[0])
		},
	}
	cmd.AddCommand(list, get, set, clear)
	return cmd
}

func splitField(name string) (section, field string, err error) {
	section, field, ok := strings.Cut(name, ".")
	if !ok || section == "" || field == "" {
		return "", "", usage("%q does not name a field: write it as section.field, like ui.theme", name)
	}
	if field == "section" {
		return "", "", usage("there is no field called section: see zcode-acp settings config get %s", section)
	}
	return section, field, nil
}

func (a *app) listConfig(cmd *cobra.Command, _ []string) error {
	return do(cmd.Context(), a, "config/list", nil, func(list *settings.ConfigList) error {
		a.fieldTable(list.Sections)
		a.warn(list.Warnings)
		return nil
	})
}

func (a *app) fieldTable(sections []cliconfig.Section) {
	var rows [][]string
	for _, s := range sections {
		for _, f := range s.Fields {
			value := "-"
			if f.Set {
				value = string(f.Value)
			}
			row := []string{s.Name + "." + f.Name, value, string(f.Default)}
			if len(sections) == 1 {
				row = append(row, strings.Join(f.Values, ", "))
			}
			rows = append(rows, row)
		}
	}
	headings := []string{"FIELD", "SET", "DEFAULT"}
	if len(sections) == 1 {
		headings = append(headings, "VALUES")
	}
	table(a.text, 1, headings, rows)
	for _, s := range sections {
		if s.Problem != "" {
			fmt.Fprintf(a.stderr, "zcode-acp: warning: %s %s\n", s.Name, s.Problem)
		}
		for _, f := range s.Fields {
			if f.Problem != "" {
				fmt.Fprintf(a.stderr, "zcode-acp: warning: %s.%s %s\n", s.Name, f.Name, f.Problem)
			}
		}
	}
}

func (a *app) getConfig(cmd *cobra.Command, args []string) error {
	name, field, single := strings.Cut(args[0], ".")
	return do(cmd.Context(), a, "config/get", params{{"section", name}}, func(s *settings.ConfigSection) error {
		shown := s.Section
		if single {
			f, err := findField(shown, field)
			if err != nil {
				return err
			}
			shown.Fields = []cliconfig.Field{f}
		}
		a.fieldTable([]cliconfig.Section{shown})
		a.warn(s.Warnings)
		return nil
	})
}

func findField(s cliconfig.Section, name string) (cliconfig.Field, error) {
	var names []string
	for _, f := range s.Fields {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return cliconfig.Field{}, fmt.Errorf("%w: %s has no field %q: it has %s", settings.ErrUnknown, s.Name, name, strings.Join(names, ", "))
}

func (a *app) setConfig(cmd *cobra.Command, args []string) error {
	name, field, err := splitField(args[0])
	if err != nil {
		return err
	}
	section, err := quietly[*settings.ConfigSection](cmd.Context(), a, "config/get", params{{"section", name}})
	if errors.Is(err, settings.ErrBroken) && a.repair {
		// The types of the fields are what counts here, and a new file has them all.
		section = &settings.ConfigSection{}
		section.Section, err = cliconfig.SectionOf(cliconfig.New(), name)
	}
	if err != nil {
		return err
	}
	f, err := findField(section.Section, field)
	if err != nil {
		return err
	}
	value, err := fieldValue(f, args[1:])
	if err != nil {
		return err
	}
	return a.change(cmd.Context(), "config/set", params{{"section", name}, {field, value}}, "set "+args[0])
}

// fieldValue reads arguments by the type of the field.
func fieldValue(f cliconfig.Field, args []string) (any, error) {
	if f.Type == cliconfig.StringsField {
		if len(args) == 1 && args[0] == "" {
			return []string{}, nil
		}
		return args, nil
	}
	if len(args) > 1 {
		return nil, usage("%s takes one value", f.Name)
	}
	if f.Type == cliconfig.StringField {
		return args[0], nil
	}
	var value any
	if err := json.Unmarshal([]byte(args[0]), &value); err != nil {
		return nil, usage("%q is no %s", args[0], f.Type)
	}
	return jsontext.Value(args[0]), nil
}

func completeSections(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return append(fieldNames(), "setting"), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// fieldNames are all fields of all sections.
func fieldNames() []string {
	var words []string
	for _, name := range cliconfig.SectionNames() {
		section, err := cliconfig.SectionOf(cliconfig.New(), name)
		if err != nil {
			continue
		}
		for _, f := range section.Fields {
			words = append(words, name+"."+f.Name)
		}
	}
	return words
}

func (a *app) completeValues(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	const quiet = cobra.ShellCompDirectiveNoFileComp
	if len(args) == 0 {
		return fieldNames(), quiet
	}
	name, field, err := splitField(args[0])
	if err != nil {
		return nil, quiet
	}
	section, err := cliconfig.SectionOf(cliconfig.New(), name)
	if err != nil {
		return nil, quiet
	}
	f, err := findField(section, field)
	if err != nil {
		return nil, quiet
	}
	if f.Type == cliconfig.BooleanField {
		return []string{"true", "false"}, quiet
	}
	return f.Values, quiet
}
