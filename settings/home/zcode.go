package home

import (
	"fmt"
	"path/filepath"
)

// ignoredByOverride are the variables of ZCode that --home and ZCODE_HOME outrank.
var ignoredByOverride = []string{
	"ZCODE_DESKTOP_HOME_DIR", "ZCODE_DATA_BASE_DIR", "ZCODE_PERSONAL_PROVIDER_CONFIG_FILE",
	"ZCODE_BUILTIN_PROVIDER_CONFIG_FILE", "ZCODE_STORAGE_DIR", "ZCODE_SESSION_DB_PATH", "ZCODE_SESSION_DB",
}

// bases are the folders and files that the places hang on.
type bases struct {
	root       folder // ~/.zcode
	agentsHome folder // the parent of .agents
	setting    folder // the .zcode of setting.json
	data       folder // the .zcode of the desktop app's other v2 files
	agents     folder // the storage folder of the desktop app: agents and their state
	storage    folder // the storage folder of the CLI: plugins and trust
	provider   folder // provider_config.json
	builtin    folder // one table of built-in providers; not known: the folder of all of them
	sessions   folder // the session database
}

// override is the folder that stands for ~/.zcode, if one was given.
func (r *resolver) override() folder {
	if r.flag == "" {
		return r.variable("ZCODE_HOME")
	}
	dir := folder{path: r.absolute(r.expand(r.flag, byFlag)), by: byFlag}
	if other := r.variable("ZCODE_HOME"); other.path != "" && other.path != dir.path {
		r.note("ZCODE_HOME is ignored: --home was given")
	}
	return dir
}

// resolveOverride puts every place below dir, and .agents beside it.
func (r *resolver) resolveOverride(dir folder) {
	r.layout.overridden = true
	for _, name := range ignoredByOverride {
		if r.env(name) != "" {
			r.note("%s is ignored: %s decides every path", name, dir.by)
		}
	}
	desktop := r.readSetting(settingPath(dir))
	cli := r.readCLIConfig(cliConfigPath(dir))
	for _, set := range []struct{ value, by string }{
		{desktop.dataBaseDir, byDataBaseDir}, {cli.storageDir, byStorageDir}, {cli.sessionDB, bySessionDB},
	} {
		if set.value != "" {
			r.note("%s is ignored: %s decides every path", set.by, dir.by)
		}
	}
	r.place(bases{
		root:       dir,
		agentsHome: folder{filepath.Dir(dir.path), dir.by},
		setting:    dir,
		data:       dir,
		agents:     dir,
		storage:    dir,
		provider:   providerIn(dir),
		sessions:   sessionsIn(dir),
	})
}

// resolveZCode follows ZCode's own rules.
func (r *resolver) resolveZCode() {
	desktop, cli := r.desktopHome(), r.nodeHome()
	if desktop.path == "" {
		r.fail(fmt.Errorf("finding ZCode's files: %w: set HOME (on Windows USERPROFILE), or name ZCode's folder with --home", ErrNoHome))
		return
	}
	if cli.path == "" {
		cli = desktop
	}
	if cli.path != desktop.path {
		r.note("the CLI's home folder is %s (%s), the desktop app's %s (%s): cli/config.json, agents and skills are the desktop app's here, plugins, hook trust and the session database the CLI's",
			cli.path, cli.by, desktop.path, desktop.by)
	}
	b := bases{root: dotZCode(desktop), agentsHome: desktop, setting: dotZCode(r.first("ZCODE_DESKTOP_HOME_DIR", desktop))}
	r.resolveData(&b, desktop, cli)
	r.resolveStorage(&b, desktop, cli)
	r.place(b)
}

// resolveData finds what follows the desktop app's data base folder.
func (r *resolver) resolveData(b *bases, desktop, cli folder) {
	home := cli
	if desktop.by == "HOME" {
		home = desktop // without HOME the app skips USERPROFILE here, though not for setting.json
	}
	base := r.setting(r.readSetting(settingPath(b.setting)).dataBaseDir, byDataBaseDir, desktop)
	if base.path != "" && r.env("ZCODE_DATA_BASE_DIR") != "" {
		r.note("ZCODE_DATA_BASE_DIR is ignored by the desktop app: %s outranks it", byDataBaseDir)
	}
	base = or(base, r.first("ZCODE_DATA_BASE_DIR", home))
	b.data = dotZCode(base)
	if by := r.first("ZCODE_DATA_BASE_DIR", cli); by.path != base.path {
		r.note("credentials: a CLI that the desktop app did not start reads %s (%s), the desktop app %s (%s); the desktop app's file is used here",
			credentialsPath(dotZCode(by)), by.by, credentialsPath(b.data), base.by)
	}
	b.provider = r.first("ZCODE_PERSONAL_PROVIDER_CONFIG_FILE", providerIn(b.data))
	b.builtin = r.variable("ZCODE_BUILTIN_PROVIDER_CONFIG_FILE")
}

// resolveStorage finds what follows a storage folder: the desktop app's, which knows no variable, or the CLI's.
func (r *resolver) resolveStorage(b *bases, desktop, cli folder) {
	config := r.readCLIConfig(cliConfigPath(b.root))
	b.agents = or(r.setting(config.storageDir, byStorageDir, desktop), b.root)
	b.storage = or(r.setting(config.storageDir, byStorageDir, cli), dotZCode(cli))
	b.storage = r.first("ZCODE_STORAGE_DIR", b.storage)
	if b.storage.by == "ZCODE_STORAGE_DIR" && b.storage.path != b.agents.path {
		r.note("agents: the CLI looks for them in %s (ZCODE_STORAGE_DIR), the desktop app in %s (%s); the desktop app's are used here, and the CLI's plugins and hook trust",
			agentsPath(b.storage), agentsPath(b.agents), b.agents.by)
	}
	b.sessions = or(r.setting(config.sessionDB, bySessionDB, cli), sessionsIn(dotZCode(cli)))
	b.sessions = r.first("ZCODE_SESSION_DB_PATH", r.first("ZCODE_SESSION_DB", b.sessions))
}

// first is what the variable holds, else otherwise.
func (r *resolver) first(name string, otherwise folder) folder {
	return or(r.variable(name), otherwise)
}

func or(dir, otherwise folder) folder {
	if dir.path == "" {
		return otherwise
	}
	return dir
}

// place adds every place of ZCode, in the order of the constants.
func (r *resolver) place(b bases) {
	in := func(p Place, base folder, parts ...string) {
		r.add(p, join(base, parts...), base.by)
	}
	r.layout.root = b.root.path
	r.layout.builtinDir = join(b.data, "v2", "runtime", "provider")
	r.layout.builtinFile = b.builtin.path

	r.add(Setting, settingPath(b.setting), b.setting.by)
	in(V2Dir, b.data, "v2")
	in(ProviderConfig, b.provider)
	if b.builtin.path != "" {
		in(BuiltinProviderTable, b.builtin)
	} else {
		r.add(BuiltinProviderTable, r.layout.builtinDir, b.data.by)
	}
	r.add(Credentials, credentialsPath(b.data), b.data.by)
	in(LegacyProviderConfig, b.data, "v2", "config.json")
	in(TasksIndex, b.data, "v2", "tasks-index.sqlite")
	r.add(CLIConfig, cliConfigPath(b.root), b.root.by)
	in(AgentsMCP, b.agentsHome, ".agents", "mcp.json")
	r.add(AgentsDir, agentsPath(b.agents), b.agents.by)
	in(AgentsState, b.agents, "v2", "agents-state.json")
	in(SkillsDir, b.root, "skills")
	in(AgentsSkillsDir, b.agentsHome, ".agents", "skills")
	in(PluginDir, cliStorage(b.storage), "plugins")
	in(UsageDB, b.sessions)
	in(HookTrust, b.storage, "security", "workspace-hook-trust-v1.json")
	in(LazySessions, b.root, "v2", "acp-lazy-sessions.json")
}

func join(base folder, parts ...string) string {
	return filepath.Join(append([]string{base.path}, parts...)...)
}

func dotZCode(home folder) folder         { return folder{join(home, ".zcode"), home.by} }
func settingPath(zcode folder) string     { return join(zcode, "v2", "setting.json") }
func credentialsPath(zcode folder) string { return join(zcode, "v2", "credentials.json") }
func cliConfigPath(zcode folder) string   { return join(zcode, "cli", "config.json") }
func agentsPath(storage folder) string    { return join(storage, "agents") }

func providerIn(zcode folder) folder {
	return folder{join(zcode, "v2", "provider_config.json"), zcode.by}
}

func sessionsIn(zcode folder) folder {
	return folder{join(zcode, "cli", "db", "db.sqlite"), zcode.by}
}

// cliStorage is where the CLI keeps its own things: a storage folder that is called cli already is that.
func cliStorage(storage folder) folder {
	if filepath.Base(storage.path) == "cli" {
		return storage
	}
	return folder{join(storage, "cli"), storage.by}
}
