package settings

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestModelOfBuiltInAgent(t *testing.T) {
	w := newWorld(t)
	for _, step := range []struct {
		in   params
		want *AgentModel
	}{
		{params{"model": "p1/m1"}, &AgentModel{"p1", "m1", ""}},
		{params{"reasoningLevel": "high"}, &AgentModel{"p1", "m1", "high"}},
		{params{"modelId": "m2"}, &AgentModel{"p1", "m2", "high"}},
		{params{"thoughtLevel": nil}, &AgentModel{"p1", "m2", ""}},
		{params{"model": "p2/m3$low"}, &AgentModel{"p2", "m3", "low"}},
		{params{"model": "inherit"}, nil},
	} {
		step.in["name"] = "Explore"
		w.write("agents/upsert", Call{}, step.in)
		if diff := cmp.Diff(step.want, w.agent("Explore").ModelSelection); diff != "" {
			t.Errorf("%v (-want +got):\n%s", step.in, diff)
		}
	}
	for _, in := range []params{{}, {"reasoningLevel": "high"}, {"providerId": "p"}, {"model": "m"}, {"model": 5}, {"color": "red"}} {
		in["name"] = "Explore"
		if got := w.refuse("agents/upsert", Call{}, in); got.Code != CodeInvalid {
			t.Errorf("%v: got %+v, want %s", in, got, CodeInvalid)
		}
	}
}

// Where ZCode reads no agent of the user's, the others are there all the same.
func TestAgentsFolderThatIsALink(t *testing.T) {
	w := newWorld(t)
	w.put("elsewhere/a.md", "---\nname: abc\ndescription: x\n---\n")
	if err := os.Symlink("elsewhere", w.path("agents")); err != nil {
		t.Fatal(err)
	}
	list := answerOf[*AgentsList](w, "agents/list")
	if len(list.Agents) != 2 || len(list.Warnings) != 1 || !strings.Contains(list.Warnings[0], "neither a link nor a file") {
		t.Errorf("got %+v, want the built-in ones and why there are no others", list)
	}
	w.write("agents/upsert", Call{}, params{"name": "Explore", "providerId": "p", "modelId": "m"})
	for op, in := range map[string]params{"agents/upsert": {"name": "abc", "color": "red"}, "agents/delete": {"name": "abc"}} {
		if _, err := w.run(op, Call{}, in); CodeOf(err) != CodeIrregular {
			t.Errorf("%s: got %v, want %s", op, err, CodeIrregular)
		}
	}
}

// An agent that another program makes at the same moment is the one to change.
func TestAgentThatAppearsMeanwhile(t *testing.T) {
	w := newWorld(t)
	done := make(chan error)
	const writers = 8
	for i := range writers {
		go func() {
			operation, _ := w.catalog.Lookup("agents/upsert")
			_, err := operation.Run(t.Context(), Call{}, fmt.Appendf(nil, `{"name":"same","description":"d%d"}`, i))
			done <- err
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	w.agent("same")
}
