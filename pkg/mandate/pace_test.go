package mandate_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// counter records when it was called.
type counter struct {
	mandate.Gateway

	mu    sync.Mutex
	asked []time.Time
}

func (g *counter) State(context.Context, mandate.Reference) (mandate.Details, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, time.Now()) //nolint:forbidigo // the time of the bubble
	return mandate.Details{}, nil
}

func TestPacedGateway_ConcurrentCalls_KeepTheRateLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const perSecond, calls = 5, 23
		under := &counter{}
		g := mandate.Paced(under, perSecond)
		var working sync.WaitGroup
		for range calls {
			working.Go(func() {
				_, err := g.State(t.Context(), mandate.Reference{})
				require.NoError(t, err, "what is over the pace waits")
			})
		}
		working.Wait()
		require.Len(t, under.asked, calls)
		for i := perSecond; i < calls; i++ {
			require.GreaterOrEqual(t, under.asked[i].Sub(under.asked[i-perSecond]), time.Second)
		}
		time.Sleep(2 * time.Second)
	})
}

func TestPacedGateway_ContextEnds_StopsWaiting(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := mandate.Paced(&counter{}, 1)
		_, err := g.State(t.Context(), mandate.Reference{})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err = g.State(ctx, mandate.Reference{})
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "it is taken again later")
		time.Sleep(2 * time.Second)
	})
}

func TestStepsAtOnce_PacedGateways_FitIntoTheLease(t *testing.T) {
	t.Parallel()
	for perSecond, want := range map[int]int{0: 200, 1: 37, 50: 200} {
		require.Equal(t, want, mandate.StepsAtOnce([]mandate.Gateway{mandate.Paced(&counter{}, 50), mandate.Paced(&counter{}, perSecond)}), perSecond)
	}
}
