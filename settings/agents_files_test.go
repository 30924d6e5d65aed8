package settings

import (
	"os"
	"strings"
	"testing"
)

// The whole text of an agent may not carry a mask, which would take the place of
// the secret.
func TestWholeAgentWithAMask(t *testing.T) {
	w := worldOfAgents(t)
	w.put("agents/holder.md", agentWithSecrets)
	masked := strings.ReplaceAll(agentWithSecrets, "CANARY-agentenv", "********")
	if got := w.refuse("agents/upsert", Call{}, params{"name": "holder", "text": masked}); got.Code != CodeInvalid || got.Pointer != "/text" {
		t.Errorf("got %+v, want %s at /text", got, CodeInvalid)
	}
	w.write("agents/upsert", Call{}, params{"name": "holder", "text": agentWithSecrets + "********\n"})
	if got := w.get("agents/holder.md"); got != agentWithSecrets+"********\n" {
		t.Errorf("got %q, want the stars of the prompt as they are", got)
	}
}

// What stands in the wrong place is told, and stays.
func TestAgentFolderOfAnotherKind(t *testing.T) {
	create := params{"name": "new-one", "description": "x"}
	t.Run("a link", func(t *testing.T) {
		w := newWorld(t)
		w.put("elsewhere/a.md", "---\nname: abc\ndescription: x\n---\n")
		if err := os.Symlink("elsewhere", w.path("agents")); err != nil {
			t.Fatal(err)
		}
		if _, err := w.run("agents/upsert", Call{}, create); CodeOf(err) != CodeIrregular {
			t.Errorf("got %v, want %s", err, CodeIrregular)
		}
		if _, err := os.Stat(w.path("elsewhere/new-one.md")); !os.IsNotExist(err) {
			t.Error("the agent was made where ZCode does not look")
		}
	})
	t.Run("a file", func(t *testing.T) {
		w := newWorld(t)
		w.put("agents", "x")
		if got := w.refuse("agents/upsert", Call{}, create); got.Code != CodeIrregular {
			t.Errorf("got %+v, want %s", got, CodeIrregular)
		}
	})
	t.Run("a folder in place of the file", func(t *testing.T) {
		w := newWorld(t)
		w.put("agents/new-one.md/keep.txt", "x")
		if got := w.refuse("agents/upsert", Call{}, create); got.Code != CodeIrregular && got.Code != CodeExists {
			t.Errorf("got %+v, want it refused for what stands there", got)
		}
	})
	t.Run("a link in place of the file", func(t *testing.T) {
		w := newWorld(t)
		w.put("outside.md", "---\nname: outside\ndescription: x\n---\n")
		w.put("agents/x.txt", "x")
		if err := os.Symlink("../outside.md", w.path("agents/new-one.md")); err != nil {
			t.Fatal(err)
		}
		w.refuse("agents/upsert", Call{}, create)
	})
}

// Only agents that are there get a model, so that the file does not fill with
// what nobody reads; what is there of old can go.
func TestModelOfAPluginAgentThatIsNotThere(t *testing.T) {
	w := newWorld(t)
	in := params{"name": "plugin:none@nowhere:helper", "providerId": "p", "modelId": "m"}
	if got := w.refuse("agents/upsert", Call{}, in); got.Code != CodeUnknown && got.Code != CodeInvalid {
		t.Errorf("got %+v, want it refused", got)
	}
}
