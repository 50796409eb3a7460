package figures_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/figures"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// dice makes seeded choices.
type dice struct{ *rand.Rand }

func (d dice) Int(n int) int { return d.IntN(n) }

// Each count after the first recounts only the months that changed: it finds nothing if those are all that did.
func TestFigures_RandomHistories_EqualTheRows(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	w, err := world.New(t.Context(), world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker}, testkit.Start(), testkit.NewSilentLogger())
	require.NoError(t, err)
	c := figures.NewCounter(db.Worker, w.Clock)
	d := dice{rand.New(rand.NewPCG(5, 9))}
	var people []*world.Customer
	for range 12 {
		p, err := w.NewCustomer(t.Context(), d)
		require.NoError(t, err)
		people = append(people, p)
	}
	for range 24 {
		for _, p := range people {
			if d.Int(3) == 0 {
				_, err := p.Step(t.Context())
				require.NoError(t, err)
			}
		}
		require.NoError(t, w.Pass(t.Context(), time.Duration(1+d.Int(25))*24*time.Hour))
		if d.Int(5) > 0 { // or no worker ran
			require.NoError(t, w.Sweep(t.Context()))
		}
		run, err := c.Count(t.Context())
		require.NoError(t, err)
		require.Empty(t, run.Findings)
		requireReplayed(t, db.Owner, w.Catalogue, subscription.DayOf(w.Clock.Now()))
	}
	var customers int
	require.NoError(t, db.Owner.Get(&customers, `SELECT sum(closing_customers) FROM figure_months`))
	require.Positive(t, customers)
}
