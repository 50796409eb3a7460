package delivery

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Credit is the refund that the operator's rule allows for a late delivery. Staff request it as a refund that keeps the plan; the payment's own
// approval applies.
type Credit struct {
	// PaymentID is the payment of the invoice that promised the day. After an upgrade that used it up, it is the upgrade's payment.
	PaymentID string
	// Amount is what can still be requested of the payment: for the lateness so far, less Given. All features of one invoice line share the
	// rule's limit.
	Amount money.Paise
	// Given is what credit notes gave for this promised day, and what is requested or on its way.
	Given money.Paise
	Weeks int
	// Printed is the reason on the credit note; how it begins shows what the note was for.
	Printed string
}

// weeksLate counts the begun weeks after the promised day.
func (d Delivery) weeksLate(today subscription.Day) int {
	last := today
	switch {
	case d.State == StateDelivered && d.DeliveredAt != nil:
		last = subscription.DayOf(*d.DeliveredAt)
	case d.State != StatePlanned && d.State != StateInProgress:
		return 0
	}
	return int(max(0, last-d.PromisedOn)+6) / 7
}

// mostOfName is how many characters of a name the reason on a credit note has; creditSQL knows it too.
const mostOfName = 60

func shortName(name string) string {
	if long := []rune(name); len(long) > mostOfName {
		return string(long[:mostOfName]) + "…"
	}
	return name
}

// lateness begins each printed reason of a credit; creditSQL knows it too.
const lateness = "Late delivery"

// lateReason is how the printed reason of the delivery's credit begins.
func (d Delivery) lateReason() string {
	return lateness + ": " + shortName(d.Name) + ", promised for " + d.PromisedOn.Human()
}

// lateCreditTx returns the credit for a delivery; nil if it is not late, or if the operator gives no credit.
func (d *Desk) lateCreditTx(ctx context.Context, tx *sqlx.Tx, of Delivery) (*Credit, error) {
	weeks := of.weeksLate(d.Today())
	if weeks < 1 || d.late.Week < 1 {
		return nil, nil //nolint:nilnil // no credit
	}
	reason := of.lateReason()
	lines, err := d.store.creditLines(ctx, tx, of, reason)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	line := lines[0]
	share := func(bps int64) money.Paise { return line.Total * money.Paise(min(bps, d.late.Most)) / 10_000 }
	late := "1 week"
	if weeks > 1 {
		late = fmt.Sprintf("%d weeks", weeks)
	}
	c := Credit{PaymentID: line.PaymentID, Given: line.Given, Weeks: weeks, Printed: reason + ", " + late}
	due := max(0, min(share(d.late.Week*int64(weeks))-line.Given, share(d.late.Most)-line.GivenOfLine))
	for _, from := range lines {
		rest, err := refund.GatewayRestTx(ctx, tx, from.PaymentID)
		if err != nil {
			return nil, err
		}
		if amount := min(due, rest); amount > c.Amount {
			c.PaymentID, c.Amount = from.PaymentID, amount
		}
	}
	if c.Amount+c.Given < 1 {
		return nil, nil //nolint:nilnil // no credit
	}
	return &c, nil
}

// CheckCreditTx refuses a refund of the payment whose printed reason is a late delivery, if it is more than that delivery's credit. Refunds
// with other reasons, and all refunds if the operator gives no credit, have no such limit. The caller holds the franchiser's lock.
func (d *Desk) CheckCreditTx(ctx context.Context, tx *sqlx.Tx, franchiserID, paymentID, printed string, amount money.Paise) error {
	if n := len(lateness); d.late.Week < 1 || len(printed) < n || !strings.EqualFold(printed[:n], lateness) {
		return nil
	}
	list, err := d.store.ofCustomer(ctx, tx, franchiserID)
	if err != nil {
		return err
	}
	for _, of := range list {
		if !strings.HasPrefix(printed, of.lateReason()) {
			continue
		}
		c, err := d.lateCreditTx(ctx, tx, of)
		switch {
		case err != nil:
			return err
		case c == nil || c.PaymentID != paymentID:
			continue
		case amount > c.Amount:
			problem := "The credit for this late delivery is " + c.Amount.Display() + ". " + c.Given.Display() + " was given or is on its way."
			return errs.Invalid(problem).Field("amount", problem)
		}
		return nil
	}
	const problem = "No late delivery of this payment has this reason. Ask for the credit on the delivery's page, or write another reason."
	return errs.Invalid(problem).Field("printed_reason", problem)
}
