package handler_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/api/middleware"
)

// accessLines returns the log lines that record the outcome of a request.
func accessLines(t *testing.T, written string) (lines []map[string]any) {
	t.Helper()
	for text := range strings.SplitSeq(strings.TrimSpace(written), "\n") {
		if text == "" {
			continue
		}
		var line map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &line), text)
		if line["msg"] == "request" {
			lines = append(lines, line)
		}
	}
	return lines
}

func TestAccessLog_OneLinePerRequestWithoutPersonalData(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := newRouter(t, &log)
	for _, c := range []struct {
		method, address, cookie string
		route, actor            string
		status                  float64
	}{
		{"GET", "/api/franchise/open?mobile=9876543210", "", "/api/franchise/open", "nobody", 200},
		{"POST", "/api/franchise/shut?search=asha%40example.in", "__Host-" + middleware.CookieSession, "/api/franchise/shut", "franchiser", 403},
		{"GET", "/page", "", "/page", "nobody", 200},
		{"GET", "/nowhere/9876543210", "", "(none)", "nobody", 404},
		{"GET", "/api/franchise/named/9876543210", "", "/api/franchise/named/:name", "nobody", 200},
		{"GET", "/api/franchise/panics", "", "/api/franchise/panics", "nobody", 500},
	} {
		log.Reset()
		header := ask(t, h, c.method, "https://site.test"+c.address, c.cookie)
		lines := accessLines(t, log.String())
		require.Len(t, lines, 1, "%s: %s", c.address, log.String())
		line := lines[0]
		require.Equal(t, c.method, line["method"])
		require.Equal(t, c.route, line["route"], "the pattern, not the path")
		require.InDelta(t, c.status, line["status"], 0, c.address)
		require.Equal(t, c.actor, line["actor"], "the kind, not who")
		require.Equal(t, header.Get("X-Request-Id"), line["request_id"])
		require.Contains(t, line, "bytes")
		require.Contains(t, line, "took_ms")
		require.Equal(t, "INFO", line["level"])
		for _, personal := range []string{"9876543210", "203.0.113.77", "the-token", "asha", "0193a0c0"} {
			raw, err := json.Marshal(line)
			require.NoError(t, err)
			require.NotContains(t, string(raw), personal)
		}
	}
	log.Reset()
	for _, noise := range []string{"/healthz", "/readyz", "/assets/a.js"} {
		ask(t, h, http.MethodGet, "https://site.test"+noise, "")
	}
	require.Empty(t, accessLines(t, log.String()), "what is asked every few seconds is told at debug only")
}

func TestAccessLog_AtWarnLevel_IsOff(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	h := newRouterAt(t, &log, slog.LevelWarn)
	ask(t, h, http.MethodGet, "https://site.test/api/franchise/open", "")
	require.Empty(t, log.String())
}
