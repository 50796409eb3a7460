package tenant

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

type domainRow struct {
	ID           string         `db:"id"`
	FranchiserID string         `db:"franchiser_id"`
	TenantID     string         `db:"tenant_id"`
	Domain       string         `db:"domain"`
	Display      string         `db:"display"`
	Token        string         `db:"token"`
	State        DomainState    `db:"state"`
	VerifiedAt   *time.Time     `db:"verified_at"`
	FoundTXT     pq.StringArray `db:"found_txt"`
	FoundIPs     pq.StringArray `db:"found_ips"`
	CAAName      string         `db:"caa_name"`
	FoundCAA     pq.StringArray `db:"found_caa"`
	Reason       string         `db:"reason"`
	ClaimedAt    time.Time      `db:"claimed_at"`
	StateSince   time.Time      `db:"state_since"`
	CheckedAt    *time.Time     `db:"checked_at"`
	AskedAt      *time.Time     `db:"check_asked_at"`
	MissingSince *time.Time     `db:"missing_since"`
	NextCheckAt  *time.Time     `db:"next_check_at"`
}

func (r domainRow) domain() *CustomDomain {
	return &CustomDomain{
		ID: r.ID, FranchiserID: r.FranchiserID, TenantID: r.TenantID, Domain: r.Domain, Display: r.Display, Token: r.Token,
		State: r.State, VerifiedAt: utc(r.VerifiedAt), FoundTXT: r.FoundTXT, FoundIPs: r.FoundIPs, CAAName: r.CAAName, FoundCAA: r.FoundCAA, Reason: r.Reason,
		ClaimedAt: r.ClaimedAt.UTC(), StateSince: r.StateSince.UTC(), CheckedAt: utc(r.CheckedAt), AskedAt: utc(r.AskedAt), NextCheckAt: utc(r.NextCheckAt), MissingSince: utc(r.MissingSince),
	}
}

func utc(t *time.Time) *time.Time {
	if t == nil {
		return nil
	}
	u := t.UTC()
	return &u
}

const domainColumns = `id, franchiser_id, tenant_id, domain, display, token, state, verified_at, found_txt, found_ips, reason,
    claimed_at, state_since, checked_at, next_check_at, check_asked_at, missing_since, caa_name, found_caa`

const domainOfSQL = `SELECT ` + domainColumns + ` FROM custom_domains WHERE franchiser_id = $1`

// domainOf returns the franchiser's custom domain, nil if there is none.
func domainOf(ctx context.Context, tx *sqlx.Tx, franchiserID string) (*CustomDomain, error) {
	return oneDomain(ctx, tx, domainOfSQL, franchiserID)
}

const domainByIDSQL = `SELECT ` + domainColumns + ` FROM custom_domains WHERE id = $1`

// domainByID is for the worker: it sees every franchiser's domain.
func domainByID(ctx context.Context, db sqlx.QueryerContext, domainID string) (*CustomDomain, error) {
	return oneDomain(ctx, db, domainByIDSQL, domainID)
}

const lockDomainSQL = domainByIDSQL + ` FOR UPDATE`

func lockDomain(ctx context.Context, tx *sqlx.Tx, domainID string) (*CustomDomain, error) {
	return oneDomain(ctx, tx, lockDomainSQL, domainID)
}

func oneDomain(ctx context.Context, db sqlx.QueryerContext, query, key string) (*CustomDomain, error) {
	var r domainRow
	err := sqlx.GetContext(ctx, db, &r, query, key)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil // having no custom domain is not an error
	}
	if err != nil {
		return nil, fmt.Errorf("read custom domain: %w", err)
	}
	return r.domain(), nil
}

// Concurrent claims to one name are checked one after the other.
const lockDomainNameSQL = `SELECT pg_advisory_xact_lock(hashtextextended($1, 360))`

func lockDomainName(ctx context.Context, tx *sqlx.Tx, domain string) error {
	return exec(ctx, tx, "lock domain name", lockDomainNameSQL, domain)
}

const verifiedClaimSQL = `SELECT id FROM verified_claim($1, $2)`

// verifiedClaim returns the id of another franchiser's claim that has proven the domain, "" if there is none.
func verifiedClaim(ctx context.Context, tx *sqlx.Tx, domain, franchiserID string) (string, error) {
	var found string
	err := tx.GetContext(ctx, &found, verifiedClaimSQL, domain, franchiserID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("find verified domain: %w", err)
	}
	return found, nil
}

const insertDomainSQL = `
INSERT INTO custom_domains (` + domainColumns + `)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`

func insertDomain(ctx context.Context, tx *sqlx.Tx, d CustomDomain) error {
	return exec(ctx, tx, "insert custom domain", insertDomainSQL, d.ID, d.FranchiserID, d.TenantID, d.Domain, d.Display, d.Token,
		d.State, d.VerifiedAt, pq.Array(d.FoundTXT), pq.Array(d.FoundIPs), d.Reason, d.ClaimedAt, d.StateSince, d.CheckedAt, d.NextCheckAt, d.AskedAt, d.MissingSince, d.CAAName, pq.Array(d.FoundCAA))
}

const saveDomainSQL = `
UPDATE custom_domains SET display = $3, state = $4, verified_at = $5, found_txt = $6, found_ips = $7, reason = $8,
    claimed_at = $9, state_since = $10, checked_at = $11, next_check_at = $12, check_asked_at = $13, missing_since = $14, caa_name = $15, found_caa = $16,
    request_id = CASE WHEN claimed_at = $9 THEN request_id ELSE current_request() END
WHERE franchiser_id = $1 AND id = $2`

func saveDomain(ctx context.Context, tx *sqlx.Tx, d CustomDomain) error {
	return exec(ctx, tx, "save custom domain", saveDomainSQL, d.FranchiserID, d.ID, d.Display, d.State, d.VerifiedAt,
		pq.Array(d.FoundTXT), pq.Array(d.FoundIPs), d.Reason, d.ClaimedAt, d.StateSince, d.CheckedAt, d.NextCheckAt, d.AskedAt, d.MissingSince, d.CAAName, pq.Array(d.FoundCAA))
}

const deleteDomainSQL = `DELETE FROM custom_domains WHERE franchiser_id = $1`

func deleteDomain(ctx context.Context, tx *sqlx.Tx, franchiserID string) error {
	return exec(ctx, tx, "delete custom domain", deleteDomainSQL, franchiserID)
}

type dueDomain struct {
	ID           string `db:"id"`
	FranchiserID string `db:"franchiser_id"`
}

// The next check is postponed in the same statement, so that a sweep a minute later takes other rows. The check itself
// sets the real time.
const takeDueDomainsSQL = `
UPDATE custom_domains SET next_check_at = $2 WHERE id IN (
    SELECT id FROM custom_domains WHERE domain_check_is_due(next_check_at, $1) ORDER BY next_check_at LIMIT $3 FOR UPDATE SKIP LOCKED
) RETURNING id, franchiser_id`

func takeDueDomains(ctx context.Context, tx *sqlx.Tx, now, putOff time.Time, limit int) ([]dueDomain, error) {
	var due []dueDomain
	if err := tx.SelectContext(ctx, &due, takeDueDomainsSQL, now, putOff, limit); err != nil {
		return nil, fmt.Errorf("take due domains: %w", err)
	}
	return due, nil
}
