package payment_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment/inputtax"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// noted makes a payment, refunds part of it, and returns the credit note's id; the buyer gets gstin unless it is empty.
func (b *bundle) noted(gstin string) (noteID string) {
	b.T.Helper()
	_, err := b.DB.Owner.Exec(`UPDATE business_addresses SET gstin = $1, legal_name = 'Asha Sweets LLP'`, gstin)
	require.NoError(b.T, err)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(b.T, b.GiveBack(b.PaymentOf(r), money.FromRupees(11_800)))
	return b.Text(`SELECT id FROM invoices WHERE kind = 'credit_note'`)
}

// net returns the account's balance on its normal side.
func (b *bundle) net(account ledger.Account) money.Paise {
	b.T.Helper()
	balances, err := ledger.NewService(b.DB.Worker, b.Clock).TrialBalance(b.T.Context())
	require.NoError(b.T, err)
	for _, one := range balances {
		if one.Account == account {
			return one.Net()
		}
	}
	return 0
}

// Given a credit note to a registered recipient who refuses to reverse the credit, then its tax is owed again at our expense, once,
// until it is reversed after all; every record is kept.
func TestInputTax_RecipientRefusesReversal_IsOwedAgainUntilReversed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	note := b.noted("29AAPFU0939F1ZR")
	before := b.net(ledger.AccountOutputIGST)
	record := func(state inputtax.State, evidence string) error {
		b.Clock.Advance(time.Hour)
		_, err := b.InputTax.Record(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, note, state, evidence)
		if err == nil {
			b.Balanced()
		}
		return err
	}
	require.NoError(t, record(inputtax.Refused, "Rejected in IMS on 12 Nov 2026"))
	require.Equal(t, money.FromRupees(1_800), b.net(ledger.AccountTaxNotRecovered))
	require.Equal(t, before+money.FromRupees(1_800), b.net(ledger.AccountOutputIGST))
	require.ErrorIs(t, record(inputtax.Refused, "Rejected again"), inputtax.ErrSame)
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM ledger_journals WHERE kind = 'input_tax_refused'`))

	require.NoError(t, record(inputtax.Reversed, "Letter of their accountant"))
	require.Zero(t, b.net(ledger.AccountTaxNotRecovered))
	require.Equal(t, before, b.net(ledger.AccountOutputIGST))
	require.NoError(t, record(inputtax.NotTaken, "GSTR-3B of November"))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM ledger_journals WHERE kind LIKE 'input_tax_%'`), "neither owes anything")
	require.NoError(t, record(inputtax.Refused, "Taken after all, says IMS"))
	require.NoError(t, record(inputtax.Unknown, "Recorded for the wrong note"))
	require.Zero(t, b.net(ledger.AccountTaxNotRecovered))

	trail, err := b.API.Trails.Trail(b.Asha.Sign(t.Context()), ledger.NewService(b.DB.API, b.Clock), b.Text(`SELECT transaction_id FROM payments`))
	require.NoError(t, err)
	require.False(t, trail.Documents[0].ReversesInputTax)
	require.True(t, trail.Documents[1].ReversesInputTax)
	history := trail.Documents[1].InputTax
	require.Len(t, history, 5)
	require.Equal(t, []string{"refused", "Rejected in IMS on 12 Nov 2026", b.Asha.Name}, []string{string(history[0].State), history[0].Evidence, history[0].By})
	notes, total, err := b.InputTax.Notes(b.Asha.Sign(t.Context()), inputtax.Unknown, 10, 0)
	require.NoError(t, err)
	require.Equal(t, 1, total)
	require.Equal(t, []any{"29AAPFU0939F1ZR", money.FromRupees(1_800), "Recorded for the wrong note"}, []any{notes[0].GSTIN, notes[0].Tax, notes[0].Evidence})
	notes, _, err = b.InputTax.Notes(b.Asha.Sign(t.Context()), inputtax.Refused, 10, 0)
	require.NoError(t, err)
	require.Empty(t, notes)
	require.Equal(t, 5, b.Count(`SELECT count(*) FROM staff_actions WHERE action = 'record_input_tax'`))
	_, err = b.DB.Owner.Exec(`UPDATE input_tax_states SET state = 'reversed'`)
	require.True(t, postgres.Violates(err, "23001", ""), "the history only grows: %v", err)
}

func TestRecordInputTax_OtherDocuments_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	note := b.noted("")
	record := func(franchiser, document string, state inputtax.State, evidence string) error {
		_, err := b.InputTax.Record(b.Asha.Sign(t.Context()), b.Asha, franchiser, document, state, evidence)
		return err
	}
	invoiceID := b.Text(`SELECT id FROM invoices WHERE kind = 'invoice'`)
	require.ErrorIs(t, record(b.Buyer, note, inputtax.Refused, "Rejected"), inputtax.ErrNoInputTax, "nobody without a GSTIN takes credit")
	require.ErrorIs(t, record(b.Buyer, invoiceID, inputtax.Refused, "Rejected"), inputtax.ErrNoInputTax)
	other := b.Franchiser("27")
	for name, err := range map[string]error{
		"another's": record(other, note, inputtax.Refused, "Rejected"), "none": record(b.Buyer, id.New(), inputtax.Refused, "Rejected"),
		"no id": record(b.Buyer, "x", inputtax.Refused, "Rejected"),
	} {
		require.Equal(t, errs.KindNotFound, errs.As(err).Kind, name)
	}
	for name, err := range map[string]error{
		"state": record(b.Buyer, note, "lost", "Rejected"), "nothing": record(b.Buyer, note, inputtax.Refused, "  "),
		"too long": record(b.Buyer, note, inputtax.Refused, strings.Repeat("x", 501)),
	} {
		require.Equal(t, errs.KindInvalid, errs.As(err).Kind, name)
	}
	_, err := b.DB.Owner.Exec(`INSERT INTO input_tax_states (id, franchiser_id, invoice_id, sequence, state, evidence, staff_id, staff_name, recorded_at)
		VALUES ($1, $2, $3, 1, 'refused', 'x', $4, 'Asha', now())`, id.New(), b.Buyer, note, b.Asha.StaffID)
	require.True(t, postgres.Violates(err, "23514", "input_tax_states_note"), "the database refuses it too: %v", err)
	_, total, err := b.InputTax.Notes(b.Asha.Sign(t.Context()), "", 10, 0)
	require.NoError(t, err)
	require.Zero(t, total)
}

// Given books in which the tax of a refused note is not owed again, or is owed without a record, then verify-books reports it.
func TestVerifyBooks_InputTaxDiffersFromItsRecord_IsReported(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"the expense vanished": `DELETE FROM ledger_lines WHERE journal_id IN (SELECT id FROM ledger_journals WHERE kind = 'input_tax_refused')`,
		"the record vanished":  `DELETE FROM input_tax_states`,
		"another head":         `UPDATE ledger_lines SET account = 'output_cgst' WHERE account = 'output_igst' AND credit_paise = 180000`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			_, err := b.InputTax.Record(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.noted("29AAPFU0939F1ZR"), inputtax.Refused, "Rejected in IMS")
			require.NoError(t, err)
			tx, err := b.DB.Owner.Beginx()
			require.NoError(t, err)
			_, err = tx.Exec(`SET LOCAL session_replication_role = replica`)
			require.NoError(t, err)
			_, err = tx.Exec(change)
			require.NoError(t, err)
			require.NoError(t, tx.Commit())
			report, err := ledger.NewService(b.DB.Worker, b.Clock).Verify(t.Context())
			require.NoError(t, err)
			found := map[string]bool{}
			for _, f := range report.Findings {
				found[f.Check] = true
			}
			require.True(t, found["refused_tax_is_owed_again"], "%v", report.Findings)
		})
	}
}
