package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"
)

// The ways in which the merchant API can misbehave. In all of them the command itself has taken effect.
const (
	modeOK      = "ok"
	modeError   = "error"   // 500
	modeHTML    = "html"    // 200, but a maintenance page
	modeSlow    = "slow"    // the right answer, a byte at a time, for minutes
	modeTimeout = "timeout" // no answer at all
)

const (
	dripEvery    = 500 * time.Millisecond
	timeoutAfter = 2 * time.Minute
)

// mood is the current mode and, when limited, how many more calls it lasts.
type mood struct {
	mu    sync.Mutex
	mode  string
	calls int // 0 means until changed
}

func (m *mood) set(mode string, calls int) error {
	if !slices.Contains([]string{modeOK, modeError, modeHTML, modeSlow, modeTimeout}, mode) {
		return errors.New("mode is one of: ok error html slow timeout")
	}
	if calls < 0 {
		return errors.New("calls is not negative")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mode, m.calls = mode, calls
	return nil
}

func (m *mood) current() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.mode
}

// next is the mode of this call; a limited mode falls back to ok after its last call.
func (m *mood) next() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	mode := m.mode
	if m.calls > 0 {
		if m.calls--; m.calls == 0 {
			m.mode = modeOK
		}
	}
	return mode
}

// misbehave writes the answer, or does to it what the mode says.
func (s *server) misbehave(w http.ResponseWriter, r *http.Request, format string, answer map[string]any) {
	switch s.mood.next() {
	case modeError:
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
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
		writeAnswer(w, format, answer)
	}
}

func (s *server) drip(w http.ResponseWriter, r *http.Request, answer map[string]any) {
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
