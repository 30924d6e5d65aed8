package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
)

// newDoctorCmd is both zcode-acp doctor and zcode-acp settings doctor.
func newDoctorCmd(a *app, path string) *cobra.Command {
	var fix, yes bool
	cmd := &cobra.Command{
		Use: "doctor", Short: "Tell why ZCode does not do what its files say",
		Long: `Look at every file of ZCode's settings and tell what ZCode makes of it: what it
ignores and why, what hides what, who holds a lock, and what to do. The exit
code is 1 when there is something to do, notes aside. Nothing is changed, but
with --fix what needs no decision is mended, each after a question: modes that
let others read secrets, byte order marks and locks left behind.`,
		Example: "  " + path + " --cwd .\n  " + path + " --fix --yes",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if fix {
				return a.fixFindings(cmd.Context(), yes)
			}
			in, err := inProject(cmd)
			if err != nil {
				return err
			}
			found, err := fetch[*settings.Diagnosis](cmd.Context(), a, "doctor", in)
			if err != nil {
				return err
			}
			if err := present(a, found, a.showDiagnosis); err != nil {
				return err
			}
			for _, f := range found.Findings {
				if f.Severity != settings.Note {
					return exitError(exitFailed)
				}
			}
			return nil
		},
	}
	cwdFlag(cmd)
	cmd.Flags().BoolVar(&fix, "fix", false, "mend what needs no decision")
	cmd.Flags().BoolVar(&yes, "yes", false, "with --fix: do not ask")
	return cmd
}

// fixFindings mends one finding after the other, each when a person agrees.
func (a *app) fixFindings(ctx context.Context, yes bool) error {
	if a.dryRun || yes {
		return do(ctx, a, "doctor/fix", nil, a.showFixed)
	}
	if !a.interactive() {
		return usage("nobody can be asked here: add --yes to mend everything, or --dry-run to see it")
	}
	found, err := quietly[*settings.Diagnosis](ctx, a, "doctor", nil)
	if err != nil {
		return err
	}
	answers := bufio.NewReader(a.stdin)
	for _, f := range found.Findings {
		if !f.Fixable() {
			continue
		}
		fmt.Fprintf(a.stderr, "%s\nMend it? [Y/n] ", f.Message)
		answer, err := answers.ReadString('\n')
		if answer = strings.ToLower(strings.TrimSpace(answer)); err != nil || answer != "" && answer != "y" && answer != "yes" {
			continue
		}
		if err := do(ctx, a, "doctor/fix", params{{"kind", f.Kind}, {"file", f.File}}, a.showFixed); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) showFixed(done *settings.DoctorFixed) error {
	if len(done.Fixed) == 0 {
		fmt.Fprintln(a.text, "nothing to mend without a decision of yours: see what doctor says")
	}
	for _, f := range done.Fixed {
		if done.DryRun {
			fmt.Fprintf(a.text, "would mend %s (%s)\n", f.File, f.Kind)
			continue
		}
		fmt.Fprintf(a.text, "%s: %s\n", f.File, f.Done)
	}
	for _, s := range done.Also {
		fmt.Fprintf(a.text, "also: %s\n", s)
	}
	a.warn(done.Warnings)
	return nil
}

func (a *app) showDiagnosis(found *settings.Diagnosis) error {
	var rows [][]string
	for _, f := range found.Files {
		rows = append(rows, []string{f.Document, f.State, f.Lock, f.Mode, f.Path})
	}
	table(a.text, 1, []string{"FILE", "STATE", "LOCK", "MODE", "PATH"}, rows)
	if len(found.Findings) == 0 {
		fmt.Fprintln(a.text, "\nnothing to report")
		return nil
	}
	for _, f := range found.Findings {
		fmt.Fprintf(a.text, "\n%s: %s\n", f.Severity, f.Message)
		if f.Command != "" {
			fmt.Fprintf(a.text, "    %s\n", f.Command)
		}
	}
	return nil
}
