package tenant

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// CustomerSQL is for other domains' statements: the store and the domain of franchiser $1, in one row. Its columns are
// store_name, store_slug, domain_id (NULL without a domain), domain, domain_state and domain_reason.
const CustomerSQL = `
SELECT coalesce(t.store_name, '') AS store_name, coalesce(t.slug, '') AS store_slug,
    d.id AS domain_id, coalesce(d.domain, '') AS domain, coalesce(d.state, '') AS domain_state, coalesce(d.reason, '') AS domain_reason
FROM (VALUES ($1::uuid)) f (id)
LEFT JOIN tenants t ON t.franchiser_id = f.id
LEFT JOIN custom_domains d ON d.franchiser_id = f.id`

// DomainTx returns the franchiser's own domain; KindNotFound if it has none.
func DomainTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (domainID, domain string, err error) {
	var row struct {
		ID     string `db:"id"`
		Domain string `db:"domain"`
	}
	err = tx.GetContext(ctx, &row, `SELECT id, domain FROM custom_domains WHERE franchiser_id = $1`, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", "", errs.NotFound()
	}
	if err != nil {
		return "", "", fmt.Errorf("read domain: %w", err)
	}
	return row.ID, row.Domain, nil
}
