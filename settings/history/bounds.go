package history

import (
	"cmp"
	"slices"
	"time"
)

const (
	defaultMax      = 500
	defaultMaxAge   = 90 * 24 * time.Hour
	defaultMaxBytes = 16 << 20
	maxAside        = 5 // files
)

func (s Store) max() int              { return positive(s.Max, defaultMax) }
func (s Store) maxAge() time.Duration { return positive(s.MaxAge, defaultMaxAge) }
func (s Store) maxBytes() int64       { return positive(s.MaxBytes, defaultMaxBytes) }

func positive[N cmp.Ordered](n, otherwise N) N {
	var zero N
	if n > zero {
		return n
	}
	return otherwise
}

// outgrown reports whether a bound is exceeded by more than a tenth, so that not every Append has to copy the file.
func (s Store) outgrown(lines [][]byte, size int64, now time.Time) bool {
	count, bytes, age := s.max(), s.maxBytes(), s.maxAge()
	oldest := timeOf(lines[0])
	return len(lines)-count > count/10 || size-bytes > bytes/10 ||
		!oldest.IsZero() && now.Sub(oldest)-age > age/10
}

// trim rewrites the file without what is beyond the bounds.
func (s Store) trim(now time.Time) error {
	data, err := s.read()
	if err != nil {
		return err
	}
	records, _, damaged := parse(data)
	if damaged {
		return nil // the next reader sets it aside first
	}
	since := now.Add(-s.maxAge())
	if err := s.replace(s.within(records, since)); err != nil {
		return err
	}
	return s.dropAside(maxAside, since)
}

// within returns the newest records that the bounds allow, the last one always.
func (s Store) within(records []record, since time.Time) []record {
	var kept []record
	var size int64
	for _, r := range slices.Backward(records) {
		if len(kept) > 0 && r.Time.Before(since) {
			continue
		}
		size += int64(len(r.line)) + 1
		if len(kept) > 0 && (len(kept) == s.max() || size > s.maxBytes()) {
			break
		}
		kept = append(kept, r)
	}
	slices.Reverse(kept)
	return kept
}
