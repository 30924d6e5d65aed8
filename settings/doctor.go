package settings

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"zcode-acp/lockfile"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
	"zcode-acp/settings/redact"
)

// Severity tells how much a finding matters.
type Severity string

// The severities, the worst first.
const (
	Serious Severity = "error"   // ZCode does not do what a file says
	Warning Severity = "warning" // it works today, and will not always
	Note    Severity = "note"    // good to know; nothing has to be done
)

// Finding is one thing that a person should know, and what to do about it.
type Finding struct {
	Severity Severity `json:"severity"`
	Kind     string   `json:"kind"` // a stable word
	Document string   `json:"document,omitempty"`
	File     string   `json:"file,omitempty"`
	Pointer  string   `json:"pointer,omitempty"`
	Line     int      `json:"line,omitzero"`
	Column   int      `json:"column,omitzero"`
	Message  string   `json:"message"`           // one sentence
	Command  string   `json:"command,omitempty"` // what to run, for a shell

	rank int // among equals: what costs a whole file comes first
}

// Diagnosis is the answer of doctor.
type Diagnosis struct {
	OK       bool         `json:"ok"`
	Home     string       `json:"home"`
	Files    []FileReport `json:"files"`
	Findings []Finding    `json:"findings"` // the worst first
}

// FileReport is the state of one file.
type FileReport struct {
	Document string    `json:"document"`
	Path     string    `json:"path"`
	State    string    `json:"state"` // "ok", "missing", "unreadable", "ignored" or "newer": what ZCode makes of it
	Size     int64     `json:"size"`  // bytes
	Mode     string    `json:"mode,omitempty"`
	Modified time.Time `json:"modified,omitzero"`
	Lock     string    `json:"lock"` // "free", "held", "stale", "unknown"
	Holder   *Holder   `json:"holder,omitempty"`
}

func (e *Engine) doctorOperations() []Operation {
	return []Operation{
		Read("doctor", "/settings/doctor", "Tell why ZCode does not do what its files say, and what to do about it.", e.doctor),
	}
}

// checkup gathers one diagnosis.
type checkup struct {
	engine   *Engine
	in       InProject
	files    []FileReport
	findings []Finding
}

// doctor looks at everything and changes nothing.
func (e *Engine) doctor(ctx context.Context, in InProject) (*Diagnosis, error) {
	c := &checkup{engine: e, in: in}
	if _, err := projectDirs(in); err != nil {
		return nil, err
	}
	for _, examine := range []func(context.Context){
		c.home, c.cliConfig, c.providerConfig, c.agentsState, c.setting, c.credentials, c.agentsMCP,
		c.agents, c.skills, c.plugins, c.project,
	} {
		examine(ctx)
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("looking at the files: %w", err)
		}
	}
	order := []Severity{Serious, Warning, Note}
	slices.SortStableFunc(c.findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(order, a.Severity), slices.Index(order, b.Severity)),
			cmp.Compare(a.rank, b.rank),
		)
	})
	if c.findings == nil {
		c.findings = []Finding{}
	}
	return &Diagnosis{OK: true, Home: e.Layout.Root(), Files: c.files, Findings: c.findings}, nil
}

// add keeps a finding in a form that a terminal shows as it is: names come from
// files, and may hold what moves the cursor.
func (c *checkup) add(f Finding) {
	f.Message = visible(f.Message)
	f.Command = c.ours(f.Command)
	if visible(f.Command) != f.Command {
		f.Command = ""
		if visible(f.File) == f.File {
			f.Command = "${EDITOR:-vi} " + quoted(f.File)
		}
	}
	c.findings = append(c.findings, f)
}

// ours names the home in a command of this program, which would be run for
// another one else.
func (c *checkup) ours(command string) string {
	arguments, isOurs := strings.CutPrefix(command, "zcode-acp ")
	if !isOurs || !c.engine.Layout.Overridden() {
		return command
	}
	return "zcode-acp --home " + quoted(c.engine.Layout.Root()) + " " + arguments
}

// visible writes control characters the way Go source does.
func visible(s string) string {
	if !strings.ContainsFunc(s, unicode.IsControl) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if unicode.IsControl(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// file reports on one file and returns its report, to which the caller adds what
// ZCode makes of the content.
func (c *checkup) file(document string, place home.Place) *FileReport {
	path := c.engine.Layout.Path(place)
	report := FileReport{Document: document, Path: path, State: "ok", Lock: "free"}
	info, err := os.Stat(path)
	switch {
	case err == nil && info.Mode().IsRegular():
		report.Size, report.Mode, report.Modified = info.Size(), fmt.Sprintf("%04o", info.Mode().Perm()), info.ModTime()
	case isMissing(err):
		report.State = "missing"
	case err != nil:
		report.State = "unreadable"
		c.add(Finding{Severity: Serious, Kind: "unreadable", Document: document, File: path,
			Message: fmt.Sprintf("%s cannot be read: %v", path, withoutPath(err)), Command: "ls -ld " + quoted(path)})
	default:
		report.State = "unreadable"
		c.add(Finding{Severity: Serious, Kind: "not_a_file", Document: document, File: path,
			Message: path + " is no file, so ZCode cannot read it: move it away", Command: "ls -ld " + quoted(path)})
	}
	c.lock(&report)
	c.leftovers(document, path)
	c.files = append(c.files, report)
	return &c.files[len(c.files)-1]
}

// lock tells who holds the lock of a file.
func (c *checkup) lock(report *FileReport) {
	state, err := lockfile.Inspect(report.Path)
	finding := Finding{Document: report.Document, File: report.Path}
	if err != nil {
		report.Lock = "unknown"
		finding.Severity, finding.Kind = Serious, "lock_invalid"
		finding.Message = fmt.Sprintf("nobody can write %s: %v", report.Path, err)
		finding.Command = "ls -ld " + quoted(report.Path+".lock")
		c.add(finding)
		return
	}
	if state.Holder.PID > 0 {
		report.Holder = &Holder{PID: state.Holder.PID, Since: state.Holder.Since}
	}
	switch state.Status {
	case lockfile.Held:
		report.Lock = "held"
		if since := state.Holder.Since; since.IsZero() || time.Since(since) > longHold {
			finding.Severity, finding.Kind = Warning, "lock_held"
			finding.Message = fmt.Sprintf("writes of %s wait for %s, which holds %s", report.Path, holderName(state.Holder), state.Lock)
			finding.Command = "ps -p " + fmt.Sprint(max(state.Holder.PID, 0))
			if state.Holder.PID <= 0 {
				finding.Command = "ls -la " + quoted(state.Lock)
			}
			c.add(finding)
		}
	case lockfile.Stale:
		report.Lock = "stale"
		finding.Severity, finding.Kind = Note, "lock_stale"
		finding.Message = fmt.Sprintf("%s was left behind by %s; the next write removes it", state.Lock, holderName(state.Holder))
		c.add(finding)
	}
}

// longHold is how long a lock may be held before it is worth telling: ZCode
// holds one for milliseconds.
const longHold = 2 * time.Second

func holderName(h lockfile.Holder) string {
	name := "a process that did not say who it is"
	if h.PID > 0 {
		name = fmt.Sprintf("process %d", h.PID)
	}
	if !h.Since.IsZero() {
		name += " since " + h.Since.Local().Format("2006-01-02 15:04:05")
	}
	return name
}

// leftovers finds temporary files that a killed program left beside a file.
func (c *checkup) leftovers(document, path string) {
	dir, base := filepath.Dir(path), filepath.Base(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return // the file's own report says so
	}
	for _, entry := range entries {
		name := entry.Name()
		ours := strings.HasPrefix(strings.TrimPrefix(name, "."), base+".")
		info, err := entry.Info()
		if err != nil || !ours || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		at := filepath.Join(dir, name)
		switch {
		case !info.Mode().IsRegular():
		case strings.HasSuffix(name, ".tmp") && strings.Contains(name, ".zcode-acp-"):
			c.add(Finding{Severity: Note, Kind: "interrupted", Document: document, File: at,
				Message: at + " is of a write that was interrupted: the next write of " + path + " removes it, or keeps it as a backup"})
		case strings.HasSuffix(name, ".tmp"):
			c.add(Finding{Severity: Note, Kind: "leftover", Document: document, File: at,
				Message: at + " looks like a file that a killed program left while it wrote " + path + ": look at it, then delete it",
				Command: "ls -l " + quoted(at)})
		case strings.Contains(name, ".corrupt-"):
			c.add(Finding{Severity: Note, Kind: "put_aside", Document: document, File: at,
				Message: at + " is a file that ZCode could not read and put aside: compare it with " + path + ", then delete it",
				Command: "diff " + quoted(path) + " " + quoted(at)})
		}
	}
}

// secrets warns when others may read a file that holds secrets; doc is nil for one
// that may hold some.
func (c *checkup) secrets(report *FileReport, doc *jsonedit.Doc) {
	if doc != nil && !strings.Contains(string(mask(doc, nil, doc.Root())), redact.Mask) {
		return
	}
	info, err := os.Stat(report.Path)
	if err != nil || !info.Mode().IsRegular() || !judgesModes || info.Mode().Perm()&0o077 == 0 {
		return
	}
	c.add(Finding{Severity: Warning, Kind: "mode_too_wide", Document: report.Document, File: report.Path,
		Message: fmt.Sprintf("other users of this machine may read the secrets in %s (mode %s)", report.Path, report.Mode),
		Command: "chmod 600 " + quoted(report.Path)})
}

func isMissing(err error) bool { return err != nil && os.IsNotExist(err) }

// withoutPath is what an error says beside the path that it concerns.
func withoutPath(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

// argument returns a name as an argument of our own command line, after "--" when
// it would be taken for a flag.
func argument(name string) string {
	if strings.HasPrefix(name, "-") {
		return "-- " + quoted(name)
	}
	return quoted(name)
}

// quoted returns a path as a shell takes it.
func quoted(path string) string {
	plain := "/._-:+@,"
	if runtime.GOOS == "windows" {
		plain += `\` // which any other shell takes for a quotation mark
	}
	if path != "" && !strings.ContainsFunc(path, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(plain, r))
	}) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
