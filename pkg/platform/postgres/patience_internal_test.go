package postgres

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// If the database hangs, the api answers before the proxy considers the api broken and sends it no requests for a while.
func TestTimeouts_API_AreShorterThanTheProxys(t *testing.T) {
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
