package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// ofCustomer are the tables whose rows of the customer are copied, by the column that names the customer. Sessions, codes, notes of staff
// and whatever else decides nothing about money and messages stay where they are.
func ofCustomer() map[string][]string {
	return map[string][]string{
		"id": {"franchisers"},
		"franchiser_id": {
			"business_addresses", "tenants", "subscriptions", "subscription_add_ons", "subscription_events", "terms", "orders", "order_lines",
			"order_credits", "renewal_reminders", "price_notices", "debited_renewals", "payments", "payment_events", "refunds", "disputes", "invoices",
			"invoice_lines", "invoice_documents", "input_tax_states", "mandates", "mandate_debits", "proformas", "ledger_journals",
			"ledger_lines", "deliveries",
		},
		"franchiser_ref": {"reversals", "customer_messages", "message_preferences", "whatsapp_consents", "tds_records"},
	}
}

// ofAll are the tables that are copied whole: the catalogue, the document numbers, and the locks of the ledger.
func ofAll() []string {
	return []string{
		"catalogue_revisions", "catalogue_changes", "plans", "plan_revisions", "plan_features", "plan_deliveries", "plan_services", "plan_service_revisions",
		"plan_add_ons", "plan_add_on_revisions", "invoice_counters", "book_locks", "bank_holidays",
	}
}

// maskSQL takes the secrets of the copy away, before anything else reads it.
const maskSQL = `UPDATE franchisers SET password_hash = 'none', totp_secret = NULL, totp_enabled_at = NULL, totp_begun_at = NULL`

// copyCustomer copies one customer's rows in one snapshot. It returns errs.NotFound for an unknown or erased customer. Nothing is ever
// written to from, whose transaction is read-only.
func copyCustomer(ctx context.Context, from, to *sqlx.DB, franchiserID string) error {
	return postgres.InSnapshot(ctx, from, func(source *sqlx.Tx) error {
		var known bool
		err := source.GetContext(ctx, &known, `SELECT EXISTS (SELECT FROM franchisers WHERE id = $1 AND erased_at IS NULL)`, franchiserID)
		if err != nil {
			return fmt.Errorf("look for the customer: %w", err)
		}
		if !known {
			return errs.NotFound()
		}
		return postgres.InTx(ctx, to, func(target *sqlx.Tx) error {
			// Neither triggers nor foreign keys hold for rows that are copied as they are.
			if _, err := target.ExecContext(ctx, `SET LOCAL session_replication_role = replica`); err != nil {
				return fmt.Errorf("switch off triggers: %w", err)
			}
			for column, tables := range ofCustomer() {
				for _, table := range tables {
					if err := copyRows(ctx, source, target, table, ` WHERE t.`+column+` = $1`, franchiserID); err != nil {
						return err
					}
				}
			}
			for _, table := range ofAll() {
				if _, err := target.ExecContext(ctx, `DELETE FROM `+pq.QuoteIdentifier(table)); err != nil { // what migrations put there
					return fmt.Errorf("empty %s: %w", table, err)
				}
				if err := copyRows(ctx, source, target, table, ""); err != nil {
					return err
				}
			}
			_, err := target.ExecContext(ctx, maskSQL)
			return err
		})
	})
}

// copyRows copies rows as JSON, without the columns that Postgres computes.
func copyRows(ctx context.Context, source, target *sqlx.Tx, table, where string, arguments ...any) error {
	name := pq.QuoteIdentifier(table)
	var rows []byte
	if err := source.GetContext(ctx, &rows, `SELECT coalesce(jsonb_agg(to_jsonb(t)), '[]') FROM `+name+` t`+where, arguments...); err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	if string(rows) == "[]" {
		return nil
	}
	var columns []string
	err := target.SelectContext(ctx, &columns, `SELECT quote_ident(attname) FROM pg_attribute
		WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`, table)
	if err != nil {
		return fmt.Errorf("read the columns of %s: %w", table, err)
	}
	list := strings.Join(columns, ", ")
	insert := `INSERT INTO ` + name + ` (` + list + `) OVERRIDING SYSTEM VALUE SELECT ` + list + ` FROM jsonb_populate_recordset(NULL::` + name + `, $1)`
	if _, err := target.ExecContext(ctx, insert, string(rows)); err != nil {
		return fmt.Errorf("copy %s: %w", table, err)
	}
	return nil
}
