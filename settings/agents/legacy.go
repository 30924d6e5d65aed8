package agents

import (
	"strings"

	"zcode-acp/settings/jsonedit"
)

// override is the model of one agent.
type override struct {
	agent     string
	selection Selection
}

// legacyKeys are the members in which older versions keep models and levels; they
// stay in the file, and count while the present map is absent.
var legacyKeys = map[string]struct{ models, levels string }{
	builtInKey: {"builtInModelOverrides", "builtInThoughtLevelOverrides"},
	pluginKey:  {"pluginAgentModelOverrides", "pluginAgentThoughtLevelOverrides"},
}

// legacyOverrides returns what ZCode puts into a map that the file does not have,
// in ZCode's order. A level without a model makes no selection.
func legacyOverrides(d *jsonedit.Doc, key string) []override {
	models := d.Root().Get(legacyKeys[key].models)
	levels := d.Root().Get(legacyKeys[key].levels)
	if models.Kind() != jsonedit.Object {
		return nil
	}
	var list []override
	add := func(agent string) {
		if s, ok := ParseModel(models.Get(agent).Text(), levels.Get(agent).Text()); ok {
			list = append(list, override{agent, s})
		}
	}
	if key == builtInKey {
		add(explore)
		add(generalPurpose)
		return list
	}
	for n := range models.Children() {
		if strings.HasPrefix(n.Key(), pluginPrefix) {
			add(n.Key())
		}
	}
	return list
}
