package handler

import (
	"time"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
)

// waitingMoneyView is one customer's money that awaits action by staff.
type waitingMoneyView struct {
	Kind          desk.MoneyKind `json:"kind"`
	CustomerID    string         `json:"customer_id"`
	CustomerName  string         `json:"customer_name"`
	Mobile        string         `json:"mobile"`
	PaymentID     string         `json:"payment_id"`
	TransactionID string         `json:"transaction_id"`
	Gateway       string         `json:"gateway"`
	Bought        string         `json:"bought"`
	Reference     string         `json:"reference"`
	Amount        int64          `json:"amount_paise"`
	Due           int64          `json:"due_paise"`
	Since         time.Time      `json:"since"`
	AnswerBy      string         `json:"answer_by"`
	Failure       string         `json:"failure"`
	Owed          bool           `json:"owed"`
	Requested     bool           `json:"requested"`
}

// waitingMoney returns the money that awaits action by staff, as counts and as a list.
func (h *Support) waitingMoney(c *gin.Context) error {
	counts, list, err := h.customers.Money(c.Request.Context(), desk.MoneyKind(c.Query("kind")))
	if err != nil {
		return err
	}
	if len(list) > 0 {
		if err := h.note(c, staff.ReadList("money")); err != nil {
			return err
		}
	}
	rows := make([]waitingMoneyView, 0, len(list))
	for _, w := range list {
		if w.ByHand {
			w.Owed, w.Failure = true, "" // no gateway said anything
		}
		rows = append(rows, waitingMoneyView{
			Kind: w.Kind, CustomerID: w.FranchiserID, CustomerName: w.Name, Mobile: w.Mobile, PaymentID: w.PaymentID,
			TransactionID: w.TransactionID, Gateway: w.Gateway, Bought: w.Bought, Reference: w.Reference, Amount: int64(w.Amount),
			Due: int64(w.Due), Since: w.Since, AnswerBy: w.AnswerBy, Failure: w.Failure,
			Owed: w.Owed, Requested: w.Requested,
		})
	}
	return OK(c, "", gin.H{"counts": counts, "rows": rows})
}

// exportMoney writes the listed rows as CSV.
func (h *Support) exportMoney(c *gin.Context) error {
	kind := desk.MoneyKind(c.Query("kind"))
	return sendList(c, h.staff, listFile{
		name: "money",
		header: []string{
			"Since (IST)", "Kind", "Customer", "Transaction", "Gateway", "Bought", "Reference", "Amount (INR)", "Due (INR)", "Answer by", "Failure",
			"Bank transfer only", "Staff see to it", "Customer id", "Payment",
		},
		page: func(offset int) ([]listRow, bool, error) {
			if offset > 0 {
				return nil, true, nil // the list has one page
			}
			counts, list, err := h.customers.Money(c.Request.Context(), kind)
			total := counts.Held + counts.Disputes + counts.Unconfirmed + counts.Refunds
			if kind != "" {
				total = map[desk.MoneyKind]int{
					desk.MoneyHeld: counts.Held, desk.MoneyDispute: counts.Disputes, desk.MoneyUnconfirmed: counts.Unconfirmed,
					desk.MoneyRefund: counts.Refunds,
				}[kind]
			}
			rows := make([]listRow, 0, len(list))
			for _, w := range list {
				rows = append(rows, listRow{string(w.Kind) + " " + w.PaymentID + " " + w.Reference, []string{
					istCell(&w.Since), string(w.Kind), w.Name, w.TransactionID, w.Gateway, w.Bought, w.Reference, w.Amount.Decimal(), w.Due.Decimal(),
					w.AnswerBy, w.Failure, yesCell(w.Owed), yesCell(w.Requested), w.FranchiserID, w.PaymentID,
				}})
			}
			return rows, len(list) < total, err
		},
	})
}

// openRequestView is an unfinished request of staff: to return money of a payment, or for an act on the account.
type openRequestView struct {
	ID          string  `json:"id"`
	PaymentID   *string `json:"payment_id"`
	InvoiceID   *string `json:"invoice_id"`
	Kind        string  `json:"kind"`
	State       string  `json:"state"`
	Amount      string  `json:"amount"`
	RequestedBy string  `json:"requested_by_name"`
}

func openRequestsOf(c support.Customer) []openRequestView {
	views := make([]openRequestView, 0, len(c.OpenRequests)+len(c.OpenActs))
	for _, r := range c.OpenRequests {
		views = append(views, openRequestView{
			ID: r.ID, PaymentID: &r.PaymentID, Kind: string(r.Kind), State: string(r.State), Amount: r.Amount.Display(), RequestedBy: r.RequestedBy,
		})
	}
	for _, a := range c.OpenActs {
		views = append(views, openRequestView{
			ID: a.ID, PaymentID: orNull(a.PaymentID), InvoiceID: orNull(a.InvoiceID), Kind: string(a.Kind), State: string(a.State),
			Amount: a.Amount.Display(), RequestedBy: a.RequestedBy,
		})
	}
	return views
}
