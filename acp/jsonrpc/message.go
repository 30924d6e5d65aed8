package jsonrpc

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ID is the id of a request as the JSON text that the peer sent, so that 1.50
// stays 1.50 and "1" is not 1. The empty ID is that of a notification.
type ID string

const nullID ID = "null"

// rawText lets values pass that peers really send and that change nothing in
// the envelope: JavaScript cuts text between surrogates and writes "\ud83d",
// and duplicate names deep in params are a handler's affair.
var rawText = json.JoinOptions(
	jsontext.AllowInvalidUTF8(true),
	jsontext.AllowDuplicateNames(true),
	jsontext.PreserveRawStrings(true),
)

// message is a decoded envelope. Its values share memory with the text.
type message struct {
	id      ID // empty when absent or not usable
	method  string
	params  jsontext.Value // nil when absent or null
	result  jsontext.Value // nil when absent
	failure jsontext.Value // the error member; nil when absent or null

	hasVersion bool
	hasMethod  bool
}

func (m *message) isAnswer() bool {
	return !m.hasMethod && (m.result != nil || m.failure != nil)
}

// parse decodes one message. With an error the message is still filled as far
// as it could be read, so that the error can be answered under its id.
func parse(text []byte, needVersion bool) (message, *Error) {
	if !utf8.Valid(text) {
		return message{}, &Error{Code: ParseError, Message: "message is not valid UTF-8"}
	}
	if jsontext.Value(text).Kind() != '{' {
		return message{}, notObject(text)
	}
	var m message
	var names nameSet
	problem := ""
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), rawText)
	if _, err := dec.ReadToken(); err != nil {
		return message{}, syntaxError(err, text)
	}
	for dec.PeekKind() != '}' {
		quoted, err := dec.ReadValue()
		if err != nil {
			return message{}, syntaxError(err, text)
		}
		name := memberName(quoted)
		value, err := dec.ReadValue()
		if err != nil {
			return message{}, syntaxError(err, text)
		}
		// The decoder's slices end with its next read; the text does not.
		end := int(dec.InputOffset())
		value = text[end-len(value) : end : end]
		if !names.add(name) {
			problem = "the same member name is given twice"
			if name == "id" {
				m.id = ""
			}
		} else if wrong := m.set(name, value); wrong != "" {
			problem = wrong
		}
	}
	if _, err := dec.ReadToken(); err != nil {
		return message{}, syntaxError(err, text)
	}
	if end := dec.InputOffset(); !blank(text[end:]) {
		return message{}, &Error{Code: ParseError, Message: fmt.Sprintf("message has text behind its end at byte %d", end)}
	}
	if problem == "" && needVersion && !m.hasVersion && !m.isAnswer() {
		problem = `jsonrpc must be "2.0"`
	}
	if problem != "" {
		return m, &Error{Code: InvalidRequest, Message: problem}
	}
	return m, nil
}

// set stores one member and returns what is wrong with it, if anything.
func (m *message) set(name string, value jsontext.Value) (problem string) {
	kind := value.Kind()
	switch name {
	case "jsonrpc":
		if m.hasVersion = string(value) == `"2.0"`; !m.hasVersion {
			return `jsonrpc must be "2.0"`
		}
	case "id":
		if kind != '"' && kind != '0' && kind != 'n' {
			return "id must be a string or a number"
		}
		m.id = ID(value)
	case "method":
		m.hasMethod = true
		if kind != '"' {
			return "method must be a string"
		}
		m.method = unquote(value)
	case "params":
		switch kind {
		case '{', '[':
			m.params = value
		case 'n':
		default:
			return "params must be an object or an array"
		}
	case "result":
		m.result = value
	case "error":
		if kind != 'n' {
			m.failure = value
		}
	}
	return ""
}

// notObject says what is wrong with a text that is no object.
func notObject(text []byte) *Error {
	v := jsontext.Value(text)
	switch {
	case !v.IsValid(rawText):
		return &Error{Code: ParseError, Message: "message is not valid JSON"}
	case v.Kind() == '[':
		return &Error{Code: InvalidRequest, Message: "batches are not supported, send one message at a time"}
	default:
		return &Error{Code: InvalidRequest, Message: "a message must be an object"}
	}
}

// syntaxError names the place of an error, never the text around it.
func syntaxError(err error, text []byte) *Error {
	at := int64(len(text))
	if syntax, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at = syntax.ByteOffset
	}
	return &Error{Code: ParseError, Message: fmt.Sprintf("message is not valid JSON at byte %d of %d", at, len(text))}
}

// memberName spares the known names an allocation.
func memberName(quoted jsontext.Value) string {
	switch string(quoted) {
	case `"jsonrpc"`:
		return "jsonrpc"
	case `"id"`:
		return "id"
	case `"method"`:
		return "method"
	case `"params"`:
		return "params"
	case `"result"`:
		return "result"
	case `"error"`:
		return "error"
	}
	return unquote(quoted)
}

// unquote decodes a JSON string; a lone surrogate becomes U+FFFD.
func unquote(quoted jsontext.Value) string {
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return string(text)
}

// nameSet finds duplicate names. An ordinary envelope has few, which a scan
// of an array finds without allocating.
type nameSet struct {
	few  [8]string
	n    int
	many map[string]struct{}
}

// add reports whether name was not in the set before.
func (s *nameSet) add(name string) bool {
	for _, known := range s.few[:s.n] {
		if known == name {
			return false
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = name
		s.n++
		return true
	}
	if _, known := s.many[name]; known {
		return false
	}
	if s.many == nil {
		s.many = make(map[string]struct{})
	}
	s.many[name] = struct{}{}
	return true
}
