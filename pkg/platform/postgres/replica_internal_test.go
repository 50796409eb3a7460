package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestParseLSN_ReadsThePostgresFormat(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]LSN{"0/0": 0, "16/B374D848": 0x16_B374D848, "FFFFFFFF/FFFFFFFF": NeverReplayed} {
		got, err := ParseLSN(text)
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, text, got.String())
	}
	for _, text := range []string{"", "/", "16", "16/", "16/b374d848", "123456789/0", " 16/0", "16/0'; SELECT 1"} {
		_, err := ParseLSN(text)
		require.Error(t, err, text)
	}
}

// One of several standbys behind a URL may lag behind the sampled one, so each transaction checks its own.
func TestReplica_MustHaveReplayedTheFloorAndTheMark(t *testing.T) {
	t.Parallel()
	n := needed{floor: 0x20, mark: 0x30}
	for replayed, want := range map[string]error{"0/30": nil, "1/0": nil, "0/2F": errUnseen, "0/20": errUnseen, "0/1F": errLagging, "": errLagging} {
		require.ErrorIs(t, n.check(replayed), want, replayed)
	}
	require.NoError(t, needed{floor: 0x20}.check("0/20"), "who wrote nothing")
}

func TestReplica_Floor_IsThePrimarysEarlierPosition(t *testing.T) {
	t.Parallel()
	now := time.Now() //nolint:forbidigo // elapsed time, not business time
	r := &Replica{bound: time.Minute}
	r.present.Store(newPresence())
	_, known := r.floor()
	require.False(t, known, "nothing is known of the primary")
	require.Equal(t, remembered, r.lag(0x99))

	r.samples = []sample{{now.Add(-3 * time.Minute), 0x10}, {now.Add(-2 * time.Minute), 0x20}}
	_, known = r.floor()
	require.False(t, known, "nor of late")

	r.samples = append(r.samples, sample{now.Add(-40 * time.Second), 0x30}, sample{now, 0x40})
	floor, known := r.floor()
	require.True(t, known)
	require.Equal(t, LSN(0x30), floor, "older than the bound is what lacks it")
	require.Zero(t, r.lag(0x40))
	require.InDelta(t, 40, r.lag(0x3F).Seconds(), 20)
	require.InDelta(t, 180, r.lag(0x1F).Seconds(), 20)
	require.Equal(t, remembered, r.lag(0x0F))

	r.inStep(0x30)
	r.present.Load().end()
	r.inStep(0x38)
	floor, known = r.floor()
	require.True(t, known)
	require.Equal(t, LSN(0x30), floor, "without a primary, that of when a standby was in step")
	r.step.at = now.Add(-outOfStep)
	_, known = r.floor()
	require.False(t, known, "the standbys had lost the primary long before")
	r.step.at, r.samples = now.Add(-standInLife), []sample{{now.Add(-standInLife), 0x40}}
	_, known = r.floor()
	require.False(t, known, "the primary may serve others")
}
