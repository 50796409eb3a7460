package seed

import (
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

func TestStaffLine_LastSignIn_NamesTheTimeZone(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 23, 20, 0, 0, 0, time.UTC)
	m := staff.ListedMember{Email: "asha@example.in", Name: "Asha Rao", Role: staff.RoleAdmin, LastSeenAt: &at}
	require.Equal(t, "asha@example.in admin enabled last sign-in 2026-11-24 01:30:00 IST Asha Rao", staffLine(m))
	m.LastSeenAt, m.DisabledAt = nil, &at
	require.Equal(t, "asha@example.in admin disabled last sign-in never Asha Rao", staffLine(m))
}

// The manual's commands, run with the image's program.
func TestFirstAdmin_CommandTwice_MakesOne(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	env := map[string]string{
		"DATABASE_OWNER_URL": db.DSN(""), "STAFF_PASSWORD": "Mango#2026#Tree",
		"SECRET_KEY": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
	}
	seed := func(arguments ...string) error {
		call := command.Call{Getenv: func(name string) string { return env[name] }, Out: io.Discard, Clock: clock.System{}}
		return Command().Run(t.Context(), call, append([]string{"staff"}, arguments...)...)
	}
	require.NoError(t, seed("first", "asha@example.in", "Asha Rao"))
	require.ErrorContains(t, seed("first", "ravi@example.in", "Ravi"), "already")
	require.ErrorContains(t, seed("first", "asha@example.in", "Asha Rao"), "already")
	require.NoError(t, seed("ravi@example.in", "Ravi", "support"))
	require.NoError(t, seed("disable", "ravi@example.in", "left us"))
	require.ErrorContains(t, seed("disable", "rabi@example.in", "left us"), "no staff account has the e-mail address rabi@example.in")
	require.ErrorContains(t, seed("enable", "rabi@example.in", "is back"), "rabi@example.in")
	require.NoError(t, seed("list"))
	list, err := staff.List(t.Context(), db.Owner)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, staff.RoleAdmin, list[0].Role)
	require.Nil(t, list[0].DisabledAt)
	require.NotNil(t, list[1].DisabledAt)
}
