package main

import (
	"context"
	"log/slog"

	"github.com/spf13/cobra"

	"zcode-acp/acp"
)

func newACPCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "acp",
		Aliases: []string{"server"},
		Short:   "Serve an ACP editor on stdin and stdout",
		Long: `Serve an editor that speaks the Agent Client Protocol (Zed, JetBrains, acpx) on
stdin and stdout. The settings are reachable as methods _zcode/settings/NAME;
initialize lists them under agentCapabilities._meta.zcode.`,
		Example: `  zcode-acp acp`,
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runACP(cmd.Context(), a) },
	}
}

func runACP(ctx context.Context, a *app) error {
	if err := a.open(); err != nil {
		return err
	}
	level := slog.LevelWarn
	if a.env("ZCODE_ACP_DEBUG") == "1" {
		level = slog.LevelDebug
	}
	agent := acp.Agent{
		Catalog: a.catalog, Version: version,
		Log: slog.New(slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: level})),
	}
	if err := agent.Serve(ctx, a.stdin, a.stdout); err != nil && ctx.Err() == nil {
		return err
	}
	return nil // told to stop is an end like any other
}
