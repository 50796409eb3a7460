package id_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
)

func TestNew_IsASortableUUIDv7(t *testing.T) {
	t.Parallel()
	before := ""
	for range 1000 {
		made := id.New()
		require.Greater(t, made, before, "each comes after the one before, also as text")
		before = made
	}
	parsed := uuid.MustParse(before)
	require.Equal(t, uuid.Version(7), parsed.Version())
	require.Equal(t, uuid.RFC4122, parsed.Variant())
	sec, nsec := parsed.Time().UnixTime()
	require.WithinDuration(t, time.Now(), time.Unix(sec, nsec), time.Minute) //nolint:forbidigo // New uses the machine's clock
	require.True(t, id.Valid(before))
}

func TestNew_Concurrent_AreDistinct(t *testing.T) {
	t.Parallel()
	var (
		all  sync.WaitGroup
		lock sync.Mutex
		seen = map[string]bool{}
	)
	for range 8 {
		all.Go(func() {
			for range 500 {
				made := id.New()
				lock.Lock()
				seen[made] = true
				lock.Unlock()
			}
		})
	}
	all.Wait()
	require.Len(t, seen, 4000)
}

// Ids accepted by id.Valid are compared with columns of type uuid, and appear in paths and logs.
func TestValid_OnlyTheCanonicalForm(t *testing.T) {
	t.Parallel()
	const whole = "0192f3a4-5b6c-7d8e-9f01-23456789abcd"
	require.True(t, id.Valid(whole))
	require.True(t, id.Valid(strings.ToUpper(whole)), "Postgres reads capitals as the same")
	for name, text := range map[string]string{
		"nothing":         "",
		"without hyphens": strings.ReplaceAll(whole, "-", ""),
		"in braces":       "{" + whole + "}",
		"as a URN":        "urn:uuid:" + whole,
		"too short":       whole[:35],
		"too long":        whole + "0",
		"no digit":        whole[:35] + "g",
		"a quote":         whole[:35] + "'",
		"a space":         " " + whole[:35],
		"NUL":             whole[:35] + "\x00",
		"other digits":    "०" + whole[3:],
		"hyphens astray":  strings.Replace(whole, "-", "a", 1),
		"only hyphens":    strings.Repeat("-", 36),
	} {
		require.False(t, id.Valid(text), name)
	}
}

func TestOfRequest_ReturnsTheContextsRequest(t *testing.T) {
	t.Parallel()
	require.Empty(t, id.OfRequest(t.Context()), "none unless somebody put it there")
	outer := id.WithRequest(t.Context(), "a")
	inner := id.WithRequest(outer, "b")
	require.Equal(t, "a", id.OfRequest(outer))
	require.Equal(t, "b", id.OfRequest(inner))
	detached, cancel := context.WithCancel(context.WithoutCancel(inner))
	cancel()
	require.Equal(t, "b", id.OfRequest(detached), "work that outlives the request still names it")
}
