package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"zcode-acp/settings"
)

func newWhereCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "where",
		Short:   "Tell where each file is, and what decided it",
		Example: `  zcode-acp settings where`,
		Args:    noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return do(cmd.Context(), a, "where", nil, func(w *settings.Where) error {
				for _, p := range w.Places {
					state := "missing"
					if p.Exists {
						state = "there"
					}
					fmt.Fprintf(a.text, "%-20s %-8s %s\n%29s by %s\n", p.Place, state, p.Path, "", p.DecidedBy)
				}
				for _, note := range w.Notes {
					fmt.Fprintf(a.stderr, "zcode-acp: %s\n", note)
				}
				return nil
			})
		},
	}
}
