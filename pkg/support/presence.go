package support

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// PresenceCache keeps fields under keys that end after a while, and may lose them at any time; redis.Client implements it.
type PresenceCache interface {
	SetField(ctx context.Context, key, field, value string, ttl time.Duration) error
	Fields(ctx context.Context, keys ...string) ([]map[string]string, error)
}

// Presence knows who of the staff has which page open. It is a courtesy among colleagues: nothing depends on it, and no table keeps it.
type Presence struct {
	cache PresenceCache
	clock clock.Clock
}

// NewPresence returns the presence over the cache.
func NewPresence(cache PresenceCache, clk clock.Clock) *Presence {
	return wiring.Complete(&Presence{cache: cache, clock: clk})
}

const (
	// presenceLife is the lease of a viewer after the page's last heartbeat; each page sends three heartbeats per lease.
	presenceLife = 45 * time.Second
	// maxPages limits the pages of one call.
	maxPages = 200
)

// pageForm is the form of a page's name: the customer, contact request or payment that it shows.
var pageForm = regexp.MustCompile(`^(customer|contact|payment):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// Lookers are the colleagues who have a page open, by name. Known is false while the cache is unavailable.
type Lookers struct {
	Known bool
	Names map[string][]string
}

type looker struct {
	Name  string    `json:"name"`
	Until time.Time `json:"until"`
}

func checkPages(pages []string) error {
	if len(pages) == 0 || len(pages) > maxPages || slices.ContainsFunc(pages, func(page string) bool { return !pageForm.MatchString(page) }) {
		return errs.Invalid("Please check the marked fields.").Field("page", "Name 1 to 200 pages, such as customer:<id>.")
	}
	return nil
}

// Stay notes that the member of staff has the page open, and returns which colleagues have too.
func (s *Presence) Stay(ctx context.Context, p staff.Principal, page string) (Lookers, error) {
	if err := checkPages([]string{page}); err != nil {
		return Lookers{}, err
	}
	mark := staff.JSON(looker{Name: p.Name, Until: s.clock.Now().Add(presenceLife)})
	if err := s.cache.SetField(ctx, presenceKey(page), p.StaffID, mark, presenceLife); err != nil {
		return Lookers{Names: map[string][]string{}}, nil //nolint:nilerr // the page says that viewers are unknown
	}
	return s.Look(ctx, p, []string{page})
}

// Look returns the colleagues who have each page open. It omits pages without viewers.
func (s *Presence) Look(ctx context.Context, p staff.Principal, pages []string) (Lookers, error) {
	if err := checkPages(pages); err != nil {
		return Lookers{}, err
	}
	found := Lookers{Names: map[string][]string{}}
	keys := make([]string, len(pages))
	for i, page := range pages {
		keys[i] = presenceKey(page)
	}
	kept, err := s.cache.Fields(ctx, keys...)
	if err != nil {
		return found, nil //nolint:nilerr // as above
	}
	found.Known = true
	for i, page := range pages {
		if i >= len(kept) {
			break
		}
		if names := s.names(p, kept[i]); len(names) > 0 {
			found.Names[page] = names
		}
	}
	return found, nil
}

func (s *Presence) names(p staff.Principal, fields map[string]string) (names []string) {
	for staffID, mark := range fields {
		var l looker
		if staffID == p.StaffID || json.Unmarshal([]byte(mark), &l) != nil || !s.clock.Now().Before(l.Until) {
			continue
		}
		names = append(names, l.Name)
	}
	slices.Sort(names)
	return names
}

func presenceKey(page string) string { return "here:" + page }
