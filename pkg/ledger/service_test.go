package ledger_test

import (
	"context"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// noShelf is an object store for tests that never link.
type noShelf struct{}

func (noShelf) Put(context.Context, string, string, []byte) error { return nil }

func (noShelf) Presign(context.Context, string, string, time.Duration) (string, error) {
	return "", nil
}

type bundle struct {
	db       *testkit.Database
	clock    *clock.Fake
	books    *ledger.Service
	audit    *ledger.Service
	invoices *invoice.Service
	asha     string
	ravi     string
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{db: testkit.NewDatabase(t), clock: testkit.NewClock()}
	b.books = ledger.NewService(b.db.API, b.clock)
	b.audit = ledger.NewService(b.db.Worker, b.clock)
	b.invoices = invoice.NewService(invoice.Options{
		DB: b.db.API, Jobs: testkit.NewInserter(t, b.db.API), Clock: b.clock, Objects: noShelf{}, Payments: payment.Lookup{},
		Supplier: invoice.Supplier{Name: "Franchise 360 Private Limited", StateCode: "27"},
	})
	b.asha, b.ravi = b.franchiser(t, "9876543210"), b.franchiser(t, "9876543211")
	return b
}

func (b *bundle) franchiser(t *testing.T, mobile string) string {
	t.Helper()
	franchiserID := id.New()
	_, err := b.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, $2, 'a@b.in', 'x', '1', $3, $3)`, franchiserID, mobile, b.clock.Now())
	require.NoError(t, err)
	return franchiserID
}

func (b *bundle) post(franchiserID string, entries ...ledger.Entry) error {
	return postgres.InTenantTx(context.Background(), b.db.API, franchiserID, func(tx *sqlx.Tx) error {
		for _, entry := range entries {
			if err := b.books.PostTx(context.Background(), tx, entry); err != nil {
				return err
			}
		}
		return nil
	})
}

// sell issues and posts an invoice of the amount before tax, and posts its capture.
func (b *bundle) sell(franchiserID, state string, amount money.Paise) (invoice.Invoice, error) {
	regime := invoice.RegimeOf("27", invoice.StateCode(state), false)
	lines := []invoice.LineInput{{
		Description: "Plan", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: amount,
	}}
	_, totals, err := invoice.Compute(regime, lines)
	if err != nil {
		return invoice.Invoice{}, err
	}
	paymentID, err := testkit.PaidPayment(context.Background(), b.db.Owner, franchiserID, int64(totals.Total), false, b.clock.Now())
	if err != nil {
		return invoice.Invoice{}, err
	}
	var issued invoice.Invoice
	err = postgres.InTenantTx(context.Background(), b.db.API, franchiserID, func(tx *sqlx.Tx) error {
		var err error
		issued, err = b.invoices.IssueTx(context.Background(), tx, invoice.IssueInput{
			FranchiserID: franchiserID, PaymentID: paymentID, Lines: lines, Paid: totals.Total,
			Recipient: invoice.Recipient{Name: "Asha", StateCode: invoice.StateCode(state)},
		})
		if err != nil {
			return err
		}
		if err := b.books.PostTx(context.Background(), tx, ledger.Sale(issued)); err != nil {
			return err
		}
		return b.books.PostTx(context.Background(), tx, ledger.Capture(ledger.Movement{
			FranchiserID: franchiserID, PaymentID: issued.PaymentID, Reference: issued.PaymentID, Amount: totals.Total,
		}))
	})
	return issued, err
}

// refund credits part of an invoice and pays it out. The refund's own row comes first, like the gateway's answer; an excessive amount is
// refused before that.
func (b *bundle) refund(issued invoice.Invoice, amount money.Paise) error {
	var credited int64
	err := b.db.Owner.Get(&credited, `SELECT coalesce(sum(total_paise), 0) FROM invoices WHERE original_id = $1`, issued.ID)
	if err != nil || money.Paise(credited)+amount > issued.Totals.Total {
		return err
	}
	refundID, err := testkit.DoneRefund(context.Background(), b.db.Owner, issued.FranchiserID, issued.PaymentID, int64(amount), b.clock.Now())
	if err != nil {
		return err
	}
	return postgres.InTenantTx(context.Background(), b.db.API, issued.FranchiserID, func(tx *sqlx.Tx) error {
		note, err := b.invoices.IssueCreditNoteTx(context.Background(), tx, invoice.CreditNoteInput{
			FranchiserID: issued.FranchiserID, InvoiceID: issued.ID, RefundID: refundID, Amount: amount,
		})
		if err != nil {
			return err
		}
		if err := b.books.PostTx(context.Background(), tx, ledger.CreditNote(note)); err != nil {
			return err
		}
		return b.books.PostTx(context.Background(), tx, ledger.Refund(ledger.Movement{
			FranchiserID: issued.FranchiserID, PaymentID: issued.PaymentID, Reference: refundID, Amount: note.Totals.Total,
		}))
	})
}

// surplus books a capture that has nothing to give for it.
func (b *bundle) surplus(franchiserID string, amount money.Paise) error {
	paymentID, err := testkit.PaidPayment(context.Background(), b.db.Owner, franchiserID, int64(amount), true, b.clock.Now())
	if err != nil {
		return err
	}
	return b.post(franchiserID, ledger.ExtraCapture(ledger.Movement{
		FranchiserID: franchiserID, PaymentID: paymentID, Reference: paymentID, Amount: amount,
	}))
}

func (b *bundle) nets(t *testing.T) map[ledger.Account]money.Paise {
	t.Helper()
	balances, err := b.audit.TrialBalance(t.Context())
	require.NoError(t, err)
	nets := map[ledger.Account]money.Paise{}
	for _, balance := range balances {
		if net := balance.Net(); net != 0 {
			nets[balance.Account] = net
		}
	}
	return nets
}

// A sale is paid, partly refunded and settled: every rupee can be followed through the books.
func TestBooks_SalePaidRefundedAndSettled_CanBeFollowed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	issued, err := b.sell(b.asha, "27", 1_35_000_00)
	require.NoError(t, err)
	require.Equal(t, map[ledger.Account]money.Paise{
		ledger.AccountGatewayClearing: 1_59_300_00, ledger.AccountRevenue: 1_35_000_00,
		ledger.AccountOutputCGST: 12_150_00, ledger.AccountOutputSGST: 12_150_00,
	}, b.nets(t))

	require.NoError(t, b.refund(issued, 59_300_00))
	require.NoError(t, b.post(b.asha, ledger.Settlement(ledger.Movement{
		FranchiserID: b.asha, PaymentID: issued.PaymentID, Reference: "UTR1", Amount: 1_00_000_00,
	}, 2_000_00, 360_00)))
	_, err = b.db.Owner.Exec(`INSERT INTO settlement_days (gateway, day, lines, captured_paise, refunded_paise, fee_paise, tax_paise, net_paise,
		compared_at) VALUES ('payu', '2026-11-04', 1, 0, 0, 0, 0, 9764000, now())`)
	require.NoError(t, err)
	_, err = b.db.Owner.Exec(`INSERT INTO settlement_lines (gateway, day, position, line_id, kind, transaction_id, amount_paise, fee_paise, tax_paise,
		net_paise, seen_at, booked_at, booked_net_paise, journal_id) SELECT 'payu', '2026-11-04', 1, 'UTR1', 'capture', '', 10000000, 200000, 36000,
		9764000, now(), now(), 9764000, id FROM ledger_journals WHERE kind = 'settlement'`)
	require.NoError(t, err)
	require.Equal(t, map[ledger.Account]money.Paise{
		ledger.AccountBank: 97_640_00, ledger.AccountFees: 2_000_00, ledger.AccountInputTax: 360_00,
		ledger.AccountRevenue: 1_35_000_00, ledger.AccountRefunds: -50_254_24,
		ledger.AccountOutputCGST: 7_627_12, ledger.AccountOutputSGST: 7_627_12,
	}, b.nets(t))

	journals, err := b.books.ByPayment(t.Context(), b.asha, issued.PaymentID)
	require.NoError(t, err)
	kinds := make([]ledger.Kind, 0, len(journals))
	for _, journal := range journals {
		kinds = append(kinds, journal.Kind)
	}
	require.ElementsMatch(t, []ledger.Kind{
		ledger.KindSale, ledger.KindCapture, ledger.KindCreditNote, ledger.KindRefund, ledger.KindSettlement,
	}, kinds)
	require.Equal(t, ledger.Debit(ledger.AccountReceivable, 1_59_300_00), journals[0].Lines[0])
	foreign, err := b.books.ByPayment(t.Context(), b.ravi, issued.PaymentID)
	require.NoError(t, err)
	require.Empty(t, foreign)

	report, err := b.audit.Verify(t.Context())
	require.NoError(t, err)
	require.Empty(t, report.Findings)
	require.Equal(t, int64(5), report.Journals)
	require.Equal(t, int64(2), report.Invoices)
	require.Equal(t, int64(1), report.Payments)
	require.Equal(t, report.Debit, report.Credit)
}

func TestPost_SameEventTwice_IsPostedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	capture := ledger.ExtraCapture(ledger.Movement{FranchiserID: b.asha, Reference: "P1", Amount: 100_00})
	require.NoError(t, b.post(b.asha, capture))
	require.NoError(t, b.post(b.asha, capture), "again is nothing")
	var journals int
	require.NoError(t, b.db.Owner.Get(&journals, `SELECT count(*) FROM ledger_journals`))
	require.Equal(t, 1, journals)

	other := ledger.ExtraCapture(ledger.Movement{FranchiserID: b.asha, Reference: "P1", Amount: 101_00})
	require.ErrorIs(t, b.post(b.asha, other), ledger.ErrPostedDifferently)
	other.FranchiserID = b.ravi
	require.ErrorIs(t, b.post(b.ravi, other), ledger.ErrPostedDifferently, "an event belongs to one franchiser")
}

func TestPost_InvalidEntry_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	good := ledger.Entry{FranchiserID: b.asha, Kind: ledger.KindAdjustment, Reference: "A1", Description: "Test"}
	cases := map[string]struct {
		lines []ledger.Line
		want  error
	}{
		"nothing":        {nil, ledger.ErrUnbalanced},
		"one line":       {[]ledger.Line{ledger.Debit(ledger.AccountBank, 1)}, ledger.ErrUnbalanced},
		"a paisa off":    {[]ledger.Line{ledger.Debit(ledger.AccountBank, 2), ledger.Credit(ledger.AccountFees, 1)}, ledger.ErrUnbalanced},
		"negative":       {[]ledger.Line{ledger.Debit(ledger.AccountBank, -1), ledger.Credit(ledger.AccountFees, -1)}, ledger.ErrBadEntry},
		"both sides":     {[]ledger.Line{{Account: ledger.AccountBank, Debit: 1, Credit: 1}, ledger.Debit(ledger.AccountFees, 1)}, ledger.ErrBadEntry},
		"no account":     {[]ledger.Line{ledger.Debit("", 1), ledger.Credit(ledger.AccountFees, 1)}, ledger.ErrBadEntry},
		"beyond 64 bits": {[]ledger.Line{ledger.Debit(ledger.AccountBank, 1<<62), ledger.Debit(ledger.AccountBank, 1<<62)}, ledger.ErrBadEntry},
	}
	for name, c := range cases {
		entry := good
		entry.Lines = c.lines
		require.ErrorIs(t, b.post(b.asha, entry), c.want, name)
	}
	for name, change := range map[string]func(*ledger.Entry){
		"no franchiser":     func(e *ledger.Entry) { e.FranchiserID, e.Kind = "", ledger.KindSale },
		"another's payment": func(e *ledger.Entry) { e.FranchiserID, e.PaymentID = "", b.asha },
		"no reference":      func(e *ledger.Entry) { e.Reference = "" },
		"no kind":           func(e *ledger.Entry) { e.Kind = "" }, "no description": func(e *ledger.Entry) { e.Description = "" },
	} {
		entry := good
		entry.Lines = []ledger.Line{ledger.Debit(ledger.AccountBank, 1), ledger.Credit(ledger.AccountFees, 1)}
		change(&entry)
		require.ErrorIs(t, b.post(b.asha, entry), ledger.ErrBadEntry, name)
	}
}

// An entry without a customer can only be posted by the worker, and customers neither see nor post it.
func TestPost_WithoutACustomer_OnlyTheWorkerMay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	charge := ledger.AdjustmentSettlement(ledger.Movement{Reference: "payu/ADJ_1", Amount: 0}, 100_00, 18_00)
	require.Error(t, b.post(b.asha, charge), "a customer's request can't")
	worker := func(e ledger.Entry) error {
		return postgres.InTx(t.Context(), b.db.Worker, func(tx *sqlx.Tx) error { return b.audit.PostTx(t.Context(), tx, e) })
	}
	require.NoError(t, worker(charge))
	require.NoError(t, worker(charge), "again is nothing")
	other := ledger.AdjustmentSettlement(ledger.Movement{Reference: "payu/ADJ_1", Amount: 0}, 100_00, 19_00)
	require.ErrorIs(t, worker(other), ledger.ErrPostedDifferently)
	require.Equal(t, map[ledger.Account]money.Paise{
		ledger.AccountBank: -118_00, ledger.AccountFees: 100_00, ledger.AccountInputTax: 18_00,
	}, b.nets(t))
	var seen int
	require.NoError(t, b.db.API.Get(&seen, `SELECT (SELECT count(*) FROM ledger_lines) + (SELECT count(*) FROM ledger_journals)`))
	require.Zero(t, seen)

	journal := id.New()
	tx, err := b.db.Owner.Beginx()
	require.NoError(t, err)
	_, err = tx.Exec(`INSERT INTO ledger_journals (id, kind, reference, description, posted_at) VALUES ($1, 'adjustment', 'x', 'x', now())`, journal)
	require.NoError(t, err)
	for i, line := range [][2]int{{5, 0}, {0, 5}} {
		_, err = tx.Exec(lineSQL, journal, b.asha, i+1, "bank", line[0], line[1])
		if err != nil {
			break
		}
	}
	if err == nil {
		err = tx.Commit()
	}
	require.Error(t, err, "nobody's journal has no line of a customer")
}

const (
	journalSQL = `INSERT INTO ledger_journals (id, franchiser_id, kind, reference, description, posted_at)
		VALUES ($1, $2, 'adjustment', $1::uuid::text, 'test', '2026-11-02')`
	lineSQL = `INSERT INTO ledger_lines (journal_id, franchiser_id, position, account, debit_paise, credit_paise)
		VALUES ($1, $2, $3, $4, $5, $6)`
)

// If SQL that bypasses the service commits an unbalanced or empty journal, COMMIT itself fails.
func TestDatabase_UnbalancedJournal_IsRefusedAtCommit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, pool := range map[string]*sqlx.DB{"api": b.db.API, "worker": b.db.Worker, "owner": b.db.Owner} {
		for _, lines := range [][][2]int64{{}, {{100, 0}}, {{100, 0}, {0, 99}}, {{100, 0}, {0, 100}, {0, 1}}} {
			tx, err := pool.Beginx()
			require.NoError(t, err)
			require.NoError(t, postgres.SetFranchiser(t.Context(), tx, b.asha))
			journal := id.New()
			_, err = tx.Exec(journalSQL, journal, b.asha)
			require.NoError(t, err)
			for i, line := range lines {
				_, err = tx.Exec(lineSQL, journal, b.asha, i+1, "bank", line[0], line[1])
				require.NoError(t, err, "the statement itself passes")
			}
			err = tx.Commit()
			require.True(t, postgres.Violates(err, "23514", "ledger_balanced"), "%s %v: %v", name, lines, err)
		}
	}
	var journals int
	require.NoError(t, b.db.Owner.Get(&journals, `SELECT count(*) FROM ledger_journals`))
	require.Zero(t, journals)
}

func TestDatabase_LinesAddedLater_MustBalanceToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.post(b.asha, ledger.ExtraCapture(ledger.Movement{FranchiserID: b.asha, Reference: "P1", Amount: 100})))
	var journal string
	require.NoError(t, b.db.Owner.Get(&journal, `SELECT id FROM ledger_journals`))
	_, err := b.db.Worker.Exec(lineSQL, journal, b.asha, 3, "bank", 5, 0)
	require.True(t, postgres.Violates(err, "23514", "ledger_balanced"), "%v", err)
	_, err = b.db.Worker.Exec(lineSQL, journal, b.ravi, 3, "bank", 5, 0)
	require.True(t, postgres.Violates(err, "23503", ""), "a line cannot name another's journal: %v", err)
	_, err = b.db.Worker.Exec(lineSQL, journal, b.asha, 3, "bank", 5, 5)
	require.True(t, postgres.Violates(err, "23514", ""), "a line has one side: %v", err)
}

func TestBooks_AreAppendOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.post(b.asha, ledger.ExtraCapture(ledger.Movement{FranchiserID: b.asha, Reference: "P1", Amount: 100})))
	for _, statement := range []string{
		`UPDATE ledger_lines SET debit_paise = debit_paise`, `DELETE FROM ledger_lines`, `TRUNCATE ledger_lines`,
		`UPDATE ledger_journals SET description = 'x'`, `DELETE FROM ledger_journals`, `TRUNCATE ledger_journals CASCADE`,
	} {
		_, err := b.db.Owner.Exec(statement)
		require.True(t, postgres.Violates(err, "23001", ""), "owner, %s: %v", statement, err)
		for name, pool := range map[string]*sqlx.DB{"api": b.db.API, "worker": b.db.Worker} {
			err = postgres.InTenantTx(t.Context(), pool, b.asha, func(tx *sqlx.Tx) error {
				_, err := tx.Exec(statement)
				return err
			})
			require.True(t, postgres.Violates(err, "42501", ""), "%s, %s: %v", name, statement, err)
		}
	}
}

func TestBooks_OfAnotherFranchiser_AreNotVisible(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.post(b.asha, ledger.ExtraCapture(ledger.Movement{FranchiserID: b.asha, Reference: "P1", Amount: 100})))
	var seen int
	require.NoError(t, b.db.API.Get(&seen, `SELECT (SELECT count(*) FROM ledger_lines) + (SELECT count(*) FROM ledger_journals)`))
	require.Zero(t, seen)
	err := b.post(b.ravi, ledger.ExtraCapture(ledger.Movement{FranchiserID: b.asha, Reference: "P2", Amount: 100}))
	require.True(t, postgres.Violates(err, "42501", ""), "%v", err)
}

// For books changed behind every guard, Verify names each broken rule.
func TestVerify_TamperedBooks_NamesTheBrokenRule(t *testing.T) {
	t.Parallel()
	cases := map[string]struct{ check, sql string }{
		"a line was changed":         {"journal_balances", `UPDATE ledger_lines SET debit_paise = debit_paise + 1 WHERE debit_paise > 0`},
		"an invoice vanished":        {"numbers_have_no_gaps", `DELETE FROM invoices WHERE sequence = 1`},
		"the counter ran on":         {"numbers_have_no_gaps", `UPDATE invoice_counters SET last = last + 1`},
		"a lost number is here":      {"numbers_have_no_gaps", `UPDATE invoice_counters SET last = last + 1, lost = '{[1,2)}'`},
		"a line's price was changed": {"lines_add_up", `UPDATE invoice_lines SET amount_paise = amount_paise + 1, taxable_paise = taxable_paise + 1`},
		"an entry vanished":          {"documents_are_posted", `DELETE FROM ledger_lines; DELETE FROM ledger_journals WHERE kind = 'sale'`},
		"a tax head was moved":       {"documents_are_posted", `UPDATE ledger_lines SET account = 'output_igst' WHERE account = 'output_cgst'`},
		"a capture vanished":         {"receivable_settled_by_capture", `DELETE FROM ledger_lines WHERE journal_id IN (SELECT id FROM ledger_journals WHERE kind = 'capture')`},
		"an entry lost its invoice":  {"entries_have_documents", `DELETE FROM invoices`},
		"a payment was undone":       {"invoices_have_a_paid_payment", `UPDATE payments SET state = 'failed'`},
		"a capture lost its payment": {"captures_have_a_paid_payment", `DELETE FROM payments`},
		"a payment was paid unseen": {"paid_payments_have_one_set", `INSERT INTO payments (id, franchiser_id, order_id, transaction_id,
			gateway, state, amount_paise, currency, captured_paise, search, created_at) SELECT gen_random_uuid(), franchiser_id, order_id,
			'T' || sequence, 'payu', 'paid', 1, 'INR', 1, '', now() FROM payments p JOIN invoices i USING (franchiser_id) LIMIT 1`},
		"an order was paid twice":   {"paid_orders_have_one_payment", `UPDATE payments SET order_id = (SELECT min(order_id::text) FROM payments)::uuid`},
		"a surplus was kept":        {"surplus_payments_are_owed_back", `UPDATE payments SET surplus = true`},
		"a refund went unposted":    {"refunds_are_posted", `DELETE FROM ledger_journals WHERE kind = 'refund'`},
		"a refund was not credited": {"refunds_have_a_credit_note", `UPDATE invoices SET refund_id = gen_random_uuid() WHERE kind = 'credit_note'`},
		"one side was changed":      {"debits_equal_credits", `UPDATE ledger_lines SET credit_paise = credit_paise + 1 WHERE account = 'revenue'`},
		"more was kept than came":   {"clearing_never_overdrawn", `UPDATE ledger_lines SET debit_paise = 1 WHERE account = 'gateway_clearing' AND debit_paise > 0`},
		"a note is beyond its sale": {"credits_within_invoice", `UPDATE invoices SET amount_paise = amount_paise + 1000000,
			taxable_paise = taxable_paise + 1000000, total_paise = total_paise + 1000000 WHERE kind = 'credit_note'`},
		"a note's tax is beyond it": {"credits_within_invoice", `UPDATE invoices SET amount_paise = amount_paise - 6000,
			taxable_paise = taxable_paise - 6000, cgst_paise = cgst_paise + 6000 WHERE kind = 'credit_note'`},
		"a note moved abroad":      {"notes_keep_the_place_of_supply", `UPDATE invoices SET place_of_supply = '29' WHERE kind = 'credit_note'`},
		"a note changed its taxes": {"notes_keep_the_place_of_supply", `UPDATE invoices SET regime = 'igst' WHERE kind = 'credit_note'`},
		"a voucher of paid money": {"vouchers_are_of_held_money", `ALTER TABLE invoices DROP CONSTRAINT invoices_name_their_cause, DROP CONSTRAINT invoices_name_their_original;
			UPDATE invoices SET kind = 'receipt_voucher' WHERE kind = 'credit_note'`},
		"a note paid for nothing": {"applied_notes_are_posted", `UPDATE invoices SET refund_id = NULL,
			applied_payment_id = payment_id WHERE kind = 'credit_note'`},
		"a sale lost its payment":  {"receivable_settled_by_capture", `UPDATE ledger_journals SET payment_id = NULL WHERE kind = 'sale'`},
		"an invoice was backdated": {"numbers_follow_time", `UPDATE invoices SET issued_at = issued_at - interval '40 days' WHERE sequence = 2`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for range 2 {
				_, err := b.sell(b.asha, "29", 1_00_000)
				require.NoError(t, err)
				sold, err := b.sell(b.asha, "27", 1_00_000)
				require.NoError(t, err)
				require.NoError(t, b.refund(sold, 50_000))
			}
			report, err := b.audit.Verify(t.Context())
			require.NoError(t, err)
			require.True(t, report.Clean(), "%v", report.Findings)

			tx, err := b.db.Owner.Beginx()
			require.NoError(t, err)
			_, err = tx.Exec(`SET LOCAL session_replication_role = replica`) // no trigger, no foreign key
			require.NoError(t, err)
			_, err = tx.Exec(c.sql)
			require.NoError(t, err)
			require.NoError(t, tx.Commit())

			report, err = b.audit.Verify(t.Context())
			require.NoError(t, err)
			broken := map[string]bool{}
			for _, finding := range report.Findings {
				broken[finding.Check] = true
				require.NotEmpty(t, finding.Subject)
			}
			require.True(t, broken[c.check], "%v", report.Findings)
		})
	}
}

func TestBooks_AnyHistory_Verify(t *testing.T) {
	t.Parallel()
	b := setup(t)
	rapid.Check(t, func(rt *rapid.T) {
		var issued []invoice.Invoice
		for range rapid.IntRange(1, 5).Draw(rt, "steps") {
			amount := money.Paise(rapid.Int64Range(100, 50_00_000_00).Draw(rt, "amount"))
			state := rapid.SampledFrom([]string{"27", "29", "04"}).Draw(rt, "state")
			switch rapid.IntRange(0, 2).Draw(rt, "event") {
			case 0:
				i, err := b.sell(b.asha, state, amount)
				require.NoError(rt, err)
				issued = append(issued, i)
			case 1:
				require.NoError(rt, b.surplus(b.asha, amount))
			default:
				if len(issued) == 0 {
					continue
				}
				of := rapid.SampledFrom(issued).Draw(rt, "of")
				require.NoError(rt, b.refund(of, 1+amount%of.Totals.Total))
			}
		}
		report, err := b.audit.Verify(context.Background())
		require.NoError(rt, err)
		require.Empty(rt, report.Findings)
		require.Equal(rt, report.Debit, report.Credit)
	})
}
