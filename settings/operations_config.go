package settings

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// ConfigSection is the answer of config/get: one general section of
// cli/config.json, with ZCode's defaults beside what is set.
type ConfigSection struct {
	OK bool `json:"ok"`
	cliconfig.Section
	ReadOnly bool     `json:"readOnly,omitzero"` // ZCode's app alone writes it
	ETag     string   `json:"etag"`
	Warnings []string `json:"warnings,omitempty"`
}

// Tag returns the etag of the section.
func (s *ConfigSection) Tag() string { return s.ETag }

// ConfigList is the answer of config/list.
type ConfigList struct {
	OK       bool                `json:"ok"`
	Sections []cliconfig.Section `json:"sections"`
	Warnings []string            `json:"warnings,omitempty"`
}

// ConfigGet names a general section.
type ConfigGet struct {
	Section string `json:"section"`
}

// ConfigSet changes members of a general section; null removes one, so that
// ZCode's default counts again.
type ConfigSet struct {
	Section string         `json:"section"`
	Members jsontext.Value `json:",embed"`
}

func (e *Engine) configOperations() []Operation {
	return []Operation{
		Read("config/list", "/settings/config", "List the general settings, ZCode's defaults beside what is set.", e.listConfig),
		Read("config/get", "/settings/config/{section}", "Read one general section.", e.getConfig),
		Write("config/set", "PUT /settings/config/{section}", NeedsRestart,
			"Change members of a general section; null removes a member.", e.setConfig),
	}
}

func (e *Engine) listConfig(ctx context.Context, _ None) (*ConfigList, error) {
	file, err := e.load(ctx, cliConfig)
	if err != nil {
		return nil, err
	}
	list := &ConfigList{OK: true, Warnings: file.warnings()}
	for _, name := range cliconfig.SectionNames() {
		section, err := cliconfig.SectionOf(file.doc, name)
		if err != nil {
			return nil, err
		}
		list.Sections = append(list.Sections, section)
	}
	return list, nil
}

func (e *Engine) getConfig(ctx context.Context, in ConfigGet) (*ConfigSection, error) {
	if in.Section == appSection {
		return e.appSettings(ctx)
	}
	if err := checkSection(in.Section); err != nil {
		return nil, err
	}
	file, err := e.load(ctx, cliConfig)
	if err != nil {
		return nil, err
	}
	section, err := cliconfig.SectionOf(file.doc, in.Section)
	if err != nil {
		return nil, err
	}
	return &ConfigSection{OK: true, Section: section, ETag: cliConfig.etag(in.Section, file.doc), Warnings: file.warnings()}, nil
}

func (e *Engine) setConfig(ctx context.Context, call Call, in ConfigSet) (*Written, error) {
	if in.Section == appSection {
		return nil, invalid("/section", "is the app's own file, which the app would overwrite: change it in ZCode")
	}
	if err := checkSection(in.Section); err != nil {
		return nil, err
	}
	body, err := object(in.Members)
	if err != nil {
		return nil, err
	}
	return e.change(ctx, call, edit{
		document: cliConfig, section: in.Section, effect: NeedsRestart,
		apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
			return cliconfig.SetSection(d, in.Section, body)
		},
	})
}

// checkSection refuses sections that have operations of their own, or that ZCode
// does not have.
func checkSection(name string) error {
	names := cliconfig.SectionNames()
	if slices.Contains(names, name) {
		return nil
	}
	return invalid("/section", "must be one of "+strings.Join(names, ", ")+"; or setting, which can only be read")
}
