package effective

import (
	"slices"

	"zcode-acp/settings/cliconfig"
)

// mayDefault ends the reason of a value that is hidden and not replaced:
// whether ZCode fills the gap is not known.
const mayDefault = ", as ZCode's source is understood; ZCode may use its default here"

// fieldsOf lists the members of a general section that ZCode keeps.
func fieldsOf(section string) []string {
	s, err := cliconfig.SectionOf(cliconfig.New(), section)
	if err != nil {
		panic("effective: a section without a description: " + err.Error())
	}
	fields := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		fields[i] = f.Name
	}
	return fields
}

// replace adds the members of a section that ZCode does not merge: the highest
// layer that has the section at all replaces it whole. known lists the members
// that ZCode keeps, in their order; nil means all.
func (m *merger) replace(section string, known []string) {
	holders := m.in(section)
	if len(holders) == 0 {
		return
	}
	top := holders[len(holders)-1].layer
	names, members := m.below(section)
	if known == nil {
		known = names
	}
	for _, name := range known {
		list := members[name]
		whole := len(list) > 0 && list[len(list)-1].layer != top
		for i := range list {
			if whole {
				list[i].lost = "the section " + section + " of " + top.called() + " replaces this one whole" + mayDefault
			}
		}
		m.last(list, "", section, name)
	}
}

// servers adds the MCP servers, each on its own: a server of the user counts
// more than one of a project, and one that ZCode skips hides none.
func (m *merger) servers() {
	skipped := map[*Layer]map[string]string{}
	for i := range m.layers {
		l := &m.layers[i]
		skipped[l] = map[string]string{}
		for _, s := range cliconfig.Servers(l.Doc) {
			skipped[l][s.Name] = s.Ignored
		}
	}
	names, servers := m.below("mcp", "servers")
	for _, name := range names {
		list := servers[name]
		slices.SortStableFunc(list, func(a, b held) int { return serverRank(a.layer.Name) - serverRank(b.layer.Name) })
		for i := range list {
			list[i].lost = skipped[list[i].layer][name]
		}
		m.last(list, "", "mcp", "servers", name)
	}
}

// serverRank is the place of a layer among those with MCP servers.
func serverRank(name Name) int {
	return slices.Index([]Name{Default, Project, User, Environment}, name)
}

// notJoined is said of lists of plugins, since ZCode's rule for them is not known.
const notJoined = "; whether ZCode joins the two is not known"

// plugins adds the section plugins, which ZCode merges member by member.
func (m *merger) plugins() {
	m.last(m.in("plugins", "enabled"), "", "plugins", "enabled")
	for _, list := range []string{"dirs", "suppressedBuiltins"} {
		m.last(m.in("plugins", list), notJoined, "plugins", list)
	}
	ids, switches := m.below("plugins", "enabledPlugins")
	for _, id := range ids {
		m.last(switches[id], "", "plugins", "enabledPlugins", id)
	}
	ids, options := m.below("plugins", "options")
	for _, id := range ids {
		m.last(options[id], notJoined, "plugins", "options", id)
	}
	ids, marketplaces := m.below("plugins", "extraKnownMarketplaces")
	for _, id := range ids {
		m.last(noProject(marketplaces[id], "ZCode ignores the marketplaces of a project"), "", "plugins", "extraKnownMarketplaces", id)
	}
}

// noProject says why what a project holds does not count.
func noProject(list []held, why string) []held {
	for i := range list {
		if list[i].layer.Name == Project {
			list[i].lost = why
		}
	}
	return list
}
