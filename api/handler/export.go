package handler

import (
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// notesOf returns the numbers of a payment's documents other than its invoice.
func notesOf(b history.Returned) string {
	var numbers []string
	for _, d := range b.Documents {
		if d.Kind != invoice.KindInvoice {
			numbers = append(numbers, d.Number)
		}
	}
	return strings.Join(numbers, "; ")
}

// taxHeader returns the column names for taxCells: an accountant's entries for an invoice and its credit notes.
func taxHeader() []string {
	return []string{
		"Invoice", "Invoice date (IST)", "Billed to", "GSTIN", "Place of supply", "Taxable value (INR)", "CGST (INR)", "SGST (INR)",
		"UTGST (INR)", "IGST (INR)", "Invoice total (INR)", "Credit notes, taxable value (INR)", "Credit notes, GST (INR)",
	}
}

func taxCells(b history.Returned) []string {
	i := b.Invoice()
	on := ""
	if i.Number != "" {
		on = i.At.In(clock.IST).Format(time.DateOnly)
	}
	var taxable, tax money.Paise
	for _, d := range b.Documents {
		if d.Kind == invoice.KindCreditNote && !d.Correction { // the invoice that a correction takes back is not in the row either
			taxable, tax = taxable+d.Taxable, tax+d.Tax
		}
	}
	return []string{
		i.Number, on, i.Name, i.GSTIN, i.PlaceOfSupply, i.Taxable.Decimal(), i.Heads.CGST.Decimal(), i.Heads.SGST.Decimal(),
		i.Heads.UTGST.Decimal(), i.Heads.IGST.Decimal(), i.Total.Decimal(), taxable.Decimal(), tax.Decimal(),
	}
}

// takenAgain sums duplicate charges and their refunds, with the refund dates.
func takenAgain(b history.Returned) (taken, returned money.Paise, on string) {
	var days []string
	for _, a := range b.SecondCaptures {
		taken += a.Amount
		if a.State == history.SecondCaptureReturned {
			returned += a.Amount
			days = append(days, a.DoneAt.In(clock.IST).Format(time.DateTime))
		}
	}
	return taken, returned, strings.Join(days, "; ")
}

// stateOf returns a payment's state in one word, as the list shows it.
func stateOf(r history.Row) string {
	if r.Cancelled() {
		return "cancelled"
	}
	return string(r.State)
}

// paymentStatusWord returns the specification's word for the numeric status.
func paymentStatusWord(s subscription.PaymentStatus) string {
	return map[subscription.PaymentStatus]string{
		subscription.PaymentUnpaid: "unpaid", subscription.PaymentPaid: "paid", subscription.PaymentOverdue: "overdue",
		subscription.PaymentPrepayment: "prepayment", subscription.PaymentFreeTrial: "free trial", subscription.PaymentExpired: "expired",
	}[s]
}

func (h *Subscriptions) fileName(kind string) string {
	return kind + "-" + subscription.DayOf(h.subs.Now()).String() + ".csv"
}

func (h *Subscriptions) exportOrders(c *gin.Context) error {
	header := append(taxHeader(), "Plan", "Service", "Kind", "Billing", "Add-ons", "Purchased on", "Ends on", "Renews on", "Status",
		"Total (INR)", "Transaction", "Refunded (INR)", "Credit notes and vouchers", "Received (INR)", "Order")
	return streamCSV(c, h.fileName("orders"), header, func(q history.Query) ([][]string, history.Cursor, error) {
		rows, _, err := h.history.Orders(c.Request.Context(), middleware.Principal(c).FranchiserID, q)
		out := make([][]string, 0, len(rows))
		var last history.Cursor
		for _, o := range rows {
			last = o.Place
			out = append(out, append(taxCells(o.Returned),
				o.PlanName, o.ServiceName, string(o.Kind), string(o.Type), strings.Join(o.AddOnNames, "; "),
				o.PurchasedOn.String(), o.EndsOn.String(), o.RenewsOn.String(), o.Status, o.Total.Decimal(), o.TransactionID,
				o.Returned.Done.Decimal(), notesOf(o.Returned), o.Returned.Captured.Decimal(), o.ID,
			))
		}
		return out, last, err
	})
}

func (h *Subscriptions) exportPayments(c *gin.Context) error {
	header := append(taxHeader(), "Date (IST)", "Kind", "State", "Status", "Paid by", "Gateway charge (INR)", "Total (INR)",
		"Transaction", "Refunded (INR)", "Credit notes and vouchers", "Credit used (INR)", "Taken a second time (INR)",
		"Of it given back (INR)", "Given back on (IST)", "Payment")
	return streamCSV(c, h.fileName("payments"), header, func(q history.Query) ([][]string, history.Cursor, error) {
		rows, _, err := h.history.Payments(c.Request.Context(), middleware.Principal(c).FranchiserID, q)
		out := make([][]string, 0, len(rows))
		var last history.Cursor
		for _, r := range rows {
			last = r.Place()
			taken, returned, on := takenAgain(r.Returned)
			out = append(out, append(taxCells(r.Returned),
				r.Date().In(clock.IST).Format(time.DateTime), string(r.Kind), stateOf(r), paymentStatusWord(r.Status()),
				r.Slug, r.PGCharge.Decimal(), r.Moved().Decimal(), r.TransactionID,
				r.Returned.Done.Decimal(), notesOf(r.Returned), r.Returned.Applied.Decimal(),
				taken.Decimal(), returned.Decimal(), on, r.ID,
			))
		}
		return out, last, err
	})
}
