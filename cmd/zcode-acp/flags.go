package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"zcode-acp/settings"
)

// flagMember says which member of a body a flag sets.
type flagMember struct{ flag, member string }

// fromFlags adds the members whose flags were given, in the order of the list;
// --clear sends null.
func fromFlags(cmd *cobra.Command, body params, list []flagMember) (params, error) {
	for _, m := range list {
		f := cmd.Flags().Lookup(m.flag)
		if f == nil || !f.Changed {
			continue
		}
		if body.has(m.member) {
			return nil, usage("%s is given twice: by --%s and by the file", m.member, m.flag)
		}
		value, err := flagValue(cmd.Flags(), f)
		if err != nil {
			return nil, err
		}
		body = append(body, param{m.member, value})
	}
	if cmd.Flags().Lookup("clear") == nil {
		return body, nil
	}
	cleared, err := cmd.Flags().GetStringArray("clear")
	for _, field := range cleared {
		i := slices.IndexFunc(list, func(m flagMember) bool { return field == m.flag || field == m.member })
		if i < 0 {
			return nil, usage("--clear %s: there is no such field; there are %s", field, members(list))
		}
		if body.has(list[i].member) {
			return nil, usage("%s is set and cleared at once", list[i].member)
		}
		body = append(body, param{list[i].member, nil})
	}
	return body, err
}

func members(list []flagMember) string {
	var names []string
	for _, m := range list {
		names = append(names, m.member)
	}
	return strings.Join(names, ", ")
}

func flagValue(flags *pflag.FlagSet, f *pflag.Flag) (any, error) {
	switch f.Value.Type() {
	case "bool":
		return flags.GetBool(f.Name)
	case "int":
		return flags.GetInt(f.Name)
	case "float64":
		return flags.GetFloat64(f.Name)
	case "stringArray":
		list, err := flags.GetStringArray(f.Name)
		if f.Name != "env" && f.Name != "header" {
			return list, err
		}
		pairs := map[string]string{}
		for i, item := range list {
			name, value, ok := strings.Cut(item, "=")
			if !ok || name == "" {
				return nil, usage("--%s number %d is not of the form NAME=VALUE", f.Name, i+1)
			}
			pairs[name] = value
		}
		return pairs, err
	}
	return f.Value.String(), nil
}

func completeWords(cmd *cobra.Command, flag string, words ...string) {
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag is declared a line above
	}
}

// present shows an answer that is at hand already.
func present[T any](a *app, answer T, show func(T) error) error {
	if !a.json {
		return show(answer)
	}
	b, err := settings.Encode(answer)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(a.stdout, "%s\n", b)
	return err
}

// showJSON shows one thing with all of its members.
func (a *app) showJSON(v any) error {
	options := []json.Options{json.Deterministic(true)}
	if !a.json {
		options = append(options, jsontext.WithIndent("  "))
	}
	b, err := json.Marshal(v, options...)
	if err != nil {
		return fmt.Errorf("encoding the answer: %w", err)
	}
	_, err = fmt.Fprintf(a.text, "%s\n", b)
	return err
}
