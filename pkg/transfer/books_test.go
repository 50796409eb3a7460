package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/transfer"
)

// Given a bill paid by two transfers less both taxes, an unused credit and a dismissed credit, then the ledger agrees with them.
// Verify-books reports each changed figure by the rule that it breaks, and only while it is wrong.
func TestVerifyBooks_TransferOrTaxChanged_IsReported(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	tds, gst := p.Taxable.MulBps(200)/100*100, p.Taxable.MulBps(200)
	first := o.comes("AXISN42026112500001", p.Amount/2)
	o.confirm(first, transfer.UseInput{ProformaID: p.ID})
	second := o.comes("AXISN42026112500002", p.Amount-p.Amount/2-tds-gst)
	o.confirm(second, transfer.UseInput{ProformaID: p.ID, TDS: tds, RateBps: 200, GSTTDS: gst})
	require.Equal(t, "paid", o.state(p))
	o.comes("AXISN42026112500003", 700_00)
	gone := o.comes("AXISN42026112500004", 900_00)
	u, err := o.try(o.Asha, gone, transfer.UseInput{Kind: transfer.UseDismissal, Key: "dismiss-1"})
	require.NoError(t, err)
	o.approves(o.Ravi, u)
	require.Equal(t, tds, o.Balance("tds_receivable"))
	require.Equal(t, gst, o.Balance("gst_tds_receivable"))
	o.Balanced()

	write := func(sql string) {
		tx, err := o.DB.Owner.Beginx()
		require.NoError(t, err)
		_, err = tx.Exec(`SET LOCAL session_replication_role = replica; ` + sql) // no trigger, no foreign key
		require.NoError(t, err, sql)
		require.NoError(t, tx.Commit())
	}
	found := func() map[string]bool {
		report, err := o.Books.Verify(t.Context())
		require.NoError(t, err)
		broken := map[string]bool{}
		for _, f := range report.Findings {
			broken[f.Check] = true
			require.NotEqual(t, "no name", f.Subject)
		}
		return broken
	}
	for name, c := range map[string]struct{ check, breaks, mends string }{
		"a credit became more": {
			"bank_credits_are_posted", `UPDATE bank_credits SET amount_paise = amount_paise + 1 WHERE utr = 'AXISN42026112500003'`,
			`UPDATE bank_credits SET amount_paise = amount_paise - 1 WHERE utr = 'AXISN42026112500003'`,
		},
		"a dismissed credit is open again": {
			"bank_credits_are_posted", `UPDATE bank_credits SET state = 'open' WHERE utr = 'AXISN42026112500004'`,
			`UPDATE bank_credits SET state = 'dismissed' WHERE utr = 'AXISN42026112500004'`,
		},
		"the entry of a used credit is gone": {
			"bank_credits_are_posted", `UPDATE ledger_journals SET reference = 'x' || reference WHERE reference LIKE 'bank\_credit/%'`,
			`UPDATE ledger_journals SET reference = substr(reference, 2) WHERE reference LIKE 'xbank\_credit/%'`,
		},
		"an entry has no credit": {
			"bank_credits_are_posted", `UPDATE bank_credits SET id = '00000000-0000-7000-8000-000000000001' WHERE utr = 'AXISN42026112500003'`,
			`UPDATE bank_credits SET id = (SELECT substr(reference, 13)::uuid FROM ledger_journals WHERE reference LIKE 'bank\_credit/%' AND substr(reference, 13)
				NOT IN (SELECT id::text FROM bank_credits)) WHERE utr = 'AXISN42026112500003'`,
		},
		"a use became less": {
			"bank_receipts_are_what_is_unused", `UPDATE bank_credit_uses SET amount_paise = amount_paise - 1 WHERE kind = 'order' AND tds_paise > 0`,
			`UPDATE bank_credit_uses SET amount_paise = amount_paise + 1 WHERE kind = 'order' AND tds_paise > 0`,
		},
		"a paid bill waits again": {
			"bank_receipts_are_what_is_unused", `UPDATE bank_credit_uses SET state = 'failed' WHERE kind = 'order' AND tds_paise = 0`,
			`UPDATE bank_credit_uses SET state = 'done' WHERE kind = 'order' AND tds_paise = 0`,
		},
		"more tax is recorded": {
			"deducted_tax_is_recorded", `UPDATE tds_records SET amount_paise = amount_paise + 1 WHERE kind = 'income_tax'`,
			`UPDATE tds_records SET amount_paise = amount_paise - 1 WHERE kind = 'income_tax'`,
		},
		"tax was taken back in the record alone": {
			"deducted_tax_is_recorded", `UPDATE tds_records SET reversed_paise = reversed_paise + 1 WHERE kind = 'gst'`,
			`UPDATE tds_records SET reversed_paise = reversed_paise - 1 WHERE kind = 'gst'`,
		},
		"the record names another payment": {
			"deducted_tax_is_recorded", `UPDATE tds_records SET payment_id = franchiser_ref`,
			`UPDATE tds_records SET payment_id = (SELECT id FROM payments WHERE state = 'paid')`,
		},
		"one tax is booked as the other": {
			"deducted_tax_is_recorded", `UPDATE ledger_lines SET account = 'bank' WHERE account = 'gst_tds_receivable'`,
			`UPDATE ledger_lines l SET account = 'gst_tds_receivable' WHERE account = 'bank' AND debit_paise > 0 AND EXISTS (SELECT FROM ledger_lines o
				WHERE o.journal_id = l.journal_id AND o.account = 'tds_receivable')`,
		},
	} {
		write(c.breaks)
		require.True(t, found()[c.check], name)
		write(c.mends)
		require.Empty(t, found(), "%s: mended", name)
	}
}
