package sandbox

import (
	"errors"
	"net/http"
	"strings"
	"sync"
)

// Hold keeps calls of the API at a chosen moment, so that a test can stop the caller there: before the gateway acts, or after it has acted
// and before it answers. A call that is let go acts and answers as ever, also where its caller is gone.
type Hold struct {
	mu    sync.Mutex
	rules []*rule
}

// rule holds the next calls that it matches.
type rule struct {
	Call  string `json:"call"`  // the name of the call
	About string `json:"about"` // text that the call contains, such as a mandate's id; any if empty
	When  string `json:"when"`  // before or after
	Calls int    `json:"calls"` // how many it holds, one if 0

	held    int
	release chan struct{}
}

// The moments at which a call is held.
const (
	before = "before"
	after  = "after"
)

// Before holds a call, until the sandbox closes at most, that a rule matches and upon which the gateway has not acted yet.
func (h *Hold) Before(closing <-chan struct{}, call, content string) {
	h.wait(closing, before, call, content)
}

// After holds a call whose answer is all that is missing.
func (h *Hold) After(closing <-chan struct{}, call, content string) {
	h.wait(closing, after, call, content)
}

func (h *Hold) wait(closing <-chan struct{}, when, call, content string) {
	if r := h.match(when, call, content); r != nil {
		select {
		case <-r.release:
		case <-closing:
		}
	}
}

func (h *Hold) match(when, call, content string) *rule {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, r := range h.rules {
		if r.When == when && r.Call == call && r.held < r.Calls && strings.Contains(content, r.About) {
			r.held++
			return r
		}
	}
	return nil
}

// Handle is the GET control call: it returns how many calls are held.
func (h *Hold) Handle(w http.ResponseWriter, _ *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	held := 0
	for _, r := range h.rules {
		held += r.held
	}
	WriteJSON(w, http.StatusOK, map[string]int{"held": held})
}

// HandleSet is the POST control call: it adds a rule.
func (h *Hold) HandleSet(w http.ResponseWriter, r *http.Request) {
	asked := &rule{release: make(chan struct{})}
	err := ReadJSON(w, r, asked)
	if err == nil && (asked.Call == "" || asked.When != before && asked.When != after || asked.Calls < 0) {
		err = errors.New("call is a name, when is before or after, calls is not negative")
	}
	if err != nil {
		WriteError(w, http.StatusBadRequest, err)
		return
	}
	asked.Calls = max(asked.Calls, 1)
	h.mu.Lock()
	h.rules = append(h.rules, asked)
	h.mu.Unlock()
	h.Handle(w, r)
}

// HandleRelease is the DELETE control call: it removes all rules and lets the calls go that they hold.
func (h *Hold) HandleRelease(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	for _, held := range h.rules {
		close(held.release)
	}
	h.rules = nil
	h.mu.Unlock()
	h.Handle(w, r)
}
