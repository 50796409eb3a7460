package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The ways in which the API can misbehave. In the first five what was asked for has taken effect; the others refuse it.
const (
	modeOK       = "ok"
	modeError    = "error"    // 500
	modeHTML     = "html"     // 200, but a maintenance page
	modeSlow     = "slow"     // the right answer, a byte at a time, for minutes
	modeTimeout  = "timeout"  // no answer at all
	modeThrottle = "throttle" // 429
	modeBalance  = "balance"  // refunds: 400, the account's balance is too small
)

const (
	dripEvery    = 500 * time.Millisecond
	timeoutAfter = 2 * time.Minute
)

func modes() []string {
	return []string{modeOK, modeError, modeHTML, modeSlow, modeTimeout, modeThrottle, modeBalance}
}

// mode is how the API behaves and, when limited, for how many more calls.
type mode struct {
	mu    sync.Mutex
	name  string
	calls int // 0 means until changed
}

func (m *mode) set(name string, calls int) error {
	if !slices.Contains(modes(), name) {
		return errors.New("mode is one of: " + strings.Join(modes(), " "))
	}
	if calls < 0 {
		return errors.New("calls is not negative")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.name, m.calls = name, calls
	return nil
}

func (m *mode) current() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.name
}

// next is the mode of this call; a limited mode falls back to ok after its last call.
func (m *mode) next() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	name := m.name
	if m.calls > 0 {
		if m.calls--; m.calls == 0 {
			m.name = modeOK
		}
	}
	return name
}

// misbehave writes the answer, or does to it what the mode says.
func (s *server) misbehave(w http.ResponseWriter, r *http.Request, name string, status int, answer any) {
	switch name {
	case modeError:
		writeJSON(w, http.StatusInternalServerError, errorBody(apiError{code: "SERVER_ERROR", description: "We are facing some trouble completing your request at the moment. Please try again shortly."}))
	case modeHTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>"))
	case modeSlow:
		s.drip(w, r, answer)
	case modeTimeout:
		select {
		case <-r.Context().Done():
		case <-s.closing:
		case <-time.After(timeoutAfter):
		}
	default:
		writeJSON(w, status, answer)
	}
}

func (s *server) drip(w http.ResponseWriter, r *http.Request, answer any) {
	text, err := json.Marshal(answer)
	if err != nil {
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	out := http.NewResponseController(w)
	for i := range text {
		if _, err := w.Write(text[i : i+1]); err != nil {
			return
		}
		if err := out.Flush(); err != nil {
			return
		}
		select {
		case <-r.Context().Done():
			return
		case <-s.closing:
			return
		case <-time.After(dripEvery):
		}
	}
}
