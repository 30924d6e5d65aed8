package provider_test

import (
	"encoding/json"
	"errors"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"zcode-acp/settings/provider"
)

// codecs are the two libraries that bodies are decoded with.
var codecs = map[string]struct {
	unmarshal func([]byte, any) error
	marshal   func(any) ([]byte, error)
}{
	"encoding/json": {json.Unmarshal, json.Marshal},
	"json v2": {
		func(text []byte, v any) error { return jsonv2.Unmarshal(text, v) },
		func(v any) ([]byte, error) { return jsonv2.Marshal(v, jsonv2.Deterministic(true)) },
	},
}

func TestPatchesTellAbsentFromNull(t *testing.T) {
	const body = `{"enabled":false,"providerName":null,"baseUrl":"","headers":{"a":"b"}}`
	want := provider.ProviderPatch{
		Enabled:      some(false),
		ProviderName: null[string](),
		BaseURL:      some(""),
		Headers:      some(map[string]string{"a": "b"}),
	}
	const modelBody = `{"providerId":"p","modelId":"m","contextWindow":7,"reasoningLevels":["a"],"maxOutputTokens":null}`
	wantModel := provider.ModelPatch{
		ProviderID: "p", ModelID: "m",
		ContextWindow:   some[int64](7),
		ReasoningLevels: some([]string{"a"}),
		MaxOutputTokens: null[int64](),
	}
	for name, codec := range codecs {
		var got provider.ProviderPatch
		if err := codec.unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
		var gotModel provider.ModelPatch
		if err := codec.unmarshal([]byte(modelBody), &gotModel); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if diff := cmp.Diff(wantModel, gotModel); diff != "" {
			t.Errorf("%s: want-, got+:\n%s", name, diff)
		}
		for value, want := range map[any]string{&want: body, &wantModel: modelBody, &provider.ProviderPatch{}: `{}`} {
			if text, err := codec.marshal(value); err != nil || string(text) != want {
				t.Errorf("%s: got %s, %v, want %s", name, text, err, want)
			}
		}
	}
}

func TestPatchesOfWrongKinds(t *testing.T) {
	for name, codec := range codecs {
		for body, want := range map[string]string{
			`{"enabled":"yes"}`:       "must be true or false",
			`{"contextWindow":1.5}`:   "must be a whole number",
			`{"contextWindow":"7"}`:   "must be a whole number",
			`{"contextWindow":1e400}`: "must be a whole number",
			`{"reasoningLevels":"a"}`: "must be an array of strings",
			`{"reasoningLevels":[1]}`: "must be an array of strings",
		} {
			var patch provider.ModelPatch
			err := codec.unmarshal([]byte(body), &patch)
			var invalid *provider.InvalidError
			if !errors.As(err, &invalid) || invalid.Reason != want {
				t.Errorf("%s: %s: got %v, want %q", name, body, err, want)
			}
		}
		for body, want := range map[string]string{
			`{"providerName":1}`:     "must be a string",
			`{"headers":{"a":1}}`:    "must be an object of strings",
			`{"headers":["secret"]}`: "must be an object of strings",
		} {
			var patch provider.ProviderPatch
			err := codec.unmarshal([]byte(body), &patch)
			var invalid *provider.InvalidError
			if !errors.As(err, &invalid) || invalid.Reason != want {
				t.Errorf("%s: %s: got %v, want %q", name, body, err, want)
			}
		}
	}
}
