// Package ledger keeps the books in double entry: balanced journals in paise that are appended once and never changed.
package ledger

import (
	"errors"
	"time"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Account is the code of a ledger account.
type Account string

// The chart of accounts. Debits increase assets and expenses, credits increase liabilities and income.
const (
	// AccountReceivable is what franchisers owe for issued invoices.
	AccountReceivable Account = "receivable"
	// AccountGatewayClearing is the money that the gateway captured but has not settled yet.
	AccountGatewayClearing Account = "gateway_clearing"
	// AccountBank is the money that the gateway settled.
	AccountBank Account = "bank"
	// AccountInputTax is the recoverable GST on the gateway's fees.
	AccountInputTax Account = "input_tax"
	// AccountCustomerCredit is the money owed to franchisers: second captures and credits not paid out yet.
	AccountCustomerCredit Account = "customer_credit"
	// AccountOutputCGST is central tax owed to the government.
	AccountOutputCGST Account = "output_cgst"
	// AccountOutputSGST is State tax owed to the government.
	AccountOutputSGST Account = "output_sgst"
	// AccountOutputUTGST is union territory tax owed to the government.
	AccountOutputUTGST Account = "output_utgst"
	// AccountOutputIGST is integrated tax owed to the government.
	AccountOutputIGST Account = "output_igst"
	// AccountRevenue is the revenue from sales, before tax.
	AccountRevenue Account = "revenue"
	// AccountRefunds is the amount credited to customers, before tax; it reduces revenue.
	AccountRefunds Account = "refunds"
	// AccountFees are the gateway's charges, before tax.
	AccountFees Account = "fees"
	// AccountChargebacks is what banks took back although it had already been refunded.
	AccountChargebacks Account = "chargebacks"
	// AccountTaxNotRecovered is output tax that stays owed because recipients did not reverse the input tax credit of credit notes.
	AccountTaxNotRecovered Account = "tax_not_recovered"
	// AccountHeldPayments is captured money that awaits staff: owed to the franchiser until it is accepted or released.
	AccountHeldPayments Account = "held_payments"
	// AccountRounding is the difference in paise between an invoice and its payment.
	AccountRounding Account = "rounding"
	// AccountGatewayAdjustments is money that the gateway added or deducted without naming a payment; staff explain it.
	AccountGatewayAdjustments Account = "gateway_adjustments"
	// AccountBankReceipts is money received in the bank by transfer and not assigned to an order yet: owed to the payer.
	AccountBankReceipts Account = "bank_receipts"
	// AccountTDSReceivable is income tax that customers deducted from their payments, until the tax account shows it.
	AccountTDSReceivable Account = "tds_receivable"
	// AccountDeferredRevenue is the invoiced amount for days to come: service that is owed.
	AccountDeferredRevenue Account = "deferred_revenue"
	// AccountGSTTDSReceivable is GST that public bodies deducted from their payments.
	AccountGSTTDSReceivable Account = "gst_tds_receivable"
)

// Kind is the kind of event that an entry records.
type Kind string

// The kinds of event.
const (
	KindSale         Kind = "sale"
	KindCapture      Kind = "capture"
	KindExtraCapture Kind = "extra_capture"
	KindCreditNote   Kind = "credit_note"
	KindRefund       Kind = "refund"
	KindSettlement   Kind = "settlement"
	// KindSettlementReturn is money of a refund or a dispute that the gateway pays out to us again.
	KindSettlementReturn Kind = "settlement_return"
	// KindHeldCapture is captured money that awaits staff, KindHeldRelease their decision to return it.
	KindHeldCapture Kind = "held_capture"
	KindHeldRelease Kind = "held_release"
	// KindAdjustment concerns no customer: an adjustment of the gateway, a charge of the bank.
	KindAdjustment Kind = "adjustment"
	// KindChargeback is money that the customer's bank took back, KindChargebackLoss the case where nothing remained to be credited.
	KindChargeback     Kind = "chargeback"
	KindChargebackLoss Kind = "chargeback_loss"
	// KindCreditApplied is a credit note that pays for an upgrade, KindRefundLoss a refund that no credit note covers.
	// KindInputTaxRefused is tax of a credit note that is owed again; KindInputTaxRestored reverses that.
	KindInputTaxRefused  Kind = "input_tax_refused"
	KindInputTaxRestored Kind = "input_tax_restored"
	KindCreditApplied    Kind = "credit_applied"
	KindRefundLoss       Kind = "refund_loss"
	// KindRounding is the difference between an invoice and its payment, because tax is rounded by line.
	KindRounding Kind = "rounding"
)

// Posting errors; the caller must roll back after any of them.
var (
	// ErrUnbalanced reports that debits differ from credits or that there are fewer than two lines.
	ErrUnbalanced = errors.New("ledger: entry does not balance")
	// ErrBadEntry reports that a line is negative, two-sided or empty, or that the entry names no event.
	ErrBadEntry = errors.New("ledger: impossible entry")
	// ErrPostedDifferently reports that the event was already posted with other lines.
	ErrPostedDifferently = errors.New("ledger: event was posted with other amounts")
)

// Line is one side of an entry: exactly one of Debit and Credit is positive, in paise.
type Line struct {
	Account Account     `json:"account"      db:"account"`
	Debit   money.Paise `json:"debit_paise"  db:"debit_paise"`
	Credit  money.Paise `json:"credit_paise" db:"credit_paise"`
}

// Debit returns a line that debits the account.
func Debit(account Account, amount money.Paise) Line { return Line{Account: account, Debit: amount} }

// Credit returns a line that credits the account.
func Credit(account Account, amount money.Paise) Line { return Line{Account: account, Credit: amount} }

// Entry is one event in the books, identified by Kind and Reference: the same event is posted once.
type Entry struct {
	// FranchiserID is empty only for an adjustment, which then names neither payment nor invoice.
	FranchiserID string
	Kind         Kind
	// Reference is the event's own identifier: the invoice for a sale, the payment for a capture, and so on.
	Reference   string
	PaymentID   string
	InvoiceID   string
	Description string
	// PostedAt is the transaction's single timestamp; zero means the clock's. Inside locked books the entry is dated on the first
	// open day instead, and this time is kept as HappenedAt.
	PostedAt time.Time
	Lines    []Line
}

func (e Entry) validate() error {
	own := e.Kind == KindAdjustment && e.PaymentID == "" && e.InvoiceID == ""
	if e.FranchiserID == "" && !own || e.Kind == "" || e.Reference == "" || e.Description == "" {
		return ErrBadEntry
	}
	var balance money.Paise
	for _, line := range e.Lines {
		if line.Account == "" || line.Debit < 0 || line.Credit < 0 || (line.Debit == 0) == (line.Credit == 0) {
			return ErrBadEntry
		}
		sum, err := money.Sum(balance, line.Debit, -line.Credit)
		if err != nil {
			return ErrBadEntry
		}
		balance = sum
	}
	if len(e.Lines) < 2 || balance != 0 {
		return ErrUnbalanced
	}
	return nil
}

// EntryTexts are the texts with values from which the descriptions of entries on a customer's account are made, as the catalogues have them.
func EntryTexts() []string {
	lessBoth, lessTDS, lessGST := paidLessTexts()
	return []string{i18n.Mark("Invoice {1}"), i18n.Mark("Credit note {1}"), lessBoth, lessTDS, lessGST}
}

// Sale records an issued invoice: the franchiser owes its total, we earned the value and owe the tax.
func Sale(i invoice.Invoice) Entry {
	return Entry{
		FranchiserID: i.FranchiserID, Kind: KindSale, Reference: i.ID, PaymentID: i.PaymentID, InvoiceID: i.ID,
		Description: "Invoice " + i.Number, PostedAt: i.IssuedAt,
		Lines: nonZero(
			Debit(AccountReceivable, i.Totals.Total),
			Credit(AccountRevenue, i.Totals.Taxable),
			Credit(AccountOutputCGST, i.Totals.CGST),
			Credit(AccountOutputSGST, i.Totals.SGST),
			Credit(AccountOutputUTGST, i.Totals.UTGST),
			Credit(AccountOutputIGST, i.Totals.IGST),
		),
	}
}

// CreditNote records an issued credit note: value and tax are reversed, and its total is owed to the franchiser.
func CreditNote(i invoice.Invoice) Entry {
	return Entry{
		FranchiserID: i.FranchiserID, Kind: KindCreditNote, Reference: i.ID, PaymentID: i.PaymentID, InvoiceID: i.ID,
		Description: "Credit note " + i.Number, PostedAt: i.IssuedAt,
		Lines: nonZero(
			Debit(AccountRefunds, i.Totals.Taxable),
			Debit(AccountOutputCGST, i.Totals.CGST),
			Debit(AccountOutputSGST, i.Totals.SGST),
			Debit(AccountOutputUTGST, i.Totals.UTGST),
			Debit(AccountOutputIGST, i.Totals.IGST),
			Credit(AccountCustomerCredit, i.Totals.Total),
		),
	}
}

// Movement is money moved for a payment at the gateway; Reference identifies the event permanently.
type Movement struct {
	FranchiserID string
	PaymentID    string
	Reference    string
	Amount       money.Paise
	At           time.Time
}

func (m Movement) entry(kind Kind, description string, lines ...Line) Entry {
	return Entry{
		FranchiserID: m.FranchiserID, Kind: kind, Reference: m.Reference, PaymentID: m.PaymentID,
		Description: description, PostedAt: m.At, Lines: nonZero(lines...),
	}
}

// Capture records that the gateway captured an invoiced amount; its reference is the payment's id.
func Capture(m Movement) Entry {
	return m.entry(KindCapture, i18n.Mark("Payment captured"),
		Debit(AccountGatewayClearing, m.Amount), Credit(AccountReceivable, m.Amount))
}

// ExtraCapture records a capture, or the part of one, for which nothing is due: it has no invoice and is owed back in full.
func ExtraCapture(m Movement) Entry {
	return m.entry(KindExtraCapture, i18n.Mark("Captured without anything due for it"),
		Debit(AccountGatewayClearing, m.Amount), Credit(AccountCustomerCredit, m.Amount))
}

// Refund records that the gateway paid back money owed to the franchiser; its reference is the refund's id.
func Refund(m Movement) Entry {
	return m.entry(KindRefund, i18n.Mark("Refund paid"),
		Debit(AccountCustomerCredit, m.Amount), Credit(AccountGatewayClearing, m.Amount))
}

// Chargeback records that the customer's bank took back the amount of the credit note; its reference is the refund's id.
func Chargeback(m Movement) Entry {
	return m.entry(KindChargeback, i18n.Mark("Chargeback lost"),
		Debit(AccountCustomerCredit, m.Amount), Credit(AccountGatewayClearing, m.Amount))
}

// ChargebackLoss records an amount that the customer's bank took back although it had already been refunded. It is no longer owed, so it is
// an expense. Its reference is the dispute's id.
func ChargebackLoss(m Movement) Entry {
	return m.entry(KindChargebackLoss, i18n.Mark("Chargeback of what was refunded before"),
		Debit(AccountChargebacks, m.Amount), Credit(AccountGatewayClearing, m.Amount))
}

// CreditApplied records that a credit note pays for an upgrade: the franchiser's credit settles their debt. Its reference is the note's id,
// its payment the upgrade's.
func CreditApplied(m Movement) Entry {
	return m.entry(KindCreditApplied, i18n.Mark("Credit note set off against the invoice"),
		Debit(AccountCustomerCredit, m.Amount), Credit(AccountReceivable, m.Amount))
}

// RefundLoss records the part of a refund without a credit note: a service that was used although a bank took its price back, or an amount
// already credited. Its reference is the refund's id. It reverses no tax.
func RefundLoss(m Movement) Entry {
	return m.entry(KindRefundLoss, i18n.Mark("Given back beyond what can be credited"),
		Debit(AccountChargebacks, m.Amount), Credit(AccountCustomerCredit, m.Amount))
}

// BankRefund records that we repaid the franchiser's credit by bank transfer, less the tax that the franchiser had deducted from it, which
// is no longer receivable; its reference is the refund's id.
func BankRefund(m Movement, tds, gstTDS money.Paise) Entry {
	return m.entry(KindRefund, i18n.Mark("Refund paid by bank transfer"),
		Debit(AccountCustomerCredit, m.Amount), Credit(AccountBank, m.Amount-tds-gstTDS), Credit(AccountTDSReceivable, tds),
		Credit(AccountGSTTDSReceivable, gstTDS))
}

// HeldCapture records captured money that differs from the requested amount: it is owed to the franchiser until staff decide.
// Its reference is the payment's id.
func HeldCapture(m Movement) Entry {
	return m.entry(KindHeldCapture, i18n.Mark("Payment held for staff"),
		Debit(AccountGatewayClearing, m.Amount), Credit(AccountHeldPayments, m.Amount))
}

// HeldRelease records that held money is to be returned; its reference is the payment's id.
func HeldRelease(m Movement) Entry {
	return m.entry(KindHeldRelease, i18n.Mark("Held payment released"),
		Debit(AccountHeldPayments, m.Amount), Credit(AccountCustomerCredit, m.Amount))
}

// HeldAccepted records that staff accepted held money as the payment of an invoice; its reference is the payment's id.
func HeldAccepted(m Movement) Entry {
	return m.entry(KindCapture, i18n.Mark("Held payment accepted"),
		Debit(AccountHeldPayments, m.Amount), Credit(AccountReceivable, m.Amount))
}

// HeldSurplus records that a part of accepted held money is owed back; its reference is the payment's id.
func HeldSurplus(m Movement) Entry {
	return m.entry(KindExtraCapture, i18n.Mark("Held beyond what was due"),
		Debit(AccountHeldPayments, m.Amount), Credit(AccountCustomerCredit, m.Amount))
}

// Rounding records the paise by which an invoice exceeds its payment, or falls short of it if Amount is negative; its reference is the
// invoice's id.
func Rounding(m Movement) Entry {
	if m.Amount < 0 {
		return m.entry(KindRounding, i18n.Mark("Rounding of an invoice"), Debit(AccountReceivable, -m.Amount), Credit(AccountRounding, -m.Amount))
	}
	return m.entry(KindRounding, i18n.Mark("Rounding of an invoice"), Debit(AccountRounding, m.Amount), Credit(AccountReceivable, m.Amount))
}

// Settlement records that the gateway paid Amount out to the bank less its fee and the GST on that fee.
func Settlement(m Movement, fee, taxOnFee money.Paise) Entry {
	return m.entry(KindSettlement, "Payment settled", payout(AccountGatewayClearing, m.Amount, fee, taxOnFee)...)
}

// RefundSettlement records that the gateway deducted a refund from its payout, and its charge for it.
func RefundSettlement(m Movement, fee, taxOnFee money.Paise) Entry {
	return m.entry(KindSettlement, "Refund settled", payout(AccountGatewayClearing, -m.Amount, fee, taxOnFee)...)
}

// ChargebackSettlement records that the gateway deducted a disputed amount, and its charge for it. That may happen before the dispute is
// decided; the gateway then owes the amount.
func ChargebackSettlement(m Movement, fee, taxOnFee money.Paise) Entry {
	return m.entry(KindSettlement, "Chargeback settled", payout(AccountGatewayClearing, -m.Amount, fee, taxOnFee)...)
}

// ReturnSettlement records that the gateway paid the amount of a refund or a dispute out to us again.
func ReturnSettlement(m Movement, fee, taxOnFee money.Paise) Entry {
	return m.entry(KindSettlementReturn, "Refund or chargeback paid out again", payout(AccountGatewayClearing, m.Amount, fee, taxOnFee)...)
}

// AdjustmentSettlement records an amount that the gateway added to a payout, or deducted if Amount is negative, without naming a payment.
// It belongs to no franchiser.
func AdjustmentSettlement(m Movement, fee, taxOnFee money.Paise) Entry {
	m.FranchiserID, m.PaymentID = "", ""
	return m.entry(KindAdjustment, "Gateway adjustment", payout(AccountGatewayAdjustments, m.Amount, fee, taxOnFee)...)
}

// payout returns the lines that move gross less fee and tax into the bank, from the given account. Each may be negative.
func payout(from Account, gross, fee, taxOnFee money.Paise) []Line {
	return []Line{
		signed(AccountBank, gross-fee-taxOnFee), signed(AccountFees, fee), signed(AccountInputTax, taxOnFee), signed(from, -gross),
	}
}

// signed debits the account by the amount, or credits it if the amount is negative.
func signed(account Account, amount money.Paise) Line {
	if amount < 0 {
		return Credit(account, -amount)
	}
	return Debit(account, amount)
}

// nonZero drops the lines of amount zero; negative ones stay, so that posting refuses them.
func nonZero(lines ...Line) []Line {
	kept := make([]Line, 0, len(lines))
	for _, line := range lines {
		if line.Debit != 0 || line.Credit != 0 {
			kept = append(kept, line)
		}
	}
	return kept
}

// Journal is a posted entry.
type Journal struct {
	ID          string    `json:"id"`
	Kind        Kind      `json:"kind"`
	Reference   string    `json:"reference"`
	PaymentID   string    `json:"payment_id"`
	InvoiceID   string    `json:"invoice_id"`
	Description string    `json:"description"`
	PostedAt    time.Time `json:"posted_at"`
	// HappenedAt is when it happened if the books were already locked for that day; zero if PostedAt is that time.
	HappenedAt time.Time `json:"happened_at"`
	Lines      []Line    `json:"lines"`
}

// Balance is the sum of an account over all journals, in paise.
type Balance struct {
	Account Account     `db:"account"`
	Name    string      `db:"name"`
	Type    string      `db:"type"`
	Debit   money.Paise `db:"debit_paise"`
	Credit  money.Paise `db:"credit_paise"`
}

// Net returns the balance on the account's normal side.
func (b Balance) Net() money.Paise {
	if b.Type == "asset" || b.Type == "expense" {
		return b.Debit - b.Credit
	}
	return b.Credit - b.Debit
}

// Finding is one error in the books.
type Finding struct {
	// Check names the broken rule, Subject what breaks it, Detail how.
	Check   string `db:"check_name"`
	Subject string `db:"subject"`
	Detail  string `db:"detail"`
}

// Payout is the gateway's reported payout of a day in India, and the amount in the books; amounts in paise.
type Payout struct {
	Gateway string      `db:"gateway"`
	Day     time.Time   `db:"day"`
	PaidOut money.Paise `db:"paid_out_paise"`
	Booked  money.Paise `db:"booked_paise"`
	// Open is the sum of the unbooked lines, and Lines names them with what each waits for.
	Open  money.Paise `db:"open_paise"`
	Lines string      `db:"lines"`
}

// Report is the outcome of a check of the books; it is clean when there are no findings.
type Report struct {
	// Unbooked holds the days whose payouts are not fully booked, oldest first, at most a hundred.
	Unbooked []Payout
	Journals int64
	Invoices int64
	// Payments counts the paid ones, including those refunded since.
	Payments int64
	Debit    money.Paise
	Credit   money.Paise
	Findings []Finding
}

// Clean reports whether the books are in order.
func (r Report) Clean() bool { return len(r.Findings) == 0 }
