package staff

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

const recordsSQL = `
SELECT a.sequence, a.id, a.staff_id, m.name AS staff_name, a.action, a.target, a.franchiser_ref, a.reason, a.before, a.after, a.at,
    coalesce(a.request_id::text, '') AS request_id, a.previous, a.hash
FROM staff_actions a JOIN staff m ON m.id = a.staff_id
WHERE ($1::bigint = 0 OR a.sequence < $1) AND ($2::uuid IS NULL OR a.staff_id = $2) AND ($3::text[] IS NULL OR a.action = ANY ($3))
  AND ($4::uuid IS NULL OR a.franchiser_ref = $4) AND ($5::timestamptz IS NULL OR a.at >= $5) AND ($6::timestamptz IS NULL OR a.at < $6)
ORDER BY a.sequence DESC LIMIT $7`

func records(ctx context.Context, tx *sqlx.Tx, f AuditFilter, limit int) ([]Record, error) {
	var kinds []string // all of them
	switch f.Action {
	case "":
	case ActionReads:
		kinds = readKinds()
	default:
		kinds = []string{f.Action}
	}
	list := []Record{}
	err := tx.SelectContext(ctx, &list, recordsSQL, f.Before, orNull(f.StaffID), pq.Array(kinds), orNull(f.FranchiserID),
		timeOrNull(f.From), timeOrNull(f.To), limit)
	if err != nil {
		return nil, fmt.Errorf("list audit records: %w", err)
	}
	return list, nil
}

const membersNamedSQL = `
SELECT t.target AS subject, m.name
FROM (SELECT DISTINCT target, CASE WHEN target ~ '^staff:[0-9a-f-]{36}$' THEN split_part(target, ':', 2)::uuid END AS id
    FROM unnest($1::text[]) AS target) t JOIN staff m ON m.id = t.id`

// nameSubjects fills in what each record was done to, and for whom.
func (s *Service) nameSubjects(ctx context.Context, tx *sqlx.Tx, list []Record) error {
	const customer = "customer:"
	var wanted []string
	for _, r := range list {
		wanted = append(wanted, r.Target)
		if r.FranchiserRef != nil {
			wanted = append(wanted, customer+*r.FranchiserRef)
		}
	}
	names, err := s.subjects.NamesTx(ctx, tx, wanted)
	if err != nil {
		return err
	}
	var members []struct {
		Subject string `db:"subject"`
		Name    string `db:"name"`
	}
	if err := tx.SelectContext(ctx, &members, membersNamedSQL, pq.Array(wanted)); err != nil {
		return fmt.Errorf("name the staff acted on: %w", err)
	}
	for _, m := range members {
		names[m.Subject] = m.Name
	}
	for i := range list {
		r := &list[i]
		if r.FranchiserRef != nil {
			r.CustomerName = names[customer+*r.FranchiserRef]
		}
		if !strings.HasPrefix(r.Target, customer) && r.Target != "staff:"+r.StaffID {
			r.Subject = names[r.Target]
		}
	}
	return nil
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func timeOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func members(ctx context.Context, db *sqlx.DB) ([]Member, error) {
	list := []Member{}
	if err := db.SelectContext(ctx, &list, `SELECT id, name, role FROM staff ORDER BY name, id`); err != nil {
		return nil, postgres.Error(fmt.Errorf("list staff: %w", err))
	}
	return list, nil
}

const lastCheckSQL = `SELECT at, entries, head, broken_at, problem FROM staff_audit_checks ORDER BY at DESC, id DESC LIMIT 1`

func lastCheck(ctx context.Context, db *sqlx.DB) (*Check, error) { return readLastCheck(ctx, db) }

// LastCheckTx returns the newest check of the chain, nil before the first.
func LastCheckTx(ctx context.Context, tx *sqlx.Tx) (*Check, error) { return readLastCheck(ctx, tx) }

func readLastCheck(ctx context.Context, q sqlx.QueryerContext) (*Check, error) {
	var c Check
	err := sqlx.GetContext(ctx, q, &c, lastCheckSQL)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // no check yet
	}
	if err != nil {
		return nil, postgres.Error(fmt.Errorf("read the last check: %w", err))
	}
	return &c, nil
}

const headSQL = `SELECT sequence, hash FROM staff_actions ORDER BY sequence DESC LIMIT 1`

func headTx(ctx context.Context, tx *sqlx.Tx) (entries int64, hash []byte, err error) {
	var head struct {
		Sequence int64  `db:"sequence"`
		Hash     []byte `db:"hash"`
	}
	err = tx.GetContext(ctx, &head, headSQL)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, []byte{}, nil
	}
	if err != nil {
		return 0, nil, fmt.Errorf("read the end of the trail: %w", err)
	}
	return head.Sequence, head.Hash, nil
}

// hashOfTx returns the hash of a record, nil if there is no such record.
func hashOfTx(ctx context.Context, tx *sqlx.Tx, sequence int64) ([]byte, error) {
	var hash []byte
	err := tx.GetContext(ctx, &hash, `SELECT hash FROM staff_actions WHERE sequence = $1`, sequence)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("read record: %w", err)
	}
	return hash, nil
}

const insertCheckSQL = `INSERT INTO staff_audit_checks (at, entries, head, broken_at, problem) VALUES ($1, $2, $3, $4, $5)`

func insertCheckTx(ctx context.Context, tx *sqlx.Tx, c Check) error {
	if _, err := tx.ExecContext(ctx, insertCheckSQL, c.At, c.Entries, c.Head, c.BrokenAt, c.Problem); err != nil {
		return fmt.Errorf("keep the check: %w", err)
	}
	return nil
}
