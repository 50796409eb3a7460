package main

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// The states of a refund, spelt as in the recorded answers. Source: PayU, Check Refund Status API with PayU ID, "Refund
// states".
const (
	refundQueued    = "queued"
	refundProgress  = "in progress"
	refundRequested = "requested"
	refundOverdraft = "od_hit"
	refundSuccess   = "success"
	refundFailure   = "failure"
)

func refundStates() []string {
	return []string{refundQueued, refundProgress, refundRequested, refundOverdraft, refundSuccess, refundFailure}
}

// The actions that return money: refund of a capture, cancel of an authorisation.
const (
	actionRefund = "refund"
	actionCancel = "cancel"
)

// refund is one refund request. Its token is chosen by the merchant and unique.
type refund struct {
	RequestID     string    `json:"request_id"`
	Token         string    `json:"token"`
	Amount        string    `json:"amount"`
	Action        string    `json:"action"`
	Status        string    `json:"status"`
	BankReference string    `json:"bank_ref_num"`
	ARN           string    `json:"bank_arn"`
	NoticeURL     string    `json:"notice_url"` // var5; the dashboard's URL if empty
	At            time.Time `json:"at"`         // all four in business time
	EndsAt        time.Time `json:"ends_at"`    // zero once ended, or if it never ends on its own
	EndedAt       time.Time `json:"ended_at"`
	ARNAt         time.Time `json:"arn_at"`
	Ends          string    `json:"ends"`
	SettleAt      time.Time `json:"settle_at"`
	ReverseAt     time.Time `json:"reverse_at"` // when money deducted for a failed refund is settled back
}

// refundError is a refund that PayU rejects, with its published code.
type refundError struct {
	code    int
	message string
}

func (e refundError) Error() string { return e.message }

// giveBack records a refund of an attempt, or returns the rejection that PayU publishes for it. Source: PayU, Error Codes for
// Refund Initiation.
func (s *server) giveBack(mihpayID, token, amount, noticeURL string) (refund, error) {
	value, err := paise(amount)
	if err != nil {
		return refund{}, refundError{105, "Refund FAILURE - Invalid amount"}
	}
	if err := s.freeToken(token, value); err != nil {
		return refund{}, err
	}
	id, err := number(9)
	if err != nil {
		return refund{}, err
	}
	reference, err := number(12)
	if err != nil {
		return refund{}, err
	}
	now, account := s.now(), s.account.get()
	asked := refund{
		RequestID: "1" + id, Token: token, Amount: rupees(value), Action: actionRefund, Status: refundQueued,
		BankReference: reference, NoticeURL: noticeURL, At: now, Ends: account.RefundEnds, SettleAt: payoutAfter(now, 1),
	}
	if account.RefundEnds != refundQueued {
		asked.EndsAt = now.Add(account.refundAfter())
	}
	_, err = s.book.change(mihpayID, func(p *payment) error {
		if err := p.refundable(value, now); err != nil {
			return err
		}
		if p.Unmapped == unmappedAuth {
			asked.Action, p.Unmapped, asked.SettleAt = actionCancel, "cancelled", time.Time{}
		}
		p.Refunds = append(p.Refunds, asked)
		return nil
	})
	if errors.Is(err, errUnknown) {
		err = refundError{116, "Refund FAILURE - Transaction Not Found"}
	}
	return asked, err
}

// freeToken rejects a token already used for any of the merchant's refunds.
func (s *server) freeToken(token string, value int64) error {
	for _, p := range s.book.all() {
		for _, before := range p.Refunds {
			if before.Token != token {
				continue
			}
			code := 106
			if before.Amount == rupees(value) {
				code = 227
			}
			return refundError{code, "token already used or request pending"}
		}
	}
	return nil
}

func (p *payment) refundable(value int64, now time.Time) error {
	charged, chargedErr := paise(p.Charged)
	already, sumErr := p.refunded()
	taken, takenErr := p.chargedBack()
	if err := errors.Join(chargedErr, sumErr, takenErr); err != nil {
		return err
	}
	if p.Status != statusSuccess || (!p.captured() && p.Unmapped != unmappedAuth) {
		return refundError{111, "Refund FAILURE - Invalid transaction status"}
	}
	same := func(r refund) bool {
		return r.Amount == rupees(value) && r.Status != refundFailure && now.Sub(r.At) < 5*time.Minute
	}
	switch {
	case p.Method == "NB" && (p.DebitOf != "" || p.Mandate != nil): // "Recurring Payment Transaction API", Notes
		return refundError{232, "Refund not accepted for txn"}
	case p.Unmapped == unmappedAuth && value != charged:
		return refundError{117, "Refund FAILURE - Amount Does not Match"}
	case slices.ContainsFunc(p.Refunds, same):
		return refundError{214, "Refund FAILURE - Same amount same transaction within 5 minutes"}
	case already+value > charged:
		return refundError{105, "Refund FAILURE - Invalid amount"}
	case already+value+taken > charged:
		return refundError{113, fmt.Sprintf("Invalid Amount - Chargeback of amount %s present, the remaining refundable amount is %s",
			rupees(taken), rupees(charged-already-taken))}
	}
	return nil
}

// progress ends refunds and debits whose time has come, gives them their bank reference, and notifies the merchant.
func (s *server) progress(now time.Time) {
	mandates := s.moveMandates(now)
	moving := s.book.list(func(p *payment) bool { return p.refundsMove(now) })
	if len(moving) == 0 && !mandates {
		return // waking without news would make the delivery loop spin while a refund waits
	}
	for _, p := range moving {
		_, err := s.book.change(p.MihpayID, func(p *payment) error {
			for i := range p.Refunds {
				if err := s.moveRefund(p, &p.Refunds[i], now); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			s.report("refund", p.TxnID, err)
		}
	}
	s.wake()
}

func (p *payment) refundsMove(now time.Time) bool {
	return slices.ContainsFunc(p.Refunds, func(r refund) bool { return r.ending(now) || r.reaching(now) })
}

func (r refund) ending(now time.Time) bool { return !r.EndsAt.IsZero() && !now.Before(r.EndsAt) }

func (r refund) reaching(now time.Time) bool {
	return r.ARN == "" && !r.ARNAt.IsZero() && !now.Before(r.ARNAt)
}

func (s *server) moveRefund(p *payment, r *refund, now time.Time) error {
	if r.ending(now) {
		s.endRefund(p, r, r.Ends, r.EndsAt)
	}
	if r.reaching(now) {
		arn, err := number(12)
		if err != nil {
			return err
		}
		r.ARN = "3" + arn[1:]
		s.queueRefundNotice(p, *r)
	}
	return nil
}

// endRefund sets a refund's final state and time; the merchant is notified of success and failure.
func (s *server) endRefund(p *payment, r *refund, state string, at time.Time) {
	r.Status, r.EndsAt = state, time.Time{}
	switch state {
	case refundSuccess:
		r.EndedAt, r.ARNAt = at, at.Add(s.account.get().arnAfter())
		s.queueRefundNotice(p, *r)
	case refundFailure:
		r.EndedAt = at
		if !r.SettleAt.IsZero() && r.SettleAt.Before(at) {
			r.ReverseAt = payoutAfter(at, 1)
		}
		s.queueRefundNotice(p, *r)
	}
}

// findRefund returns the attempt and the refund with a request id.
func (b *book) findRefund(requestID string) (payment, refund, bool) {
	for _, p := range b.all() {
		for _, r := range p.Refunds {
			if r.RequestID == requestID {
				return p, r, true
			}
		}
	}
	return payment{}, refund{}, false
}
