package worklist

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
	"github.com/franchise360/franchise360/pkg/staff"
)

const (
	maxRows = 200 // of one group
	maxName = 120 // bytes of a kind or key
)

// Recorder records staff actions in the transaction that performs them; staff.Service implements it.
type Recorder interface {
	RecordTx(ctx context.Context, tx *sqlx.Tx, p staff.Principal, a staff.Action) error
}

// Service is the work list. It runs with the API's role.
type Service struct {
	db       *sqlx.DB
	clock    clock.Clock
	recorder Recorder
	names    Namer
	sources  []Source
}

// Namer names customers to staff, by "customer:" and the id; implemented by support.Subjects.
type Namer interface {
	NamesTx(ctx context.Context, tx *sqlx.Tx, targets []string) (map[string]string, error)
}

// NewService returns the work list of these sources, in their order.
func NewService(db *sqlx.DB, clk clock.Clock, recorder Recorder, names Namer, sources []Source) *Service {
	return wiring.Complete(&Service{db: db, clock: clk, recorder: recorder, names: names, sources: sources})
}

// of returns the sources that the role sees.
func (s *Service) of(role staff.Role) []Source {
	return slices.DeleteFunc(slices.Clone(s.sources), func(one Source) bool { return !one.seenBy(role) })
}

// List returns a group for each kind of work that the member of staff sees, also where nothing waits.
func (s *Service) List(ctx context.Context, p staff.Principal) (groups []Group, err error) {
	sources := s.of(p.Role)
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		claims, err := claimsTx(ctx, tx)
		if err != nil {
			return err
		}
		groups = make([]Group, 0, len(sources))
		for _, source := range sources {
			items, total, err := source.Read(ctx, tx, s.clock.Now(), maxRows)
			if err != nil {
				return fmt.Errorf("work of kind %s: %w", source.Kind, err)
			}
			g := Group{Source: source, Count: total, Rows: make([]Row, 0, len(items))}
			for _, item := range items {
				row := Row{Item: item}
				row.Since = row.Since.UTC()
				row.ClaimedBy, row.ClaimedByID = item.Owner, item.OwnerID
				if source.Own {
					row.ClaimedBy, row.ClaimedByID = p.Name, p.StaffID
				}
				if other, ok := item.ToDoOf[p.Role]; ok {
					row.ToDo = other
				}
				if c, claimed := claims[name{source.Kind, item.Key}]; claimed {
					at := c.At.UTC()
					row.ClaimedBy, row.ClaimedByID, row.ClaimedAt = c.Name, c.StaffID, &at
				}
				g.Rows = append(g.Rows, row)
			}
			groups = append(groups, g)
		}
		return s.nameTx(ctx, tx, groups)
	})
	return groups, err
}

// nameTx names the customers of all rows, in one round trip.
func (s *Service) nameTx(ctx context.Context, tx *sqlx.Tx, groups []Group) error {
	targets := []string{}
	for _, g := range groups {
		for _, row := range g.Rows {
			if row.CustomerID != "" {
				targets = append(targets, "customer:"+row.CustomerID)
			}
		}
	}
	names, err := s.names.NamesTx(ctx, tx, targets)
	if err != nil {
		return err
	}
	for _, g := range groups {
		for i := range g.Rows {
			g.Rows[i].Customer = names["customer:"+g.Rows[i].CustomerID]
		}
	}
	return nil
}

// errClaimed reports that a colleague has claimed the row.
func errClaimed(by string) error {
	return errs.New(errs.KindConflict, "claimed", by+" sees to this already. Take it over to see to it yourself.")
}

// Claim notes that the member of staff sees to the row; takeOver does so where another one claimed it. A repeated claim changes nothing.
func (s *Service) Claim(ctx context.Context, p staff.Principal, kind, key string, takeOver bool) error {
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := s.waitsTx(ctx, tx, p.Role, kind, key); err != nil {
			return err
		}
		now := s.clock.Now()
		fresh, err := insertTx(ctx, tx, kind, key, p.StaffID, now)
		if err != nil {
			return err
		}
		before := ""
		if !fresh {
			c, err := lockTx(ctx, tx, kind, key)
			if err != nil || c.StaffID == p.StaffID {
				return err
			}
			if !takeOver {
				return errClaimed(c.Name)
			}
			if err := moveTx(ctx, tx, kind, key, p.StaffID, now); err != nil {
				return err
			}
			before = c.Name
		}
		return s.record(ctx, tx, p, "claim_work", kind, key, before, p.Name)
	})
}

// Release releases the row; it does nothing if another member of staff has claimed it.
func (s *Service) Release(ctx context.Context, p staff.Principal, kind, key string) error {
	var v errs.Validation
	v.Check(kind != "" && len(kind) <= maxName, "kind", "Name the kind of the row.")
	v.Check(key != "" && len(key) <= maxName, "key", "Name the row.")
	if err := v.Err(); err != nil {
		return err
	}
	return postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		done, err := releaseTx(ctx, tx, kind, key, p.StaffID)
		if err != nil || !done {
			return err
		}
		return s.record(ctx, tx, p, "release_work", kind, key, p.Name, "")
	})
}

func (s *Service) record(ctx context.Context, tx *sqlx.Tx, p staff.Principal, action, kind, key, before, after string) error {
	return s.recorder.RecordTx(ctx, tx, p, staff.Action{
		Action: action, Target: "work:" + kind + ":" + key, Reason: "On the work list.",
		Before: staff.JSON(map[string]any{"claimed_by": before}), After: staff.JSON(map[string]any{"claimed_by": after}),
	})
}

// waitsTx fails with KindNotFound unless the row waits and the role sees it.
func (s *Service) waitsTx(ctx context.Context, tx *sqlx.Tx, role staff.Role, kind, key string) error {
	sources := s.of(role)
	i := slices.IndexFunc(sources, func(source Source) bool { return source.Kind == kind })
	if i < 0 {
		return errs.NotFound()
	}
	items, _, err := sources[i].Read(ctx, tx, s.clock.Now(), maxRows)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(items, func(item Item) bool { return item.Key == key }) {
		return errs.NotFound()
	}
	return nil
}

type name struct{ kind, key string }

type claim struct {
	Kind    string    `db:"kind"`
	Key     string    `db:"row_key"`
	StaffID string    `db:"claimed_by"`
	Name    string    `db:"name"`
	At      time.Time `db:"claimed_at"`
}

func claimColumns() string {
	return `c.kind, c.row_key, c.claimed_by, c.claimed_at, ` + staff.NameSQL("c.claimed_by") + ` AS name`
}

func claimsTx(ctx context.Context, tx *sqlx.Tx) (map[name]claim, error) {
	var list []claim
	if err := tx.SelectContext(ctx, &list, `SELECT `+claimColumns()+` FROM work_claims c`); err != nil {
		return nil, fmt.Errorf("list claims: %w", err)
	}
	claims := make(map[name]claim, len(list))
	for _, c := range list {
		claims[name{c.Kind, c.Key}] = c
	}
	return claims, nil
}

const (
	insertSQL  = `INSERT INTO work_claims (kind, row_key, claimed_by, claimed_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`
	moveSQL    = `UPDATE work_claims SET claimed_by = $3, claimed_at = $4 WHERE kind = $1 AND row_key = $2`
	releaseSQL = `DELETE FROM work_claims WHERE kind = $1 AND row_key = $2 AND claimed_by = $3`
	pruneSQL   = `DELETE FROM work_claims WHERE claimed_at < $1`
)

func insertTx(ctx context.Context, tx *sqlx.Tx, kind, key, staffID string, now time.Time) (bool, error) {
	return one(tx.ExecContext(ctx, insertSQL, kind, key, staffID, now))
}

func releaseTx(ctx context.Context, tx *sqlx.Tx, kind, key, staffID string) (bool, error) {
	return one(tx.ExecContext(ctx, releaseSQL, kind, key, staffID))
}

func moveTx(ctx context.Context, tx *sqlx.Tx, kind, key, staffID string, now time.Time) error {
	_, err := one(tx.ExecContext(ctx, moveSQL, kind, key, staffID, now))
	return err
}

func one(done sql.Result, err error) (bool, error) {
	if err != nil {
		return false, fmt.Errorf("change claim: %w", err)
	}
	n, err := done.RowsAffected()
	return n == 1, err
}

func lockTx(ctx context.Context, tx *sqlx.Tx, kind, key string) (claim, error) {
	var c claim
	err := tx.GetContext(ctx, &c, `SELECT `+claimColumns()+` FROM work_claims c WHERE c.kind = $1 AND c.row_key = $2 FOR UPDATE OF c`, kind, key)
	if errors.Is(err, sql.ErrNoRows) {
		return c, errs.New(errs.KindConflict, "claimed", "It was released at this moment. Try again.")
	}
	if err != nil {
		return c, fmt.Errorf("read claim: %w", err)
	}
	return c, nil
}

// keepFor is how long an unreleased claim is kept.
const keepFor = 31 * 24 * time.Hour

// Purge deletes old claims. It needs the worker's role.
func Purge(ctx context.Context, db *sqlx.DB, now time.Time) error {
	_, err := postgres.DeleteInBatches(ctx, db, pruneSQL, now.Add(-keepFor))
	return err
}
