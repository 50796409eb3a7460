package contact_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestConsentIsKeptWithItsVersionAndTime(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	inbox := contact.NewService(db.API, clk, hours())
	type decision struct {
		Email       string    `db:"email"`
		Given       bool      `db:"given"`
		TextVersion string    `db:"text_version"`
		DecidedAt   time.Time `db:"decided_at"`
	}
	history := func() []decision {
		var all []decision
		require.NoError(t, db.Owner.Select(&all, `SELECT email, given, text_version, decided_at FROM newsletter_consents ORDER BY id`))
		for i := range all {
			all[i].DecidedAt = all[i].DecidedAt.UTC()
		}
		return all
	}
	require.NoError(t, inbox.Unsubscribe(t.Context(), "", "asha@example.in"), "nobody can tell that it is unknown")
	require.Empty(t, history())
	var known int
	require.NoError(t, db.Owner.Get(&known, `SELECT count(*) FROM newsletter_subscriptions`))
	require.Zero(t, known)

	start := clk.Now()
	require.NoError(t, inbox.Subscribe(t.Context(), "", " Asha@Example.in ", true, "2026-11"))
	clk.Advance(time.Hour)
	require.NoError(t, inbox.Unsubscribe(t.Context(), "", "ASHA@example.in"))
	clk.Advance(time.Hour)
	require.NoError(t, inbox.Subscribe(t.Context(), "", "asha@example.in", true, "2026-12"))
	require.Equal(t, []decision{
		{"asha@example.in", true, "2026-11", start},
		{"asha@example.in", false, "", start.Add(time.Hour)},
		{"asha@example.in", true, "2026-12", start.Add(2 * time.Hour)},
	}, history())
	var subscribed bool
	require.NoError(t, db.Owner.Get(&subscribed, `SELECT subscribed FROM newsletter_subscriptions`))
	require.True(t, subscribed)
}

func TestWithoutConsentNothingIsKept(t *testing.T) {
	t.Parallel()
	inbox := contact.NewService(testkit.NewDatabase(t).API, testkit.NewClock(), hours())
	for name, tc := range map[string]struct {
		email, version string
		consent        bool
		field          string
	}{
		"no consent": {"a@example.in", "1", false, "consent"}, "no version": {"a@example.in", "", true, "consent_version"},
		"no e-mail": {"", "1", true, "email"}, "no domain": {"a@localhost", "1", true, "email"},
		"display name": {"Asha <a@example.in>", "1", true, "email"}, "header": {"a@example.in\r\nBcc: b@example.in", "1", true, "email"},
		"unseen": {"a\ufe0fb@example.in", "1", true, "email"}, "not ASCII": {"\u00e4sha@example.in", "1", true, "email"},
		"long": {strings.Repeat("a", 250) + "@example.in", "1", true, "email"},
	} {
		err := inbox.Subscribe(t.Context(), "", tc.email, tc.consent, tc.version)
		require.NotEmpty(t, errs.As(err).Fields[tc.field], name)
	}
}

// hours are the business hours and targets that the product has by itself.
func hours() config.Contact {
	return config.Contact{Opens: 10 * time.Hour, Closes: 18 * time.Hour, AnswerWithin: 8 * time.Hour, SettleWithin: 24 * time.Hour}
}

func TestAContactRequestIsChecked(t *testing.T) {
	t.Parallel()
	inbox := contact.NewService(testkit.NewDatabase(t).API, testkit.NewClock(), hours())
	fine := contact.Input{Name: "Asha", Email: "a@example.in", Topic: "sales", Message: "Hello there", Consent: true, ConsentVersion: "1"}
	for field, change := range map[string]func(in *contact.Input){
		"name":    func(in *contact.Input) { in.Name = "A5ha" },
		"email":   func(in *contact.Input) { in.Email = "a@b" },
		"mobile":  func(in *contact.Input) { in.Mobile = "12345" },
		"topic":   func(in *contact.Input) { in.Topic = "gossip" },
		"message": func(in *contact.Input) { in.Message = "short" },
		"consent": func(in *contact.Input) { in.Consent = false },
	} {
		in := fine
		change(&in)
		_, err := inbox.Submit(t.Context(), in)
		require.Len(t, errs.As(err).Fields, 1, field)
		require.NotEmpty(t, errs.As(err).Fields[field])
	}
}
