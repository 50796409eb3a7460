package payment_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// historiesACase is the number of customers per rapid case, whose histories advance at the same time.
const historiesACase = 24

// script derives a customer's choices from bytes drawn by rapid; beyond the end it reads 0, so that cases shrink well.
type script struct {
	bytes []byte
	at    int
}

func (s *script) Int(n int) int {
	if s.at >= len(s.bytes) {
		return 0
	}
	s.at++
	return int(s.bytes[s.at-1]) % n
}

func (s *script) over() bool { return s.at >= len(s.bytes) }

// round is a stretch of time in which customers act, with the events at its end.
type round struct {
	days  int
	swept bool
}

func TestRandomHistories_KeepTheRulesAndTheLedger(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	w, err := world.New(t.Context(), world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker}, testkit.Start(), testkit.NewSilentLogger())
	require.NoError(t, err)
	var histories, steps atomic.Int64
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		scripts := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 10, 80), historiesACase-4, historiesACase).Draw(t, "customers")
		customers := make([]*world.Customer, len(scripts))
		choices := make([]*script, len(scripts))
		for i, bytes := range scripts {
			choices[i] = &script{bytes: bytes}
			var err error
			customers[i], err = w.NewCustomer(ctx, choices[i])
			require.NoError(t, err)
		}
		histories.Add(int64(len(customers)))
		for swept := true; !allOver(choices); {
			var all errgroup.Group
			all.SetLimit(6)
			for i, c := range customers {
				all.Go(func() error {
					for n := 1 + choices[i].Int(4); n > 0 && !choices[i].over(); n-- {
						steps.Add(1)
						if err := stepAndHold(ctx, w, c, swept); err != nil {
							return err
						}
					}
					return nil
				})
			}
			require.NoError(t, all.Wait())
			r := round{
				days:  rapid.SampledFrom([]int{0, 1, 3, 8, 20, 31, 100}).Draw(t, "days"),
				swept: rapid.IntRange(0, 4).Draw(t, "workers") > 0, // or all workers were down
			}
			require.NoError(t, pass(ctx, w, customers, r))
			swept = r.swept
			if rapid.IntRange(0, 19).Draw(t, "tax") == 19 {
				require.NoError(t, taxChanges(ctx, w, db.Worker, rapid.SampledFrom([]int64{500, 1200, 1800, 2800}).Draw(t, "rate")))
			}
		}
		report, err := w.Books.Verify(ctx)
		require.NoError(t, err)
		require.Empty(t, report.Findings)
	})
	var switched, cancelled int
	require.NoError(t, db.Owner.Get(&switched, `SELECT count(*) FROM orders WHERE by_staff`))
	require.NoError(t, db.Owner.Get(&cancelled, `SELECT count(*) FROM refunds WHERE printed_reason = 'Plan cancelled: the unused part'`))
	t.Logf("%d histories, %d steps, %d jobs, %d plans switched and %d payments of cancelled ones", histories.Load(), steps.Load(), w.Jobs(), switched, cancelled)
}

// taxChanges schedules a new tax rate in two days unless a change is already scheduled.
func taxChanges(ctx context.Context, w *world.World, worker *sqlx.DB, rateBps int64) error {
	from := subscription.DayOf(w.Clock.Now()) + 2
	if rates := w.Catalogue.GSTRates; string(rates[len(rates)-1].From) >= from.String() {
		return nil
	}
	return w.Tax(ctx, worker, from, rateBps)
}

func allOver(choices []*script) bool {
	for _, s := range choices {
		if !s.over() {
			return false
		}
	}
	return true
}

// stepAndHold performs one action of the customer and checks the invariants.
func stepAndHold(ctx context.Context, w *world.World, c *world.Customer, swept bool) error {
	step, err := c.Step(ctx)
	if err != nil {
		return err
	}
	return holds(ctx, w, swept, "after "+step, c)
}

// pass advances time with sweeps only at the end, as if no worker had run before.
func pass(ctx context.Context, w *world.World, customers []*world.Customer, r round) error {
	if err := w.Pass(ctx, time.Duration(r.days)*story.Day+time.Hour); err != nil {
		return err
	}
	if !r.swept {
		return nil
	}
	if err := w.Worker.Captures.Sweep(ctx); err != nil {
		return err
	}
	if err := w.Work(ctx, ""); err != nil {
		return err
	}
	if err := w.Sweep(ctx); err != nil {
		return err
	}
	return holds(ctx, w, true, "after the sweeps", customers...)
}

func holds(ctx context.Context, w *world.World, swept bool, when string, customers ...*world.Customer) error {
	ids := make([]string, 0, len(customers))
	for _, c := range customers {
		ids = append(ids, c.ID)
	}
	broken, err := w.Hold(ctx, swept, ids...)
	if err == nil && len(broken) > 0 {
		return fmt.Errorf("%s: %v", when, broken)
	}
	return err
}
