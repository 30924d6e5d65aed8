package effective

import (
	"zcode-acp/settings/cliconfig"
	"zcode-acp/settings/jsonedit"
)

// otherDefaults are those of the sections that have operations of their own.
const otherDefaults = `"plugins":{"enabled":true},"skills":{"metadataBudget":20000},` +
	`"hooks":{"enabled":false,"timeoutMs":60000,"maxOutputBytes":32768}`

// Defaults is the layer of what ZCode takes by itself.
func Defaults() Layer {
	text := []byte("{")
	for _, name := range cliconfig.SectionNames() {
		section, err := cliconfig.SectionOf(cliconfig.New(), name)
		if err != nil {
			panic("effective: a section without a description: " + err.Error())
		}
		members := []byte("{")
		for _, f := range section.Fields {
			if f.Default != nil {
				members = appendMember(members, f.Name, f.Default)
			}
		}
		text = appendMember(text, name, append(members, '}'))
	}
	text = append(text, ","+otherDefaults+"}"...)
	return Layer{Name: Default, Doc: parse(text)}
}

// appendMember adds a member to the text of an object that is not closed yet.
func appendMember(object []byte, name string, value []byte) []byte {
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = append(append(object, jsonedit.Quote(name)...), ':')
	return append(object, value...)
}

// parse reads a text that was made here.
func parse(text []byte) *jsonedit.Doc {
	d, err := jsonedit.Parse(text)
	if err != nil {
		panic("effective: parsing a layer that was made here: " + err.Error())
	}
	return d
}
