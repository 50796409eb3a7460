package main

import (
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// siTransaction debits a mandate ("Recurring Payment Transaction API"). The outer status is 1 whatever became of the debit: only the one
// in details counts.
func (s *server) siTransaction(v map[string]string) map[string]any {
	if v["txnid"] == "" || v["amount"] == "" {
		return refusal("Mandatory parameter missing")
	}
	reg, missing := s.registered(v, kindUPI, kindCard, kindENACH)
	if missing != "" {
		return transacted(v, "", "failed", "Basic authentication check failed")
	}
	if _, known := s.book.find(v["txnid"]); known {
		return transacted(v, "", "failed", "Duplicate transaction id")
	}
	p, err := s.debit(reg, v)
	s.wake()
	if err != nil {
		return transacted(v, "", "failed", err.Error())
	}
	status := p.DebitStatus
	if p.Status == statusPending {
		status = "in progress"
		if reg.Mandate.Kind == kindENACH {
			status = statusPending
		}
	}
	return transacted(v, p.MihpayID, status, p.Fields[9])
}

// transacted is the answer; a published failure has only some of the fields.
func transacted(v map[string]string, payuID, status, field9 string) map[string]any {
	return map[string]any{"status": 1, "message": "Transaction Processed successfully", "details": map[string]any{v["txnid"]: map[string]any{
		"authpayuid": v["authpayuid"], "transactionid": v["txnid"], "amount": v["amount"], "user_credentials": "", "card_token": "",
		"payuid": payuID, "status": status, "udf1": "", "field9": field9, "udf2": v["udf2"], "udf3": v["udf3"], "udf4": v["udf4"],
		"udf5": v["udf5"], "phone": v["phone"], "email": v["email"],
	}}}
}

// debit records a debit, which verify_payment then knows, and decides when it ends and how. UPI is queued until NPCI's window opens, and
// netbanking takes working days; a card answers at once.
func (s *server) debit(reg payment, v map[string]string) (payment, error) {
	now, set := s.now(), s.account.get()
	p, err := newPayment(order{
		TxnID: v["txnid"], Amount: v["amount"], ProductInfo: reg.ProductInfo, FirstName: reg.FirstName, Email: v["email"], Phone: v["phone"],
		UDF: [10]string{1: v["udf2"], 2: v["udf3"], 3: v["udf4"], 4: v["udf5"]}, SuccessURL: reg.SuccessURL, FailureURL: reg.FailureURL,
		Method: reg.Method,
	}, now)
	if err != nil {
		return payment{}, err
	}
	p.DebitOf, p.DebitNumber, p.DebitEnds, p.DebitAt = reg.MihpayID, v["invoicedisplaynumber"], "captured", now
	p.Status, p.Unmapped, p.Fields[9] = statusPending, "in progress", "92|Transaction Initiated"
	s.book.mu.Lock()
	before := s.book.debitsLocked(reg.MihpayID)
	s.book.mu.Unlock()
	_, err = s.book.change(reg.MihpayID, func(reg *payment) error {
		m := reg.Mandate
		if why := m.refusesDebit(v, now, before); why != "" {
			p.DebitEnds = why
			return nil
		}
		if p.DebitWebhook = m.NextWebhook; m.Next != "" {
			p.DebitEnds = m.Next
		}
		m.Next, m.NextWebhook = "", ""
		if n := m.invoice(v["invoicedisplaynumber"]); n != nil && p.DebitEnds == "captured" {
			n.Status = invoicePaid
		}
		switch m.Kind {
		case kindUPI:
			p.DebitAt = now.Add(duration(set.DebitAfter))
			switch {
			case opens(now).Equal(now):
			case set.PeakHours == "queue":
				p.DebitAt = opens(now).Add(duration(set.DebitAfter))
			case set.PeakHours == "fail":
				p.DebitEnds = "Execution is not allowed in the peak time window"
			}
		case kindENACH:
			p.Unmapped, p.Fields[9] = statusPending, "Transaction is pending"
			p.DebitAt = (sandbox.Calendar{}).Add(now, set.ENACHDays).Add(12 * time.Hour)
		}
		return nil
	})
	if err != nil {
		return payment{}, err
	}
	if p, err = s.book.insert(p); err != nil || now.Before(p.DebitAt) {
		return p, err
	}
	return s.book.change(p.MihpayID, func(p *payment) error { return s.endDebit(p, p.DebitEnds, now) })
}

// refusesDebit returns why a debit fails at once, empty if it does not. The words are guesses but for the first.
func (m *mandate) refusesDebit(v map[string]string, now time.Time, debits []payment) string {
	value, err := paise(v["amount"])
	limit, limitErr := paise(m.Amount)
	today := indiaTime(now).Format(time.DateOnly)
	switch {
	case m.BankRevoked:
		return "QC|MANDATE HAS BEEN REVOKED"
	case m.Status != mandateActive:
		return "Mandate is not active"
	case err != nil || limitErr != nil:
		return "Invalid amount"
	case value > limit:
		return "Amount is greater than the mandate's maximum"
	case m.executedIn(m.cycle(today), debits):
		return "E9256|Execution already sent for the mandate sequence no.:2"
	}
	for _, d := range debits {
		if d.Status == statusPending {
			return "Previous transaction of the mandate is in progress"
		}
	}
	if m.Kind == kindENACH {
		return ""
	}
	n := m.invoice(v["invoicedisplaynumber"])
	if n == nil {
		return "Pre-debit notification was not sent for the transaction"
	}
	noticed, noticeErr := paise(n.Amount)
	switch {
	case noticeErr != nil || noticed != value:
		return "Amount differs from that of the pre-debit notification"
	case now.Before(n.SentAt.Add(m.lead())):
		return "Pre-debit notification was not sent in time"
	case today < n.DebitDate:
		return "Debit date of the pre-debit notification has not come"
	case n.Approved == approvalPending:
		return "AFA approval of the customer is pending"
	}
	return ""
}

// insert adds a payment that no form began.
func (b *book) insert(p payment) (payment, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.add(p)
}
