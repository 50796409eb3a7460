package sandbox_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// Given a rule about one mandate, then its next call waits until all are let go, and no other call does.
func TestHold_MatchingCall_WaitsForItsRelease(t *testing.T) {
	t.Parallel()
	var h sandbox.Hold
	ask := func(handle http.HandlerFunc, body string) (int, string) {
		w := httptest.NewRecorder()
		handle(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/sandbox/hold", strings.NewReader(body)))
		return w.Code, strings.TrimSpace(w.Body.String())
	}
	code, _ := ask(h.HandleSet, `{"call":"debit","when":"sometimes"}`)
	require.Equal(t, http.StatusBadRequest, code)
	code, _ = ask(h.HandleSet, `{"call":"debit","about":"M1","when":"before"}`)
	require.Equal(t, http.StatusOK, code)

	h.Before(nil, "debit", "of M2")
	h.Before(nil, "notice", "of M1")
	h.After(nil, "debit", "of M1")
	gone := make(chan struct{})
	go func() {
		h.Before(nil, "debit", "of M1")
		close(gone)
	}()
	require.Eventually(t, func() bool {
		_, now := ask(h.Handle, "")
		return now == `{"held":1}`
	}, time.Minute, time.Millisecond)
	h.Before(nil, "debit", "of M1") // the rule was for one call
	select {
	case <-gone:
		require.FailNow(t, "it was not held")
	default:
	}
	_, _ = ask(h.HandleRelease, "")
	<-gone
}
