package agents

import (
	"strings"

	"zcode-acp/settings/frontmatter"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/schema"
)

// keyEdit is what an edit does to one key.
type keyEdit struct {
	key    string
	value  frontmatter.Value
	delete bool
}

// bodyEdits is what the body of an edit means.
type bodyEdits struct {
	keys   []keyEdit // in the order in which ZCode writes the keys
	prompt string    // "" leaves it
}

// readBody refuses what can stand in no agent. The name may be sent as it is.
func readBody(body jsonedit.Node, name string) (bodyEdits, error) {
	if body.Kind() != jsonedit.Object {
		return bodyEdits{}, &InvalidError{"", "must be an object with the members to change"}
	}
	for c := range body.Children() {
		if err := checkMember(c, name); err != nil {
			return bodyEdits{}, err
		}
	}
	edits := bodyEdits{prompt: promptText(body.Get("prompt"))}
	for _, f := range fields {
		switch c := body.Get(f.name); {
		case f.name == "name":
		case f.name == "model":
			model, err := modelEdits(body)
			if err != nil {
				return bodyEdits{}, err
			}
			edits.keys = append(edits.keys, model...)
		case f.name == "thoughtLevel": // with the model
		case c.Kind() == jsonedit.Null:
			edits.keys = append(edits.keys, keyEdit{key: f.name, delete: true})
		case c.Exists():
			edits.keys = append(edits.keys, keyEdit{key: f.name, value: f.value(c)})
		}
	}
	return edits, nil
}

// memberPointer returns where a member of the body stands in it.
func memberPointer(name string) string { return jsonedit.Path{name}.Pointer() }

func checkMember(c jsonedit.Node, name string) error {
	f, known := findField(c.Key())
	pointer := memberPointer(c.Key())
	var rule schema.Rule
	switch {
	case c.Key() == "name":
		if c.Kind() != jsonedit.String || trim(c.Text()) != name {
			return &InvalidError{pointer, "differs from the agent that is set: rename the agent instead"}
		}
		return nil
	case c.Key() == "model":
		return nil // modelEdits looks at it
	case c.Key() == "prompt":
		rule = notBlank
	case !known:
		return &InvalidError{pointer, "is no setting of an agent: leave it out"}
	case c.Kind() == jsonedit.Null && c.Key() == "description":
		return &InvalidError{pointer, "must not be empty: ZCode skips an agent without it"}
	case c.Kind() == jsonedit.Null, c.Key() == "thoughtLevel" && c.Kind() == jsonedit.String && c.Text() == "":
		return nil
	default:
		rule = f.rule
	}
	if problems := schema.Check(c, rule); len(problems) > 0 {
		return &InvalidError{pointer + strings.TrimPrefix(problems[0].Pointer, c.Path().Pointer()), problems[0].Rule}
	}
	if c.Key() == "prompt" && strings.ContainsRune(c.Text(), 0) {
		return &InvalidError{pointer, "must not hold a NUL character"}
	}
	return nil
}

// promptText returns the prompt as ZCode reads it back.
func promptText(n jsonedit.Node) string {
	return prompt([]byte(n.Text()))
}

// modelEdits reads the model, a text or an object, and the level, which stands in
// a key of its own. An object, or a text with a level, is the whole selection.
func modelEdits(body jsonedit.Node) ([]keyEdit, error) {
	model, level := body.Get("model"), body.Get("thoughtLevel")
	var edits []keyEdit
	var s Selection
	whole := false
	switch {
	case !model.Exists():
	case clears(model):
		edits = append(edits, keyEdit{key: "model", delete: true})
	case model.Kind() == jsonedit.String:
		if err := checkModelText(model.Text()); err != nil {
			return nil, err
		}
		edits = append(edits, keyEdit{key: "model", value: frontmatter.TextOf(model.Text())})
		s, _ = ParseModel(model.Text(), "")
		whole = s.ReasoningLevel != ""
	default:
		var err error
		if s, err = selectionOf(model); err != nil {
			return nil, err
		}
		edits = append(edits, keyEdit{key: "model", value: frontmatter.TextOf(s.modelText())})
		whole = true
	}
	switch {
	case level.Exists() && s.ReasoningLevel != "" && level.Text() != s.ReasoningLevel:
		return nil, &InvalidError{"/thoughtLevel", "differs from the level of the model: send one of them"}
	case clears(level):
		edits = append(edits, keyEdit{key: "thoughtLevel", delete: true})
	case level.Exists():
		edits = append(edits, keyEdit{key: "thoughtLevel", value: textValue(level)})
	case whole && model.Kind() == jsonedit.Object && s.ReasoningLevel != "":
		edits = append(edits, keyEdit{key: "thoughtLevel", value: frontmatter.TextOf(s.ReasoningLevel)})
	case whole:
		edits = append(edits, keyEdit{key: "thoughtLevel", delete: true})
	}
	return edits, nil
}

// clears reports whether a model or a level is sent to be taken away.
func clears(n jsonedit.Node) bool {
	return n.Kind() == jsonedit.Null || n.Kind() == jsonedit.String && n.Text() == ""
}

func checkModelText(model string) error {
	if trim(model) != model || hasControl(model) {
		return &InvalidError{"/model", "must be one line without white space at its ends"}
	}
	return nil
}

// selectionOf reads a model that is sent as an object.
func selectionOf(n jsonedit.Node) (Selection, error) {
	if n.Kind() != jsonedit.Object {
		return Selection{}, &InvalidError{"/model", `must be a text like "provider/model", an object with providerId and modelId, or null`}
	}
	for c := range n.Children() {
		pointer := "/model" + memberPointer(c.Key())
		switch {
		case c.Key() != "providerId" && c.Key() != "modelId" && c.Key() != "reasoningLevel":
			return Selection{}, &InvalidError{pointer, "is no part of a model: send providerId, modelId and reasoningLevel"}
		case c.Kind() != jsonedit.String && !(c.Kind() == jsonedit.Null && c.Key() == "reasoningLevel"):
			return Selection{}, &InvalidError{pointer, "must be a string"}
		}
	}
	s := Selection{n.Get("providerId").Text(), n.Get("modelId").Text(), n.Get("reasoningLevel").Text()}
	return s, s.refuse("/model")
}
