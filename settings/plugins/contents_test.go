package plugins

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func checkItems(t testing.TB, what string, got, want []Item) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestSkills(t *testing.T) {
	p, dir, problems := readOne(t, files{
		"skills/b/SKILL.md":            "",
		"skills/a b é/SKILL.md":        "",
		"skills/group/deeper/SKILL.md": "", // ZCode looks one level deep
		"skills/lower/skill.md":        "",
		"skills/.hidden/SKILL.md":      "",
		"skills/.system/SKILL.md":      "",
		"skills/node_modules/SKILL.md": "",
		"skills/build/SKILL.md":        "",
		"skills/empty/x":               "",
		"skills/dir/SKILL.md/x":        "",
		"SKILL.md":                     "",
	})
	checkTold(t, dir, problems)
	checkItems(t, "skills", p.Contents.Skills, items(dir, ".system=skills/.system/SKILL.md", "a b é=skills/a b é/SKILL.md", "b=skills/b/SKILL.md"))
}

func TestMarkdown(t *testing.T) {
	deep := strings.Repeat("d/", maxDepth)
	p, dir, problems := readOne(t, files{
		"agents/b.md": "", "agents/a.markdown": "", "agents/c.MD": "", "commands/.md": "", "agents/.md/x.md": "",
		"agents/" + deep + "last.md":           "",
		"agents/" + deep + "d/toodeep.md":      "",
		"commands/x.md":                        "",
		"commands/y.txt":                       "",
		"commands/sub/z.md":                    "",
		"skills":                               "a file",
		".zcode-plugin/agents/not-an-agent.md": "",
	})
	checkTold(t, dir, problems)
	checkItems(t, "agents", p.Contents.Agents, items(dir, "x=agents/.md/x.md", "b=agents/b.md", "last=agents/"+deep+"last.md"))
	checkItems(t, "commands", p.Contents.Commands, items(dir, "x=commands/x.md"))
}

// TestDeclaredPlaces wants what the manifest names beside the usual places.
func TestDeclaredPlaces(t *testing.T) {
	p, dir, problems := readOne(t, files{
		".zcode-plugin/plugin.json": `{"name": "a",
			"skills": ["./more", "skills", "./more/", "one", "missing", 7],
			"agents": "./team",
			"commands": {"go": {"content": "x"}, " stop ": {}, "": {}}}`,
		"skills/s/SKILL.md":  "",
		"more/m/SKILL.md":    "",
		"one/SKILL.md":       "",
		"one/sub/SKILL.md":   "",
		"team/t.md":          "",
		"agents/usual.md":    "",
		"commands/c.md":      "",
		"elsewhere/e/x.json": "",
	})
	checkTold(t, dir, problems)
	checkItems(t, "skills", p.Contents.Skills, items(dir, "s=skills/s/SKILL.md", "m=more/m/SKILL.md", "one=one/SKILL.md", "sub=one/sub/SKILL.md"))
	checkItems(t, "agents", p.Contents.Agents, items(dir, "usual=agents/usual.md", "t=team/t.md"))
	checkItems(t, "commands", p.Contents.Commands, items(dir, "go", "stop", "c=commands/c.md"))
}

func TestPluginThatIsOneSkill(t *testing.T) {
	for _, place := range []string{".", "./", "", "x/.."} {
		p, dir, problems := readOne(t, files{
			".zcode-plugin/plugin.json": `{"name": "a", "skills": ` + quote(place) + `}`,
			"SKILL.md":                  "",
		})
		checkTold(t, dir, problems)
		checkItems(t, place, p.Contents.Skills, items(dir, "1.0.0=SKILL.md"))
	}
}

// TestManifestPathsStayInside wants no path of a manifest followed out of the
// plugin; the canaries lie where such paths lead.
func TestManifestPathsStayInside(t *testing.T) {
	const canary = `{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "x"}]}]}, "mcpServers": {"canary": {"command": "x"}}}`
	outside := t.TempDir()
	write(t, outside, files{"c/SKILL.md": "", "c.md": "", "c.json": canary})
	storage := t.TempDir()
	dir := filepath.Join(storage, "p")
	write(t, storage, files{"c/SKILL.md": "", "c.md": "", "c.json": canary, "p2/c/SKILL.md": ""})
	for _, way := range []string{"..", "../", "./..", "x/../..", "./x/./../../", "../p2", "../../../../../..", outside, "/", "//", "/../.."} {
		place := quote(way)
		file := quote(strings.TrimSuffix(way, "/") + "/c.json")
		write(t, dir, files{".zcode-plugin/plugin.json": fmt.Sprintf(
			`{"name": "a", "skills": %s, "agents": [%s], "commands": %s, "hooks": [{}, %s], "mcpServers": [%s]}`, place, place, place, file, file)})
		install(t, storage, record("a@m", dir, ""))
		list, problems := Read(storage, "")
		if len(list) != 1 || cmp.Diff(Contents{}, list[0].Contents) != "" {
			t.Errorf("%s: got %+v, want no contents", way, list)
		}
		const out = " leads out of the plugin's folder: ZCode skips it"
		const at = ".zcode-plugin/plugin.json"
		checkTold(t, dir, problems, at+"/skills"+out, at+"/agents/0"+out, at+"/commands"+out, at+"/hooks/1"+out, at+"/mcpServers/0"+out)
	}
}

func TestLargeFiles(t *testing.T) {
	blank := strings.Repeat(" ", maxFile)
	p, dir, problems := readOne(t, files{
		".zcode-plugin/plugin.json": `{"name": "b"}` + blank,
		"hooks/hooks.json":          `{"hooks": {}}` + blank,
		".mcp.json":                 `{}` + blank,
		"commands/c.md":             blank + blank,
	})
	if p.ID != "a@m" || p.Ignored != "" {
		t.Errorf("got %s, ignored %q, want the id of the record", p.ID, p.Ignored)
	}
	checkItems(t, "commands", p.Contents.Commands, items(dir, "c=commands/c.md"))
	const large = " is larger than 1024 KiB: it is not read"
	checkTold(t, dir, problems, ".zcode-plugin/plugin.json"+large, "hooks/hooks.json"+large, ".mcp.json"+large)
}

// TestManifestThatOnlyWeRefuse wants a plugin listed that ZCode loads, since its
// reader takes the last of two equal names.
func TestManifestThatOnlyWeRefuse(t *testing.T) {
	p, _, problems := readOne(t, files{".zcode-plugin/plugin.json": `{"name": "b", "name": "a"}`, "commands/c.md": ""})
	if p.ID != "a@m" || p.Ignored != "" || len(p.Contents.Commands) != 1 || len(problems) != 1 || problems[0].Column != 15 {
		t.Errorf("got %+v and %v, want the plugin of the record and one problem", p, problems)
	}
}

func TestManyEntries(t *testing.T) {
	const folders, each = 3, 4000
	list := files{"commands/c.md": ""}
	for i := range folders * each {
		list[fmt.Sprintf("agents/%d/%04d.md", i/each, i%each)] = ""
	}
	p, dir, problems := readOne(t, list)
	if got, want := len(p.Contents.Agents), maxEntries-folders; got != want {
		t.Errorf("got %d agents, want %d", got, want)
	}
	checkItems(t, "commands", p.Contents.Commands, nil)
	checkTold(t, dir, problems, ". holds more than 10000 files and folders: the rest is left out")
}
