package transfer

import (
	"slices"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// UseKind is what a part of a credit is used for.
type UseKind string

// The kinds of use: it pays a proforma, goes back to who paid it, the credit is dismissed as none, or what of it paid part of unpaid bills is
// free again.
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
	Number          string      `db:"number"` // the proforma's
	Amount          money.Paise `db:"amount_paise"`
	TDS             money.Paise `db:"tds_paise"`
	RateBps         int64       `db:"tds_rate_bps"`
	GSTTDS          money.Paise `db:"gst_tds_paise"`
	UTR             string      `db:"utr"`
	State           UseState    `db:"state"`
	Reason          string      `db:"reason"`
	Key             string      `db:"key"`
	RequestedBy     string      `db:"requested_by"`
	RequestedByName string      `db:"requested_by_name"` // empty where it was certain and booked by itself
	RequestedAt     time.Time   `db:"requested_at"`
	DecidedBy       string      `db:"decided_by"`
	DecidedByName   string      `db:"decided_by_name"`
	Failure         string      `db:"failure"`
}

// UseInput is what staff ask to do with a credit. Key is the Idempotency-Key.
type UseInput struct {
	CreditID string
	Kind     UseKind
	// ProformaID, TDS, RateBps and GSTTDS are of a bill that it pays; UTR is of a return.
	ProformaID  string
	TDS, GSTTDS money.Paise
	RateBps     int64
	UTR         string
	Reason      string
	Key         string
}
