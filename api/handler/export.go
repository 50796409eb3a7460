package handler

import (
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// notesOf names the documents of a payment other than its invoice.
func notesOf(b payment.Returned) string {
	var numbers []string
	for _, d := range b.Documents {
		if d.Kind != invoice.KindInvoice {
			numbers = append(numbers, d.Number)
		}
	}
	return strings.Join(numbers, "; ")
}

// takenAgain sums up what was taken a second time, and what of it is back, with the days of that.
func takenAgain(b payment.Returned) (taken, returned money.Paise, on string) {
	var days []string
	for _, a := range b.SecondCaptures {
		taken += a.Amount
		if a.State == payment.SecondCaptureReturned {
			returned += a.Amount
			days = append(days, a.DoneAt.In(clock.IST).Format(time.DateTime))
		}
	}
	return taken, returned, strings.Join(days, "; ")
}

// stateOf is a payment's state in one word, as the list shows it.
func stateOf(r payment.Row) string {
	if r.Cancelled() {
		return "cancelled"
	}
	return string(r.State)
}

func (h *Subscriptions) fileName(kind string) string {
	return kind + "-" + subscription.DayOf(h.subs.Now()).String() + ".csv"
}

func (h *Subscriptions) exportOrders(c *gin.Context) error {
	header := []string{
		"Order", "Plan", "Service", "Kind", "Billing", "Add-ons", "Purchased on", "Ends on", "Renews on", "Status", "Total (INR)",
		"Transaction", "Invoice", "Refunded (INR)", "Credit notes and vouchers", "Received (INR)",
	}
	return streamCSV(c, h.fileName("orders"), header, func(q payment.Query) ([][]string, payment.Cursor, error) {
		rows, _, err := h.payments.Orders(c.Request.Context(), middleware.Principal(c).FranchiserID, q)
		out := make([][]string, 0, len(rows))
		var last payment.Cursor
		for _, o := range rows {
			last = o.Place
			out = append(out, []string{
				o.ID, o.PlanName, o.ServiceName, string(o.Kind), string(o.Type), strings.Join(o.AddOnNames, "; "),
				o.PurchasedOn.String(), o.EndsOn.String(), o.RenewsOn.String(), o.Status, o.Total.Decimal(), o.TransactionID,
				o.InvoiceNumber, o.Returned.Done.Decimal(), notesOf(o.Returned), o.Returned.Captured.Decimal(),
			})
		}
		return out, last, err
	})
}

func (h *Subscriptions) exportPayments(c *gin.Context) error {
	header := []string{
		"Payment", "Date (IST)", "Kind", "State", "Status", "Paid by", "Gateway charge (INR)", "Total (INR)", "Transaction", "Invoice",
		"Refunded (INR)", "Credit notes and vouchers", "Invoice total (INR)", "Credit used (INR)", "Taken a second time (INR)",
		"Of it given back (INR)", "Given back on (IST)",
	}
	return streamCSV(c, h.fileName("payments"), header, func(q payment.Query) ([][]string, payment.Cursor, error) {
		rows, _, err := h.payments.Payments(c.Request.Context(), middleware.Principal(c).FranchiserID, q)
		out := make([][]string, 0, len(rows))
		var last payment.Cursor
		for _, r := range rows {
			last = r.Place()
			taken, returned, on := takenAgain(r.Returned)
			out = append(out, []string{
				r.ID, r.Date().In(clock.IST).Format(time.DateTime), string(r.Kind), stateOf(r), strconv.Itoa(int(r.Status())),
				r.Slug, r.PGCharge.Decimal(), r.Moved().Decimal(), r.TransactionID, r.InvoiceNumber,
				r.Returned.Done.Decimal(), notesOf(r.Returned), r.Returned.InvoiceTotal().Decimal(), r.Returned.Applied.Decimal(),
				taken.Decimal(), returned.Decimal(), on,
			})
		}
		return out, last, err
	})
}
