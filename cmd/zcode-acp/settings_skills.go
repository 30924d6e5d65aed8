package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
	"zcode-acp/settings/skills"
)

func newSkillsCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use: "skills", Short: "Skills",
		Long: `Skills are folders with a SKILL.md. A command names one by the path of its
folder or of its SKILL.md, or by its name while only one skill is called so.`,
		Example: `  zcode-acp settings skills`,
		Args:    noArgs, RunE: a.listSkills,
	}
	list := &cobra.Command{
		Use: "list", Short: "List the skills", Example: `  zcode-acp settings skills list --cwd .`, Args: noArgs, RunE: a.listSkills,
	}
	for _, c := range []*cobra.Command{cmd, list} {
		cwdFlag(c)
	}
	cmd.AddCommand(
		list,
		a.newSkillCmd("show", "Show one skill", func(cmd *cobra.Command, s string) error {
			_, skill, err := a.findSkill(cmd, s)
			if err == nil && skill == nil {
				err = fmt.Errorf("%w: there is no skill %s: list the skills to see them", settings.ErrUnknown, s)
			}
			if err != nil {
				return err
			}
			return a.showJSON(skill)
		}),
		a.newSkillCmd("enable", "Turn a skill on", a.switchSkill(true)),
		a.newSkillCmd("disable", "Turn a skill off", a.switchSkill(false)),
		a.newSkillCmd("copy", "Copy a skill into your own folder of ZCode", func(cmd *cobra.Command, s string) error {
			path, _, err := a.findSkill(cmd, s)
			if err != nil {
				return err
			}
			in, err := inProject(cmd)
			if err != nil {
				return err
			}
			return do(cmd.Context(), a, "skills/copy-to-user", append(in, param{"path", path}), func(w *settings.SkillWritten) error {
				return a.showDone(&w.Written, "copied the skill to "+w.Path)
			})
		}),
		a.newSkillCmd("remove", "Delete a skill for good; of a linked one the link goes", func(cmd *cobra.Command, s string) error {
			path, _, err := a.findSkill(cmd, s)
			if err != nil {
				return err
			}
			return do(cmd.Context(), a, "skills/delete", params{{"path", path}}, func(w *settings.SkillWritten) error {
				done := fmt.Sprintf("deleted the folder %s (%d files); no copy is kept", w.Removed.Path, w.Removed.Files)
				if w.Removed.Link {
					done = "deleted the link " + w.Removed.Path
				}
				return a.showDone(&w.Written, done)
			})
		}, "delete"),
	)
	return cmd
}

// showDone says what was done where the changes of a file do not tell it.
func (a *app) showDone(w *settings.Written, done string) error {
	if w.DryRun {
		fmt.Fprintf(a.text, "would have %s\n", done)
		for _, c := range w.Changes {
			fmt.Fprintf(a.text, "  %s: %s -> %s\n", c.Path, orNothing(c.Before), orNothing(c.After))
		}
	} else {
		fmt.Fprintf(a.text, "%s\n", done)
	}
	for _, s := range w.Also {
		fmt.Fprintf(a.text, "also: %s\n", s)
	}
	a.warn(w.Warnings)
	return nil
}

func (a *app) newSkillCmd(verb, short string, run func(cmd *cobra.Command, skill string) error, aliases ...string) *cobra.Command {
	cmd := &cobra.Command{
		Use: verb + " SKILL", Short: short, Example: "  zcode-acp settings skills " + verb + " review", Aliases: aliases,
		Args: exactly(1), ValidArgsFunction: a.completeSkills,
		RunE: func(cmd *cobra.Command, args []string) error { return run(cmd, args[0]) },
	}
	cmd.Flags().String("cwd", "", "look in the project in `DIR` as well")
	return cmd
}

func (a *app) switchSkill(on bool) func(*cobra.Command, string) error {
	return func(cmd *cobra.Command, s string) error {
		path, _, err := a.findSkill(cmd, s)
		if err != nil {
			return err
		}
		return a.change(cmd.Context(), "skills/enable", params{{"path", path}, {"enable", on}}, "turned the skill "+path+" "+onOff(on))
	}
}

// findSkill returns the path of the skill that a person means, and what is known
// of it: nil for a path that no listing has.
func (a *app) findSkill(cmd *cobra.Command, s string) (string, *settings.Skill, error) {
	in, err := inProject(cmd)
	if err != nil {
		return "", nil, err
	}
	// The listing is a read, whatever flags belong to the write that follows.
	list, err := quietly[*settings.SkillsList](cmd.Context(), a, "skills/list", in)
	if errors.Is(err, settings.ErrBroken) && a.repair {
		list, err = &settings.SkillsList{}, nil // by its path, then
	}
	if err != nil {
		return "", nil, err
	}
	path := s
	if strings.ContainsAny(s, `/\`) && !strings.HasSuffix(slash(s), "/SKILL.md") {
		path = filepath.Join(s, "SKILL.md")
	}
	var named []settings.Skill
	for _, skill := range list.Skills {
		if skill.Path == path || skill.RealPath == path {
			return skill.Path, &skill, nil
		}
		if skill.Name == s {
			named = append(named, skill)
		}
	}
	switch {
	case len(named) == 1:
		return named[0].Path, &named[0], nil
	case len(named) > 1:
		var paths []string
		for _, skill := range named {
			paths = append(paths, skill.Path)
		}
		return "", nil, fmt.Errorf("%w: %d skills are called %q, name one by its path: %s", settings.ErrInvalid, len(named), s, strings.Join(paths, ", "))
	case !strings.ContainsAny(s, `/\`):
		return "", nil, fmt.Errorf("%w: there is no skill called %q: list the skills to see them", settings.ErrUnknown, s)
	}
	if _, err := os.Stat(path); err == nil {
		if path, err = filepath.Abs(path); err != nil {
			return "", nil, fmt.Errorf("finding %s: %w", s, err)
		}
	}
	return path, nil, nil
}

func slash(path string) string { return strings.ReplaceAll(path, `\`, "/") }

func (a *app) listSkills(cmd *cobra.Command, _ []string) error {
	in, err := inProject(cmd)
	if err != nil {
		return err
	}
	return do(cmd.Context(), a, "skills/list", in, func(list *settings.SkillsList) error {
		a.skillTable(list.Skills)
		a.warn(list.Warnings)
		return nil
	})
}

func (a *app) skillTable(list []settings.Skill) {
	if len(list) == 0 {
		fmt.Fprintln(a.text, "none; a skill is a folder with a SKILL.md in ~/.zcode/skills")
		return
	}
	var rows [][]string
	for _, s := range list {
		state := onOff(s.Enabled)
		if s.Enabled && slices.ContainsFunc(s.Flags, skills.Flag.Rejects) {
			state = "skipped"
		}
		rows = append(rows, []string{s.Name, state, string(s.Scope), s.Description})
	}
	table(a.text, 1, []string{"NAME", "STATE", "SCOPE", "DESCRIPTION"}, rows)
	for _, s := range list {
		for _, flag := range s.Flags {
			fmt.Fprintf(a.stderr, "zcode-acp: warning: %s: %s\n", s.Path, flag.Reason())
		}
		if s.Reason != "" {
			fmt.Fprintf(a.stderr, "zcode-acp: %s: %s\n", s.Path, s.Reason)
		}
	}
}

func (a *app) completeSkills(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	list, err := fetch[*settings.SkillsList](cmd.Context(), a, "skills/list", nil)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	count := map[string]int{}
	for _, s := range list.Skills {
		count[s.Name]++
	}
	var words []string
	for _, s := range list.Skills {
		if word := s.Name; count[word] == 1 {
			words = append(words, word)
		} else {
			words = append(words, s.Path)
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}
