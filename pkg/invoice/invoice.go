// Package invoice issues GST tax invoices and credit notes: gapless numbers, tax by place of supply, immutable snapshots.
package invoice

import (
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// SACSoftware is the service accounting code of the platform itself, the right to use computer software (997331).
const SACSoftware = "997331"

// SACSetUp is the service accounting code of bespoke set-up work, IT design and development (998314).
const SACSetUp = "998314"

// Errors from issuing and reading documents, safe to show.
var (
	ErrNotFound = errs.NotFound()
	// ErrUnavailable reports that a payment was not paid and so has no invoice.
	ErrUnavailable    = errs.New(errs.KindConflict, "invoice_unavailable", "There is no invoice for a payment that was not made.")
	ErrCreditTooLarge = errs.New(errs.KindConflict, "credit_exceeds_invoice",
		"The credit is larger than what is left of the invoice.")
)

// Errors meaning that a caller's computation differs from this package's; never caused by user input.
var (
	ErrTotalMismatch = errors.New("invoice: the lines do not add up to the amount that was paid")
	ErrBadInput      = errors.New("invoice: incomplete or impossible input")
)

// Supplier is the issuer of the documents, as printed on them (rule 46(a) CGST Rules).
type Supplier struct {
	Name      string    `json:"name"`
	Address   []string  `json:"address"`
	GSTIN     string    `json:"gstin"`
	StateCode StateCode `json:"state_code"`
	Email     string    `json:"email"`
	Phone     string    `json:"phone"`
	// CIN is the company's registration number, empty for others than companies. Address is then that of the registered office
	// (section 12(3)(c), Companies Act 2013).
	CIN string `json:"cin,omitempty"`
	// Bank and Terms are lines printed below the totals; empty ones are omitted.
	Bank  []string `json:"bank,omitempty"`
	Terms []string `json:"terms,omitempty"`
	// Signatory is the person who signs credit notes and vouchers: name and designation, one line each.
	Signatory []string `json:"signatory,omitempty"`
}

// SupplierFrom reads the supplier from the configuration, whose texts separate lines with a vertical bar.
func SupplierFrom(c config.Supplier) Supplier {
	return Supplier{
		Name: c.Name, Address: lines(c.Address), GSTIN: c.GSTIN, StateCode: StateCode(c.StateCode),
		Email: c.Email, Phone: c.Phone, CIN: c.CIN, Bank: lines(c.Bank), Terms: lines(c.Terms),
		Signatory: lines(c.Signatory),
	}
}

func lines(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "|") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Recipient is the buyer as of the purchase; the State is always set (Circular 242/36/2024).
type Recipient struct {
	Name      string    `json:"name"`
	Address   []string  `json:"address"`
	StateCode StateCode `json:"state_code"`
	GSTIN     string    `json:"gstin,omitempty"`
	// SEZ marks a unit in a special economic zone, whose purchases bear IGST wherever it is located.
	SEZ bool `json:"sez,omitempty"`
	// Also is the document's second language, beside English, as chosen when it was ordered; or empty.
	Also i18n.Language `json:"also,omitempty"`
}

// email matches what looks like an e-mail address, which is not a name.
var email = regexp.MustCompile(`^\S+@\S+\.\S+$`)

// ValidName reports whether a document may be addressed to the name (rule 46(e), CGST Rules): it is neither empty nor an
// e-mail address.
func ValidName(name string) bool {
	name = strings.TrimSpace(name)
	return name != "" && !email.MatchString(name)
}

// RecipientName returns the name to address: the legal name, else first and last name. It is empty if neither
// is known, and then nothing can be sold.
func RecipientName(legalName, firstName, lastName string) string {
	first, last := strings.TrimSpace(firstName), strings.TrimSpace(lastName)
	switch {
	case ValidName(legalName):
		return strings.TrimSpace(legalName)
	case ValidName(first) && ValidName(last):
		return first + " " + last
	default:
		return ""
	}
}

// Receipt describes how a document was settled, as printed next to its total; every field may be empty.
type Receipt struct {
	// TransactionID is our own transaction number, GatewayID the provider's.
	TransactionID string    `json:"transaction_id,omitempty"`
	GatewayID     string    `json:"gateway_id,omitempty"`
	Method        string    `json:"method,omitempty"`
	PaidAt        time.Time `json:"paid_at,omitzero"`
	// TakenBack reports a chargeback: the customer's bank took the money back, and we did not refund it.
	TakenBack bool `json:"taken_back,omitempty"`
	// Withheld is the tax that the customer deducted at source (TDS), so that less money came than the invoice is for.
	Withheld money.Paise `json:"withheld_paise,omitempty"`
	// PONumber is the customer's own number of the order, or empty.
	PONumber string `json:"po_number,omitempty"`
}

// LineInput is one item sold: Amount is before discount and tax for the whole quantity, Discount is a positive deduction in paise.
type LineInput struct {
	Description string
	// Detail is a second, smaller line, such as the period of service.
	Detail   string
	SAC      string
	RateBps  int64
	Quantity int64
	Amount   money.Paise
	Discount money.Paise
}

// Line is a document line with its taxable value and tax by head.
type Line struct {
	Position    int         `json:"position"`
	Description string      `json:"description"`
	Detail      string      `json:"detail"`
	SAC         string      `json:"sac"`
	RateBps     int64       `json:"rate_bps"`
	Quantity    int64       `json:"quantity"`
	Amount      money.Paise `json:"amount_paise"`
	Discount    money.Paise `json:"discount_paise"`
	Taxable     money.Paise `json:"taxable_paise"`
	Tax
}

// Total returns the line's taxable value with its tax.
func (l Line) Total() money.Paise { return l.Taxable + l.Tax.Total() }

// Totals are the sums over a document's lines, in paise.
type Totals struct {
	Amount   money.Paise `db:"amount_paise"`
	Discount money.Paise `db:"discount_paise"`
	Taxable  money.Paise `db:"taxable_paise"`
	Tax
	Total money.Paise `db:"total_paise"`
}

// Invoice is an issued tax invoice or credit note: an immutable snapshot.
type Invoice struct {
	ID           string
	FranchiserID string
	Kind         Kind
	PaymentID    string
	// OriginalID, OriginalNumber and OriginalDate identify the invoice that a credit note reduces (rule 53(1A)).
	OriginalID     string
	OriginalNumber string
	OriginalDate   time.Time
	// RefundID is the refund documented by a credit note or refund voucher, Reason its customer-facing reason.
	RefundID string
	// AppliedPaymentID is the upgrade's payment that a credit note reduces instead of being paid out.
	AppliedPaymentID string
	Reason           string
	// CorrectsID and CorrectsNumber identify the invoice to the wrong recipient that a credit note takes back whole and another invoice
	// replaces.
	CorrectsID     string
	CorrectsNumber string
	// Replaced reports that another invoice took its place.
	Replaced bool
	// Commercial marks a credit note without GST, after the time limit of section 34(2) CGST Act.
	Commercial bool
	// Credits are the credit notes that partly pay for an invoice.
	Credits       []Applied
	Series        string
	FinancialYear string
	Sequence      int64
	Number        string
	IssuedAt      time.Time
	Supplier      Supplier
	Recipient     Recipient
	Receipt       Receipt
	PlaceOfSupply StateCode
	ReverseCharge bool
	Regime        Regime
	Lines         []Line
	Totals        Totals
	// IRN, AckNo and SignedQR are empty, and AckAt is zero, until the document is registered for e-invoicing. AckAt stays zero for documents
	// that were registered before it was kept.
	IRN, AckNo, SignedQR string
	AckAt                time.Time
}

// Applied is a credit note as printed on the invoice that it partly pays for.
type Applied struct {
	Number   string      `json:"number"`
	IssuedAt time.Time   `json:"issued_at"`
	Total    money.Paise `json:"total_paise"`
}

// Credited returns how much of the invoice credit notes pay.
func (i Invoice) Credited() money.Paise {
	var sum money.Paise
	for _, c := range i.Credits {
		sum += c.Total
	}
	return sum
}

// Document records where the rendered PDF of an invoice is stored and its hash.
type Document struct {
	InvoiceID  string    `db:"invoice_id"`
	ObjectKey  string    `db:"object_key"`
	SHA256     string    `db:"sha256"`
	SizeBytes  int64     `db:"size_bytes"`
	RenderedAt time.Time `db:"rendered_at"`
}

// Compute turns inputs into lines with tax and their totals, for previews and invoices alike, so that both agree.
// It returns ErrBadInput for an empty, negative, overflowing or otherwise impossible line.
func Compute(regime Regime, inputs []LineInput) ([]Line, Totals, error) {
	if len(inputs) == 0 {
		return nil, Totals{}, ErrBadInput
	}
	lines := make([]Line, 0, len(inputs))
	for i, input := range inputs {
		if !input.valid() {
			return nil, Totals{}, ErrBadInput
		}
		taxable := input.Amount - input.Discount
		lines = append(lines, Line{
			Position: i + 1, Description: input.Description, Detail: input.Detail, SAC: input.SAC,
			RateBps: input.RateBps, Quantity: input.Quantity, Amount: input.Amount, Discount: input.Discount,
			Taxable: taxable, Tax: regime.Tax(taxable, input.RateBps),
		})
	}
	totals, err := sum(lines)
	return lines, totals, err
}

func (l LineInput) valid() bool {
	const fullRate = 10_000
	return strings.TrimSpace(l.Description) != "" && ValidSAC(l.SAC) &&
		l.RateBps >= 0 && l.RateBps <= fullRate && l.Quantity >= 1 &&
		l.Amount >= 0 && l.Amount <= money.Max && l.Discount >= 0 && l.Discount <= l.Amount
}

// ValidSAC reports whether a service accounting code consists of four to eight digits.
func ValidSAC(sac string) bool {
	if len(sac) < 4 || len(sac) > 8 {
		return false
	}
	for _, char := range sac {
		if char < '0' || char > '9' {
			return false
		}
	}
	return true
}

func sum(lines []Line) (Totals, error) {
	var totals Totals
	for _, line := range lines {
		total, err := money.Sum(totals.Total, line.Total())
		if err != nil || total > money.Max {
			return Totals{}, ErrBadInput
		}
		totals.Amount += line.Amount
		totals.Discount += line.Discount
		totals.Taxable += line.Taxable
		totals.Tax = totals.plus(line.Tax)
		totals.Total = total
	}
	return totals, nil
}

// SummaryRow is the tax of all lines with the same service code and rate, as shown in a document's summary.
type SummaryRow struct {
	SAC     string
	RateBps int64
	Taxable money.Paise
	Tax
}

// Summary groups the lines by service code and rate in order of first appearance.
func (i Invoice) Summary() []SummaryRow {
	type key struct {
		sac  string
		rate int64
	}
	at := map[key]int{}
	var rows []SummaryRow
	for _, line := range i.Lines {
		k := key{line.SAC, line.RateBps}
		n, seen := at[k]
		if !seen {
			n = len(rows)
			at[k] = n
			rows = append(rows, SummaryRow{SAC: line.SAC, RateBps: line.RateBps})
		}
		rows[n].Taxable += line.Taxable
		rows[n].Tax = rows[n].plus(line.Tax)
	}
	return rows
}

// Filename returns the document's download name: FP-26-27-000001.pdf.
func (i Invoice) Filename() string { return strings.ReplaceAll(i.Number, "/", "-") + ".pdf" }
