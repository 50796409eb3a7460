// Package reversal lets staff request refunds, releases and chargebacks, with the approval of a second person, and executes them.
package reversal

import (
	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/dispute"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// Options are the parts of a Service. New panics if a part is nil.
type Options struct {
	DB    *sqlx.DB
	Clock clock.Clock
	// Gateways answer for their own payments.
	Gateways payment.Gateways
	Ledger   payment.Ledger
	Refunds  *refund.Service
	Disputes *dispute.Service
	// ApproveAbove is the limit above which money is returned only with a second person; see RequestsOptions.
	ApproveAbove money.Paise
	// OtherUnapproved counts further amounts towards the daily limit of one member of staff.
	OtherUnapproved UnapprovedTotal
}

// Service executes reversals, with the worker's role.
type Service struct {
	db              *sqlx.DB
	clock           clock.Clock
	gateways        payment.Gateways
	ledger          payment.Ledger
	refunds         *refund.Service
	disputes        *dispute.Service
	approveAbove    money.Paise
	otherUnapproved UnapprovedTotal
}

// New returns a Service. It panics if a part is missing.
func New(o Options) *Service {
	return wiring.Complete(&Service{
		db: o.DB, clock: o.Clock, gateways: o.Gateways, ledger: o.Ledger,
		refunds: o.Refunds, disputes: o.Disputes, approveAbove: o.ApproveAbove, otherUnapproved: o.OtherUnapproved,
	})
}
