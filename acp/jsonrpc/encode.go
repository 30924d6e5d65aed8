package jsonrpc

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// writer appends messages with or without the jsonrpc member.
type writer struct{ omitVersion bool }

func (w writer) open(size int) []byte {
	dst := make([]byte, 0, size+96)
	if w.omitVersion {
		return append(dst, '{')
	}
	return append(dst, `{"jsonrpc":"2.0",`...)
}

// request encodes a request, or a notification when id is empty.
func (w writer) request(id ID, method string, params any) ([]byte, error) {
	raw, err := encode(params)
	if err != nil {
		return nil, fmt.Errorf("encoding params: %w", err)
	}
	switch kind := raw.Kind(); kind {
	case 'n', '{', '[':
	default:
		return nil, errors.New("encoding params: they must be an object or an array")
	}
	dst := w.open(len(raw) + len(method))
	if id != "" {
		dst = append(dst, `"id":`...)
		dst = append(dst, id...)
		dst = append(dst, ',')
	}
	dst = append(dst, `"method":`...)
	if dst, err = jsontext.AppendQuote(dst, method); err != nil {
		return nil, fmt.Errorf("encoding the method: %w", err)
	}
	if raw.Kind() != 'n' {
		dst = append(dst, `,"params":`...)
		dst = append(dst, raw...)
	}
	return append(dst, '}'), nil
}

func (w writer) result(id ID, result any) ([]byte, error) {
	raw, err := encode(result)
	if err != nil {
		return nil, fmt.Errorf("encoding a result: %w", err)
	}
	dst := w.open(len(raw))
	dst = append(dst, `"id":`...)
	dst = append(dst, id...)
	dst = append(dst, `,"result":`...)
	dst = append(dst, raw...)
	return append(dst, '}'), nil
}

// failure encodes an error answer. Data that is no valid JSON is left out: a
// peer must get its answer in any case.
func (w writer) failure(id ID, e *Error) []byte {
	dst := w.open(len(e.Message) + len(e.Data))
	dst = append(dst, `"id":`...)
	dst = append(dst, id...)
	dst = append(dst, `,"error":{"code":`...)
	dst = strconv.AppendInt(dst, e.Code, 10)
	dst = append(dst, `,"message":`...)
	// The error reports only that invalid UTF-8 was replaced.
	dst, _ = jsontext.AppendQuote(dst, e.Message)
	if len(e.Data) > 0 && validRaw(e.Data) {
		dst = append(dst, `,"data":`...)
		dst = append(dst, e.Data...)
	}
	return append(dst, '}', '}')
}

// encode returns v as JSON: raw values byte for byte, no value as null,
// everything else by the rules of the second version of encoding/json, without
// escaping what only HTML needs escaped.
func encode(v any) (jsontext.Value, error) {
	var raw jsontext.Value
	switch v := v.(type) {
	case nil:
	case jsontext.Value:
		raw = v
	case stdjson.RawMessage:
		raw = jsontext.Value(v)
	default:
		return json.Marshal(v, rawText)
	}
	if len(raw) == 0 {
		return jsontext.Value("null"), nil
	}
	if !validRaw(raw) {
		return nil, errors.New("raw value is not valid JSON")
	}
	return raw, nil
}

func validRaw(v jsontext.Value) bool { return utf8.Valid(v) && v.IsValid(rawText) }

// decodeError reads the error member of an answer, however the peer built it.
func decodeError(raw jsontext.Value) *Error {
	var e struct {
		Code    int64          `json:"code"`
		Message string         `json:"message"`
		Data    jsontext.Value `json:"data"`
	}
	if err := json.Unmarshal(raw, &e, rawText); err != nil {
		return &Error{Code: InternalError, Message: "the peer answered with a malformed error", Data: raw}
	}
	return &Error{Code: e.Code, Message: e.Message, Data: e.Data}
}
