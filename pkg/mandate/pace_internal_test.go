package mandate

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// slow counts what it is asked.
type slow struct {
	Gateway

	mu    sync.Mutex
	asked []time.Time
}

func (g *slow) State(context.Context, Reference) (Details, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, time.Now()) //nolint:forbidigo // the time of the bubble
	return Details{}, nil
}

func TestAGatewayIsAskedNoFasterThanItsPace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const perSecond, calls = 5, 23
		under := &slow{}
		g := paced{Gateway: under, pace: newPacer(perSecond)}
		var working sync.WaitGroup
		for range calls {
			working.Go(func() {
				_, err := g.State(t.Context(), Reference{})
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

func TestWhoWaitsForAGatewayGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := paced{Gateway: &slow{}, pace: newPacer(1)}
		_, err := g.State(t.Context(), Reference{})
		require.NoError(t, err)
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err = g.State(ctx, Reference{})
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "it is taken again later")
		time.Sleep(2 * time.Second)
	})
}

func TestNoMoreStepsAreTakenThanAGatewayWorksOffInTheirLease(t *testing.T) {
	t.Parallel()
	for perSecond, want := range map[int]int{0: 200, 1: 37, 50: 200} {
		s := &Service{}
		if p := newPacer(perSecond); p != nil {
			s.gateways = []Gateway{paced{pace: p}}
		}
		require.Equal(t, want, s.batch(), perSecond)
	}
}
