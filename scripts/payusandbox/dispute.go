package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// The states of a chargeback that move money. Source: PayU, Webhooks for Chargeback, cb_status.
const (
	disputeCustomer = "Closed Customer Favour"
	disputeMerchant = "Closed in Merchant Favour"
	disputeFraud    = "Closed under Fraud Liability"
)

func disputeStates() []string {
	return []string{
		"New", "Pending Response", "Pending Doc Review", "Submitted to Bank", "Insufficient Document",
		disputeCustomer, disputeMerchant, disputeFraud,
	}
}

// dispute is a chargeback of an attempt. Its times are business time.
type dispute struct {
	ID        int       `json:"cb_id"`
	Amount    string    `json:"cb_amount"`
	Status    string    `json:"cb_status"`
	Type      string    `json:"cb_type"`
	Reason    string    `json:"reason_code"`
	DueDate   string    `json:"due_date"`
	Created   time.Time `json:"created_at"`
	Updated   time.Time `json:"updated_at"`
	DebitID   string    `json:"debit_id"`
	DebitAt   time.Time `json:"debit_at"`   // when the settlement deducts the money; zero if it does not
	ReverseAt time.Time `json:"reverse_at"` // when it is returned
}

// chargedBack returns what disputes withhold from a payment or have taken, in paise.
func (p *payment) chargedBack() (int64, error) {
	var sum int64
	for _, d := range p.Disputes {
		if d.Status == disputeMerchant || d.Status == disputeFraud {
			continue
		}
		value, err := paise(d.Amount)
		if err != nil {
			return 0, err
		}
		sum += value
	}
	return sum, nil
}

// move changes a dispute's state and decides how settlements treat its money.
func (d *dispute) move(status string, upfront bool, now time.Time) {
	d.Status, d.Updated = status, now
	lost := status == disputeCustomer
	won := status == disputeMerchant || status == disputeFraud
	if d.DebitAt.IsZero() && (lost || (upfront && !won)) {
		d.DebitAt = payoutAfter(now, 1)
	}
	if !d.DebitAt.IsZero() && won && d.ReverseAt.IsZero() {
		d.ReverseAt = payoutAfter(now, 1)
	}
}

// disputeAsked is the body of the control calls that raise and change disputes.
type disputeAsked struct {
	Amount string `json:"amount"` // in rupees; the whole payment when empty
	Status string `json:"status"` // New when empty
	Type   string `json:"type"`
	Reason string `json:"reason"`
	Notice string `json:"notice"` // once, lost or twice
}

func (a *disputeAsked) validate() error {
	if a.Status != "" && !slices.Contains(disputeStates(), a.Status) {
		return fmt.Errorf("status is not one of: %s", strings.Join(disputeStates(), ", "))
	}
	if a.Notice == "" {
		a.Notice = "once"
	}
	if !slices.Contains([]string{"once", "lost", "twice"}, a.Notice) {
		return errors.New("notice is one of: once lost twice")
	}
	if a.Amount == "" {
		return nil
	}
	_, err := paise(a.Amount)
	return err
}

// handleDispute raises a chargeback of a captured payment, as a customer's bank would. The answer is the dispute.
func (s *server) handleDispute(w http.ResponseWriter, r *http.Request) {
	asked := disputeAsked{Status: "New", Type: "Chargeback", Reason: "Non Receipt of Goods or Services"}
	err := sandbox.ReadJSON(w, r, &asked)
	if err == nil {
		err = asked.validate()
	}
	if err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	made, err := s.raise(r.PathValue("txnid"), asked)
	if err != nil {
		sandbox.WriteError(w, statusOf(err), err)
		return
	}
	sandbox.WriteJSON(w, http.StatusOK, made)
}

func (s *server) raise(txnID string, asked disputeAsked) (dispute, error) {
	found, ok := s.book.find(txnID)
	if !ok {
		return dispute{}, errUnknown
	}
	serial, err := number(8)
	if err != nil {
		return dispute{}, err
	}
	now := s.now()
	made := dispute{
		Amount: asked.Amount, Type: asked.Type, Reason: asked.Reason, Created: now, DebitID: "1" + serial + "7",
		DueDate: indiaTime(now).AddDate(0, 0, 7).Format(time.DateOnly),
	}
	if made.ID, err = strconv.Atoi("1" + serial[:6]); err != nil {
		return dispute{}, err
	}
	_, err = s.book.change(found.MihpayID, func(p *payment) error {
		if !p.captured() {
			return errors.New("only a captured payment is disputed")
		}
		if made.Amount == "" {
			made.Amount = p.Charged
		}
		held, sumErr := p.chargedBack()
		value, valueErr := paise(made.Amount)
		charged, chargedErr := paise(p.Charged)
		if err := errors.Join(sumErr, valueErr, chargedErr); err != nil {
			return err
		}
		if held+value > charged {
			return errors.New("more is disputed than was paid")
		}
		made.move(asked.Status, s.account.get().UpfrontDebit, now)
		p.Disputes = append(p.Disputes, made)
		s.queueDisputeNotice(p, made, asked.Notice)
		return nil
	})
	s.wake()
	return made, err
}

// handleMoveDispute changes a dispute's state or amount, and notifies the merchant.
func (s *server) handleMoveDispute(w http.ResponseWriter, r *http.Request) {
	var asked disputeAsked
	err := sandbox.ReadJSON(w, r, &asked)
	if err == nil {
		err = asked.validate()
	}
	if err != nil {
		sandbox.WriteError(w, http.StatusBadRequest, err)
		return
	}
	id := r.PathValue("id")
	var moved dispute
	for _, p := range s.book.all() {
		i := slices.IndexFunc(p.Disputes, func(d dispute) bool { return strconv.Itoa(d.ID) == id })
		if i < 0 {
			continue
		}
		_, err = s.book.change(p.MihpayID, func(p *payment) error {
			d := &p.Disputes[i]
			if asked.Amount != "" {
				d.Amount = asked.Amount
			}
			if asked.Status == "" {
				asked.Status = d.Status
			}
			d.move(asked.Status, s.account.get().UpfrontDebit, s.now())
			moved = *d
			s.queueDisputeNotice(p, *d, asked.Notice)
			return nil
		})
		s.wake()
		if err != nil {
			sandbox.WriteError(w, http.StatusInternalServerError, err)
			return
		}
		sandbox.WriteJSON(w, http.StatusOK, moved)
		return
	}
	sandbox.WriteError(w, http.StatusNotFound, errors.New("no such dispute"))
}
