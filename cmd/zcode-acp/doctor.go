package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
)

// newDoctorCmd is both zcode-acp doctor and zcode-acp settings doctor.
func newDoctorCmd(a *app, path string) *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Tell why ZCode does not do what its files say",
		Long: `Look at every file of ZCode's settings and tell what ZCode makes of it: what it
ignores and why, what hides what, who holds a lock, and what to do. Nothing is
changed. The exit code is 1 when there is something to do, notes aside.`,
		Example: "  " + path + " --cwd .",
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
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
	return cmd
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
