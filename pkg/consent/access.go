package consent

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
)

// Access is one occasion on which staff viewed or changed a customer's account, as shown to the customer.
type Access struct {
	ID   string
	At   time.Time
	By   string
	What string
}

// OpenView is a currently open view of the account, as shown to the customer.
type OpenView struct {
	By      string    `db:"by"`
	BegunAt time.Time `db:"begun_at"`
	EndsAt  time.Time `db:"ends_at"`
}

// AccessList shows the customer the access of staff: the open views, and a page of past actions, newest first.
type AccessList struct {
	Open    []OpenView
	Entries []Access
	Total   int
}

// accessWords describes an action to the customer; unlisted actions get a general description.
func accessWords(action string) string {
	words := map[string]string{
		"open_customer": "Looked at your account's details", "read_timeline": "Looked at your account's history",
		"read_trail": "Looked at a payment of yours", "ask_view": "Asked for your consent to look at your account",
		"begin_view": "Looked at your account with your consent", "end_view": "Stopped looking at your account",
		"unlock": "Unlocked your sign-in", "end_sessions": "Signed you out on all devices",
		"resend_invoice": "Sent you a document by SMS", "ask_gateway": "Asked the payment gateway about a payment",
		"recheck_domain": "Had your domain checked again", "extend_grace": "Gave you more days to renew",
		"request_refund": "Asked for a refund to you", "approve_refund": "Approved a refund to you", "decline_refund": "Declined a refund",
		"request_credit_note": "Asked for a credit note to you", "approve_credit_note": "Approved a credit note to you",
		"decline_credit_note": "Declined a credit note", "request_bank_transfer": "Asked for a bank transfer to you to be booked",
		"approve_bank_transfer": "Approved the booking of a bank transfer to you", "decline_bank_transfer": "Declined the booking of a bank transfer",
		"request_release": "Asked for a held payment to be given back to you",
		"approve_release": "Approved that a held payment is given back to you", "decline_release": "Declined to give a held payment back",
		"rerun_job": "Had a task of your account run again", "cancel_job": "Cancelled a task of your account",
	}
	if told, ok := words[action]; ok {
		return told
	}
	return "Worked on your account"
}

// AccessTo lists what staff did with the customer's account: page counts from 0; staff's reasons are not included.
func (s *Service) AccessTo(ctx context.Context, franchiserID string, limit, offset int) (AccessList, error) {
	list := AccessList{Open: []OpenView{}, Entries: []Access{}}
	err := postgres.InTenantTx(ctx, s.db, franchiserID, func(tx *sqlx.Tx) error {
		return accessTx(ctx, tx, &list, franchiserID, s.clock.Now(), limit, offset)
	})
	return list, err
}

// openViewsSQL lists the views of the franchiser $1 that are open at $2.
func openViewsSQL() string {
	return `SELECT ` + staff.NameSQL("v.staff_id") + ` AS by, v.begun_at, v.ends_at FROM support_views v
		WHERE v.franchiser_ref = $1 AND v.begun_at IS NOT NULL AND v.ended_at IS NULL AND v.ends_at > $2 ORDER BY v.begun_at`
}

func accessTx(ctx context.Context, tx *sqlx.Tx, list *AccessList, franchiserID string, now time.Time, limit, offset int) error {
	if err := tx.SelectContext(ctx, &list.Open, openViewsSQL(), franchiserID, now); err != nil {
		return fmt.Errorf("list open views: %w", err)
	}
	actions, total, err := staff.ActionsOnTx(ctx, tx, franchiserID, limit, offset)
	for _, a := range actions {
		list.Entries = append(list.Entries, Access{ID: a.ID, At: a.At, By: a.StaffName, What: accessWords(a.Action)})
	}
	list.Total = total
	return err
}
