package redis_test

import (
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/redis"
)

// sentinel answers, as Redis Sentinel does, where the master called main is (redis.io/docs: sentinel-clients), and returns its address.
func sentinel(t *testing.T, master *atomic.Value) string {
	t.Helper()
	s, err := server.NewServer("127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(s.Close)
	require.NoError(t, s.Register("SENTINEL", func(c *server.Peer, _ string, args []string) {
		if args[0] == "get-master-addr-by-name" && args[1] == "main" {
			host, port, _ := net.SplitHostPort(master.Load().(string))
			c.WriteStrings([]string{host, port})
			return
		}
		c.WriteLen(0) // it knows no other Sentinel
	}))
	return s.Addr().String()
}

func TestOpen_Sentinels_FollowTheMaster(t *testing.T) {
	t.Parallel()
	first, second := miniredis.RunT(t), miniredis.RunT(t)
	for _, s := range []*miniredis.Miniredis{first, second} {
		s.RequireAuth("secret")
	}
	require.NoError(t, first.Set("k", "of the first"))
	require.NoError(t, second.Set("k", "of the second"))
	var master atomic.Value
	master.Store(first.Addr())
	client, err := redis.Open("redis://127.0.0.1:1?master_name=main&password=secret&addr=" + sentinel(t, &master) +
		"&dial_timeout=5s&read_timeout=5s&write_timeout=5s&pool_timeout=5s")
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })

	value, _, err := client.Get(t.Context(), "k")
	require.NoError(t, err)
	require.Equal(t, "of the first", value)

	first.Close()
	master.Store(second.Addr())
	require.Eventually(t, func() bool {
		value, _, err := client.Get(t.Context(), "k")
		return err == nil && value == "of the second"
	}, time.Minute, 50*time.Millisecond)
}

func TestOpen_SentinelURL_ThatReadsReplicasOrNamesNoMaster_IsRefused(t *testing.T) {
	t.Parallel()
	for _, query := range []string{"master_name=", "master_name=a&replica_only=true", "master_name=a&route_randomly=true", "master_name=a&read_timeout=6s"} {
		_, err := redis.Open("redis://s:26379?" + query)
		require.Error(t, err, query)
	}
}
