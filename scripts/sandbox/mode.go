package sandbox

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// The ways in which every gateway's API can misbehave. In all of them what was asked for has taken effect.
const (
	ModeOK      = "ok"
	ModeError   = "error"   // 500
	ModeHTML    = "html"    // 200, but a maintenance page
	ModeSlow    = "slow"    // the right answer, a byte at a time, for minutes
	ModeTimeout = "timeout" // no answer at all
)

const (
	byteEvery    = 500 * time.Millisecond
	timeoutAfter = 2 * time.Minute
)

// Mode is how an API behaves and, when limited, for how many more calls.
type Mode struct {
	allowed []string

	mu    sync.Mutex
	name  string
	calls int // 0 means until changed
}

// NewMode returns a well-behaved API that knows the modes of this package and, beside them, more of its own.
func NewMode(more ...string) *Mode {
	return &Mode{
		allowed: append([]string{ModeOK, ModeError, ModeHTML, ModeSlow, ModeTimeout}, more...), name: ModeOK,
	}
}

// Set changes the mode from now on or, with calls above 0, for that many calls. It refuses an unknown name.
func (m *Mode) Set(name string, calls int) error {
	if !slices.Contains(m.allowed, name) {
		return errors.New("mode is one of: " + strings.Join(m.allowed, " "))
	}
	if calls < 0 {
		return errors.New("calls is not negative")
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.name, m.calls = name, calls
	return nil
}

// Current is the mode of the next call.
func (m *Mode) Current() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.name
}

// Next takes a call: it returns its mode. A limited mode falls back to ok after its last call.
func (m *Mode) Next() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	name := m.name
	if m.calls > 0 {
		if m.calls--; m.calls == 0 {
			m.name = ModeOK
		}
	}
	return name
}

// Handle is the control call GET: it tells the mode.
func (m *Mode) Handle(w http.ResponseWriter, _ *http.Request) {
	WriteJSON(w, http.StatusOK, map[string]string{"mode": m.Current()})
}

// HandleSet is the control call POST with `mode` and, optional, `calls`.
func (m *Mode) HandleSet(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		Mode  string `json:"mode"`
		Calls int    `json:"calls"`
	}
	err := ReadJSON(w, r, &asked)
	if err == nil {
		err = m.Set(asked.Mode, asked.Calls)
	}
	if err != nil {
		WriteError(w, http.StatusBadRequest, err)
		return
	}
	m.Handle(w, r)
}

// Answer is a call's right answer and, where the gateway has one of its own, its body for a fault of the server.
type Answer struct {
	Body  any                       // sent byte by byte in the mode slow
	Write func(http.ResponseWriter) // the right answer
	Fault func(http.ResponseWriter) // nil is a plain 500
}

// Write writes the answer, or does to it what the mode says. Modes of the gateway's own are answered rightly: they have
// changed the answer before.
func (m *Mode) Write(w http.ResponseWriter, r *http.Request, name string, closing <-chan struct{}, a Answer) {
	switch name {
	case ModeError:
		if a.Fault != nil {
			a.Fault(w)
			return
		}
		http.Error(w, "Internal Server Error", http.StatusInternalServerError)
	case ModeHTML:
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html><title>Maintenance</title><h1>We will be back soon</h1>"))
	case ModeSlow:
		writeSlowly(w, r, closing, a.Body)
	case ModeTimeout:
		select {
		case <-r.Context().Done():
		case <-closing:
		case <-time.After(timeoutAfter):
		}
	default:
		a.Write(w)
	}
}

func writeSlowly(w http.ResponseWriter, r *http.Request, closing <-chan struct{}, body any) {
	text, err := json.Marshal(body)
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
		case <-closing:
			return
		case <-time.After(byteEvery):
		}
	}
}
