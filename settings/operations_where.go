package settings

import (
	"context"
	"os"

	"zcode-acp/settings/home"
)

// Where is the answer of where.
type Where struct {
	OK     bool     `json:"ok"`
	Home   string   `json:"home"`
	Places []Place  `json:"places"`
	Notes  []string `json:"notes"` // what was set but does not count, and why
}

// Place is one file or folder, and what decided where it is.
type Place struct {
	home.Location
	Exists bool `json:"exists"`
}

func (e *Engine) whereOperations() []Operation {
	return []Operation{
		Read("where", "/settings/where", "Tell where each file is, and what decided it.", e.where),
	}
}

func (e *Engine) where(context.Context, None) (*Where, error) {
	answer := &Where{OK: true, Home: e.Layout.Root(), Notes: e.Layout.Notes()}
	for _, location := range e.Layout.Locations() {
		_, err := os.Stat(location.Path)
		answer.Places = append(answer.Places, Place{Location: location, Exists: err == nil})
	}
	return answer, nil
}
