package settings

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/home"
	"zcode-acp/settings/jsonedit"
)

// appSection is what config/get calls setting.json, the desktop app's own file.
// It is shown and never written: the app keeps what it knows of it in memory.
const appSection = "setting"

// appFields are the members of setting.json that people know as settings, with
// the app's defaults (3.14.0); its memory of windows, sessions and migrations is
// shown as it stands.
var appFields = []struct {
	name, kind, fallback string
	values               string
}{
	{"locale", "string", `"zh-CN"`, "zh-CN en-US"},
	{"localePreference", "string", `"system"`, "system zh-CN en-US"},
	{"httpProxy", "string", "", ""},
	{"httpProxyNoProxy", "string", "", ""},
	{"httpProxyCaCertPath", "string", "", ""},
	{"dataBaseDir", "string", "", ""},
	{"memoryEnabled", "boolean", "false", ""},
	{"nativeSearchEnhancementsEnabled", "boolean", "true", ""},
	{"proactiveSuggestionsEnabled", "boolean", "", ""},
	{"askUserQuestionAutoResolutionEnabled", "boolean", "true", ""},
	{"zcodeInteractionBehavior", "string", `"queue"`, "queue guide"},
	{"messageStreamShowReasoning", "boolean", "true", ""},
	{"messageStreamShowTodos", "boolean", "false", ""},
	{"toolGroupingExploreEnabled", "boolean", "true", ""},
	{"toolGroupingTerminalEnabled", "boolean", "true", ""},
	{"toolGroupingChangesEnabled", "boolean", "false", ""},
	{"modelIoFullRetentionEnabled", "boolean", "false", ""},
	{"taskAutoArchiveEnabled", "boolean", "false", ""},
	{"taskAutoArchiveOlderThanDays", "number", "7", ""},
	{"keepAwakeWhileRunning", "boolean", "false", ""},
	{"closeToTrayOnWindows", "boolean", "true", ""},
	{"terminalInheritSystemProfile", "boolean", "true", ""},
	{"terminalFontFamily", "string", "", ""},
	{"desktopZoomLevel", "number", "", ""},
	{"desktopChromiumHardwareAccelerationEnabled", "boolean", "true", ""},
	{"embeddedBrowserAllowInsecureCertificates", "boolean", "false", ""},
	{"computerUseComposerEntryHidden", "boolean", "true", ""},
	{"receivePreviewUpdates", "boolean", "false", ""},
	{"autoDownloadAndInstallUpdates", "boolean", "false", ""},
	{"zcodeEndpointOrigin", "string", "", ""},
}

// appSettings reads setting.json as a section.
func (e *Engine) appSettings(ctx context.Context) (*ConfigSection, error) {
	path := e.Layout.Path(home.Setting)
	var parsed parseOnce
	snapshot, err := e.writer.Read(ctx, path, parsed.valid, jsonedit.MaxSize)
	if err != nil {
		return nil, err
	}
	doc := cliconfig.New()
	if snapshot.Exists {
		if doc, err = settingFile.open(&parsed, path, snapshot.Content, true); err != nil {
			return nil, err
		}
	}
	section := cliconfig.Section{Name: appSection, Set: jsontext.Value("null")}
	if snapshot.Exists {
		section.Set = mask(doc, nil, doc.Root())
	}
	for _, f := range appFields {
		field := cliconfig.Field{Name: f.name, Type: cliconfig.FieldType(f.kind), Default: jsontext.Value(f.fallback)}
		if f.values != "" {
			field.Values = strings.Fields(f.values)
		}
		if n := doc.Root().Get(f.name); n.Exists() {
			field.Value, field.Set = mask(doc, n.Path(), n), true
		}
		section.Fields = append(section.Fields, field)
	}
	return &ConfigSection{OK: true, Section: section, ReadOnly: true, ETag: settingFile.etag("file", doc)}, nil
}
