package announcement_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/announcement"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

func TestAnnouncement_IsShownFromItsStartUntilBeforeItsEnd(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 11, 2, 18, 30, 0, 0, time.UTC)
	until := from.Add(time.Hour)
	for at, within := range map[time.Time]bool{from.Add(-1): false, from: true, until.Add(-1): true, until: false} {
		for audience, who := range map[announcement.Audience][2]bool{
			announcement.AudiencePublic: {true, false}, announcement.AudienceCustomers: {false, true}, announcement.AudienceBoth: {true, true},
		} {
			a := announcement.Announcement{Audience: audience, StartsAt: from, EndsAt: until}
			require.Equal(t, within && who[0], a.Shown(at, false), "%s to visitors at %s", audience, at)
			require.Equal(t, within && who[1], a.Shown(at, true), "%s to customers at %s", audience, at)
		}
	}
}

type house struct {
	s       *announcement.Service
	asha    staff.Principal
	publish func(change func(*announcement.Announcement)) (announcement.Announcement, error)
}

func open(t *testing.T, db *testkit.Database) (house, func(time.Duration)) {
	t.Helper()
	clk := testkit.NewClock()
	asha, err := member.Add(t.Context(), db.Owner, "asha", staff.RoleAdmin, clk.Now())
	require.NoError(t, err)
	h := house{asha: asha, s: announcement.NewService(db.API, clk, staff.NewRecorder(clk), testkit.NewLogger(t))}
	h.publish = func(change func(*announcement.Announcement)) (announcement.Announcement, error) {
		a := announcement.Announcement{
			Texts: announcement.Texts{"en": "News", "hi": "सूचना"}, Level: announcement.LevelInfo, Audience: announcement.AudienceBoth, StartsAt: clk.Now(), EndsAt: clk.Now().Add(time.Hour),
		}
		change(&a)
		return h.s.Publish(asha.Sign(t.Context()), asha, a, "To tell them")
	}
	return h, func(d time.Duration) { clk.Advance(d) }
}

// Of several announcements a warning is shown, else the latest to begin, else the latest to be written. Each disappears at its end.
func TestAnnouncements_Several_ShowTheWarningElseTheNewest(t *testing.T) {
	t.Parallel()
	h, pass := open(t, testkit.NewDatabase(t))
	start := testkit.Start()
	write := func(text string, level announcement.Level, from, until time.Duration) announcement.Announcement {
		a, err := h.publish(func(a *announcement.Announcement) {
			a.Texts["en"], a.Level, a.StartsAt, a.EndsAt = text, level, start.Add(from), start.Add(until)
		})
		require.NoError(t, err)
		return a
	}
	write("first", announcement.LevelInfo, -time.Hour, 5*time.Hour)
	write("later", announcement.LevelInfo, -time.Minute, 4*time.Hour)
	write("as late", announcement.LevelInfo, -time.Minute, 3*time.Hour)
	write("old warning", announcement.LevelWarning, -2*time.Hour, 2*time.Hour)
	begins := write("begins", announcement.LevelInfo, 3*time.Hour+30*time.Minute, 6*time.Hour)
	var seen []string
	for range 6 {
		a, err := h.s.Shown(t.Context(), true)
		require.NoError(t, err)
		if a == nil {
			seen = append(seen, "")
		} else {
			seen = append(seen, a.Texts["en"])
		}
		pass(time.Hour)
	}
	require.Equal(t, []string{"old warning", "old warning", "as late", "later", "begins", "begins"}, seen)

	// Ending an announcement that has not begun moves its start before its end. Ending a finished one changes nothing.
	ctx := h.asha.Sign(t.Context())
	never, err := h.publish(func(a *announcement.Announcement) {
		a.StartsAt, a.EndsAt = start.Add(7*time.Hour), start.Add(8*time.Hour)
	})
	require.NoError(t, err)
	ended, err := h.s.End(ctx, h.asha, never.ID, "It is not needed")
	require.NoError(t, err)
	require.True(t, ended.StartsAt.Before(ended.EndsAt))
	require.WithinDuration(t, start.Add(6*time.Hour), ended.EndsAt, 0)
	pass(90 * time.Minute)
	a, err := h.s.Shown(t.Context(), true)
	require.NoError(t, err)
	require.Nil(t, a)
	over, err := h.s.End(ctx, h.asha, begins.ID, "It is over")
	require.NoError(t, err)
	require.WithinDuration(t, begins.EndsAt, over.EndsAt, 0)
	for _, unknown := range []func(string) error{
		func(one string) error { _, err := h.s.End(ctx, h.asha, one, "It is over"); return err },
		func(one string) error {
			never.ID, never.EndsAt = one, start.Add(9*time.Hour)
			_, err := h.s.Change(ctx, h.asha, never, "Another day")
			return err
		},
	} {
		require.ErrorIs(t, unknown(id.New()), errs.NotFound())
	}
	_, err = h.s.End(ctx, h.asha, begins.ID, " ")
	require.Contains(t, errs.As(err).Fields, "reason")
}

func TestAnnouncement_FieldsAtTheirLimits_AreAccepted(t *testing.T) {
	t.Parallel()
	h, _ := open(t, testkit.NewDatabase(t))
	start := testkit.Start()
	type change = func(*announcement.Announcement)
	link := func(to string) change { return func(a *announcement.Announcement) { a.Link = to } }
	text := func(s string) change {
		return func(a *announcement.Announcement) { a.Texts = announcement.Texts{"en": s, "hi": s} }
	}
	until := func(at time.Time) change {
		return func(a *announcement.Announcement) { a.StartsAt, a.EndsAt = start.Add(-time.Hour), at }
	}
	for name, c := range map[string]struct {
		change change
		fields []string
	}{
		"one letter":              {text("क"), nil},
		"200 letters":             {text(strings.Repeat("क", 200)), nil},
		"201 letters":             {text(strings.Repeat("क", 201)), []string{"texts.en", "texts.hi"}},
		"200 and blanks":          {text("  " + strings.Repeat("a", 200) + "\n"), nil},
		"NUL":                     {text("a\x00b"), []string{"texts.en", "texts.hi"}},
		"the first page":          {link("/"), nil},
		"a page with a query":     {link(" /pricing?plan=1#top "), nil},
		"200 bytes":               {link("/" + strings.Repeat("a", 199)), nil},
		"201 bytes":               {link("/" + strings.Repeat("a", 200)), []string{"link"}},
		"a page without a slash":  {link("pricing"), []string{"link"}},
		"a blank within":          {link("/a b"), []string{"link"}},
		"a line within":           {link("/a\n//evil.example"), []string{"link"}},
		"an invisible tab":        {link("/\t/evil.example"), []string{"link"}},
		"two slashes":             {link("//evil.example"), []string{"link"}},
		"a backslash":             {link(`/\evil.example`), []string{"link"}},
		"a backslash later":       {link(`/a\b`), []string{"link"}},
		"another level":           {func(a *announcement.Announcement) { a.Level = "Info" }, []string{"level"}},
		"no beginning":            {func(a *announcement.Announcement) { a.StartsAt = time.Time{} }, []string{"starts_at"}},
		"an end at the beginning": {func(a *announcement.Announcement) { a.EndsAt = a.StartsAt }, []string{"ends_at"}},
		"an end now":              {until(start), []string{"ends_at"}},
		"an end in a moment":      {until(start.Add(time.Microsecond)), nil},
		"within two years":        {until(start.AddDate(2, 0, 0).Add(-time.Microsecond)), nil},
		"in two years":            {until(start.AddDate(2, 0, 0)), []string{"ends_at"}},
	} {
		a, err := h.publish(c.change)
		if c.fields == nil {
			require.NoError(t, err, name)
			require.Equal(t, strings.TrimSpace(a.Link), a.Link, name)
			require.Equal(t, strings.TrimSpace(a.Texts["en"]), a.Texts["en"], name)
			continue
		}
		require.Len(t, errs.As(err).Fields, len(c.fields), name)
		for _, field := range c.fields {
			require.Contains(t, errs.As(err).Fields, field, name)
		}
	}
}
