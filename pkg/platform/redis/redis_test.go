package redis_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/redis"
)

func setup(t *testing.T) (*redis.Client, *miniredis.Miniredis) {
	t.Helper()
	server := miniredis.RunT(t)
	client, err := redis.Open("redis://" + server.Addr())
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	return client, server
}

func TestKeepsValuesForTheirTime(t *testing.T) {
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

func TestCountsAndForgets(t *testing.T) {
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

func TestADeadRedisCostsNothingAndIsFoundAgain(t *testing.T) {
	t.Parallel()
	client, server := setup(t)
	server.Close()
	for range 3 {
		_, _, err := client.Get(t.Context(), "k")
		require.Error(t, err)
	}
	_, _, err := client.Get(t.Context(), "k")
	require.ErrorIs(t, err, redis.ErrDown)
	require.Error(t, client.Ping(t.Context()))

	require.NoError(t, server.Restart())
	require.Eventually(t, func() bool {
		_, _, err := client.Get(t.Context(), "k")
		return err == nil
	}, 5*time.Second, 50*time.Millisecond)
}

func TestACallerThatGaveUpOpensNothing(t *testing.T) {
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

func TestRefusesAURLItCannotRead(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"http://:secret@nowhere", "redis:secret", "redis://:secret@nowhere/first", "redis://:secret@nowhere/-1",
		"redis://:secret@nowhere:port", "redis://:secret@nowhere?tls=secret",
	} {
		_, err := redis.Open(url)
		require.Error(t, err, url)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestTimeoutsOfTheURLAreBounded(t *testing.T) {
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

func TestAConnectionThatEndedUnseenCostsOneCall(t *testing.T) {
	t.Parallel()
	client, server := setup(t)
	var together sync.WaitGroup
	for range 5 { // as many connections as answer at once
		together.Go(func() { _ = client.Set(t.Context(), "k", "v", time.Minute) })
	}
	together.Wait()
	server.Close()
	require.NoError(t, server.Restart())
	_ = client.Set(t.Context(), "k", "v", time.Minute) // finds one of them closed, and forgets the others
	require.NoError(t, client.Set(t.Context(), "k", "w", time.Minute))
	value, found, err := client.Get(t.Context(), "k")
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, "w", value)
}

func TestKeepsFields(t *testing.T) {
	t.Parallel()
	client, server := setup(t)
	require.NoError(t, client.SetField(t.Context(), "p", "a", "1", time.Minute))
	require.NoError(t, client.SetField(t.Context(), "p", "b", "2", time.Minute))
	all, err := client.Fields(t.Context(), "p", "nothing")
	require.NoError(t, err)
	require.Equal(t, []map[string]string{{"a": "1", "b": "2"}, {}}, all)
	server.FastForward(2 * time.Minute)
	all, err = client.Fields(t.Context(), "p")
	require.NoError(t, err)
	require.Empty(t, all[0])
}

func TestARefusedCommandIsAnError(t *testing.T) {
	t.Parallel()
	client, _ := setup(t)
	require.NoError(t, client.Set(t.Context(), "k", "no number", time.Minute))
	_, err := client.Add(t.Context(), 1, redis.Counter{Key: "k", TTL: time.Minute})
	require.ErrorContains(t, err, "not an integer")
	_, found, err := client.Get(t.Context(), "k")
	require.NoError(t, err, "the connection goes on")
	require.True(t, found)
}

func TestSignsInAsTheURLSays(t *testing.T) {
	t.Parallel()
	server := miniredis.RunT(t)
	server.RequireUserAuth("shop", "s:crét")
	for address, fits := range map[string]bool{
		"redis://shop:s%3Acr%C3%A9t@": true, "redis://shop:wrong@": false, "redis://": false,
	} {
		client, err := redis.Open(address + server.Addr() + "/3")
		require.NoError(t, err)
		err = client.Set(t.Context(), "k", "v", time.Minute)
		require.Equal(t, fits, err == nil, "%s: %v", address, err)
		require.NoError(t, client.Close())
	}
	value, err := server.DB(3).Get("k")
	require.NoError(t, err)
	require.Equal(t, "v", value)
}
