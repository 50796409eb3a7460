package mandate

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

// counted is a gateway that keeps when it was asked.
type counted struct {
	Gateway

	mu sync.Mutex
	at []time.Time
}

func (c *counted) ask() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = append(c.at, clock.System{}.Now())
}

func (c *counted) State(context.Context, Reference) (Details, error) {
	c.ask()
	return Details{}, nil
}

func (c *counted) Debit(context.Context, Reference, Debit) (DebitOutcome, error) {
	c.ask()
	time.Sleep(300 * time.Millisecond)
	return DebitOutcome{}, nil
}

// However many sweeps ask at the same time, no second has more requests than the gateway is asked at most.
func TestNoGatewayIsAskedMoreThanFiftyTimesASecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := &counted{}
		g := pace(c, MostASecond)
		var sweeps sync.WaitGroup
		for range 80 {
			sweeps.Go(func() {
				for range 5 {
					_, _ = g.State(t.Context(), Reference{})
					_, _ = g.Debit(t.Context(), Reference{}, Debit{})
				}
			})
		}
		sweeps.Wait()
		require.Len(t, c.at, 800)
		for i := range len(c.at) - MostASecond {
			require.GreaterOrEqual(t, c.at[i+MostASecond].Sub(c.at[i]), time.Second)
		}
		require.Less(t, c.at[799].Sub(c.at[0]), 17*time.Second, "and the turns are used")
		time.Sleep(time.Second) // until every turn is back
	})
}
