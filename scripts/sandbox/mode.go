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

// The modes shared by every gateway's API. In all of them the requested action has taken effect.
const (
	ModeOK      = "ok"
	ModeError   = "error"   // 500
	ModeHTML    = "html"    // 200, but a maintenance page
	ModeSlow    = "slow"    // the right answer, byte by byte, for minutes
	ModeTimeout = "timeout" // no answer at all
)

const (
	byteEvery    = 500 * time.Millisecond
	timeoutAfter = 2 * time.Minute
)

// Mode is how an API behaves and, if limited, for how many more calls.
type Mode struct {
	allowed []string

	mu    sync.Mutex
	name  string
	calls int // 0 means until changed
}

// NewMode returns a well-behaved API that supports this package's modes plus the given ones.
func NewMode(more ...string) *Mode {
	return &Mode{
		allowed: append([]string{ModeOK, ModeError, ModeHTML, ModeSlow, ModeTimeout}, more...), name: ModeOK,
	}
}

// Set changes the mode permanently or, with calls above 0, for that many calls. It rejects unknown names.
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

// Current returns the mode of the next call.
func (m *Mode) Current() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.name
}

// Next consumes a call and returns its mode. A limited mode reverts to ok after its last call.
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

// Handle is the GET control call: it returns the mode.
func (m *Mode) Handle(w http.ResponseWriter, _ *http.Request) {
	WriteJSON(w, http.StatusOK, map[string]string{"mode": m.Current()})
}

// HandleSet is the POST control call, with `mode` and optionally `calls`.
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

// Answer is a call's normal answer and, if the gateway has its own, its response to a server error.
type Answer struct {
	Body  any                       // sent byte by byte in slow mode
	Write func(http.ResponseWriter) // the normal answer
	Fault func(http.ResponseWriter) // nil means a plain 500
}

// Write writes the answer as the mode requires. For a gateway's own modes it writes it unchanged: the gateway has already
// altered it.
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
