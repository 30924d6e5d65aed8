package home

// Place is the stable name of one file or folder, as `where` shows it.
type Place string

// The places, in the order in which Locations lists them.
// "Data base folder" is the parent of the .zcode folder that the desktop app may have been told to use instead of the home folder.
const (
	Setting              Place = "setting"              // v2/setting.json; never moved by the dataBaseDir that it holds
	V2Dir                Place = "v2Dir"                // v2 under the data base folder
	ProviderConfig       Place = "providerConfig"       // v2/provider_config.json
	BuiltinProviderTable Place = "builtinProviderTable" // the folder of all versions of the table, or the one file that ZCODE_BUILTIN_PROVIDER_CONFIG_FILE names
	Credentials          Place = "credentials"          // v2/credentials.json as the desktop app finds it
	LegacyProviderConfig Place = "legacyProviderConfig" // v2/config.json
	TasksIndex           Place = "tasksIndex"           // v2/tasks-index.sqlite
	CLIConfig            Place = "cliConfig"            // cli/config.json of the user
	AgentsMCP            Place = "agentsMCP"            // ~/.agents/mcp.json
	AgentsDir            Place = "agentsDir"            // agents/**/*.md as the desktop app finds them
	AgentsState          Place = "agentsState"          // v2/agents-state.json beside agentsDir
	SkillsDir            Place = "skillsDir"            // ~/.zcode/skills
	AgentsSkillsDir      Place = "agentsSkillsDir"      // ~/.agents/skills
	PluginDir            Place = "pluginDir"            // plugins under the CLI's storage folder
	UsageDB              Place = "usageDB"              // cli/db/db.sqlite
	HookTrust            Place = "hookTrust"            // security/workspace-hook-trust-v1.json under the CLI's storage folder
	LazySessions         Place = "lazySessions"         // ours: v2/acp-lazy-sessions.json
	StateDir             Place = "stateDir"             // ours: Layout.StateDir
	OwnConfig            Place = "ownConfig"            // ours: Layout.OwnConfig
)

// Location is where one place is, and the flag, variable or setting that decided it.
type Location struct {
	Place     Place  `json:"place"`
	Path      string `json:"path"` // absolute
	DecidedBy string `json:"decidedBy"`
}

// What can decide a path, beside the variables, which stand under their own names.
const (
	byFlag        = "--home"
	byAccount     = "the account's home folder"
	byDataBaseDir = "dataBaseDir in setting.json"
	byStorageDir  = "storage.dir in cli/config.json"
	bySessionDB   = "storage.sessionDbPath in cli/config.json"
)

// folder is a folder and what decided it; the zero value means that it is not known.
type folder struct{ path, by string }
