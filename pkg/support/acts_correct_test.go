package support_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/revenue"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// pune is a registered recipient in the State of the supplier.
func pune() support.ActRecipient {
	return support.ActRecipient{Name: "Asha Sweets LLP", Address: "12 Camp Road\nPune, Maharashtra 411001", StateCode: "27", GSTIN: "27AAGCB7383J1Z8"}
}

func (b *counter) invoiceOf(payment string) string {
	b.T.Helper()
	return b.Text(`SELECT id FROM invoices WHERE payment_id = $1 AND kind = 'invoice' AND NOT replaced`, payment)
}

func (b *counter) revenueBooked() {
	b.T.Helper()
	_, err := revenue.NewService(b.DB.Worker, b.Clock, b.Books).Recognise(b.T.Context())
	require.NoError(b.T, err)
	b.Balanced()
}

// Given a year invoiced to Karnataka with IGST, when staff correct it 73 days later to a company in Maharashtra, then a credit note takes
// back the IGST, the new invoice has CGST and SGST, and no day's revenue is recognised twice.
func TestCorrectRecipient_OtherState_IssuesCreditNoteAndNewInvoice(t *testing.T) {
	t.Parallel()
	b := acting(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	wrong := b.invoiceOf(b.PaymentOf(r))
	value := b.count(`SELECT taxable_paise FROM invoices WHERE id = $1`, wrong)
	require.Equal(t, value*18/100, b.count(`SELECT igst_paise FROM invoices WHERE id = $1`, wrong))
	b.Live(73)
	b.revenueBooked()
	earned, deferred := b.Balance("revenue"), b.Balance("deferred_revenue")

	content := support.ActContent{InvoiceID: wrong, Recipient: pune()}
	act, err := b.ask(support.ActCorrectRecipient, content)
	require.NoError(t, err)
	require.True(t, act.NeedsApproval, "it takes two, whatever the amount")
	require.Contains(t, fmt.Sprint(act.Facts), "Maharashtra (27) instead of Karnataka (29)")
	require.Zero(t, b.count(`SELECT count(*) FROM invoices WHERE kind = 'credit_note'`), "nothing happens before it is approved")
	done := b.do2(act)
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.NoError(t, b.worker.Perform(t.Context(), act.ID), "once")

	right := b.invoiceOf(b.PaymentOf(r))
	require.NotEqual(t, wrong, right)
	heads := `SELECT concat_ws(' ', kind, place_of_supply, taxable_paise, cgst_paise, sgst_paise, igst_paise) FROM invoices WHERE `
	require.Equal(t, fmt.Sprintf("credit_note 29 %d 0 0 %d", value, value*18/100), b.Text(heads+`original_id = $1`, wrong))
	require.Equal(t, fmt.Sprintf("invoice 27 %d %d %d 0", value, value*9/100, value*9/100), b.Text(heads+`id = $1`, right))
	require.Equal(t, pune().GSTIN, b.Text(`SELECT recipient->>'gstin' FROM invoices WHERE id = $1`, right))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM invoices WHERE corrects_id = $1`, wrong))
	require.Equal(t, 1, b.count(`SELECT count(*) FROM customer_messages WHERE template = 'invoice_corrected_email'`))
	require.Zero(t, b.count(`SELECT count(*) FROM refunds`), "no money moves")
	require.Equal(t, "paid", b.State(r))
	require.Zero(t, b.Balance("output_igst"))
	require.Equal(t, money.Paise(-value*9/100), b.Balance("output_cgst"))
	require.Zero(t, b.count(`SELECT count(*) FROM staff_actions WHERE after::text LIKE '%Camp Road%'`), "the audit has no address")
	b.Balanced()

	b.Live(1)
	b.revenueBooked()
	day := b.Balance("deferred_revenue") - deferred
	require.InDelta(t, value/365, int(day), 1, "one day's share")
	require.Equal(t, earned-day, b.Balance("revenue"), "and nothing a second time")
	require.Zero(t, b.Balance("refunds"))

	_, err = b.ask(support.ActCorrectRecipient, content)
	require.ErrorIs(t, err, invoice.ErrReplaced)
	b.Live(300) // through the end of the year
	b.revenueBooked()
	require.Zero(t, b.Balance("deferred_revenue"))
	require.Equal(t, -value, int(b.Balance("revenue")))
}

// Given an amount whose tax rounds differently in two halves, when the recipient is corrected, then the operator bears the paise, and the
// whole payment can still be refunded.
func TestCorrectRecipient_TaxRoundsDifferently_OperatorBearsThePaise(t *testing.T) {
	t.Parallel()
	rounded := 0
	for _, missing := range []money.Paise{1, 7, 23, 100, 4_321} {
		b := acting(t)
		r := b.short(missing)
		payment := b.PaymentOf(r)
		require.Equal(t, approval.Done, b.do(support.ActShortPayment, support.ActContent{PaymentID: payment}).State)
		done := b.do(support.ActCorrectRecipient, support.ActContent{InvoiceID: b.invoiceOf(payment), Recipient: pune()})
		require.Equal(t, approval.Done, done.State, done.Outcome)
		b.Balanced()
		rounded += b.count(`SELECT count(*) FROM invoices r JOIN invoices i ON i.id = r.corrects_id WHERE r.kind = 'invoice' AND r.total_paise <> i.total_paise`)
		done = b.do(support.ActCorrectRecipient, support.ActContent{InvoiceID: b.invoiceOf(payment), Recipient: support.ActRecipient{
			Name: "Asha Rao", Address: "1 Hill Road\nPanaji, Goa 403001", StateCode: "30",
		}})
		require.Equal(t, approval.Done, done.State, "a correction can be corrected: "+done.Outcome)
		require.NoError(t, b.GiveBack(payment, 0))
		require.Equal(t, "refunded", b.State(r))
		b.Balanced()
		broken, err := b.Hold(t.Context(), false)
		require.NoError(t, err)
		require.Empty(t, broken)
	}
	require.Positive(t, rounded, "some amount rounds otherwise")
}

func TestCorrectRecipient_InvalidInput_IsRefused(t *testing.T) {
	t.Parallel()
	b := acting(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	wrong := b.invoiceOf(b.PaymentOf(r))
	for field, change := range map[string]func(*support.ActRecipient){
		"name":       func(r *support.ActRecipient) { r.Name = "asha@example.in" },
		"address":    func(r *support.ActRecipient) { r.Address = " \n" },
		"state_code": func(r *support.ActRecipient) { r.StateCode = "99" },
		"gstin":      func(r *support.ActRecipient) { r.GSTIN = "27AAGCB7383J1Z9" }, // a wrong check character
	} {
		to := pune()
		change(&to)
		_, err := b.ask(support.ActCorrectRecipient, support.ActContent{InvoiceID: wrong, Recipient: to})
		require.NotEmpty(t, errs.As(err).Fields[field], field)
	}
	other := pune()
	other.StateCode = "29"
	_, err := b.ask(support.ActCorrectRecipient, support.ActContent{InvoiceID: wrong, Recipient: other})
	require.Contains(t, fmt.Sprint(errs.As(err).Fields["gstin"]), "belongs to Maharashtra (27)")
	other = pune()
	other.GSTIN = "27AAPFU0939F1ZV" // the supplier's
	_, err = b.ask(support.ActCorrectRecipient, support.ActContent{InvoiceID: wrong, Recipient: other})
	require.NotEmpty(t, errs.As(err).Fields["gstin"])
	other = pune()
	other.Address = "12 Camp Road\nPune, Maharashtra"
	_, err = b.ask(support.ActCorrectRecipient, support.ActContent{InvoiceID: wrong, Recipient: other})
	require.Contains(t, fmt.Sprint(errs.As(err).Fields["address"]), "PIN code", "the portal would register no document to it")
	other.GSTIN = ""
	_, err = b.asked.Preview(b.Asha.Sign(t.Context()), b.Asha, support.ActInput{
		Kind: support.ActCorrectRecipient, FranchiserID: b.Buyer, Content: support.ActContent{InvoiceID: wrong, Recipient: other},
	})
	require.NoError(t, err, "nothing is registered for somebody without a GSTIN")

	late, err := b.ask(support.ActCorrectRecipient, support.ActContent{InvoiceID: wrong, Recipient: pune()})
	require.NoError(t, err)
	require.NoError(t, b.GiveBack(b.PaymentOf(r), 100_00))
	failed := b.do2(late)
	require.Equal(t, approval.Failed, failed.State)
	require.Contains(t, failed.Outcome, "credit note already took back")
	require.Equal(t, wrong, b.invoiceOf(b.PaymentOf(r)), "it still counts")
	b.Balanced()
}

func TestCorrectRecipient_AfterTheTimeLimit_IsRefused(t *testing.T) {
	t.Parallel()
	b := acting(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Live(int(invoice.TaxAdjustableBefore(b.Clock.Now()).Sub(b.Clock.Now()).Hours()/24) + 2)
	_, err := b.ask(support.ActCorrectRecipient, support.ActContent{InvoiceID: b.invoiceOf(b.PaymentOf(r)), Recipient: pune()})
	require.ErrorIs(t, err, invoice.ErrTooLate)
}

func TestErasure_RemovesTheContentOfActs(t *testing.T) {
	t.Parallel()
	b := acting(t)
	act, err := b.ask(support.ActChangeMobile, support.ActContent{Mobile: "9812345678", Checked: checked})
	require.NoError(t, err)
	_, err = b.asked.Decline(b.Ravi.Sign(t.Context()), b.Ravi, act.ID, "Not the owner")
	require.NoError(t, err)
	_, err = b.ask(support.ActChangeMobile, support.ActContent{Mobile: "9812345679", Checked: checked})
	require.NoError(t, err)
	tx := b.DB.Worker.MustBegin()
	defer func() { _ = tx.Rollback() }()
	require.NoError(t, support.PersonalData{}.EraseTx(t.Context(), tx, b.Buyer))
	require.NoError(t, tx.Commit())
	require.Zero(t, b.count(`SELECT count(*) FROM staff_acts WHERE (content::text || facts::text) LIKE '%981234567%'`))
	require.Equal(t, "declined withdrawn", b.Text(`SELECT string_agg(state, ' ' ORDER BY state) FROM staff_acts`))
	_, err = b.DB.Worker.Exec(`UPDATE staff_acts SET content = '{"mobile": "1"}'`)
	require.Error(t, err, "nothing else comes in its place")
}
