package timeline

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/log"
)

// given declares the types of the first two parameters, whichever sources use them.
const given = `WITH given AS (SELECT $1::uuid AS franchiser, $2::text AS mobile)
`

// shown returns the SQL for the visible part of a source's row.
func (s *Service) shown() string {
	return `SELECT u.at, u.id, u.kind, u.title, u.status, u.reference, coalesce(u.request, '') AS request_id, u.details,
		coalesce(CASE u.actor WHEN 'staff' THEN ` + s.staffName("(SELECT franchiser FROM given)", "u.request") + `
			WHEN 'customer' THEN ` + s.memberName("(SELECT franchiser FROM given)", "u.request") + ` END, u.actor) AS actor
		FROM `
}

// rows returns the source's rows under names that distinguish them from those of other sources.
func (s Source) rows() string {
	return `SELECT e.at, '` + s.Name + `.' || e.id AS id, '` + string(s.Kind) + `' AS kind, e.title, e.status, e.reference, e.actor, e.request, e.details
		FROM (` + s.SQL + `) e`
}

// page limits a source to what precedes the time $3 and the entry $4, at most $5 rows.
func (s Source) page() string {
	return `(` + s.rows() + `
		WHERE $3::timestamptz IS NULL OR e.at < $3 OR e.at = $3 AND ('` + s.Name + `.' || e.id) COLLATE "C" < $4
		ORDER BY e.at DESC, e.id COLLATE "C" DESC LIMIT $5)`
}

// entriesTx reads one entry more than requested, to learn whether there is a next page.
func (s *Service) entriesTx(ctx context.Context, tx *sqlx.Tx, chosen []Source, q Query, at *time.Time, entryID string) ([]Entry, error) {
	parts := make([]string, 0, len(chosen))
	for _, one := range chosen {
		parts = append(parts, one.page())
	}
	if len(parts) == 0 {
		return []Entry{}, nil
	}
	query := given + s.shown() + "(" + strings.Join(parts, "\nUNION ALL ") + ") u\nORDER BY u.at DESC, u.id COLLATE \"C\" DESC LIMIT $5"
	return s.selectEntries(ctx, tx, query, franchiserOrNone(q.FranchiserID), q.Mobile, at, entryID, q.Limit+1)
}

func franchiserOrNone(franchiserID string) *string {
	if franchiserID == "" {
		return nil
	}
	return &franchiserID
}

func (s *Service) entryTx(ctx context.Context, tx *sqlx.Tx, of Source, franchiserID, mobile, entryID string) ([]Entry, error) {
	query := given + s.shown() + "(" + of.rows() + ") u WHERE u.id = $3"
	return s.selectEntries(ctx, tx, query, franchiserID, mobile, entryID)
}

func (s *Service) selectEntries(ctx context.Context, tx *sqlx.Tx, query string, args ...any) ([]Entry, error) {
	var rows []struct {
		At        time.Time `db:"at"`
		ID        string    `db:"id"`
		Kind      Kind      `db:"kind"`
		Title     string    `db:"title"`
		Status    string    `db:"status"`
		Reference string    `db:"reference"`
		Actor     string    `db:"actor"`
		RequestID string    `db:"request_id"`
		Details   []byte    `db:"details"`
	}
	if err := tx.SelectContext(ctx, &rows, query, args...); err != nil {
		return nil, fmt.Errorf("read timeline: %w", err)
	}
	entries := make([]Entry, 0, len(rows))
	for _, r := range rows {
		e := Entry{ID: r.ID, At: r.At.UTC(), Kind: r.Kind, Title: r.Title, Status: r.Status, Reference: r.Reference, Actor: r.Actor, RequestID: r.RequestID}
		if err := json.Unmarshal(r.Details, &e.Details); err != nil {
			return nil, fmt.Errorf("read timeline: %w", err)
		}
		if reason, ok := e.Details["error"].(string); ok {
			e.Details["error"] = s.failureText(reason)
		}
		e.Details, _ = log.MaskValue(e.Details).(map[string]any)
		entries = append(entries, e)
	}
	return entries, nil
}
