package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
	"zcode-acp/settings/effective"
)

func newEffectiveCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "effective [SETTING]", Short: "Tell which value counts, and where it comes from",
		Long: `Tell for a folder which value of each setting counts: ZCode merges its defaults,
the user's file, the files of the project and the environment. Of one SETTING
it tells what it hides, and why; the name of a section shows all of it. "none"
means that no file sets it in a way that counts; ZCode may use its default.`,
		Example: `  zcode-acp settings effective
  zcode-acp settings effective permission.mode --cwd site`,
		Args: between(0, 1), ValidArgsFunction: a.completeEffective, RunE: a.showEffective,
	}
	cmd.Flags().String("cwd", "", "the folder `DIR` instead of the current one")
	return cmd
}

// here are the parameters of the folder that is asked about.
func here(cmd *cobra.Command) (params, error) {
	in, err := inProject(cmd)
	if err != nil || in != nil {
		return in, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("finding the current folder: %w: name one with --cwd", err)
	}
	return params{{"cwd", dir}}, nil
}

func (a *app) showEffective(cmd *cobra.Command, args []string) error {
	in, err := here(cmd)
	if err != nil {
		return err
	}
	return do(cmd.Context(), a, "effective", in, func(e *settings.Effective) error {
		shown := e.Settings
		if len(args) == 1 {
			if shown = settingsOf(e.Settings, args[0]); len(shown) == 0 {
				return fmt.Errorf("%w: no layer holds a setting %q: run zcode-acp settings effective to see all", settings.ErrUnknown, args[0])
			}
		}
		if len(args) == 1 && len(shown) == 1 {
			a.effectiveSetting(shown[0])
		} else {
			a.effectiveTable(shown, e.Layers)
		}
		for _, l := range e.Layers {
			if l.Ignored != "" {
				fmt.Fprintf(a.stderr, "zcode-acp: warning: %s\n", l.Ignored)
			}
		}
		for _, note := range e.Notes {
			fmt.Fprintf(a.stderr, "zcode-acp: %s\n", note)
		}
		return nil
	})
}

// settingsOf returns the setting of that name, else those of the section.
func settingsOf(list []effective.Setting, name string) []effective.Setting {
	var found []effective.Setting
	for _, s := range list {
		if s.Path == name {
			return []effective.Setting{s}
		}
		if strings.HasPrefix(s.Path, name+".") {
			found = append(found, s)
		}
	}
	return found
}

// effectiveTable shows the settings, then which file is which.
func (a *app) effectiveTable(list []effective.Setting, layers []settings.Layer) {
	labels, files := map[string]string{}, [][]string{}
	project := 0
	for _, l := range layers {
		label := string(l.Name)
		if l.Name == effective.Project {
			project++
			label += " " + strconv.Itoa(project)
		}
		if l.File != "" {
			labels[l.File] = label
			files = append(files, []string{label, l.File})
		}
	}
	var rows [][]string
	for _, s := range list {
		value, from := "-", string(s.Layer)
		if s.Value != nil {
			value = string(s.Value)
		}
		if s.File != "" {
			from = labels[s.File]
		}
		rows = append(rows, []string{s.Path, value, from})
	}
	table(a.text, 1, []string{"SETTING", "VALUE", "FROM"}, rows)
	fmt.Fprintln(a.text)
	table(a.text, 2, []string{"FROM", "FILE"}, files)
}

func (a *app) effectiveSetting(s effective.Setting) {
	fmt.Fprintf(a.text, "%s = %s\nfrom %s\n", s.Path, orNothing(s.Value), layerName(s.Layer, s.File))
	for _, o := range s.Overrides {
		fmt.Fprintf(a.text, "\n%s in %s\n    %s\n", o.Value, layerName(o.Layer, o.File), o.Reason)
	}
}

func layerName(name effective.Name, file string) string {
	if file == "" {
		return string(name)
	}
	return string(name) + " " + file
}

func (a *app) completeEffective(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	in, err := here(cmd)
	if len(args) > 0 || err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	e, err := fetch[*settings.Effective](cmd.Context(), a, "effective", in)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var words []string
	for _, s := range e.Settings {
		words = append(words, s.Path)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
