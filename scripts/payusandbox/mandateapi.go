package main

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// mandateCommand answers the commands about mandates; ok is false for any other command. Their var1 is a JSON object, in which PayU's
// pages spell authPayuId and requestId in several ways.
func (s *server) mandateCommand(command, var1 string) (answer map[string]any, ok bool) {
	switch command {
	case "pre_debit_SI", "si_transaction", "check_mandate_status", "upi_mandate_status", "NB_mandate_status", "mandate_revoke",
		"upi_mandate_revoke":
	default:
		return nil, false
	}
	given := map[string]any{}
	decoder := json.NewDecoder(strings.NewReader(var1))
	decoder.UseNumber()
	if err := decoder.Decode(&given); err != nil {
		return refusal("var1 is not a valid JSON object"), true
	}
	v := map[string]string{}
	for name, value := range given {
		switch text := value.(type) {
		case string:
			v[strings.ToLower(name)] = strings.TrimSpace(text)
		case json.Number:
			v[strings.ToLower(name)] = text.String()
		}
	}
	switch command {
	case "pre_debit_SI":
		return s.preDebit(v), true
	case "si_transaction":
		return s.siTransaction(v), true
	case "mandate_revoke", "upi_mandate_revoke":
		return s.revoke(command, v), true
	default:
		return s.mandateStatus(command, v), true
	}
}

// acted is an answer with an action. PayU writes the status as a number on some pages and as a text on others.
func (s *server) acted(action, status, message string) map[string]any {
	return map[string]any{"status": s.status(status), "action": action, "message": message}
}

// status is 1 or 0 as a number or a text, by the setting or by turns; codes of banks are always texts.
func (s *server) status(status string) any {
	if status != "1" && status != "0" {
		return status
	}
	kind := s.account.get().StatusType
	if kind == "mixed" {
		kind = "text"
		if s.account.turns.Add(1)%2 == 1 {
			kind = "number"
		}
	}
	if kind == "number" {
		return json.Number(status)
	}
	return status
}

// registered returns the registration of a mandate that the command is for.
func (s *server) registered(v map[string]string, kinds ...string) (payment, string) {
	if v["authpayuid"] == "" {
		return payment{}, "authPayuId is mandatory"
	}
	p, ok := s.book.findByID(v["authpayuid"])
	if !ok || p.Mandate == nil {
		return payment{}, "Mandate not found"
	}
	if !slices.Contains(kinds, p.Mandate.Kind) {
		return payment{}, "Mandate not found"
	}
	return p, ""
}

// mandateStatus answers the status commands; of which type authpayuid is, and whether the dates have times, differs between the
// published samples.
func (s *server) mandateStatus(command string, v map[string]string) map[string]any {
	action, kind := command, kindCard
	switch command {
	case "upi_mandate_status":
		action, kind = "MANDATE_STATUS", kindUPI
	case "NB_mandate_status":
		kind = kindENACH
	}
	if v["requestid"] == "" {
		return s.acted(action, "0", "requestId is mandatory")
	}
	p, missing := s.registered(v, kind)
	if missing != "" {
		return s.acted(action, "0", missing)
	}
	m := p.Mandate
	answer := map[string]any{
		"status": m.Status, "action": action, "authpayuid": p.MihpayID, "amount": m.Amount, "mandateStartDate": m.Start, "mandateEndDate": m.End,
	}
	switch kind {
	case kindCard:
		answer["authpayuid"] = json.Number(p.MihpayID)
		if m.Status == mandateRevoked {
			answer["status"] = "cancelled"
		}
	case kindUPI:
		answer["mandateStartDate"], answer["mandateEndDate"] = m.Start+" 00:00:00", m.End+" 00:00:00"
		if m.Status == mandateRevoked {
			answer["status"] = "cancelled"
		}
	default:
		answer["status"] = map[string]string{
			mandatePending: "INITIATED", mandateActive: "SUCCESS", mandatePaused: "SUCCESS", mandateFailed: "FAILED",
			mandateRevoked: "CANCEL_SUCCESS", mandateExpired: "FAILED",
		}[m.Status]
	}
	return answer
}

// revoke ends a mandate, which is final ("Cancel the Recurring Payment").
func (s *server) revoke(command string, v map[string]string) map[string]any {
	const action = "MANDATE_REVOKE"
	kinds := []string{kindCard, kindENACH}
	if command == "upi_mandate_revoke" {
		kinds = []string{kindUPI}
	}
	p, missing := s.registered(v, kinds...)
	if missing != "" {
		return s.acted(action, "0", missing)
	}
	if v["requestid"] == "" {
		return s.acted(action, "0", "requestId is mandatory")
	}
	_, err := s.book.change(p.MihpayID, func(p *payment) error {
		if p.Mandate.Status != mandateActive && p.Mandate.Status != mandatePaused {
			return refundError{0, "Mandate is not active"}
		}
		p.Mandate.Status = mandateRevoked
		return nil
	})
	if err != nil {
		return s.acted(action, "0", "Mandate is not active")
	}
	return s.acted(action, "1", "Request Initiated")
}

// preDebit submits, retrieves or deletes a notice ("Pre-Debit Notification API"). One sent too late, or for another amount than the
// debit's, is accepted: the debit is what fails.
func (s *server) preDebit(v map[string]string) map[string]any {
	const action = "MANDATE_PRE_DEBIT"
	p, missing := s.registered(v, kindUPI, kindCard)
	if missing != "" {
		return s.acted(action, "0", missing)
	}
	var made invoice
	var code, message string
	now := s.now()
	_, err := s.book.change(p.MihpayID, func(p *payment) error {
		switch strings.ToLower(v["action"]) {
		case "retrieve", "delete":
			found := p.Mandate.invoice(v["invoicedisplaynumber"])
			if found == nil {
				code, message = "0", "Invoice not found"
				return nil
			}
			if strings.EqualFold(v["action"], "delete") {
				if found.Status == invoicePaid {
					code, message = "0", "Invoice is already paid"
					return nil
				}
				found.Status = invoiceDeleted
			}
			made = *found
			return nil
		}
		if code, message = p.refusesNotice(v, now, s.book.debitsLocked(p.MihpayID), s.account.get().UPISequence); code != "" {
			return nil
		}
		id, err := number(8)
		if err != nil {
			return err
		}
		made = invoice{
			ID: id, RequestID: v["requestid"], Number: v["invoicedisplaynumber"], Amount: v["amount"], DebitDate: v["debitdate"],
			Status: invoiceUnpaid, Approved: approvalNone, SentAt: now,
		}
		if value, err := paise(made.Amount); err == nil && value > withoutApproval {
			made.Approved = approvalPending
		}
		p.Mandate.Invoices = append(p.Mandate.Invoices, made)
		return nil
	})
	switch {
	case err != nil:
		return s.acted(action, "0", err.Error())
	case code != "":
		return s.acted(action, code, message)
	case p.Mandate.Kind == kindUPI && v["action"] == "":
		return s.acted(action, "1", "Request Processed Successfully")
	}
	answer := s.acted(action, "1", "Invoice Created Successfully")
	answer["invoiceid"], answer["approvedStatus"], answer["invoiceStatus"], answer["amount"] = made.ID, made.Approved, made.Status, made.Amount
	switch {
	case strings.EqualFold(v["action"], "delete"):
		answer["message"] = "Invoice Deleted Successfully"
	case v["action"] != "":
		answer["message"] = "Invoice Retrieved Successfully"
	}
	return answer
}

// refusesNotice returns the code and message for a notice that cannot be, both empty if it can.
func (p *payment) refusesNotice(v map[string]string, now time.Time, executed []payment, sequence string) (code, message string) {
	m := p.Mandate
	value, err := paise(v["amount"])
	limit, limitErr := paise(m.Amount)
	switch {
	case m.BankRevoked:
		return "QC", "MANDATE HAS BEEN REVOKED"
	case m.Status != mandateActive:
		return "0", "Mandate is not active"
	case v["requestid"] == "":
		return "0", "requestId is mandatory"
	case !isDay(v["debitdate"]):
		return "0", "debitDate is mandatory"
	case err != nil || limitErr != nil:
		return "0", "amount is not valid"
	case m.Kind == kindCard && v["invoicedisplaynumber"] == "":
		return "0", "invoiceDisplayNumber is mandatory"
	case value > limit:
		return "0", "amount is greater than the mandate's billingAmount"
	case m.Kind == kindCard && m.Cycle != "ADHOC" && value != limit:
		return "0", "amount is not the billingAmount of a fixed plan"
	case v["debitdate"] > indiaTime(now).AddDate(0, 0, 30).Format(time.DateOnly):
		return "E9260", "Predebit notification can only be sent for a maximum 30 days in advance."
	case v["debitdate"] < indiaTime(now).Format(time.DateOnly) || v["debitdate"] > m.End:
		return "E9263", "Predebit for calculated sequence sent during incorrect period"
	}
	cycle := m.cycle(v["debitdate"])
	for _, before := range m.Invoices {
		same := cycle != "" && m.cycle(before.DebitDate) == cycle || m.Kind == kindCard && before.Number == v["invoicedisplaynumber"]
		again := m.tried(before, executed) && (m.Kind != kindUPI || sequence == sequenceRetries)
		if same && before.Status == invoiceUnpaid && !again {
			return "E9254", "Predebit notification already sent for the mandate sequence no. 2"
		}
	}
	if m.executedIn(cycle, executed) || m.Kind == kindUPI && sequence == sequencePage && cycle != "" && m.cycle(indiaTime(p.Added).Format(time.DateOnly)) == cycle {
		return "E9256", "Execution already sent for the mandate sequence no.:2"
	}
	return "", ""
}

// tried reports whether a debit for the notice has failed: another notice may then follow.
func (m *mandate) tried(n invoice, debits []payment) bool {
	for _, d := range debits {
		if d.DebitNumber == n.Number && d.Status == statusFailure && !d.Added.Before(n.SentAt) {
			return true
		}
	}
	return false
}

func (m *mandate) executedIn(cycle string, debits []payment) bool {
	for _, d := range debits {
		if cycle != "" && d.Status == statusSuccess && m.cycle(indiaTime(d.Added).Format(time.DateOnly)) == cycle {
			return true
		}
	}
	return false
}

// debitsLocked returns the debits of a mandate; the caller holds the book's lock.
func (b *book) debitsLocked(mandateID string) []payment {
	list := []payment{}
	for _, p := range b.payments {
		if p.DebitOf == mandateID {
			list = append(list, p.copy())
		}
	}
	return list
}
