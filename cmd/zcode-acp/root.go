package main

import (
	"math"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

const rootLong = `Read and change the settings of the ZCode coding agent, safely while it runs.

Without arguments the program serves an editor on stdin and stdout (see
zcode-acp acp --help) when stdin is not a terminal, else it shows this help.`

const rootExample = `  zcode-acp settings all --demo              look around in a sample home
  zcode-acp settings mcp list                the MCP servers
  zcode-acp settings mcp disable files       turn one off
  zcode-acp doctor                           why ZCode ignores something
  zcode-acp serve                            the REST service for panels`

func newRootCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:           "zcode-acp",
		Short:         "Settings service and ACP bridge for the ZCode coding agent",
		Long:          rootLong,
		Example:       rootExample,
		Version:       version,
		Args:          noArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if stdin, ok := a.stdin.(*os.File); ok && !term.IsTerminal(int(stdin.Fd())) {
				return runACP(cmd.Context(), a)
			}
			return cmd.Help()
		},
	}
	cmd.SetIn(a.stdin)
	cmd.SetOut(a.stdout)
	cmd.SetErr(a.stderr)
	cmd.SetVersionTemplate("zcode-acp {{.Version}}\n")
	cmd.SetFlagErrorFunc(flagError)
	flags := cmd.PersistentFlags()
	flags.StringVar(&a.home, "home", "", "`DIR` that stands for ~/.zcode (also ZCODE_HOME)")
	flags.BoolVar(&a.demo, "demo", false, "use a sample home that is removed at the end")
	flags.BoolVar(&a.json, "json", false, "print exactly the body of the REST answer")
	flags.BoolVar(&a.dryRun, "dry-run", false, "tell what would change, change nothing")
	flags.StringVar(&a.ifMatch, "if-match", "", "change only if the section still has this `ETAG`")
	flags.BoolVar(&a.repair, "repair", false, "mend a broken file first; a copy is kept")
	cmd.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error { return a.checkFlags(cmd) }
	cmd.AddCommand(newACPCmd(a), newServeCmd(a), newSettingsCmd(a), newDoctorCmd(a, "zcode-acp doctor"), newVersionCmd(a))
	cmd.InitDefaultCompletionCmd()
	for _, sub := range cmd.Commands() {
		if sub.Name() == "completion" {
			sub.Args = noArgs
			sub.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
	cmd.SetUsageTemplate(strings.NewReplacer(
		".FlagUsages", ".FlagUsagesWrapped 80",
		`Use "{{.CommandPath}} [command] --help" for more information about a command.`, `More: {{.CommandPath}} [command] --help`,
	).Replace(cmd.UsageTemplate()))
	usageErrors(cmd)
	return cmd
}

// badValue matches what the flag library says of a value that a flag cannot take.
const badValue = `^invalid argument (".*") for "(?:-\w, )?(--[\w-]+)[^"]*" flag: `

// flagError says it without the words of the library.
func flagError(cmd *cobra.Command, err error) error {
	if found := regexp.MustCompile(badValue).FindStringSubmatch(err.Error()); found != nil {
		return usage("%s cannot be %s: see %s --help", found[2], found[1], cmd.CommandPath())
	}
	return usage("%s: see %s --help", err, cmd.CommandPath())
}

// checkFlags refuses what would silently mean nothing: an empty value, as a shell
// gives for a variable that is not set, and flags of writes beside a server.
func (a *app) checkFlags(cmd *cobra.Command) error {
	for _, name := range []string{"home", "if-match"} {
		if f := cmd.Flags().Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usage("--%s is empty: give a value, or leave it out", name)
		}
	}
	if !strings.HasPrefix(cmd.CommandPath()+" ", cmd.Root().Name()+" settings ") && (a.dryRun || a.repair || a.ifMatch != "") {
		return usage("--dry-run, --if-match and --repair belong to settings commands that change something")
	}
	return nil
}

// usageErrors makes every complaint about arguments a usage error.
func usageErrors(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return usage("%s", strings.ReplaceAll(err.Error(), "\n\n", "\n"))
			}
			return nil
		}
	}
	for _, sub := range cmd.Commands() {
		usageErrors(sub)
	}
}

// noArgs refuses arguments, and names the command that was perhaps meant.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	reason := "unknown command " + quoted(args[0]) + " for " + quoted(cmd.CommandPath())
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usage("%s: did you mean %s?", reason, quoted(near[0]))
	}
	return usage("%s: see %s --help", reason, cmd.CommandPath())
}

// exactly asks for n arguments, by the names that the usage line gives them.
func exactly(n int) cobra.PositionalArgs { return between(n, n) }

// atLeast asks for n arguments or more.
func atLeast(n int) cobra.PositionalArgs { return between(n, math.MaxInt) }

// between asks for a number of arguments, by the names of the usage line.
func between(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) >= least && len(args) <= most {
			return nil
		}
		return usage("%d arguments are given: it is %s", len(args), strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
}

func quoted(s string) string { return `"` + s + `"` }
