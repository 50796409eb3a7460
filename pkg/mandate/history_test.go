package mandate_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

type dice struct{ *rand.Rand }

func (d dice) Int(n int) int { return d.IntN(n) }

// A random history lives some customers of monthly plans through months in which banks pause and refuse, answers get lost and successes
// come late, prices change, plans are changed after the notice, and mandates are stopped. MANDATE_HISTORIES=20 lives that many of twelve
// months each, from the seed in MANDATE_SEED.
func TestRandomHistories_NoRenewalIsDebitedTwice(t *testing.T) {
	t.Parallel()
	histories, months, customers, seed := 1, 3, 4, uint64(360)
	if n, err := strconv.Atoi(os.Getenv("MANDATE_HISTORIES")); err == nil {
		histories, months, customers = n, 12, 8
	}
	if n, err := strconv.ParseUint(os.Getenv("MANDATE_SEED"), 10, 64); err == nil {
		seed = n
	}
	for i := range histories {
		choose := dice{rand.New(rand.NewPCG(seed, uint64(i)))}
		db := testkit.NewDatabase(t)
		w, err := world.New(t.Context(), world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker}, testkit.Start(), testkit.NewSilentLogger())
		require.NoError(t, err)
		require.NoError(t, w.Reprice(t.Context(), db.Worker, -3000)) // room for prices that rise
		var all []*world.Renewer
		for range customers {
			r, err := w.NewRenewer(t.Context(), choose)
			require.NoError(t, err)
			all = append(all, r)
		}
		require.NoError(t, w.Pass(t.Context(), 24*24*time.Hour)) // until the first renewals are open
		require.NoError(t, w.Sweep(t.Context()))
		for month := range months {
			require.NoError(t, w.LiveRenewals(t.Context(), all, 30, choose), "seed %d, history %d, month %d", seed, i, month)
			require.NoError(t, w.Reprice(t.Context(), db.Worker, int64(choose.Int(400))-100))
			broken, err := w.Hold(t.Context(), true)
			require.NoError(t, err)
			require.Empty(t, broken)
			report, err := w.Books.Verify(t.Context())
			require.NoError(t, err)
			require.Empty(t, report.Findings)
		}
		require.GreaterOrEqual(t, len(w.Mandates.Debits()), 3, "something happened")
		t.Logf("history %d: %d debits were asked for", i, len(w.Mandates.Debits()))
	}
}
