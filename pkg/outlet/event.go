package outlet

import (
	"encoding/json"
	"strings"
	"time"
)

// Event is one change of an outlet. Details name fields and states, never the values that were entered.
type Event struct {
	Actor   string          `db:"actor"`
	Kind    string          `db:"kind"`
	Details json.RawMessage `db:"details"`
	At      time.Time       `db:"at"`
}

// Title says in a few words what happened.
func (e Event) Title() string {
	var d struct {
		State, From, To State
		Fields          []string
	}
	_ = json.Unmarshal(e.Details, &d) // written by insertEvent; an unreadable one has the plain title
	switch e.Kind {
	case "added":
		return "Added as " + strings.ToLower(d.State.Label())
	case "moved":
		return d.From.Label() + " → " + d.To.Label()
	case "removed":
		return "Removed with its import"
	case "changed":
		return "Changed: " + strings.Join(d.Fields, ", ")
	}
	return strings.ReplaceAll(e.Kind, "_", " ")
}
