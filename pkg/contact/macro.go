package contact

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/text"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Macro is a reply that admins write once.
type Macro struct {
	ID        string    `db:"id"`
	Title     string    `db:"title"`
	Text      string    `db:"text"`
	ChangedBy string    `db:"changed_by"`
	Changer   string    `db:"changer"`
	ChangedAt time.Time `db:"changed_at"`
}

// Filled is a macro with the placeholders filled in for a request. Lacks names those for which the request has nothing.
type Filled struct {
	ID    string
	Title string
	Text  string
	Lacks []string
}

const (
	maxMacroTitle = 80
	maxMacroText  = 2000
)

// placeholders returns the values of the placeholders that a macro may contain.
func placeholders(r Request, by string) map[string]string {
	first, _, _ := strings.Cut(r.Name, " ")
	return map[string]string{
		"name": r.Name, "first_name": first, "topic": r.Topic, "reference": r.ID, "staff": by,
		"received_on": r.CreatedAt.In(clock.IST).Format("2 January 2006"), "customer": r.Customer,
	}
}

// Placeholders returns the words that a macro may hold in braces.
func Placeholders() []string {
	return []string{"name", "first_name", "topic", "reference", "received_on", "staff", "customer"}
}

var placeholder = regexp.MustCompile(`\{([^{}]*)\}`)

func filled(macros []Macro, r Request, by string) []Filled {
	values, out := placeholders(r, by), make([]Filled, 0, len(macros))
	for _, m := range macros {
		f := Filled{ID: m.ID, Title: m.Title, Lacks: []string{}}
		f.Text = placeholder.ReplaceAllStringFunc(m.Text, func(found string) string {
			name := strings.Trim(found, "{}")
			if values[name] == "" && !slices.Contains(f.Lacks, name) {
				f.Lacks = append(f.Lacks, name)
			}
			return values[name]
		})
		out = append(out, f)
	}
	return out
}

func (m *Macro) validate() error {
	var v errs.Validation
	var fits bool
	m.Title = strings.Join(strings.Fields(m.Title), " ")
	_, fits = cleanText(m.Title, maxMacroTitle)
	v.Check(fits && text.Storable(m.Title), "title", "Give it a title of up to 80 characters.")
	m.Text, fits = cleanText(m.Text, maxMacroText)
	v.Check(fits && text.Storable(m.Text) && !strings.ContainsFunc(m.Text, isOddControl), "text", "Write up to 2,000 characters.")
	for _, found := range placeholder.FindAllStringSubmatch(m.Text, -1) {
		if !slices.Contains(Placeholders(), found[1]) {
			v.Add("text", "There is no placeholder "+found[0]+". Use {"+strings.Join(Placeholders(), "}, {")+"}.")
			break
		}
	}
	if strings.ContainsAny(placeholder.ReplaceAllString(m.Text, ""), "{}") {
		v.Add("text", "Write placeholders as {name}, and no other braces.")
	}
	return v.Err()
}

// Macros returns all macros by title.
func (d *Desk) Macros(ctx context.Context) (list []Macro, err error) {
	return list, postgres.InRead(ctx, d.db, func(tx *sqlx.Tx) error {
		list, err = macrosTx(ctx, tx)
		return err
	})
}

// SaveMacro adds a macro, or changes the one with the id; KindConflict if another has the title.
func (d *Desk) SaveMacro(ctx context.Context, p staff.Principal, m Macro) (Macro, error) {
	if err := m.validate(); err != nil {
		return m, err
	}
	a := staff.Action{Action: "change_macro", Reason: "Changed a saved reply"}
	fresh := m.ID == ""
	if fresh {
		m.ID, a.Action, a.Reason = id.New(), "add_macro", "Added a saved reply"
	}
	m.ChangedBy, m.Changer, m.ChangedAt = p.StaffID, p.Name, d.clock.Now()
	a.Target = "macro:" + m.ID
	return m, postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		before := Macro{}
		var err error
		if !fresh {
			if before, err = macroTx(ctx, tx, m.ID); err != nil {
				return err
			}
			a.Before = staff.JSON(map[string]any{"title": before.Title, "text": before.Text})
		}
		if err := saveMacroTx(ctx, tx, m, fresh); err != nil {
			return err
		}
		a.After = staff.JSON(map[string]any{"title": m.Title, "text": m.Text})
		return d.recorder.RecordTx(ctx, tx, p, a)
	})
}

// DeleteMacro deletes a macro, or returns KindNotFound.
func (d *Desk) DeleteMacro(ctx context.Context, p staff.Principal, macroID string) error {
	return postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		before, err := macroTx(ctx, tx, macroID)
		if err != nil {
			return err
		}
		if err := deleteMacroTx(ctx, tx, macroID); err != nil {
			return err
		}
		return d.recorder.RecordTx(ctx, tx, p, staff.Action{
			Action: "delete_macro", Target: "macro:" + macroID, Reason: "Deleted a saved reply",
			Before: staff.JSON(map[string]any{"title": before.Title, "text": before.Text}),
		})
	})
}
