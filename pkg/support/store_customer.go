package support

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// customerSQL combines, in one round trip, each domain's data about franchiser $1.
const customerSQL = `
SELECT who.id, who.name, who.mobile, who.email, who.created_at, who.erased, who.erasure_at, who.totp_enabled, who.open_sessions,
    who.last_seen_at, who.last_code_error, who.wrong_codes, who.last_wrong_at,
    plan.state, plan.plan, plan.plan_type, plan.renew_on, plan.add_ons,
    store.store_name, store.store_slug, store.domain_id, store.domain, store.domain_state, store.domain_reason,
    place.address, place.legal_name, place.gstin,
    paid.payment_id, paid.payment_transaction, paid.payment_gateway, paid.payment_state, paid.payment_reason, paid.payment_paise, paid.payment_at,
    paid.open_payments, paid.refunded_paise, paid.open_disputes, paid.owed_paise,
    documents.missing_documents,
    (SELECT count(*) FROM job_overview j WHERE j.metadata ->> 'franchiser_id' = who.id::text
        AND (j.state = 'discarded' OR j.state IN ('retryable', 'available', 'running') AND cardinality(j.errors) > 0) AND NOT j.metadata ? 'dismissed_at') AS failed_jobs
FROM (` + account.CustomerSQL + `) who, (` + subscription.CustomerSQL + `) plan, (` + tenant.CustomerSQL + `) store,
    (` + address.CustomerSQL + `) place, (` + payment.CustomerSQL + `) paid, (` + invoice.CustomerSQL + `) documents`

func customerTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (Customer, error) {
	var c Customer
	err := tx.GetContext(ctx, &c, customerSQL, franchiserID)
	if errors.Is(err, sql.ErrNoRows) {
		return Customer{}, errs.NotFound()
	}
	if err != nil {
		return Customer{}, fmt.Errorf("read customer: %w", err)
	}
	return c, nil
}
