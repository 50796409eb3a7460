package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// gated is a live that ends when open is closed, and counts its runs.
type gated struct {
	open          chan struct{}
	running, most atomic.Int32
	begun         atomic.Int32
}

func (g *gated) live(ctx context.Context, _ timemachine.Question, told func(day, days int)) (timemachine.Answer, error) {
	g.begun.Add(1)
	if now := g.running.Add(1); now > g.most.Load() {
		g.most.Store(now)
	}
	defer g.running.Add(-1)
	told(3, 30)
	select {
	case <-g.open:
		return timemachine.Answer{State: timemachine.StateDone, Entries: []timemachine.Entry{}}, nil
	case <-ctx.Done():
		return timemachine.Answer{}, ctx.Err()
	}
}

func question() timemachine.Question {
	return timemachine.Question{FranchiserID: id.New(), Months: 1, Pays: timemachine.PaysNever}
}

func TestRuns_SameQuestion_JoinsTheRunAndReturnsOnce(t *testing.T) {
	t.Parallel()
	g := &gated{open: make(chan struct{})}
	all, q := newRuns(g.live, slog.New(slog.DiscardHandler)), question()
	require.Eventually(t, func() bool {
		a, err := all.ask(t.Context(), t.Context(), q, time.Millisecond)
		return err == nil && a.State == timemachine.StateRunning && a.Days == 3 && a.AllDays == 30
	}, time.Minute, time.Millisecond)
	close(g.open)
	a, err := all.ask(t.Context(), t.Context(), q, time.Minute)
	require.NoError(t, err)
	require.Equal(t, timemachine.StateDone, a.State)
	require.EqualValues(t, 1, g.begun.Load())
	require.Empty(t, all.all, "nothing is kept")
	_, err = all.ask(t.Context(), t.Context(), q, time.Minute)
	require.NoError(t, err)
	require.EqualValues(t, 2, g.begun.Load(), "it begins anew")
}

func TestRuns_MoreThanFour_AreRefused(t *testing.T) {
	t.Parallel()
	g := &gated{open: make(chan struct{})}
	all := newRuns(g.live, slog.New(slog.DiscardHandler))
	asked := []timemachine.Question{question(), question(), question(), question()}
	for _, q := range asked {
		_, err := all.ask(t.Context(), t.Context(), q, 0)
		require.NoError(t, err)
	}
	_, err := all.ask(t.Context(), t.Context(), question(), 0)
	require.ErrorIs(t, err, timemachine.ErrBusy)
	close(g.open)
	for _, q := range asked {
		a, err := all.ask(t.Context(), t.Context(), q, time.Minute)
		require.NoError(t, err)
		require.Equal(t, timemachine.StateDone, a.State)
	}
	require.EqualValues(t, 1, g.most.Load(), "one at a time")
	require.EqualValues(t, 4, g.begun.Load())
}

func TestRuns_FailedOrUnfetched_AreForgotten(t *testing.T) {
	t.Parallel()
	fails := func(context.Context, timemachine.Question, func(day, days int)) (timemachine.Answer, error) {
		return timemachine.Answer{}, errors.New("no")
	}
	all := newRuns(fails, slog.New(slog.DiscardHandler))
	_, err := all.ask(t.Context(), t.Context(), question(), time.Minute)
	require.Error(t, err)
	require.Empty(t, all.all)
	all.kept, all.limit = time.Millisecond, time.Millisecond
	_, err = all.ask(t.Context(), t.Context(), question(), 0)
	_ = err // fetched or not
	require.Eventually(t, func() bool {
		all.mu.Lock()
		defer all.mu.Unlock()
		return len(all.all) == 0
	}, time.Minute, time.Millisecond)
}

func TestRoutes_WrongKey_IsRefused(t *testing.T) {
	t.Parallel()
	const key = "a-key-of-more-than-24-characters"
	unknown := func(context.Context, timemachine.Question, func(day, days int)) (timemachine.Answer, error) {
		return timemachine.Answer{}, errs.NotFound()
	}
	h := routes(t.Context(), newRuns(unknown, slog.New(slog.DiscardHandler)), key, time.Minute)
	status := func(authorization, body string) int {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/ask", strings.NewReader(body))
		r.Header.Set("Authorization", authorization)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	good := `{"franchiser_id": "` + id.New() + `", "months": 1, "pays": "never"}`
	require.Equal(t, http.StatusUnauthorized, status("", good))
	require.Equal(t, http.StatusUnauthorized, status("Bearer "+key+"x", good))
	require.Equal(t, http.StatusBadRequest, status("Bearer "+key, `{"months": 99}`))
	require.Equal(t, http.StatusBadRequest, status("Bearer "+key, strings.Repeat(" ", maxQuestion)+good))
	require.Equal(t, http.StatusNotFound, status("Bearer "+key, good))
}
