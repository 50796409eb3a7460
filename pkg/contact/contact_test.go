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

func TestNewsletter_WithoutConsent_StoresNothing(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	inbox := contact.NewService(db.API, testkit.NewInserter(t, db.API), testkit.NewClock(), testkit.NewKeyring(t), hours(), true)
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
		_, err := inbox.Subscribe(t.Context(), "", tc.email, tc.consent, tc.version, "")
		require.NotEmpty(t, errs.As(err).Fields[tc.field], name)
	}
}

// hours are the default business hours and targets.
func hours() config.Contact {
	return config.Contact{Opens: 10 * time.Hour, Closes: 18 * time.Hour, AnswerWithin: 8 * time.Hour, SettleWithin: 24 * time.Hour}
}

func TestContactRequest_InvalidFields_AreRefused(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	inbox := contact.NewService(db.API, testkit.NewInserter(t, db.API), testkit.NewClock(), testkit.NewKeyring(t), hours(), true)
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
		_, err := inbox.Submit(t.Context(), "", in)
		require.Len(t, errs.As(err).Fields, 1, field)
		require.NotEmpty(t, errs.As(err).Fields[field])
	}
	fine.Name = "डॉ॰ रवि शर्मा"
	_, err := inbox.Submit(t.Context(), "", fine)
	require.NoError(t, err)
}
