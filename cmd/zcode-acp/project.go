package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
)

// cwdFlag lets a command show the settings of a project as well.
func cwdFlag(cmd *cobra.Command) {
	cmd.Flags().String("cwd", "", "show those of the project in `DIR` as well")
}

// inProject are the parameters that the flag gives.
func inProject(cmd *cobra.Command) (params, error) {
	f := cmd.Flags().Lookup("cwd")
	if f == nil || !f.Changed {
		return nil, nil
	}
	if f.Value.String() == "" {
		return nil, usage("--cwd is empty: give a folder, or leave it out")
	}
	dir, err := filepath.Abs(f.Value.String())
	if err != nil {
		return nil, fmt.Errorf("finding %s: %w", f.Value.String(), err)
	}
	return params{{"cwd", dir}}, nil
}
