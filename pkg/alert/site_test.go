package alert

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

func TestSiteProbe_SiteStopsAnswering_ReportsHowLong(t *testing.T) {
	t.Parallel()
	clk := clock.NewFake(time.Date(2026, 11, 28, 10, 0, 0, 0, time.UTC))
	probes, broken := 0, errors.New("connection refused")
	var answer error
	observe := SiteProbe(func(context.Context) error {
		probes++
		return answer
	}, clk)
	look := func(after time.Duration) time.Duration {
		clk.Advance(after)
		var s Sight
		observe(t.Context(), &s)
		return s.SiteAway
	}
	answer = broken
	require.Zero(t, look(0))
	require.Zero(t, look(time.Hour), "this network may not reach its own public address")
	answer = nil
	require.Zero(t, look(time.Minute))
	answer = broken
	require.Equal(t, time.Minute, look(time.Minute))
	require.Equal(t, 3*time.Minute, look(2*time.Minute))
	before := probes
	require.Equal(t, 3*time.Minute+time.Second, look(time.Second))
	require.Equal(t, before, probes, "a second look within seconds does not probe")
	answer = nil
	require.Zero(t, look(time.Minute))
}
