package effective

import (
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// candidate is why hooks of a project do not count by themselves.
const candidate = "hooks of a project are candidates: this counts, beside the user's, only once the workspace is trusted in ZCode"

// hooks adds the section hooks.
func (m *merger) hooks() {
	m.hookSwitch()
	for _, name := range []string{"timeoutMs", "maxOutputBytes"} {
		m.last(noProject(m.in("hooks", name), candidate), "", "hooks", name)
	}
	for _, event := range cliconfig.HookEvents() {
		m.event(event)
	}
}

// hookSwitch adds the switch of all hooks: they are on when any layer says so.
func (m *merger) hookSwitch() {
	list := noProject(m.in("hooks", "enabled"), candidate)
	on := -1
	for i, h := range list {
		if value, _ := h.node.Bool(); value && h.lost == "" {
			on = i
		}
	}
	for i := range list {
		if i > on && on >= 0 && list[i].lost == "" {
			list[i].lost = list[on].layer.called() + " turns hooks on, and one layer is enough; only the hooks of this layer do not count"
		}
	}
	m.last(list, "", "hooks", "enabled")
}

// event adds the hooks of one event: those of all layers that are not switched
// off, joined.
func (m *merger) event(event string) {
	list := noProject(m.in("hooks", "events", event), candidate)
	if len(list) == 0 {
		return
	}
	var joined []held
	for i, h := range list {
		on, set := h.layer.Doc.Find(jsonedit.Path{"hooks", "enabled"}).Bool()
		switch {
		case h.lost != "":
		case set && !on:
			list[i].lost = "hooks.enabled is false in this layer, so that its hooks do not count"
		default:
			joined = append(joined, h)
		}
	}
	if len(joined) < 2 {
		m.last(list, "", "hooks", "events", event)
		return
	}
	for i := range list {
		if list[i].lost == "" && list[i].layer != joined[len(joined)-1].layer {
			list[i].lost = "ZCode runs the hooks of all layers: these are part of the value"
		}
	}
	m.last(list, "", "hooks", "events", event)
	m.settings[len(m.settings)-1].Value = m.join(joined)
}

// join writes arrays as one.
func (m *merger) join(list []held) []byte {
	b := []byte{'['}
	for _, h := range list {
		text := m.text(h)
		if h.node.Kind() != jsonedit.Array || h.node.Len() == 0 {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(b, text[1:len(text)-1]...)
	}
	return append(b, ']')
}
