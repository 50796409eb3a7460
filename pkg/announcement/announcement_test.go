package announcement_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/announcement"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

// Announcements are shown to their audience from their start until their end, a warning first.
func TestAnnouncement_WithinItsTime_IsShownToItsAudience(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	asha, err := member.Add(t.Context(), db.Owner, "asha", staff.RoleAdmin, clk.Now())
	require.NoError(t, err)
	ctx := asha.Sign(t.Context())
	s := announcement.NewService(db.API, clk, staff.NewRecorder(clk), testkit.NewLogger(t))
	shown := func(signedIn bool) string {
		t.Helper()
		a, err := s.Shown(t.Context(), signedIn)
		require.NoError(t, err)
		if a == nil {
			return ""
		}
		return a.Texts["en"]
	}
	require.Empty(t, shown(true), "nothing is the default")
	now := clk.Now()
	publish := func(text string, level announcement.Level, to announcement.Audience, from, until time.Duration) announcement.Announcement {
		t.Helper()
		a, err := s.Publish(ctx, asha, announcement.Announcement{
			Texts: announcement.Texts{"en": text, "hi": "सूचना"}, Link: "/pricing", Level: level, Audience: to, StartsAt: now.Add(from), EndsAt: now.Add(until),
		}, "To tell them")
		require.NoError(t, err)
		return a
	}
	publish("News", announcement.LevelInfo, announcement.AudiencePublic, -time.Hour, 3*time.Hour)
	warning := publish("Works tonight", announcement.LevelWarning, announcement.AudienceBoth, time.Hour, 2*time.Hour)
	require.Equal(t, []string{"News", ""}, []string{shown(false), shown(true)})
	clk.Advance(time.Hour)
	require.Equal(t, []string{"Works tonight", "Works tonight"}, []string{shown(false), shown(true)})
	warning.Texts["en"] = "Works tomorrow"
	changed, err := s.Change(ctx, asha, warning, "Another day")
	require.NoError(t, err)
	require.Equal(t, 2, changed.Revision)
	require.Equal(t, "Works tomorrow", shown(true))
	_, err = s.End(ctx, asha, warning.ID, "It is over")
	require.NoError(t, err)
	require.Equal(t, []string{"News", ""}, []string{shown(false), shown(true)})
	clk.Advance(2 * time.Hour)
	require.Empty(t, shown(false))
	list, total, err := s.List(ctx, 10, 0)
	require.NoError(t, err)
	require.Equal(t, []any{2, "asha"}, []any{total, list[0].SavedByName})
	var kinds []string
	require.NoError(t, db.Owner.Select(&kinds, `SELECT action FROM staff_actions ORDER BY sequence`))
	require.Equal(t, []string{"publish_announcement", "publish_announcement", "change_announcement", "end_announcement"}, kinds)
}

func TestAnnouncement_InvalidFields_AreRefused(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	asha, err := member.Add(t.Context(), db.Owner, "asha", staff.RoleAdmin, clk.Now())
	require.NoError(t, err)
	s := announcement.NewService(db.API, clk, staff.NewRecorder(clk), testkit.NewLogger(t))
	good := announcement.Announcement{
		Texts: announcement.Texts{"en": "News", "hi": "सूचना"}, Level: announcement.LevelInfo, Audience: announcement.AudienceBoth, StartsAt: clk.Now(),
		EndsAt: clk.Now().Add(time.Hour),
	}
	for name, change := range map[string]func(a *announcement.Announcement){
		"no text":  func(a *announcement.Announcement) { a.Texts = announcement.Texts{"hi": "सूचना", "en": " "} },
		"no Hindi": func(a *announcement.Announcement) { a.Texts = announcement.Texts{"en": "News"} },
		"too long": func(a *announcement.Announcement) {
			a.Texts = announcement.Texts{"hi": "सूचना", "en": strings.Repeat("x", 201)}
		},
		"another site":      func(a *announcement.Announcement) { a.Link = "https://example.com" },
		"another host":      func(a *announcement.Announcement) { a.Link = "//example.com" },
		"a host by a slash": func(a *announcement.Announcement) { a.Link = `/\\example.com` },
		"a script":          func(a *announcement.Announcement) { a.Link = "javascript:alert(1)" },
		"no level":          func(a *announcement.Announcement) { a.Level = "" },
		"no audience":       func(a *announcement.Announcement) { a.Audience = "nobody" },
		"an end before":     func(a *announcement.Announcement) { a.EndsAt = a.StartsAt },
		"an end of before": func(a *announcement.Announcement) {
			a.StartsAt, a.EndsAt = clk.Now().Add(-2*time.Hour), clk.Now().Add(-time.Hour)
		},
	} {
		a := good
		change(&a)
		_, err := s.Publish(asha.Sign(t.Context()), asha, a, "To tell them")
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
	}
	_, err = s.Publish(t.Context(), asha, good, "To tell them")
	require.Error(t, err, "the database wants the session of an admin")
	_, err = s.Publish(asha.Sign(t.Context()), asha, good, "To tell them")
	require.NoError(t, err)
}
