package rekey

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// The manual's rotation of SECRET_KEY: old and new key together, re-encrypt, then the new key alone; it may be repeated.
func TestRekey_OldAndNewKey_ReencryptsEverything(t *testing.T) {
	t.Parallel()
	const next = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	old := strings.Repeat("ab", 32)
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	before, err := secret.ParseKeyring(old)
	require.NoError(t, err)
	_, err = secret.Load(t.Context(), db.API, before, clk.Now())
	require.NoError(t, err)
	save := func(email string) {
		require.NoError(t, staff.Ensure(t.Context(), db.Owner, password.Cheap(1), before, clk, staff.Account{
			Email: email, Name: "Asha", Password: "Mango#2026#Tree", Role: staff.RoleAdmin, TOTPKey: []byte("0123456789abcdef0123"),
		}))
	}
	save("asha@example.in")
	rekey := func(current, others string) error {
		env := map[string]string{"DATABASE_OWNER_URL": db.DSN(""), "SECRET_KEY": current + "," + others}
		return Command().Run(t.Context(), command.Call{Getenv: func(name string) string { return env[name] }, Log: slog.New(slog.DiscardHandler)})
	}
	require.ErrorContains(t, rekey(next, ""), "need a key that SECRET_KEY does not name")
	require.NoError(t, rekey(next, old))
	save("ravi@example.in") // by a process that still encrypts under the old key
	require.ErrorContains(t, rekey(next, ""), "1 values need a key")
	require.NoError(t, rekey(next, old), "it goes on where it was")
	require.NoError(t, rekey(next, ""), "nothing is left that needs the old one")
	alone, err := secret.ParseKeyring(next)
	require.NoError(t, err)
	_, err = secret.Load(t.Context(), db.API, alone, clk.Now())
	require.NoError(t, err, "and a process starts with the new one alone")
	require.ErrorContains(t, rekey("", ""), "SECRET_KEY")
}
