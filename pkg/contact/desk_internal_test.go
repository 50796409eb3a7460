package contact

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestStates_DatabaseGuard_MatchesTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireStatesMove(t)
	testkit.RequireDiagram(t, "README.md", "A request", states())
	waits, settled := `CASE WHEN $2 = 'waiting' THEN now() END`, `CASE WHEN $2 IN ('answered', 'closed') THEN now() END`
	testkit.RequireGuard(t, testkit.NewDatabase(t), states(), testkit.Rows{
		Table: "contact_requests",
		Insert: `INSERT INTO contact_requests (id, name, email, topic, consent_version, consented_at, created_at, updated_at, state, waiting_since, settled_at)
			VALUES ($1, 'Asha', 'a@example.in', 'sales', '1', now(), now(), now(), $2, ` + waits + `, ` + settled + `)`,
		Set: "waiting_since = " + waits + ", settled_at = " + settled,
	})
}

// With business hours from ten to six, only time within them counts, over nights and weekends.
func TestBusinessTime_SkipsNightsAndWeekends(t *testing.T) {
	t.Parallel()
	targets := Targets{config.Contact{Opens: 10 * time.Hour, Closes: 18 * time.Hour}}
	at := func(day, hour, minute int) time.Time { return time.Date(2026, 11, day, hour, minute, 0, 0, clock.IST) }
	for name, tc := range map[string]struct {
		from  time.Time
		hours time.Duration
		want  time.Time
	}{
		"within a day":               {at(2, 10, 0), 4 * time.Hour, at(2, 14, 0)},
		"a whole day":                {at(2, 10, 0), 8 * time.Hour, at(2, 18, 0)},
		"over a night":               {at(2, 17, 0), 2 * time.Hour, at(3, 11, 0)},
		"before the day begins":      {at(2, 7, 0), time.Hour, at(2, 11, 0)},
		"after it ended":             {at(2, 20, 0), time.Hour, at(3, 11, 0)},
		"over a weekend":             {at(6, 17, 30), time.Hour, at(9, 10, 30)},
		"from a Sunday":              {at(8, 12, 0), 8 * time.Hour, at(9, 18, 0)},
		"three days over a weekend":  {at(6, 10, 0), 24 * time.Hour, at(10, 18, 0)},
		"nothing left, in the night": {at(2, 22, 0), 0, at(3, 10, 0)},
	} {
		got := targets.After(tc.from, tc.hours)
		require.WithinDuration(t, tc.want, got, 0, name)
		require.Equal(t, tc.hours, targets.Between(tc.from, got), name)
	}
	require.Zero(t, targets.Between(at(3, 12, 0), at(2, 12, 0)), "the time is up")
	require.Equal(t, 8*time.Hour, targets.Between(at(6, 18, 0), at(9, 20, 0)), "Monday alone")
}
