package transfer_test

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/transfer"
)

func TestStates_DiagramsEqualTheTables(t *testing.T) {
	t.Parallel()
	testkit.RequireStatesMove(t)
	testkit.RequireDiagram(t, "README.md", "A proforma asks", transfer.ProformaStates())
	testkit.RequireDiagram(t, "STATES.md", "A credit", transfer.CreditStates())
	testkit.RequireDiagram(t, "STATES.md", "A use", transfer.UseStates())
	testkit.RequireDiagram(t, "STATES.md", "Deducted tax", transfer.TDSStates())
}

func TestStates_TransitionOutsideTheTables_IsRefusedByTheDatabase(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	testkit.RequireGuard(t, db, transfer.ProformaStates(), testkit.Rows{
		Table: "proformas",
		Insert: `INSERT INTO proformas (id, franchiser_id, order_id, number, state, amount_paise, taxable_paise, title, document, account, valid_until,
				payment_id, paid_at, created_at)
			VALUES ($1, $1, $1, $1::uuid::text, $2, 100, 100, '', '{}', '{}', now(), CASE WHEN $2 = 'paid' THEN $1::uuid END,
				CASE WHEN $2 = 'paid' THEN now() END, now())`,
		Set: `paid_at = CASE WHEN $2 = 'paid' THEN now() END`,
	})
	testkit.RequireGuard(t, db, transfer.CreditStates(), testkit.Rows{
		Table: "bank_credits",
		Insert: `INSERT INTO bank_credits (id, source, utr, amount_paise, used_paise, paid_at, state, created_at)
			VALUES ($1, 'statement', upper(left(replace($1::uuid::text, '-', ''), 30)), 100, CASE WHEN $2 = 'used' THEN 100 ELSE 0 END, now(), $2, now())`,
		Set: `used_paise = CASE WHEN $2 = 'used' THEN 100 ELSE 0 END`,
	})
	testkit.RequireGuard(t, db, transfer.UseStates(), testkit.Rows{
		Table:  "bank_credit_uses",
		Insert: `INSERT INTO bank_credit_uses (id, credit_id, kind, amount_paise, state, requested_at) VALUES ($1, $1, 'dismissal', 100, $2, now())`,
	})
	testkit.RequireGuard(t, db, transfer.TDSStates(), testkit.Rows{
		Table: "tds_records",
		Insert: `INSERT INTO tds_records (id, franchiser_ref, proforma_id, payment_id, kind, code, section, base_paise, rate_bps, amount_paise, tax_year,
				quarter, state, shown_paise, certificate, changed_at, created_at)
			VALUES ($1, $1, $1, $1, 'income_tax', '1026', 's', 100, 200, 2, '2026-27', 1, $2, 2, 'C', now(), now())`,
	})
}
