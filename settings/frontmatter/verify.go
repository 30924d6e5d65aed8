package frontmatter

import "bytes"

// keeps reports whether a result has the value for the key, or not the key when
// there is no value, and all that the document had otherwise: the body, the other
// entries in their order, and what YAML read of them.
func (d *Doc) keeps(after *Doc, key string, v *Value) bool {
	if !bytes.Equal(d.Body(), after.Body()) || !d.keepsEntries(after, key, v) {
		return false
	}
	if d.yaml.err == nil && after.yaml.err != nil || d.yaml.parsed && !after.yaml.parsed {
		return false
	}
	return !d.yaml.parsed || d.keepsFields(after, key)
}

func (d *Doc) keepsEntries(after *Doc, key string, v *Value) bool {
	at := len(d.entries)
	for i, e := range d.entries {
		if e.Key == key {
			at = i
		}
	}
	want := make([]Entry, 0, at+1)
	for _, e := range d.entries {
		switch {
		case e.Key != key:
			want = append(want, e.Entry)
		case v != nil:
			want = append(want, Entry{Key: key, Value: *v})
		}
	}
	if v != nil && at == len(d.entries) {
		want = append(want, Entry{Key: key, Value: *v})
	}
	if len(want) != len(after.entries) {
		return false
	}
	for i, w := range want {
		got := after.entries[i]
		if got.Key != w.Key || !got.Value.Equal(w.Value) || w.Key != key && got.Differs != w.Differs && d.yaml.err == nil {
			return false
		}
	}
	return true
}

// keepsFields reports whether YAML reads the same keys with the same values,
// apart from one key.
func (d *Doc) keepsFields(after *Doc, key string) bool {
	a, b := d.yaml.without(key), after.yaml.without(key)
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(a[i].key, b[i].key) || !same(a[i].value, b[i].value) {
			return false
		}
	}
	return true
}

func (b *yamlBlock) without(key string) []field {
	var rest []field
	for _, f := range b.fields {
		if f.key.Value != key {
			rest = append(rest, f)
		}
	}
	return rest
}

// yamlReads reports whether YAML reads the key as the value.
func (d *Doc) yamlReads(key string, v Value) bool {
	for _, f := range d.yaml.fields {
		if f.key.Value == key {
			return v.reads(f.value)
		}
	}
	return false
}
