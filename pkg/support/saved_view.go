package support

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

// SavedView is a filter of one of the console's lists, kept under a name. Query is that of the list's address.
// Its owner changes it, and admins change shared ones.
type SavedView struct {
	ID        string    `db:"id"`
	List      string    `db:"list"`
	Name      string    `db:"name"`
	Query     string    `db:"query"`
	Shared    bool      `db:"shared"`
	Owner     string    `db:"staff_name"`
	StaffID   string    `db:"staff_id"`
	CreatedAt time.Time `db:"created_at"`
}

const (
	maxViewName  = 60
	maxViewQuery = 1000
	// maxViews is how many views one member of staff may keep of a list.
	maxViews = 50
)

// SavedViews keeps filters of the console's lists for staff.
type SavedViews struct {
	db    *sqlx.DB
	clock clock.Clock
}

// NewSavedViews returns the views over the pool.
func NewSavedViews(db *sqlx.DB, clk clock.Clock) *SavedViews {
	return wiring.Complete(&SavedViews{db: db, clock: clk})
}

// List returns one's own and the shared views of a list, by name.
func (s *SavedViews) List(ctx context.Context, list string) (views []SavedView, err error) {
	if err := checkList(list); err != nil {
		return nil, err
	}
	return views, postgres.InRead(ctx, s.db, func(tx *sqlx.Tx) error {
		views, err = savedViewsTx(ctx, tx, list)
		return err
	})
}

// Save keeps a filter under a name; KindConflict if one has a view of that name already.
func (s *SavedViews) Save(ctx context.Context, p staff.Principal, v SavedView) (SavedView, error) {
	if err := checkList(v.List); err != nil {
		return v, err
	}
	v.Query = strings.TrimPrefix(v.Query, "?")
	var err error
	if v.Name, err = cleanViewName(v.Name); err != nil {
		return v, err
	}
	if len(v.Query) > maxViewQuery {
		return v, errs.Invalid("Please check the marked fields.").Field("query", "These filters are too long to be kept.")
	}
	v.ID, v.StaffID, v.Owner, v.CreatedAt = id.New(), p.StaffID, p.Name, s.clock.Now()
	return v, postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return insertSavedViewTx(ctx, tx, v) })
}

// Change renames a view and shares it or not; KindNotFound for a view that is not there or may not be changed.
func (s *SavedViews) Change(ctx context.Context, viewID, name string, shared bool) error {
	name, err := cleanViewName(name)
	if err != nil {
		return err
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return changeSavedViewTx(ctx, tx, viewID, name, shared) })
}

// Delete takes a view away; KindNotFound as for Change.
func (s *SavedViews) Delete(ctx context.Context, viewID string) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error { return deleteSavedViewTx(ctx, tx, viewID) })
}

func checkList(list string) error {
	if !slices.Contains([]string{"jobs", "contacts", "audit"}, list) {
		return errs.Invalid("Please check the marked fields.").Field("list", "Kindly choose one")
	}
	return nil
}

func cleanViewName(name string) (string, error) {
	name = strings.Join(strings.Fields(name), " ")
	if n := utf8.RuneCountInString(name); n == 0 || n > maxViewName {
		return name, errs.Invalid("Please check the marked fields.").Field("name", "Give it a name of up to 60 characters.")
	}
	return name, nil
}
