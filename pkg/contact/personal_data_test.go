package contact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/contact"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// left returns a contact request with a message that names its writer.
func left(email, mobile, message string) contact.Input {
	return contact.Input{
		Name: "Asha Kulkarni", Email: email, Mobile: mobile, Topic: "billing", Message: message, Consent: true, ConsentVersion: "2026-11",
	}
}

// exportOf returns the site's section of the person's export as JSON; "null" if there is nothing.
func exportOf(t *testing.T, db *testkit.Database, owner string) string {
	t.Helper()
	var raw []byte
	require.NoError(t, postgres.InTenantTx(t.Context(), db.API, owner, func(tx *sqlx.Tx) error {
		section, data, err := contact.PersonalData{}.ExportTx(t.Context(), tx, owner)
		require.Equal(t, "site", section)
		if err != nil {
			return err
		}
		raw, err = json.Marshal(data)
		return err
	}))
	return string(raw)
}

func TestPersonalData_ExportAndErasure_CoverRequestsAndNewsletter(t *testing.T) {
	t.Parallel()
	inbox := openNewsletter(t)
	db, owner := inbox.db, id.New()
	_, err := db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, '9876543210', 'asha@example.in', 'x', '1', now(), now())`, owner)
	require.NoError(t, err)
	require.Equal(t, "null", exportOf(t, db, owner), "nothing was left yet")

	inbox.prove(t, owner)
	_, err = inbox.Subscribe(t.Context(), owner, "Asha@example.in", true, "2026-11", "")
	require.NoError(t, err)
	_, err = inbox.Unsubscribe(t.Context(), owner, "asha@example.in", "")
	require.NoError(t, err)
	inbox.join(t, "asha@example.in")
	inbox.join(t, "ravi@example.in")
	_, err = db.Owner.Exec(`UPDATE newsletter_consents SET text_version = 'by-link' WHERE franchiser_ref IS NULL AND given;
		UPDATE franchisers SET email_proved_at = NULL`)
	require.NoError(t, err)
	for _, in := range []contact.Input{
		left("work@example.in", "9876543210", "Written with my mobile."),
		left("asha@example.in", "", "Written with the e-mail alone."),
		left("ravi@example.in", "9123456789", "Written by somebody else."),
	} {
		_, err := inbox.Submit(t.Context(), "", in)
		require.NoError(t, err)
	}

	_, err = db.Owner.Exec(`ALTER TABLE contact_entries DISABLE TRIGGER ALL;
		INSERT INTO contact_entries (id, contact_id, kind, text, key, written_by, created_at)
			SELECT uuidv7(), id, 'note', 'Called Asha back', 'key-00001', id, now() FROM contact_requests WHERE mobile <> ''`)
	require.NoError(t, err)

	exported := exportOf(t, db, owner)
	require.Contains(t, exported, "Called Asha back", "what was answered belongs to it")
	require.Contains(t, exported, `"subscribed":true`)
	require.Contains(t, exported, `"subscribed":false`, "the withdrawal too")
	require.Contains(t, exported, "Written with my mobile.")
	require.NotContains(t, exported, "by-link", "she has not proved that it is hers")
	require.Equal(t, 1, strings.Count(exported, `"topic"`), "an e-mail is not proved, so it tells of no message")
	require.NotContains(t, exported, "ravi@example.in")
	require.NotContains(t, exported, "somebody else")

	_, err = db.Owner.Exec(`UPDATE franchisers SET email_proved_at = now()`)
	require.NoError(t, err)
	require.Contains(t, exportOf(t, db, owner), "Written with the e-mail alone.", "it is proved now")
	require.Contains(t, exportOf(t, db, owner), "by-link")
	_, err = db.Owner.Exec(`UPDATE franchisers SET email_proved_at = NULL`)
	require.NoError(t, err)

	erase := func() error {
		return postgres.InTenantTx(t.Context(), db.Worker, owner, func(tx *sqlx.Tx) error {
			return contact.PersonalData{}.EraseTx(t.Context(), tx, owner)
		})
	}
	require.NoError(t, erase())
	require.NoError(t, erase(), "twice is as once")
	require.NotContains(t, exportOf(t, db, owner), "Written with my mobile.")
	unproved := 0
	for _, table := range []string{"newsletter_subscriptions", "newsletter_consents", "contact_requests"} {
		var rows []string
		require.NoError(t, db.Owner.Select(&rows, `SELECT row_to_json(t)::text FROM `+table+` t`))
		others := 0
		for _, row := range rows {
			if strings.Contains(row, "e-mail alone") || strings.Contains(row, "asha@example.in") && (strings.Contains(table, "newsletter") || table == "contact_requests") {
				unproved++
				continue
			}
			for _, personal := range []string{"asha@example.in", "work@example.in", "9876543210", "with my mobile", "Called Asha"} {
				require.NotContains(t, row, personal, table)
			}
			if strings.Contains(row, "ravi@example.in") {
				others++
			}
		}
		require.Equal(t, 1, others, "%s of somebody else stays", table)
	}
	require.Equal(t, 1, console.Count(t, db, `SELECT count(*) FROM contact_entries WHERE text = 'Called Asha back'`), "that of Ravi's request stays")
	require.Equal(t, 3, unproved, "who types a stranger's e-mail erases nothing of theirs: neither the message nor the newsletter that the link started")
	inbox.prove(t, owner)
	require.NoError(t, erase())
	require.Equal(t, []string{"ravi@example.in"}, inbox.subscribers(t))
	require.Zero(t, console.Count(t, db, `SELECT count(*) FROM newsletter_consents WHERE email = 'asha@example.in'`))
}
