// Package invoice issues GST tax invoices and credit notes: gapless numbers, tax by place of supply, immutable snapshots.
package invoice

import (
	"errors"
	"regexp"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// SACSoftware is the service accounting code of the platform itself, the right to use computer software (997331).
const SACSoftware = "997331"

// SACSetUp is the service accounting code of bespoke set-up work, IT design and development (998314).
const SACSetUp = "998314"

// Failures of issuing and reading documents, safe to show.
var (
	ErrNotFound = errs.NotFound()
	// ErrUnavailable answers for a payment that was not paid and so has no invoice.
	ErrUnavailable    = errs.New(errs.KindConflict, "invoice_unavailable", "There is no invoice for a payment that was not made.")
	ErrCreditTooLarge = errs.New(errs.KindConflict, "credit_exceeds_invoice",
		"The credit is larger than what is left of the invoice.")
)

// Failures that mean that a caller computed something else than this package did; never caused by a person.
var (
	ErrTotalMismatch = errors.New("invoice: the lines do not add up to the amount that was paid")
	ErrBadInput      = errors.New("invoice: incomplete or impossible input")
)

// Supplier is who issues the documents, as printed on them (rule 46(a) CGST Rules).
type Supplier struct {
	Name      string    `json:"name"`
	Address   []string  `json:"address"`
	GSTIN     string    `json:"gstin"`
	StateCode StateCode `json:"state_code"`
	Email     string    `json:"email"`
	Phone     string    `json:"phone"`
	// Bank and Terms are lines printed below the totals; empty ones leave no trace.
	Bank  []string `json:"bank,omitempty"`
	Terms []string `json:"terms,omitempty"`
	// Signatory is who signs credit notes and vouchers, name and designation a line each.
	Signatory []string `json:"signatory,omitempty"`
}

// SupplierFrom reads the supplier from the configuration; its texts part their lines by a vertical bar.
func SupplierFrom(c config.Supplier) Supplier {
	return Supplier{
		Name: c.Name, Address: lines(c.Address), GSTIN: c.GSTIN, StateCode: StateCode(c.StateCode),
		Email: c.Email, Phone: c.Phone, Bank: lines(c.Bank), Terms: lines(c.Terms),
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

// Recipient is who bought, as they were when they bought; the State is always there (Circular 242/36/2024).
type Recipient struct {
	Name      string    `json:"name"`
	Address   []string  `json:"address"`
	StateCode StateCode `json:"state_code"`
	GSTIN     string    `json:"gstin,omitempty"`
	// SEZ marks a unit in a special economic zone, whose purchases bear IGST wherever it lies.
	SEZ bool `json:"sez,omitempty"`
}

// email is what looks like an e-mail address, which names nobody.
var email = regexp.MustCompile(`^\S+@\S+\.\S+$`)

// ValidName says whether a document may be addressed to the name (rule 46(e), CGST Rules): there is one, and it is no
// e-mail address.
func ValidName(name string) bool {
	name = strings.TrimSpace(name)
	return name != "" && !email.MatchString(name)
}

// RecipientName picks whom to address: the legal name, else the person by first and last name. It is empty where neither
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

// Receipt says how a document was settled, as printed beside its total; every field may be empty.
type Receipt struct {
	// TransactionID is our own transaction number, GatewayID the provider's.
	TransactionID string    `json:"transaction_id,omitempty"`
	GatewayID     string    `json:"gateway_id,omitempty"`
	Method        string    `json:"method,omitempty"`
	PaidAt        time.Time `json:"paid_at,omitzero"`
	// TakenBack says that the customer's bank took the money back; nobody refunded it.
	TakenBack bool `json:"taken_back,omitempty"`
}

// LineInput is one thing sold: Amount is before discount and tax for the whole quantity, Discount is positive paise off it.
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

// Line is a line of a document with its taxable value and tax per head.
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

// Total is the line's taxable value with its tax.
func (l Line) Total() money.Paise { return l.Taxable + l.Tax.Total() }

// Totals are the sums over a document's lines, in paise.
type Totals struct {
	Amount   money.Paise `db:"amount_paise"`
	Discount money.Paise `db:"discount_paise"`
	Taxable  money.Paise `db:"taxable_paise"`
	Tax
	Total money.Paise `db:"total_paise"`
}

// Invoice is an issued tax invoice or credit note: a snapshot that nothing changes afterwards.
type Invoice struct {
	ID           string
	FranchiserID string
	Kind         Kind
	PaymentID    string
	// OriginalID, OriginalNumber and OriginalDate name the invoice that a credit note reduces (rule 53(1A)).
	OriginalID     string
	OriginalNumber string
	OriginalDate   time.Time
	// RefundID is the refund that a credit note or refund voucher documents, Reason why it was given, for the customer.
	RefundID string
	// AppliedPaymentID is the payment that a credit note reduces instead of being paid out: the upgrade's.
	AppliedPaymentID string
	Reason           string
	// Commercial marks a credit note without GST, after the time limit of section 34(2) CGST Act.
	Commercial bool
	// Credits are the credit notes that pay for an invoice in part.
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
	// IRN, AckNo and SignedQR are empty until the document is registered for e-invoicing.
	IRN, AckNo, SignedQR string
}

// Applied is a credit note as the invoice names it that it pays for in part.
type Applied struct {
	Number   string      `json:"number"`
	IssuedAt time.Time   `json:"issued_at"`
	Total    money.Paise `json:"total_paise"`
}

// Credited is what credit notes pay of the invoice.
func (i Invoice) Credited() money.Paise {
	var sum money.Paise
	for _, c := range i.Credits {
		sum += c.Total
	}
	return sum
}

// Document says where the rendered PDF of an invoice lies and what its bytes hash to.
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

// ValidSAC says whether a service accounting code has four to eight digits and nothing else.
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

// SummaryRow is the tax of all lines with one service code and one rate, as the summary of a document shows it.
type SummaryRow struct {
	SAC     string
	RateBps int64
	Taxable money.Paise
	Tax
}

// Summary groups the lines by service code and rate in the order of their first appearance.
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

// Filename is the name under which a person saves the document: FP-26-27-000001.pdf.
func (i Invoice) Filename() string { return strings.ReplaceAll(i.Number, "/", "-") + ".pdf" }
