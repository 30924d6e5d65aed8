package provider

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestCompileMap(t *testing.T) {
	for _, source := range []string{
		`{"effort": reasoningLevel}`,
		"\ufeff\u2003{\n}\t",
		`{'a': "it's", "b": 'say "x"'}`,
		`{"a": 0, "b": -1, "c": 0.5, "d": 1e3, "e": 1.5E-7, "f": 9007199254740991, "g": 1e-400}`,
		`{"a": true, "b": false, "c": null, "d": [], "e": [1, [2], {"f": {}}]}`,
		`{"a": "\"\\\b\f\n\r\t\u00e9\ud83d\ude00", "b": '\''}`,
		`{"a": !true, "b": !!false, "c": - -1, "d": +reasoningLevel}`,
		`{"a": 1 + 2 * 3 - 4 / 5 % 6}`,
		`{"a": reasoningLevel == "low" || reasoningLevel != "x" && 1 < 2 && 1 <= 2 && 2 > 1 && 2 >= 1}`,
		`reasoningLevel == "off" ? {} : {"effort": reasoningLevel}`,
		`true ? {} : false ? {"a": 1} : ({"b": 2})`,
		`true ? (false ? {} : {}) : {}`,
		`true ? false ? {} : {} : {}`,
		`((({})))`,
		`{"a": (1 ? 2 : 3)}`,
		`{"a": 1, "A": 2, "": 3}`,
		`{"reasoningLevel": reasoningLevel, "true": true}`,
		`{"a": [")", "x", "("], "b": "]"}`,
		`{"a": ` + strings.Repeat("[", 400) + strings.Repeat("]", 400) + `}`,
	} {
		if err := compileMap(source, "reasoningLevel"); err != nil {
			t.Errorf("%.60q: got %v, want it accepted", source, err)
		}
	}
	for source, want := range map[string]string{
		``:                            "empty",
		" \n\u2028":                   "empty",
		`reasoningLevel`:              "object",
		`"x"`:                         "object",
		`[]`:                          "object",
		`true ? {} : []`:              "object",
		`true ? 1 : {}`:               "object",
		`!{}`:                         "object",
		`{} == {}`:                    "object",
		`({} + {})`:                   "object",
		`{"a": other}`:                "known by name (at its character 7)",
		`{"a": maxOutputTokens}`:      "known by name",
		`{"a": reasoningLevel.size}`:  "member access",
		`{"a": size(reasoningLevel)}`: "known by name",
		`{"a": reasoningLevel(1)}`:    "calls are not allowed",
		`{} (1)`:                      "calls are not allowed",
		`{}.a`:                        "member access",
		`{"a": reasoningLevel[0]}`:    `"}" is missing`,
		`{a: 1}`:                      "must be a string",
		`{1: 1}`:                      "must be a string",
		`{("a"): 1}`:                  "must be a string",
		`{"a": 1, "a": 2}`:            "twice",
		`{"a": 1, '\u0061': 2}`:       "twice",
		`{"😀": 1, "\ud83d\ude00": 2}`: "twice",
		`{"a": 1,}`:                   "must be a string",
		`{"a": [1,]}`:                 "unexpected",
		`{"a" 1}`:                     `":" is missing`,
		`{"a": }`:                     "unexpected",
		`{"a": 1 2}`:                  `"}" is missing`,
		`{"a": 1`:                     "ends too early",
		`{"a": (1}`:                   `")" is missing`,
		`{"a": [1}`:                   `"]" is missing`,
		`{"a": ["]"]}`:                `"}" is missing`, // ZCode's own parser stops at this string
		`{"a": 1 ? 2}`:                `":" is missing`,
		`{"a": 1 +}`:                  "unexpected",
		`{"a": 1 +`:                   "ends too early",
		`{"a": = 1}`:                  "no meaning",
		`{"a": 1 & 2}`:                "no meaning",
		`{"a": 1 | 2}`:                "no meaning",
		`{"a": 1 ! 2}`:                `"}" is missing`,
		`{"a": 01}`:                   `"}" is missing`,
		`{"a": 1.}`:                   "member access",
		`{"a": .5}`:                   "member access",
		`{"a": 1e}`:                   `"}" is missing`,
		`{"a": 9007199254740992}`:     "too large",
		`{"a": 1e400}`:                "too large",
		`{"a": "x}`:                   "no end",
		"{\"a\": \"x\n\"}":            "no end on its line",
		`{"a": "\x41"}`:               "escape",
		`{"a": "\/"}`:                 "escape",
		`{"a": "\u12g4"}`:             "escape",
		`{"a": "\u12"}`:               "escape",
		`{"a": "\`:                    "escape",
		`{} // why`:                   "unexpected",
		`{} {}`:                       "unexpected",
		`{"a": $x}`:                   "no meaning",
		`{"a": é}`:                    "no meaning",
		"{\u0085}":                    "no meaning",
		`{"é": ?}`:                    "(at its character 7)",
		"{\"a\": " + strings.Repeat("(", 100_000):  "deep",
		"{\"a\": " + strings.Repeat("1?", 100_000): "deep",
	} {
		err := compileMap(source, "reasoningLevel")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: got %v, want an error with %q", source, err, want)
		}
	}
}

func TestCompileMapNeverQuotes(t *testing.T) {
	const canary = "CANARY"
	for _, source := range []string{
		canary, `{"a": ` + canary + `}`, `{` + canary + `: 1}`, `{"` + canary + `": 1, "` + canary + `": 2}`,
		`{"a": "` + canary, `{"a": "\` + canary + `"}`, `{} ` + canary, `"` + canary + `"`,
	} {
		if err := compileMap(source, "reasoningLevel"); err == nil || strings.Contains(err.Error(), canary) {
			t.Errorf("%q: got %v, want an error that does not quote it", source, err)
		}
	}
}

// expression draws one that ZCode compiles.
func expression(variable string) *rapid.Generator[string] {
	space := rapid.SampledFrom([]string{"", " ", "\n", "\t "})
	leaf := rapid.SampledFrom([]string{variable, "true", "false", "null", "0", "12", "0.5", "1e3", `"x"`, `'y'`, `"\u0041"`})
	var value func(depth int) *rapid.Generator[string]
	objectOf := func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			var parts []string
			for i := range rapid.IntRange(0, 3).Draw(t, "members") {
				key := string(rune('a' + i))
				parts = append(parts, space.Draw(t, "space")+`"`+key+`"`+space.Draw(t, "space")+":"+value(depth-1).Draw(t, "value"))
			}
			return "{" + strings.Join(parts, ",") + "}"
		})
	}
	value = func(depth int) *rapid.Generator[string] {
		if depth <= 0 {
			return leaf
		}
		return rapid.Custom(func(t *rapid.T) string {
			sub := value(depth - 1)
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 0:
				return leaf.Draw(t, "leaf")
			case 1:
				return "(" + sub.Draw(t, "inner") + ")"
			case 2:
				return "[" + strings.Join(rapid.SliceOfN(sub, 0, 3).Draw(t, "elements"), ", ") + "]"
			case 3:
				return rapid.SampledFrom([]string{"!", "-", "+"}).Draw(t, "sign") + sub.Draw(t, "operand")
			case 4:
				operator := rapid.SampledFrom([]string{"||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%"}).Draw(t, "operator")
				return sub.Draw(t, "left") + space.Draw(t, "space") + operator + space.Draw(t, "space") + sub.Draw(t, "right")
			case 5:
				return "(" + sub.Draw(t, "if") + "?" + sub.Draw(t, "then") + ":" + sub.Draw(t, "else") + ")"
			}
			return objectOf(depth).Draw(t, "object")
		})
	}
	return rapid.Custom(func(t *rapid.T) string {
		first := objectOf(3).Draw(t, "object")
		if rapid.Bool().Draw(t, "choice") {
			return value(2).Draw(t, "condition") + " ? " + first + " : " + objectOf(2).Draw(t, "other")
		}
		return first
	})
}

func TestCompileMapAcceptsTheGrammar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		source := expression("maxOutputTokens").Draw(t, "source")
		if err := compileMap(source, "maxOutputTokens"); err != nil {
			t.Fatalf("%q: got %v, want it accepted", source, err)
		}
	})
}

// FuzzCEL: no text panics or takes long, and the verdict does not depend on
// white space around it or on parentheses.
func FuzzCEL(f *testing.F) {
	for _, source := range []string{
		`{"effort": reasoningLevel}`, `true ? {} : {"a": [1, -2.5e3, '\u0041']}`, `{"a": (1 + 2) * 3 % 4 != 5 && !false}`,
		`{"a": "\`, `((((`, `{"a": 1, "a": 1}`, "\xff{", `1?1?1?`, `- - - 1`, `{"]": ["]"]}`,
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		start := time.Now()
		err := compileMap(source, "reasoningLevel")
		if took := time.Since(start); took > 10*time.Second {
			t.Fatalf("took %v for %d bytes", took, len(source))
		}
		if spaced := compileMap(" "+source+"\n", "reasoningLevel"); (spaced == nil) != (err == nil) {
			t.Fatalf("%q: got %v, with white space around it %v", source, err, spaced)
		}
		if err != nil && (err.Error() == "" || len(err.Error()) > 200) {
			t.Fatalf("%q: got error %q", source, err)
		}
		if err == nil && len(source) < maxDepth/2 && compileMap("("+source+")", "reasoningLevel") != nil {
			t.Fatalf("%q: accepted, but not in parentheses", source)
		}
	})
}
