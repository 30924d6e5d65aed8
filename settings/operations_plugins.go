package settings

import (
	"context"
	"slices"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/plugins"
)

// PluginsList is the answer of plugins/list.
type PluginsList struct {
	OK       bool     `json:"ok"`
	Plugins  []Plugin `json:"plugins"`
	ETag     string   `json:"etag"`
	Warnings []string `json:"warnings,omitempty"`
}

// Plugin is a plugin that is installed, or that the file switches on or off.
type Plugin struct {
	plugins.Plugin
	Installed bool   `json:"installed"`
	Enabled   bool   `json:"enabled"` // by ZCode's rule, which Reason names
	Reason    string `json:"reason"`
}

// PluginEnable turns a plugin on or off.
type PluginEnable struct {
	ID      string `json:"id"` // name@marketplace
	Enabled *bool  `json:"enabled"`
	Enable  *bool  `json:"enable"`
}

func (e *Engine) pluginOperations() []Operation {
	return []Operation{
		Read("plugins/list", "/settings/plugins", "List the plugins, whether ZCode loads them, and what they bring.", e.listPlugins),
		Write("plugins/enable", "POST /settings/plugins/enable", NeedsRestart, "Turn a plugin on or off.", e.enablePlugin),
	}
}

func (e *Engine) listPlugins(ctx context.Context, in InProject) (*PluginsList, error) {
	file, err := e.load(ctx, cliConfig)
	if err != nil {
		return nil, err
	}
	if _, err := projectDirs(in); err != nil {
		return nil, err
	}
	list, warnings := e.pluginsOf(file.doc, in.Cwd)
	return &PluginsList{
		OK: true, Plugins: list, ETag: cliConfig.etag("plugins", file.doc), Warnings: append(file.warnings(), warnings...),
	}, nil
}

// pluginsOf lists what is installed, then what the file merely names.
func (e *Engine) pluginsOf(d *jsonedit.Doc, cwd string) (list []Plugin, warnings []string) {
	list = []Plugin{}
	known := map[string]bool{}
	there, problems := plugins.Read(e.Layout.Path(home.PluginDir), cwd)
	inline, more := plugins.ReadDirs(cliconfig.PluginDirs(d), cwd)
	for _, problem := range append(problems, more...) {
		warnings = append(warnings, problem.Error())
	}
	for _, p := range append(there, inline...) {
		known[p.ID] = true
		state := cliconfig.PluginState(d, p.ID, true)
		if p.Ignored != "" {
			state = cliconfig.PluginSwitch{Reason: p.Ignored}
		}
		list = append(list, Plugin{Plugin: p, Installed: true, Enabled: state.Enabled, Reason: state.Reason})
	}
	for _, id := range cliconfig.EnabledPlugins(d) {
		if !known[id] {
			state := cliconfig.PluginState(d, id, false)
			list = append(list, Plugin{Plugin: plugins.Named(id), Enabled: state.Enabled, Reason: state.Reason})
		}
	}
	return list, warnings
}

func (e *Engine) enablePlugin(ctx context.Context, call Call, in PluginEnable) (*Written, error) {
	on, err := eitherSpelling(in.Enabled, in.Enable)
	if err != nil {
		return nil, err
	}
	if err := required("/id", in.ID); err != nil {
		return nil, err
	}
	return e.change(ctx, call, edit{
		document: cliConfig, section: "plugins", effect: NeedsRestart,
		apply: func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) { return cliconfig.EnablePlugin(d, in.ID, on) },
		warn:  func(_, after *jsonedit.Doc) []string { return e.notInstalled(after, in.ID) },
	})
}

// notInstalled warns of a switch that nothing stands behind yet.
func (e *Engine) notInstalled(d *jsonedit.Doc, id string) []string {
	list, _ := e.pluginsOf(d, "")
	if slices.ContainsFunc(list, func(p Plugin) bool { return p.ID == id && p.Installed }) || cliconfig.IsOfficial(id) {
		return nil
	}
	return []string{"the plugin " + id + " is not installed: the switch counts once it is"}
}
