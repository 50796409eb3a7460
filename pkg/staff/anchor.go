package staff

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// Anchors stores the end of each day's audit trail outside the database, so that access to one is not enough to rewrite both.
// Implemented by the object store.
type Anchors interface {
	// Put stores the bytes under a key; it never overwrites different bytes.
	Put(ctx context.Context, key, contentType string, body []byte) error
	// Find returns the bytes under the key, or nil.
	Find(ctx context.Context, key string) ([]byte, error)
}

// anchor is the last record of the trail as found by a day's first check.
type anchor struct {
	Day      string `json:"-"`
	Sequence int64  `json:"sequence"`
	Hash     string `json:"hash"`
}

// anchorsBack is how many days back the newest anchor is looked for.
const anchorsBack = 31

func anchorDay(at time.Time) string { return at.In(clock.IST).Format(time.DateOnly) }

func anchorKey(day string) string { return "audit/anchor-" + day + ".json" }

// newestAnchor returns the latest anchor, or nil.
func (a *Auditor) newestAnchor(ctx context.Context, now time.Time) (*anchor, error) {
	for back := range anchorsBack {
		found := anchor{Day: anchorDay(now.AddDate(0, 0, -back))}
		body, err := a.anchors.Find(ctx, anchorKey(found.Day))
		if err != nil {
			return nil, fmt.Errorf("read the anchor of %s: %w", found.Day, err)
		}
		if body == nil {
			continue
		}
		if err := json.Unmarshal(body, &found); err != nil {
			return nil, fmt.Errorf("read the anchor of %s: %w", found.Day, err)
		}
		return &found, nil
	}
	return nil, nil // the first day
}

// keepAnchor stores the end of the trail that the day's first check found intact.
func (a *Auditor) keepAnchor(ctx context.Context, c Check, newest *anchor) error {
	day := anchorDay(c.At)
	if c.BrokenAt != 0 || c.Entries == 0 || newest != nil && newest.Day == day {
		return nil
	}
	body, err := json.Marshal(anchor{Sequence: c.Entries, Hash: hex.EncodeToString(c.Head)})
	if err != nil {
		return fmt.Errorf("write the anchor of %s: %w", day, err)
	}
	if err := a.anchors.Put(ctx, anchorKey(day), "application/json", body); err != nil {
		return fmt.Errorf("keep the anchor of %s: %w", day, err)
	}
	return nil
}
