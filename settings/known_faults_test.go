package settings

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// knownFaults are the faults of the first program that edited these files. Each
// is a test of its own below, or names those that have shown it gone already.
//
// What is no matter of settings is tested where it belongs: the status of each
// error, the size, type, origin and host of a request at the REST door; the clock
// of pending restarts, usage, reset cards and their offers with usage; the list
// of the places of the app and the manifests with the updater; events, stop
// requests and variables of the agent itself with the bridge; the store of
// dismissed notices, which this program does not have, with nobody.
var knownFaults = []struct {
	fault   string
	shownBy []string         // in this package, or package.Test
	test    func(*testing.T) // when nothing else shows it
}{
	{"a lock folder without an owner and with a time in the future was never reclaimed", []string{"lockfile.TestLockCases"}, faultFutureLock},
	{"the reasoning level of a built-in agent was stored under a name that ZCode drops", []string{"TestCaseLegacyState"}, faultThoughtLevelStored},
	{"emptying the overrides of agents brought old ones back", []string{"TestCaseLegacyState"}, nil},
	{"another transport left the members of the old one, and the server vanished", []string{"TestCasesOfCLIConfig"}, nil},
	{"an unknown member of a server was stored, and the server vanished", []string{"TestCaseExtraKeySent"}, nil},
	{"any edit turned a server on that the old spelling had turned off", []string{"TestCasesOfCLIConfig", "TestCaseListings"}, nil},
	{"an empty name of a provider made ZCode drop the whole file", []string{"TestCasesOfProvidersRefused"}, nil},
	{"new reasoning levels lost what each of them sends", []string{"TestCasesOfProviders"}, nil},
	{"a file of providers in another order was written again by ZCode", []string{"TestCasesOfProviders", "provider.TestCanonicalOrder"}, nil},
	{"unknown members of a provider were kept, and ZCode dropped the whole file", []string{"TestCasesThatRefuseEveryWrite", "TestRepairOfProviderConfig"}, nil},
	{"providers of a plan took members that make ZCode drop the whole file", []string{"TestCasesOfProvidersRefused"}, nil},
	{"turning a plugin on deleted its entry, which for most means off", []string{"cliconfig.TestPluginsCase"}, faultPluginOn},
	{"one bad hook made ZCode drop the whole file, and nobody said so", []string{"TestReadsTellOfAnIgnoredFile", "TestDoctorOfCases"}, faultStrictRules},
	{"an edit of an agent dropped block texts, nested values, comments and quotation marks", []string{"TestCasesOfAgents"}, nil},
	{"a backslash in an agent's description was read back as something else", []string{"TestCasesOfAgents"}, faultBackslash},
	{"an agent whose file is called otherwise could not be edited, or was made twice", []string{"TestCasesOfAgents", "TestAgentIsCreated", "TestTwoAgentsOfOneName", "TestAgentFileBeingWritten"}, nil},
	{"agents in folders below were not found", []string{"TestCaseAgentSwitch"}, nil},
	{"a write was not durable", []string{"atomicwrite.TestSyncsWhatMatters", "TestCrash"}, nil},
	{"what ZCode wrote at the same moment was lost", []string{"TestConcurrentRival", "TestRivalInBetween", "TestConfigWritesWithARivalInPlace", "TestAgentFileWithARival"}, nil},
	{"a linked file was replaced by a plain one with another mode", []string{"lockfile.TestSymlinkLocksBoth", "atomicwrite.TestUpdateWritesThroughLinks"}, faultLinkReplaced},
	{"nobody said who holds a lock", []string{"TestLockIsRespected", "TestDoctorFinds"}, nil},
	{"one call that hangs blocked all others for ever", []string{"TestLockIsRespected"}, nil},
	{"writes that change nothing pushed the real backups out, and other programs' files counted", []string{"atomicwrite.TestForeignNamesAreNoBackups"}, faultBackupsPushedOut},
	{"backups of agents and of their switches could not be listed or restored", []string{"TestAgentIsDeleted", "TestBackupsOfAgentsWithOddNames"}, nil},
	{"a restore took any path that begins like a backup's, unchecked", []string{"TestRestoreRefused", "TestRestoreChangesForm"}, nil},
	{"a byte order mark or an empty file was refused for ever", []string{"TestCasesOfCLIConfig", "TestCaseEmptyFile", "TestRepairKeepsWhatFollowsAByteOrderMark"}, nil},
	{"a hook event of a newer ZCode made every write fail", []string{"TestCasesOfCLIConfig"}, faultNewerEvent},
	{"a deletion that failed half way could not be ended", []string{"TestSecondStepOfAgents"}, nil},
	{"a lock, a full disk and a mistake of the caller were the same error", []string{"TestErrorsOfTheDisk", "TestEverySentinelHasACode", "TestLockIsRespected"}, nil},
	{"servers with a url were listed as commands, members were missing and secrets stood in clear", []string{"TestCaseListings", "TestReadsHideSecrets"}, nil},
	{"names that every JavaScript object has were taken for servers", nil, faultPrototypeNames},
	{"a model of a provider that is not there was stored", []string{"TestCasesOfProvidersRefused"}, nil},
	{"a model that was only listed could not be removed, and the default stayed on it", []string{"provider.TestRemoveModel", "TestPromise"}, nil},
	{"any text was stored as an agent or a skill that is off", []string{"TestCaseAgentSwitch", "TestSkillSwitch", "TestSkillPathsThatCannotBe", "TestModelOfAPluginAgentThatIsNotThere"}, nil},
	{"the spelling of Windows and the singular map of skills were neither seen nor cleared", []string{"TestCaseSkillKeys"}, nil},
	{"a skill that was deleted and installed again was off", []string{"TestSkillIsDeleted"}, nil},
	{"the skills of plugins were not found", []string{"plugins.TestSkills"}, faultPluginSkills},
	{"a copy of a SKILL.md in a root copied the whole root", nil, faultCopyOfARoot},
	{"a skill that is a link to elsewhere could not be deleted", []string{"TestSkillIsDeleted", "skills.TestDeleteInARace"}, nil},
	{"an edited agent was always said to be on", nil, faultAlwaysEnabled},
	{"two reads showed the hooks in two shapes", nil, faultTwoShapes},
	{"a change of a hook without or with wrong members was a write of nothing", nil, faultEmptyHookChange},
	{"the folder that ZCode's own variables and settings name was not looked into", []string{"home.TestDefaultPlaces", "home.TestRules"}, nil},
	{"without a home folder, one called ~ was made", []string{"home.TestNoHome"}, nil},
	{"10.0.0 was older than 9.0.0", []string{"plugins.TestCompareVersions"}, nil},
	{"a plugin without an entry counted as off although ZCode has it on", []string{"cliconfig.TestPluginState"}, nil},
	{"an agent was turned off by an id that ZCode does not know", []string{"TestCaseAgentSwitch"}, nil},
}

func TestKnownFaults(t *testing.T) {
	tests := map[string]map[string]bool{}
	for _, f := range knownFaults {
		t.Run(f.fault, func(t *testing.T) {
			if f.test == nil && len(f.shownBy) == 0 {
				t.Error("nothing shows it")
			}
			for _, name := range f.shownBy {
				folder, test, elsewhere := strings.Cut(name, ".")
				if !elsewhere {
					folder, test = ".", name
				}
				if tests[folder] == nil {
					tests[folder] = testsIn(t, folder)
				}
				if !tests[folder][test] {
					t.Errorf("there is no test %s", name)
				}
			}
			if f.test != nil {
				f.test(t)
			}
		})
	}
}

// testsIn lists the tests of a package below this one, or beside it.
func testsIn(t *testing.T, folder string) map[string]bool {
	t.Helper()
	if folder == "lockfile" || folder == "atomicwrite" {
		folder = filepath.Join("..", folder)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests in %s: %v", folder, err)
	}
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			if f, is := declared.(*ast.FuncDecl); is && f.Recv == nil {
				names[f.Name.Name] = true
			}
		}
	}
	return names
}
