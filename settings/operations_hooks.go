package settings

import (
	"context"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// HooksList is the answer of hooks/list.
type HooksList struct {
	OK       bool                  `json:"ok"`
	Hooks    jsontext.Value        `json:"hooks"`   // the section as the file has it, its secrets masked
	Enabled  bool                  `json:"enabled"` // the switch of them all; ZCode's default is off
	Entries  []cliconfig.HookEntry `json:"entries"` // every hook, and whether ZCode runs it
	Project  []ProjectHooks        `json:"project"` // those of the project files, with cwd
	ETag     string                `json:"etag"`
	Notes    []string              `json:"notes,omitempty"`
	Warnings []string              `json:"warnings,omitempty"`

	problem error // behind the first warning
}

// HookChange changes members of one hook; the members beside these three are
// those of the hook in cli/config.json, and matcher, which belongs to its group.
// null removes one.
type HookChange struct {
	Event        string         `json:"event"`
	MatcherIndex Index          `json:"matcherIndex"`
	HookIndex    *int           `json:"hookIndex"`
	Hook         jsontext.Value `json:",embed"`
}

// HookAdd adds a hook; the members beside the event are those of the hook, and
// matcher, which says to which group it goes.
type HookAdd struct {
	Event string         `json:"event"`
	Hook  jsontext.Value `json:",embed"`
}

// HooksSet is a whole section as hooks/list shows it.
type HooksSet struct {
	Hooks jsontext.Value `json:"hooks"`
}

// HookAt names a hook by where it stands in the file, counted from 0.
type HookAt struct {
	Event        string `json:"event"`
	MatcherIndex Index  `json:"matcherIndex"`
	HookIndex    Index  `json:"hookIndex"`
}

// HookMove moves a hook within its group.
type HookMove struct {
	Event        string `json:"event"`
	MatcherIndex Index  `json:"matcherIndex"`
	HookIndex    Index  `json:"hookIndex"`
	To           *int   `json:"to"`
}

// HooksEnabled switches all hooks on or off.
type HooksEnabled struct {
	Enabled *bool `json:"enabled"`
}

func (e *Engine) hookOperations() []Operation {
	return []Operation{
		Read("hooks/list", "/settings/hooks", "List the hooks, and which of them ZCode runs.", e.listHooks),
		Write("hooks/enabled", "POST /settings/hooks/enabled", NeedsRestart, "Turn all hooks on or off.", e.enableHooks),
		Write("hooks/set", "PUT /settings/hooks", NeedsRestart,
			"Replace the whole section; what is the same keeps its bytes.", e.setHooks),
		Write("hooks/add", "POST /settings/hooks/{event}", NeedsRestart, "Add a hook.", e.addHook),
		Write("hooks/update", "PUT /settings/hooks/{event}/{matcherIndex}", NeedsRestart,
			"Change members of a hook; null removes a member.", e.updateHook),
		Write("hooks/move", "POST /settings/hooks/{event}/{matcherIndex}/{hookIndex}/move", NeedsRestart,
			"Move a hook within its group: ZCode starts them in this order.", e.moveHook),
		Write("hooks/remove", "DELETE /settings/hooks/{event}/{matcherIndex}/{hookIndex}", NeedsRestart,
			"Remove a hook, and its group when it was the last there.", e.removeHook),
	}
}

func (e *Engine) listHooks(ctx context.Context, in InProject) (*HooksList, error) {
	file, err := e.load(ctx, cliConfig)
	if err != nil {
		return nil, err
	}
	project, err := e.projectHooks(ctx, in)
	if err != nil {
		return nil, err
	}
	view := cliconfig.HooksOf(file.doc)
	return &HooksList{
		OK: true, Hooks: view.Tree, Enabled: view.Enabled, Entries: cliconfig.Entries(file.doc), Project: project,
		ETag: cliConfig.etag("hooks", file.doc), Notes: view.Notes, Warnings: file.warnings(), problem: file.problem,
	}, nil
}

// changeHooks runs an edit of the section.
func (e *Engine) changeHooks(ctx context.Context, call Call, apply func(*jsonedit.Doc) (*jsonedit.Doc, []string, error)) (*Written, error) {
	return e.change(ctx, call, edit{document: cliConfig, section: "hooks", effect: NeedsRestart, apply: apply})
}

func (e *Engine) enableHooks(ctx context.Context, call Call, in HooksEnabled) (*Written, error) {
	if in.Enabled == nil {
		return nil, invalid("/enabled", "is required: true or false")
	}
	return e.changeHooks(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		next, err := cliconfig.SetHooksEnabled(d, *in.Enabled)
		return next, nil, err
	})
}

func (e *Engine) setHooks(ctx context.Context, call Call, in HooksSet) (*Written, error) {
	if len(in.Hooks) == 0 {
		return nil, invalid("/hooks", "is required: the section as the listing shows it")
	}
	wanted, err := jsonedit.Parse(in.Hooks)
	if err != nil {
		return nil, invalid("/hooks", "is not valid JSON")
	}
	return e.changeHooks(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		next, err := cliconfig.ReplaceHooks(d, wanted.Root())
		return next, nil, below("/hooks", err)
	})
}

func (e *Engine) addHook(ctx context.Context, call Call, in HookAdd) (*Written, error) {
	body, err := object(in.Hook)
	if err != nil {
		return nil, err
	}
	return e.changeHooks(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return cliconfig.AddHook(d, in.Event, body)
	})
}

func (e *Engine) updateHook(ctx context.Context, call Call, in HookChange) (*Written, error) {
	if in.HookIndex == nil {
		return nil, invalid("/hookIndex", "is required: the place of the hook in its group, counted from 0")
	}
	body, err := object(in.Hook)
	if err != nil {
		return nil, err
	}
	return e.changeHooks(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return cliconfig.UpdateHook(d, in.Event, int(in.MatcherIndex), *in.HookIndex, body)
	})
}

func (e *Engine) moveHook(ctx context.Context, call Call, in HookMove) (*Written, error) {
	if in.To == nil {
		return nil, invalid("/to", "is required: the new place in the group, counted from 0")
	}
	return e.changeHooks(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		next, err := cliconfig.MoveHook(d, in.Event, int(in.MatcherIndex), int(in.HookIndex), *in.To)
		return next, nil, err
	})
}

func (e *Engine) removeHook(ctx context.Context, call Call, in HookAt) (*Written, error) {
	return e.changeHooks(ctx, call, func(d *jsonedit.Doc) (*jsonedit.Doc, []string, error) {
		return cliconfig.RemoveHook(d, in.Event, int(in.MatcherIndex), int(in.HookIndex))
	})
}
