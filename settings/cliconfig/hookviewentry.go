package cliconfig

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

// HookEntry is one hook as ZCode understands it, with its secrets masked.
type HookEntry struct {
	Event        string   `json:"event"`
	MatcherIndex int      `json:"matcherIndex"`      // of the group in its event, from 0
	HookIndex    int      `json:"hookIndex"`         // in its group, from 0
	Matcher      string   `json:"matcher,omitempty"` // of the group; none matches everything
	Type         string   `json:"type"`
	Command      string   `json:"command"`
	Args         []string `json:"args,omitempty"`
	Enabled      bool     `json:"enabled"`           // the hook's own switch; see Live
	TimeoutMs    float64  `json:"timeoutMs"`         // in effect
	TimeoutFrom  string   `json:"timeoutFrom"`       // "timeoutMs" or "timeout" of the hook, "root" for hooks.timeoutMs, "default"
	Live         bool     `json:"live"`              // nothing in this file keeps ZCode from running it
	Ignored      string   `json:"ignored,omitempty"` // why ZCode does not run it
	Warnings     []string `json:"warnings,omitempty"`
}

// defaultHookTimeout is ZCode's own, in milliseconds.
const defaultHookTimeout = 60_000

// Entries lists the hooks in the order of the file; it is never nil.
func Entries(d *jsonedit.Doc) []HookEntry {
	section := d.Root().Get("hooks")
	v := hookView{section: section, problems: CheckFile(d)}
	v.index()
	list := []HookEntry{}
	for h := range hooksIn(section) {
		list = append(list, v.entry(h))
	}
	return list
}

// hookView knows what the hooks of one file have in common.
type hookView struct {
	section  jsonedit.Node
	problems []Problem          // that make ZCode ignore the file
	at       map[string]Problem // of the section, by pointer
}

// index finds the first problem at and below every place.
func (v *hookView) index() {
	v.at = make(map[string]Problem)
	for _, p := range v.problems {
		if p.Section != "hooks" {
			continue
		}
		for pointer := p.Pointer; pointer != ""; pointer = pointer[:strings.LastIndexByte(pointer, '/')] {
			if _, told := v.at[pointer]; !told {
				v.at[pointer] = p
			}
		}
	}
}

func (v *hookView) entry(h placedHook) HookEntry {
	t := hookType(h.hook.Get("type").Text())
	enabled, isBool := h.hook.Get("enabled").Bool()
	e := HookEntry{
		Event: h.event, MatcherIndex: h.matcher, HookIndex: h.index,
		Matcher: maskCommand(h.group.Get("matcher").Text()),
		Type:    maskCommand(string(t)),
		Command: maskCommand(h.hook.Get("command").Text()),
		Args:    redact.Args(textList(h.hook.Get("args"))),
		Enabled: enabled || !isBool,
	}
	e.TimeoutMs, e.TimeoutFrom = v.timeout(t, h.hook)
	reasons := v.reasons(h, e.Enabled)
	e.Live, e.Ignored = len(reasons) == 0, strings.Join(reasons, "; ")
	e.Warnings = hookWarnings(h, t, e)
	return e
}

// timeout returns what ZCode uses: whole milliseconds, at least one.
func (v *hookView) timeout(t hookType, hook jsonedit.Node) (ms float64, from string) {
	ms, from = defaultHookTimeout, "default"
	if f, ok := finite(hook.Get("timeoutMs")); ok && f > 0 {
		ms, from = f, "timeoutMs"
	} else if f, ok := finite(hook.Get("timeout")); ok && f > 0 && t == commandHook {
		ms, from = f*1000, "timeout"
	} else if f, ok := finite(v.section.Get("timeoutMs")); ok && f > 0 {
		ms, from = f, "root"
	}
	return min(max(1, math.Floor(ms+0.5)), math.MaxFloat64), from
}

// reasons says why ZCode does not run a hook, the widest reason first.
func (v *hookView) reasons(h placedHook, enabled bool) []string {
	var list []string
	if len(v.problems) > 0 {
		list = append(list, v.fileIgnored(h))
	}
	switch on, isBool := v.section.Get("enabled").Bool(); {
	case !v.section.Get("enabled").Exists():
		list = append(list, "hooks are off: hooks.enabled is absent, which counts as off unless another of ZCode's files turns hooks on")
	case isBool && !on:
		list = append(list, "hooks are off: hooks.enabled is false, so no hook of this file runs even where another of ZCode's files turns hooks on")
	}
	if !enabled {
		list = append(list, "the hook is off: its enabled is false")
	}
	if matcher := h.group.Get("matcher"); matcher.Text() != "" {
		if fault, _ := checkPattern(matcher.Text()); fault != "" {
			list = append(list, "its matcher "+badPattern(fault))
		}
	}
	return list
}

// fileIgnored says what makes ZCode ignore the whole file: the hook itself, its
// group or its event before anything else.
func (v *hookView) fileIgnored(h placedHook) string {
	if !slices.Contains(hookEvents, h.event) {
		return "ZCode up to 3.15.1 does not know this event and ignores the whole file: remove the hook, or add it to one of " +
			strings.Join(hookEvents, ", ")
	}
	cause := v.problems[0]
	event := jsonedit.Path{"hooks", "events", h.event}.Pointer()
	group := event + "/" + strconv.Itoa(h.matcher)
	for _, pointer := range []string{group + "/hooks/" + strconv.Itoa(h.index), group, event} {
		if p, ok := v.at[pointer]; ok {
			cause = p
			break
		}
	}
	return "ZCode ignores the whole file: " + cause.Error()
}

// hookWarnings says what ZCode takes otherwise than it looks.
func hookWarnings(h placedHook, t hookType, e HookEntry) []string {
	var list []string
	matcher := h.group.Get("matcher").Text()
	if fault, doubt := checkPattern(matcher); fault == "" && doubt != "" {
		list = append(list, "the matcher "+doubt)
	}
	if tool := otherCase(h.event, matcher); tool != "" {
		list = append(list, fmt.Sprintf("matchers tell capitals from small letters: the tool is called %s", tool))
	}
	for _, f := range hookFields {
		if t.known() && !f.on(t) && h.hook.Get(f.name).Exists() {
			list = append(list, fmt.Sprintf("%q does nothing in a hook of type %s: %s", f.name, t, otherWay(f.name)))
		}
	}
	switch {
	case e.TimeoutFrom == "timeout" && e.TimeoutMs > 3600*1000:
		list = append(list, `"timeout" is in seconds, and more than 3600 look like milliseconds: send "timeoutMs" for those`)
	case e.TimeoutFrom == "timeoutMs" && e.TimeoutMs < 1000:
		list = append(list, `"timeoutMs" is in milliseconds, and less than 1000 look like seconds`)
	case e.TimeoutFrom == "root" && e.TimeoutMs < 1000:
		list = append(list, "hooks.timeoutMs is in milliseconds, and less than 1000 look like seconds")
	}
	return list
}

// otherWay tells how to get what a member does in the other type of hooks.
func otherWay(name string) string {
	switch name {
	case "args":
		return `write the arguments into "command", or make it a hook of type process`
	case "timeout":
		return `use "timeoutMs", in milliseconds`
	}
	return "it belongs to hooks of type command"
}

// The events whose matchers look at tools, and names of ZCode's own tools.
var (
	toolEvents = []string{"PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure"}
	toolNames  = []string{"Agent", "Bash", "Edit", "Glob", "Grep", "Read", "Task", "TodoWrite", "WebFetch", "WebSearch", "Write"}

	matcherWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w+`) })
)

// otherCase returns a tool that a matcher names in other capitals, "" without any.
func otherCase(event, matcher string) string {
	if !slices.Contains(toolEvents, event) {
		return ""
	}
	for _, word := range matcherWord().FindAllString(matcher, -1) {
		for _, tool := range toolNames {
			if word != tool && strings.EqualFold(word, tool) {
				return tool
			}
		}
	}
	return ""
}
