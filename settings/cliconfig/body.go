package cliconfig

import (
	"fmt"
	"slices"
	"strings"

	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// outdated are names that ZCode tolerates in the file but that no edit may send,
// with what to do instead.
var outdated = map[string]string{
	"enable":              `is an old spelling: send "enabled"`,
	"environment":         `is an old spelling: send "env"`,
	"http_headers":        `is an old spelling: send "headers"`,
	"timeout":             `means nothing to ZCode: send "timeoutMs" in milliseconds`,
	"startup_timeout_sec": `means nothing to ZCode: send "timeoutMs" in milliseconds`,
}

// checkBody refuses what can stand in no server, whatever the file holds.
func checkBody(name string, body jsonedit.Node) error {
	if body.Kind() != jsonedit.Object {
		return &InvalidError{"", "must be an object with the members to change"}
	}
	for c := range body.Children() {
		if err := checkBodyMember(name, c, below(c.Path().Pointer(), body)); err != nil {
			return err
		}
	}
	return nil
}

func checkBodyMember(server string, c jsonedit.Node, pointer string) error {
	reason, old := outdated[c.Key()]
	m, known := findMember(c.Key())
	switch {
	case c.Key() == "enable", old && c.Kind() != jsonedit.Null:
		return &InvalidError{pointer, reason}
	case c.Kind() == jsonedit.Null:
		return nil
	case c.Key() == "name" && c.Text() != server:
		return &InvalidError{pointer, "differs from the server that is set: a server cannot be renamed, set a new one and remove the old"}
	case slices.Contains(ours, c.Key()):
		return nil
	case !known:
		return &InvalidError{pointer, "is not known to ZCode, which would skip the server: leave it out"}
	case c.Key() == "type" && c.Text() == "remote":
		return &InvalidError{pointer, `is an old spelling: send "http"`}
	}
	if problems := schema.Check(c, m.rule); len(problems) > 0 {
		return &InvalidError{pointer + below(problems[0].Pointer, c), problems[0].Rule}
	}
	return nil
}

// sends reports whether a body gives a member a value.
func sends(body jsonedit.Node, name string) bool {
	c := body.Get(name)
	return c.Exists() && c.Kind() != jsonedit.Null && !slices.Contains(ours, name)
}

// judge refuses an edited server that ZCode would skip, and tells what the body
// caused before what stood in the file already.
func judge(server, body jsonedit.Node) error {
	var before *InvalidError
	for _, p := range schema.Check(server, checkServer) {
		pointer := below(p.Pointer, server)
		name := firstStep(pointer)
		switch {
		case name == "":
			return &InvalidError{"", p.Rule}
		case sends(body, name) && body.Get("type").Exists():
			return &InvalidError{pointer, p.Rule}
		case sends(body, name):
			return &InvalidError{pointer, p.Rule + `; send "type" as well to change the transport`}
		case before == nil:
			before = &InvalidError{pointer, fmt.Sprintf("%s, so ZCode skips the server; it was there before: send %q as null or corrected", p.Rule, name)}
		}
	}
	if before == nil {
		return nil
	}
	return before
}

// firstStep returns the member of a server that a pointer from it leads into.
func firstStep(pointer string) string {
	step, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
}
