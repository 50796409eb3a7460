package outlet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/tenant"
)

const (
	columns = `f.id, f.name, f.code, f.address, f.city, coalesce(f.state_id, '') AS state_id, f.pin, f.phone, f.hours, f.state,
    f.revision, f.created_at, coalesce(f.partner_id::text, '') AS partner_id,
    coalesce((SELECT p.name FROM outlet_partners p WHERE p.franchiser_id = f.franchiser_id AND p.id = f.partner_id), '') AS partner_name`
	// $1 franchiser, $2 store, $3 pattern, $4 state, $5 city in lower case, $6 partner.
	selected = `
FROM franchises f
WHERE f.franchiser_id = $1 AND f.tenant_id = $2 AND f.removed_at IS NULL
    AND ($3 = '' OR f.name_key LIKE $3 OR lower(f.code) LIKE $3 OR lower(f.city) LIKE $3 OR f.pin LIKE $3)
    AND ($4 = '' OR f.state = $4) AND ($5 = '' OR lower(f.city) = $5)
    AND ($6 = '' OR f.partner_id = nullif($6, '')::uuid)`
	// The page begins after the row that the cursor names; without one ($7 false) at the start.
	listNewestSQL = `SELECT ` + columns + selected + `
    AND (NOT $7::bool OR (f.created_at, f.id) < ($8::timestamptz, $11::uuid)) AND $9::text IS NOT NULL AND $10::text IS NOT NULL
ORDER BY f.created_at DESC, f.id DESC LIMIT $12`
	listNameSQL = `SELECT ` + columns + selected + `
    AND (NOT $7::bool OR (f.name_key, f.id) > ($10::text, $11::uuid)) AND $8::timestamptz IS NOT NULL AND $9::text IS NOT NULL
ORDER BY f.name_key, f.id LIMIT $12`
	listCitySQL = `SELECT ` + columns + selected + `
    AND (NOT $7::bool OR (lower(f.city), f.name_key, f.id) > ($9::text, $10::text, $11::uuid)) AND $8::timestamptz IS NOT NULL
ORDER BY lower(f.city), f.name_key, f.id LIMIT $12`
	countSelectedSQL = `SELECT count(*)` + selected
)

func (q Query) filters(ref tenant.Ref) []any {
	return []any{ref.FranchiserID, ref.TenantID, pattern(q.Search), string(q.State), strings.ToLower(q.City), q.PartnerID}
}

// list returns a page; one outlet more than the limit is read to see whether another page follows.
func list(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, q Query) (Page, error) {
	statement := map[Sort]string{SortNewest: listNewestSQL, SortName: listNameSQL, SortCity: listCitySQL}[q.Sort]
	c := readCursor(q.Sort, q.After)
	after := cursor{ID: id.New()}
	if c != nil {
		after = *c
	}
	p := Page{Outlets: []Outlet{}}
	args := append(q.filters(ref), c != nil, after.At, after.City, after.Name, after.ID, q.Limit+1)
	if err := tx.SelectContext(ctx, &p.Outlets, statement, args...); err != nil {
		return Page{}, fmt.Errorf("list outlets: %w", err)
	}
	if len(p.Outlets) > q.Limit {
		p.Outlets = p.Outlets[:q.Limit]
		p.Next = cursorOf(q.Sort, p.Outlets[q.Limit-1])
	}
	return p, nil
}

func countSelected(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, q Query) (int, error) {
	var n int
	if err := tx.GetContext(ctx, &n, countSelectedSQL, q.filters(ref)...); err != nil {
		return 0, fmt.Errorf("count outlets: %w", err)
	}
	return n, nil
}

const findSQL = `SELECT ` + columns + ` FROM franchises f
WHERE f.franchiser_id = $1 AND f.tenant_id = $2 AND f.id = $3 AND f.removed_at IS NULL`

// find returns the outlet, locked for a change if lock is set, or errs.NotFound.
func find(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, outletID string, lock bool) (Outlet, error) {
	statement := findSQL
	if lock {
		statement += ` FOR UPDATE`
	}
	return one(ctx, tx, statement, ref.FranchiserID, ref.TenantID, outletID)
}

const byRequestSQL = `SELECT ` + columns + ` FROM franchises f WHERE f.franchiser_id = $1 AND f.tenant_id = $2 AND f.request_key = $3`

func byRequest(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, key string) (Outlet, error) {
	return one(ctx, tx, byRequestSQL, ref.FranchiserID, ref.TenantID, key)
}

func one(ctx context.Context, tx *sqlx.Tx, statement string, args ...any) (Outlet, error) {
	var o Outlet
	err := get(ctx, tx, &o, "read outlet", statement, args...)
	return o, err
}

const insertSQL = `
INSERT INTO franchises (id, franchiser_id, tenant_id, name, name_key, code, address, city, state_id, pin, phone, hours, state,
    request_key, created_at, updated_at, partner_id, import_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, nullif($9, ''), $10, $11, $12, $13, nullif($14, ''), $15, $15, nullif($16, '')::uuid,
    nullif($17, '')::uuid)`

// insert adds an outlet: of the form with the key, or of the import.
func insert(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, o Outlet, key, importID string) error {
	_, err := tx.ExecContext(ctx, insertSQL, o.ID, ref.FranchiserID, ref.TenantID, o.Name, strings.ToLower(o.Name), o.Code, o.Address,
		o.City, o.StateID, o.PIN, o.Phone, o.Hours, o.State, key, o.CreatedAt, o.PartnerID, importID)
	return taken("insert outlet", err)
}

const updateSQL = `
UPDATE franchises SET name = $4, name_key = $5, code = $6, address = $7, city = $8, state_id = nullif($9, ''), pin = $10, phone = $11,
    hours = $12, state = $13, updated_at = $14, partner_id = nullif($15, '')::uuid, revision = revision + 1
WHERE franchiser_id = $1 AND tenant_id = $2 AND id = $3`

func update(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, o Outlet, now time.Time) error {
	_, err := tx.ExecContext(ctx, updateSQL, ref.FranchiserID, ref.TenantID, o.ID, o.Name, strings.ToLower(o.Name), o.Code, o.Address,
		o.City, o.StateID, o.PIN, o.Phone, o.Hours, o.State, now, o.PartnerID)
	return taken("update outlet", err)
}

func taken(what string, err error) error {
	switch {
	case err == nil:
		return nil
	case postgres.Violates(err, postgres.UniqueViolation, "franchises_name"):
		return ErrNameTaken
	case postgres.Violates(err, postgres.UniqueViolation, "franchises_code"):
		return ErrCodeTaken
	default:
		return fmt.Errorf("%s: %w", what, err)
	}
}

const countSQL = `SELECT count(*) FROM franchises WHERE franchiser_id = $1 AND removed_at IS NULL AND state <> 'closed'`

// CountTx counts the franchiser's outlets that take a place of the plan.
func CountTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (int, error) {
	return count(ctx, tx, franchiserID)
}

func count(ctx context.Context, tx *sqlx.Tx, franchiserID string) (int, error) {
	var n int
	if err := tx.GetContext(ctx, &n, countSQL, franchiserID); err != nil {
		return 0, fmt.Errorf("count outlets: %w", err)
	}
	return n, nil
}

const byStateSQL = `SELECT state, count(*) AS n FROM franchises
WHERE franchiser_id = $1 AND tenant_id = $2 AND removed_at IS NULL GROUP BY state`

func byState(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref) (map[State]int, error) {
	var rows []struct {
		State State `db:"state"`
		N     int   `db:"n"`
	}
	if err := tx.SelectContext(ctx, &rows, byStateSQL, ref.FranchiserID, ref.TenantID); err != nil {
		return nil, fmt.Errorf("count outlets by state: %w", err)
	}
	counts := map[State]int{}
	for _, r := range rows {
		counts[r.State] = r.N
	}
	return counts, nil
}

// As many cities as a list to choose from can show; all others are found by the search.
const citiesSQL = `SELECT min(city) FROM franchises
WHERE franchiser_id = $1 AND tenant_id = $2 AND removed_at IS NULL GROUP BY lower(city) ORDER BY lower(city) LIMIT 200`

func cities(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref) ([]string, error) {
	names := []string{}
	if err := tx.SelectContext(ctx, &names, citiesSQL, ref.FranchiserID, ref.TenantID); err != nil {
		return nil, fmt.Errorf("list cities of outlets: %w", err)
	}
	return names, nil
}

const insertEventSQL = `
INSERT INTO outlet_events (id, franchiser_id, tenant_id, outlet_id, actor, member_id, kind, details, at)
VALUES ($1, $2, $3, $4, $5, nullif($6, '')::uuid, $7, $8, $9)`

// insertEvent notes what happened to an outlet, or with a nil outletID to a partner. What a member of the team does for the owner is
// noted as the member's.
func insertEvent(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, outletID any, actor, kind string, details map[string]any, now time.Time) error {
	raw, err := json.Marshal(details)
	if err != nil {
		return fmt.Errorf("details of an event: %w", err)
	}
	memberID := ""
	if actor == ownerActor && ref.MemberID != "" {
		actor, memberID = memberActor, ref.MemberID
	}
	if _, err := tx.ExecContext(ctx, insertEventSQL, id.New(), ref.FranchiserID, ref.TenantID, outletID, actor, memberID, kind, string(raw), now); err != nil {
		return fmt.Errorf("insert outlet event: %w", err)
	}
	return nil
}

const eventsSQL = `SELECT actor, kind, details, at FROM outlet_events
WHERE franchiser_id = $1 AND tenant_id = $2 AND outlet_id = $3 ORDER BY at DESC, id DESC LIMIT 20`

func events(ctx context.Context, tx *sqlx.Tx, ref tenant.Ref, outletID string) ([]Event, error) {
	list := []Event{}
	if err := tx.SelectContext(ctx, &list, eventsSQL, ref.FranchiserID, ref.TenantID, outletID); err != nil {
		return nil, fmt.Errorf("list outlet events: %w", err)
	}
	return list, nil
}

// Erasure keeps rows that others refer to and blanks their content. What happened names no content.
const (
	blanks = `name = 'Erased', name_key = id::text, code = '', address = '', city = 'Erased', state_id = NULL, pin = '',
    phone = '', hours = '', request_key = NULL, partner_id = NULL`
	eraseSQL = `UPDATE franchises SET ` + blanks + `, removed_at = coalesce(removed_at, $2) WHERE franchiser_id = $1`
)

func erase(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) error {
	return errors.Join(execute(ctx, tx, "erase outlets", eraseSQL, franchiserID, now), erasePartners(ctx, tx, franchiserID, now))
}

const exportedSQL = `SELECT name, code, address, city, pin, phone, hours, state FROM franchises
WHERE franchiser_id = $1 AND removed_at IS NULL ORDER BY created_at, id`

func exported(ctx context.Context, tx *sqlx.Tx, franchiserID string) ([]Export, error) {
	list := []Export{}
	if err := tx.SelectContext(ctx, &list, exportedSQL, franchiserID); err != nil {
		return nil, fmt.Errorf("export outlets: %w", err)
	}
	return list, nil
}
