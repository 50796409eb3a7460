package seed

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

func TestNewsletterExport_ListsSubscribersWithTheirLinks(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	_, err := db.Owner.Exec(`INSERT INTO newsletter_subscriptions (id, email, subscribed, updated_at, confirmed_at) VALUES
		('019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50', 'asha@example.in', true, '2026-11-02 06:30:00Z', '2026-11-02 06:30:00Z'),
		(uuidv7(), 'ravi@example.in', false, '2026-11-03 06:30:00Z', NULL), (uuidv7(), 'typed@example.in', true, '2026-11-03 06:30:00Z', NULL)`)
	require.NoError(t, err)
	var out bytes.Buffer
	settings := map[string]string{"DATABASE_OWNER_URL": db.DSN(""), "SECRET_KEY": strings.Repeat("ab", 32), "PUBLIC_URL": "https://franchise360.example"}
	require.NoError(t, Command().Run(t.Context(), command.Call{Getenv: func(name string) string { return settings[name] }, Out: &out}, "newsletter"))
	require.Regexp(t, `^\x{feff}E-mail,Given by an account,Confirmed \(IST\),Page to unsubscribe,List-Unsubscribe\n`+
		`asha@example\.in,no,2026-11-02 12:00:00,https://franchise360\.example/unsubscribe#([A-Za-z0-9_-]{38}),`+
		`https://franchise360\.example/api/franchise/newsletter/unsubscribe/[A-Za-z0-9_-]{38}\n$`, out.String())
	settings["PUBLIC_URL"] = ""
	require.ErrorContains(t, Command().Run(t.Context(), command.Call{Getenv: func(name string) string { return settings[name] }, Out: &out}, "newsletter"), "PUBLIC_URL")
}
