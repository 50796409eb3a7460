package postgres

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Given a server that answers nothing, then the api has answered before the proxy takes the api itself for broken and keeps
// everybody from it for a while.
func TestTheAPIGivesUpBeforeTheProxyDoes(t *testing.T) {
	t.Parallel()
	const request = 7 * time.Second // requestTimeout of pkg/platform/config
	text, err := os.ReadFile("../../../scripts/Caddyfile")
	require.NoError(t, err)
	found := regexp.MustCompile(`response_header_timeout (\S+)`).FindSubmatch(text)
	require.Len(t, found, 2)
	patience, err := time.ParseDuration(string(found[1]))
	require.NoError(t, err)
	require.LessOrEqual(t, request+politely, patience-500*time.Millisecond)
}
