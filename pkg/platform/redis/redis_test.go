package redis_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/redis"
)

func setup(t *testing.T) (*redis.Client, *miniredis.Miniredis) {
	t.Helper()
	server := miniredis.RunT(t)
	// A busy machine may take longer than the product waits.
	client, err := redis.Open("redis://" + server.Addr() + "?dial_timeout=5s&read_timeout=5s&write_timeout=5s&pool_timeout=5s")
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	return client, server
}

func TestSet_Value_ExpiresAfterItsTTL(t *testing.T) {
	t.Parallel()
	client, server := setup(t)
	ctx := t.Context()

	_, found, err := client.Get(ctx, "k")
	require.NoError(t, err)
	require.False(t, found)

	require.NoError(t, client.SetIfAbsent(ctx, "k", "first", time.Minute))
	require.NoError(t, client.SetIfAbsent(ctx, "k", "second", time.Minute))
	value, found, err := client.Get(ctx, "k")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "first", value)

	server.FastForward(2 * time.Minute)
	_, found, err = client.Get(ctx, "k")
	require.NoError(t, err)
	require.False(t, found)
}

func TestCount_IncrementsAndExpires(t *testing.T) {
	t.Parallel()
	client, server := setup(t)
	n, m := redis.Counter{Key: "n", TTL: time.Minute}, redis.Counter{Key: "m", TTL: 3 * time.Minute}
	for want := range int64(3) {
		sums, err := client.Add(t.Context(), 1, n, m)
		require.NoError(t, err)
		require.Equal(t, []int64{want + 1, want + 1}, sums)
	}
	server.FastForward(2 * time.Minute)
	sums, err := client.Add(t.Context(), 1, n, m)
	require.NoError(t, err)
	require.Equal(t, []int64{1, 4}, sums, "each ends at its own time")
	require.NoError(t, client.Delete(t.Context(), "n"))
	require.False(t, server.Exists("n"))
}

func TestCircuit_RedisDown_FailsFastAndRecovers(t *testing.T) {
	t.Parallel()
	client, server := setup(t)
	server.Close()
	for range 3 {
		_, _, err := client.Get(t.Context(), "k")
		require.Error(t, err)
	}
	require.Eventually(t, func() bool { // the circuit probes once a second
		_, _, err := client.Get(t.Context(), "k")
		require.Error(t, err)
		return errors.Is(err, redis.ErrDown)
	}, time.Minute, time.Millisecond)
	require.Error(t, client.Ping(t.Context()))

	require.NoError(t, server.Restart())
	require.Eventually(t, func() bool {
		_, _, err := client.Get(t.Context(), "k")
		return err == nil
	}, time.Minute, 50*time.Millisecond)
}

func TestCircuit_WithoutCallers_ProbesInTheBackground(t *testing.T) {
	t.Parallel()
	client, server := setup(t)
	server.Close()
	for range 3 {
		_, _, err := client.Get(t.Context(), "k")
		require.Error(t, err)
	}
	require.True(t, client.Down())
	require.NoError(t, server.Restart())
	require.Eventually(t, func() bool { return !client.Down() }, time.Minute, 50*time.Millisecond)
}

func TestCircuit_CancelledCalls_DoNotOpenIt(t *testing.T) {
	t.Parallel()
	client, _ := setup(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 10 {
		_, _, err := client.Get(gone, "k")
		require.ErrorIs(t, err, context.Canceled)
	}
	_, _, err := client.Get(t.Context(), "k")
	require.NoError(t, err)
}

func TestOpen_InvalidURL_ErrorHidesThePassword(t *testing.T) {
	t.Parallel()
	_, err := redis.Open("http://:secret@nowhere")
	require.Error(t, err)
	require.NotContains(t, err.Error(), "secret")
}

func TestOpen_TimeoutsOfTheURL_AreLimited(t *testing.T) {
	t.Parallel()
	for query, fits := range map[string]bool{
		"": true, "?read_timeout=300ms&write_timeout=300ms": true, "?dial_timeout=5s": true, "?read_timeout=0": false,
		"?read_timeout=-1": false, "?pool_timeout=6s": false, "?write_timeout=1h": false, "?dial_timeout=soon": false,
	} {
		client, err := redis.Open("redis://127.0.0.1:1" + query)
		require.Equal(t, fits, err == nil, "%q: %v", query, err)
		if fits {
			require.NoError(t, client.Close())
		}
	}
}
