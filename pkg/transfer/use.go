package transfer

import (
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// UseKind is how a part of a credit is used.
type UseKind string

// The kinds of use: pay a proforma, return the money to its payer, dismiss the credit as not a payment, or release its parts of unpaid
// bills.
const (
	UseOrder     UseKind = "order"
	UseReturn    UseKind = "return"
	UseDismissal UseKind = "dismissal"
	UseRelease   UseKind = "release"
)

func (k UseKind) known() bool {
	return slices.Contains([]UseKind{UseOrder, UseReturn, UseDismissal, UseRelease}, k)
}

// Use is a use of a credit, or the request for one.
type Use struct {
	ID              string      `db:"id"`
	CreditID        string      `db:"credit_id"`
	Kind            UseKind     `db:"kind"`
	FranchiserID    string      `db:"franchiser_ref"`
	ProformaID      string      `db:"proforma_id"`
	Number          string      `db:"number"` // the proforma's number
	Amount          money.Paise `db:"amount_paise"`
	TDS             money.Paise `db:"tds_paise"`
	RateBps         int64       `db:"tds_rate_bps"`
	GSTTDS          money.Paise `db:"gst_tds_paise"`
	UTR             string      `db:"utr"`
	State           UseState    `db:"state"`
	Reason          string      `db:"reason"`
	Key             string      `db:"key"`
	RequestedBy     string      `db:"requested_by"`
	RequestedByName string      `db:"requested_by_name"` // empty if the match was certain and booked automatically
	RequestedAt     time.Time   `db:"requested_at"`
	DecidedBy       string      `db:"decided_by"`
	DecidedByName   string      `db:"decided_by_name"`
	Failure         string      `db:"failure"`
}

// UseInput is a staff request to use a credit. Key is the Idempotency-Key.
type UseInput struct {
	CreditID string
	Kind     UseKind
	// ProformaID, TDS, RateBps and GSTTDS are for the payment of a bill; UTR is for a return.
	ProformaID  string
	TDS, GSTTDS money.Paise
	RateBps     int64
	UTR         string
	Reason      string
	Key         string
}
