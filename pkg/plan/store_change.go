package plan

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

type changeStore struct{}

// The worker reads no names of staff.
const changeColumns = `c.id, c.state, c.base_revision, c.content, c.edit, c.drafted_by, c.drafted_at, c.edited_by, c.edited_at,
	c.effective_from, c.reason, coalesce(c.proposed_by::text, '') AS proposed_by, c.proposed_at,
	coalesce(c.approved_by::text, '') AS approved_by, c.approved_at, c.approval_reason, coalesce(c.ended_by::text, '') AS ended_by,
	c.ended_at, c.end_reason, c.revision, c.outcome, c.finished_at`

const (
	changeSQL = `
	SELECT ` + changeColumns + `, d.name AS drafted_by_name, e.name AS edited_by_name, coalesce(p.name, '') AS proposed_by_name,
		coalesce(a.name, '') AS approved_by_name, coalesce(w.name, '') AS ended_by_name
	FROM catalogue_changes c JOIN staff_overview d ON d.id = c.drafted_by JOIN staff_overview e ON e.id = c.edited_by
		LEFT JOIN staff_overview p ON p.id = c.proposed_by LEFT JOIN staff_overview a ON a.id = c.approved_by
		LEFT JOIN staff_overview w ON w.id = c.ended_by`
	listChangesSQL  = changeSQL + ` ORDER BY c.edited_at DESC, c.id DESC LIMIT $1 OFFSET $2`
	countChangesSQL = `SELECT count(*) FROM catalogue_changes`
	insertChangeSQL = `
	INSERT INTO catalogue_changes (id, state, base_revision, content, edit, drafted_by, drafted_at, edited_by, edited_at)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`
	saveChangeSQL = `
	UPDATE catalogue_changes SET base_revision = $2, content = $3, edit = $4, edited_by = $5, edited_at = $6 WHERE id = $1`
	proposeChangeSQL = `
	UPDATE catalogue_changes SET state = $2, effective_from = $3, reason = $4, proposed_by = $5, proposed_at = $6 WHERE id = $1`
	approveChangeSQL = `
	UPDATE catalogue_changes SET state = $2, approved_by = $3, approved_at = $4, approval_reason = $5 WHERE id = $1`
	endChangeSQL    = `UPDATE catalogue_changes SET state = $2, ended_by = $3, ended_at = $4, end_reason = $5 WHERE id = $1`
	finishChangeSQL = `UPDATE catalogue_changes SET state = $2, revision = $3, outcome = $4, finished_at = $5 WHERE id = $1`
	pendingSQL      = `SELECT EXISTS (SELECT FROM catalogue_changes WHERE state IN ('proposed', 'approved'))`
	// One worker locks a due change; another worker at the same time skips it.
	dueChangeSQL = `
	SELECT ` + changeColumns + ` FROM catalogue_changes c WHERE c.state = 'approved' AND c.effective_from <= $1
	ORDER BY c.effective_from LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`
	approvedChangeSQL = `SELECT ` + changeColumns + ` FROM catalogue_changes c WHERE c.state = 'approved' LIMIT 1`
	historySQL        = `
	SELECT r.revision, r.version, r.loaded_at, coalesce(c.id::text, '') AS change_id, coalesce(p.name, '') AS proposed_by_name,
		coalesce(a.name, '') AS approved_by_name, coalesce(c.reason, '') AS reason
	FROM catalogue_revisions r LEFT JOIN catalogue_changes c ON c.revision = r.revision
		LEFT JOIN staff_overview p ON p.id = c.proposed_by LEFT JOIN staff_overview a ON a.id = c.approved_by
	ORDER BY r.revision DESC LIMIT 50`
	knownIDsSQL = `
	SELECT p.name AS plan, coalesce(s.name, '') AS tier, coalesce(a.key, '') AS key, p.id AS plan_id, coalesce(s.id::text, '') AS service_id,
		coalesce(a.id::text, '') AS add_on_id
	FROM plans p LEFT JOIN plan_services s ON s.plan_id = p.id LEFT JOIN plan_add_ons a ON a.service_id = s.id`
)

func (changeStore) list(ctx context.Context, tx *sqlx.Tx, limit, offset int) ([]Change, int, error) {
	list := []Change{}
	if err := tx.SelectContext(ctx, &list, listChangesSQL, limit, offset); err != nil {
		return nil, 0, fmt.Errorf("list changes of the catalogue: %w", err)
	}
	var total int
	if err := tx.GetContext(ctx, &total, countChangesSQL); err != nil {
		return nil, 0, fmt.Errorf("count changes of the catalogue: %w", err)
	}
	return list, total, nil
}

func (s changeStore) change(ctx context.Context, tx *sqlx.Tx, changeID string) (Change, error) {
	return s.one(ctx, tx, changeSQL+` WHERE c.id = $1`, changeID)
}

func (s changeStore) locked(ctx context.Context, tx *sqlx.Tx, changeID string) (Change, error) {
	return s.one(ctx, tx, changeSQL+` WHERE c.id = $1 FOR NO KEY UPDATE OF c`, changeID)
}

func (changeStore) one(ctx context.Context, tx *sqlx.Tx, query, changeID string) (Change, error) {
	var c Change
	if !id.Valid(changeID) {
		return c, errs.NotFound()
	}
	err := tx.GetContext(ctx, &c, query, changeID)
	if errors.Is(err, sql.ErrNoRows) {
		return c, errs.NotFound()
	}
	if err != nil {
		return c, fmt.Errorf("read a change of the catalogue: %w", err)
	}
	return c, nil
}

// maybe returns nil where there is no such change.
func (changeStore) maybe(ctx context.Context, tx *sqlx.Tx, query string, arguments ...any) (*Change, error) {
	var c Change
	err := tx.GetContext(ctx, &c, query, arguments...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil //nolint:nilnil // no change is no error
	}
	if err != nil {
		return nil, fmt.Errorf("read a change of the catalogue: %w", err)
	}
	return &c, nil
}

func (s changeStore) insert(ctx context.Context, tx *sqlx.Tx, c Change) error {
	text, _ := json.Marshal(c.Content.Document) // strings, numbers and maps always marshal
	return s.exec(ctx, tx, insertChangeSQL, c.ID, c.State, c.BaseRevision, string(text), c.Edit, c.DraftedBy, c.DraftedAt, c.EditedBy, c.EditedAt)
}

func (s changeStore) save(ctx context.Context, tx *sqlx.Tx, c Change) error {
	text, _ := json.Marshal(c.Content.Document) // as above
	return s.exec(ctx, tx, saveChangeSQL, c.ID, c.BaseRevision, string(text), c.Edit, c.EditedBy, c.EditedAt)
}

func (s changeStore) propose(ctx context.Context, tx *sqlx.Tx, c Change) error {
	err := s.exec(ctx, tx, proposeChangeSQL, c.ID, c.State, c.EffectiveFrom, c.Reason, c.ProposedBy, c.ProposedAt)
	if postgres.Violates(err, postgres.UniqueViolation, "catalogue_changes_one_pending") {
		return ErrPending
	}
	return err
}

func (s changeStore) approve(ctx context.Context, tx *sqlx.Tx, c Change) error {
	return s.exec(ctx, tx, approveChangeSQL, c.ID, c.State, c.ApprovedBy, c.ApprovedAt, c.ApprovalReason)
}

func (s changeStore) end(ctx context.Context, tx *sqlx.Tx, c Change) error {
	return s.exec(ctx, tx, endChangeSQL, c.ID, c.State, c.EndedBy, c.EndedAt, c.EndReason)
}

func (s changeStore) finish(ctx context.Context, tx *sqlx.Tx, c Change) error {
	return s.exec(ctx, tx, finishChangeSQL, c.ID, c.State, c.Revision, c.Outcome, c.FinishedAt)
}

func (changeStore) exec(ctx context.Context, tx *sqlx.Tx, statement string, arguments ...any) error {
	if _, err := tx.ExecContext(ctx, statement, arguments...); err != nil {
		return fmt.Errorf("write a change of the catalogue: %w", err)
	}
	return nil
}

func (changeStore) pending(ctx context.Context, tx *sqlx.Tx) (bool, error) {
	var any bool
	if err := tx.GetContext(ctx, &any, pendingSQL); err != nil {
		return false, fmt.Errorf("look for a pending change of the catalogue: %w", err)
	}
	return any, nil
}

// Loaded is one revision of the catalogue with the change that made it. A revision loaded from a file has no change.
type Loaded struct {
	Revision       int       `db:"revision"`
	Version        string    `db:"version"`
	LoadedAt       time.Time `db:"loaded_at"`
	ChangeID       string    `db:"change_id"`
	ProposedByName string    `db:"proposed_by_name"`
	ApprovedByName string    `db:"approved_by_name"`
	Reason         string    `db:"reason"`
}

func (changeStore) history(ctx context.Context, tx *sqlx.Tx) ([]Loaded, error) {
	list := []Loaded{}
	if err := tx.SelectContext(ctx, &list, historySQL); err != nil {
		return nil, fmt.Errorf("list revisions of the catalogue: %w", err)
	}
	return list, nil
}

// catalogueOf returns a document with the ids of its plans, tiers and add-ons; new items get fresh ids.
func (changeStore) catalogueOf(ctx context.Context, tx *sqlx.Tx, d Document) (*Catalogue, error) {
	var rows []struct {
		Plan      string `db:"plan"`
		Tier      string `db:"tier"`
		Key       string `db:"key"`
		PlanID    string `db:"plan_id"`
		ServiceID string `db:"service_id"`
		AddOnID   string `db:"add_on_id"`
	}
	if err := tx.SelectContext(ctx, &rows, knownIDsSQL); err != nil {
		return nil, fmt.Errorf("read ids of the catalogue: %w", err)
	}
	known := map[string]string{}
	for _, r := range rows {
		known[r.Plan] = r.PlanID
		known[r.Plan+"\x00"+r.Tier] = r.ServiceID
		known[r.Plan+"\x00"+r.Tier+"\x00"+r.Key] = r.AddOnID
	}
	return d.catalogue(func(names ...string) string {
		name := strings.Join(names, "\x00")
		if known[name] == "" {
			known[name] = id.New()
		}
		return known[name]
	}), nil
}
