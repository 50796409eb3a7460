package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// The kinds of mandate, by which PayU's commands differ.
const (
	kindUPI   = "upi"
	kindCard  = "card"
	kindENACH = "enach"
)

// The states of a mandate ("Check Mandate Status"); netbanking has different names.
const (
	mandateActive  = "active"
	mandatePaused  = "paused"
	mandateRevoked = "revoked"
	mandateFailed  = "failed"
	mandateExpired = "expired"
	mandatePending = "pending" // ours: netbanking's INITIATED
)

// terms are the si_details that the merchant posted ("SI Parameter JSON Details").
type terms struct {
	Amount   string      `json:"billingAmount"`
	Currency string      `json:"billingCurrency"`
	Cycle    string      `json:"billingCycle"`
	Interval json.Number `json:"billingInterval"`
	Start    string      `json:"paymentStartDate"`
	End      string      `json:"paymentEndDate"`
	Rule     string      `json:"billingRule"`
	Limit    string      `json:"billingLimit"`
}

// mandate is a standing instruction, kept with the payment that registered it, whose mihpayid names it.
type mandate struct {
	terms
	Kind        string    `json:"kind"`
	Status      string    `json:"status"`
	BankRevoked bool      `json:"bank_revoked"` // the customer ended it at the bank, and PayU has not heard of it
	ResumesAt   time.Time `json:"resumes_at"`   // when a pause lapses, without a notice
	Next        string    `json:"next"`         // how the next debit ends; captured if empty
	NextWebhook string    `json:"next_webhook"` // once or lost
	DecidesAt   time.Time `json:"decides_at"`   // business time at which the bank confirms or rejects a registration
	Decides     string    `json:"decides"`      // active or failed
	Invoices    []invoice `json:"invoices"`
}

// invoice is the notice of one debit.
type invoice struct {
	ID        string    `json:"id"`
	RequestID string    `json:"request_id"`
	Number    string    `json:"number"` // invoiceDisplayNumber
	Amount    string    `json:"amount"`
	DebitDate string    `json:"debit_date"`
	Status    string    `json:"status"`   // unpaid, paid or deleted
	Approved  string    `json:"approved"` // na, pending or approved
	SentAt    time.Time `json:"sent_at"`
}

const (
	invoiceUnpaid  = "unpaid"
	invoicePaid    = "paid"
	invoiceDeleted = "deleted"

	approvalNone    = "na"
	approvalPending = "pending"
	approvalGiven   = "approved"

	// withoutApproval is the most, in paise, that is debited without the customer (RBI, e-mandate framework).
	withoutApproval = 15_000_00
)

// parseTerms reads si, api_version and si_details; nil without a standing instruction.
func parseTerms(form url.Values) (*terms, error) {
	if form.Get("si") == "" || form.Get("si") == "0" {
		return nil, nil
	}
	if form.Get("si") != "1" || form.Get("api_version") != "7" {
		return nil, errors.New("si must be 1, with api_version 7")
	}
	t := &terms{}
	if err := json.Unmarshal([]byte(form.Get("si_details")), t); err != nil {
		return nil, errors.New("si_details is not a JSON object of the documented fields")
	}
	if _, err := paise(t.Amount); err != nil {
		return nil, fmt.Errorf("billingAmount: %w", err)
	}
	switch {
	case !regexp.MustCompile(`^[0-9]+\.[0-9]{2}$`).MatchString(t.Amount):
		return nil, errors.New("billingAmount has two decimals")
	case t.Currency != "INR":
		return nil, errors.New("billingCurrency is INR")
	case !slices.Contains([]string{"DAILY", "WEEKLY", "MONTHLY", "YEARLY", "ADHOC", "ONCE"}, t.Cycle):
		return nil, errors.New("billingCycle is not one of DAILY, WEEKLY, MONTHLY, YEARLY, ADHOC, ONCE")
	case t.Interval.String() == "" || strings.Trim(t.Interval.String(), "0123456789") != "":
		return nil, errors.New("billingInterval is a number")
	case !isDay(t.Start) || !isDay(t.End) || t.End <= t.Start:
		return nil, errors.New("paymentStartDate and paymentEndDate are days, the latter later")
	case t.Rule != "" && t.Rule != "MAX" && t.Rule != "EXACT":
		return nil, errors.New("billingRule is MAX or EXACT")
	}
	return t, nil
}

// despiteFailure is a mandate that the bank has registered although its transaction failed.
const despiteFailure = "despite_failure"

// mandateChoices are the results of a mandate whose payment succeeded, chosen on the page or by a test; despite_failure is for a failed
// payment. The bank decides the late ones after the account's mandate_days.
func mandateChoices() []string {
	return []string{"", "as_asked", "lower", "none", "pending", "failed", "confirmed_late", "rejected_late", despiteFailure}
}

// register creates the mandate of a captured registration.
func (p *payment) register(choice, limit string, decidesAt time.Time) error {
	if p.Terms == nil || p.captured() == (choice == despiteFailure) || choice == "none" {
		return nil
	}
	m := &mandate{terms: *p.Terms, Kind: kindCard, Status: mandateActive}
	switch p.Method {
	case "UPI":
		m.Kind = kindUPI
	case "NB":
		m.Kind = kindENACH
	}
	switch choice {
	case "pending":
		m.Status = mandatePending
	case "failed":
		m.Status = mandateFailed
	case "confirmed_late":
		m.Status, m.Decides, m.DecidesAt = mandatePending, mandateActive, decidesAt
	case "rejected_late":
		m.Status, m.Decides, m.DecidesAt = mandatePending, mandateFailed, decidesAt
	case "lower":
		asked, err := paise(m.Amount)
		if err != nil {
			return err
		}
		if m.Amount = rupees(max(asked/2, 100)); limit != "" {
			m.Amount = limit
		}
	}
	p.Mandate = m
	return nil
}

func (m *mandate) clone() *mandate {
	if m == nil {
		return nil
	}
	c := *m
	c.Invoices = slices.Clone(m.Invoices)
	return &c
}

// live brings a mandate up to date: the bank decides, a pause lapses and its last day passes, all without a notice.
func (m *mandate) live(now time.Time) bool {
	changed := false
	if m.Status == mandatePending && !m.DecidesAt.IsZero() && !now.Before(m.DecidesAt) {
		m.Status, m.DecidesAt, changed = m.Decides, time.Time{}, true
	}
	if m.Status == mandatePaused && !m.ResumesAt.IsZero() && !now.Before(m.ResumesAt) {
		m.Status, m.ResumesAt, changed = mandateActive, time.Time{}, true
	}
	if (m.Status == mandateActive || m.Status == mandatePaused) && indiaTime(now).Format(time.DateOnly) > m.End {
		m.Status, changed = mandateExpired, true
	}
	return changed
}

// lead is how long before a debit its notice has to be sent ("Pre-Debit Notification API": 24 hours for daily and ad hoc UPI mandates,
// else 48).
func (m *mandate) lead() time.Duration {
	if m.Kind == kindUPI && (m.Cycle == "DAILY" || m.Cycle == "ADHOC") {
		return 24 * time.Hour
	}
	return 48 * time.Hour
}

// cycle names the period in which a UPI mandate allows one successful debit; empty where every debit stands alone. The page does not
// say where a month begins: here with the calendar's, a year with the mandate's first day. The registration's own payment does not count.
func (m *mandate) cycle(day string) string {
	at, err := time.ParseInLocation(time.DateOnly, day, sandbox.India())
	if err != nil || m.Kind != kindUPI {
		return ""
	}
	switch m.Cycle {
	case "DAILY":
		return day
	case "WEEKLY":
		year, week := at.ISOWeek()
		return fmt.Sprintf("%d-W%d", year, week)
	case "MONTHLY":
		return day[:7]
	case "YEARLY":
		year := at.Year()
		if day[5:] < m.Start[5:] {
			year--
		}
		return fmt.Sprint("year ", year)
	default:
		return ""
	}
}

// invoice returns the newest notice with the number that was not deleted.
func (m *mandate) invoice(number string) *invoice {
	for i := len(m.Invoices) - 1; i >= 0; i-- {
		if m.Invoices[i].Number == number && m.Invoices[i].Status != invoiceDeleted {
			return &m.Invoices[i]
		}
	}
	return nil
}

// opens returns the first instant from t at which NPCI executes UPI mandates: before 10:00, from 13:00 to 17:00, and from 21:30 ("NPCI
// Recommendations").
func opens(t time.Time) time.Time {
	midnight := sandbox.Midnight(t)
	switch since := t.Sub(midnight); {
	case since >= 10*time.Hour && since < 13*time.Hour:
		return midnight.Add(13 * time.Hour)
	case since >= 17*time.Hour && since < 21*time.Hour+30*time.Minute:
		return midnight.Add(21*time.Hour + 30*time.Minute)
	default:
		return t
	}
}

// debitEnding is how a debit ends: the status in si_transaction's details, and field9. The words of failures are not published, but for
// the first; they follow NPCI's response codes.
type debitEnding struct{ Outcome, Name, Field9 string }

func debitEndings() []debitEnding {
	return []debitEnding{
		{"captured", "Succeed", "Transaction Completed Successfully"},
		{"insufficient", "Too little money", "Z9|INSUFFICIENT FUNDS IN CUSTOMER (REMITTER) ACCOUNT"},
		{"technical", "Bank is down", "U28|REMITTER BANK NOT AVAILABLE, TRY AGAIN LATER"},
		{"declined", "Bank declines", "ZM|Transaction declined by the remitter bank"},
		{"blank", "Fail with a blank status", ""},
		{"late", "Fail, succeed days later without a webhook", "U28|REMITTER BANK NOT AVAILABLE, TRY AGAIN LATER"},
		{"stuck", "Never end", "92|Transaction Initiated"},
	}
}

func debitEndingOf(outcome string) (debitEnding, bool) {
	i := slices.IndexFunc(debitEndings(), func(e debitEnding) bool { return e.Outcome == outcome })
	if i < 0 {
		return debitEnding{}, false
	}
	return debitEndings()[i], true
}

// mandatesMove reports whether time alone will change a mandate or end a debit.
func (p *payment) mandatesMove(now time.Time) bool {
	return p.Mandate != nil && p.Mandate.clone().live(now) || !p.DebitAt.IsZero() && !now.Before(p.DebitAt)
}

// moveMandates ends debits whose time has come, and lapses pauses and mandates.
func (s *server) moveMandates(now time.Time) bool {
	moving := s.book.list(func(p *payment) bool { return p.mandatesMove(now) })
	for _, p := range moving {
		_, err := s.book.change(p.MihpayID, func(p *payment) error {
			if p.Mandate != nil {
				p.Mandate.live(now)
			}
			if !p.DebitAt.IsZero() && !now.Before(p.DebitAt) {
				return s.endDebit(p, p.DebitEnds, now)
			}
			return nil
		})
		if err != nil {
			s.report("mandate", p.TxnID, err)
		}
	}
	return len(moving) > 0
}

// endDebit ends a debit with an outcome of debitEndings, or fails it with other words, and queues its webhook.
func (s *server) endDebit(p *payment, ends string, now time.Time) error {
	ending, known := debitEndingOf(ends)
	if !known {
		ending.Field9 = ends
	}
	chosen := decision{Outcome: "failure"}
	switch ends {
	case "captured":
		chosen.Outcome = "success"
	case "stuck":
		p.DebitAt = time.Time{}
		return nil
	}
	webhook := p.DebitWebhook
	if webhook == "" {
		webhook = "once"
	}
	if err := p.decide(chosen, now, s.account.get().SettlementDays); err != nil {
		return err
	}
	p.DebitAt, p.Fields[9] = time.Time{}, ending.Field9
	p.DebitStatus = p.Unmapped
	if ends == "blank" {
		p.DebitStatus = ""
	}
	s.queueWebhooks(p, webhook, 0)
	if ends == "late" {
		p.DebitEnds, p.DebitAt, p.DebitWebhook = "captured", now.Add(lateDebit), "lost"
	}
	return nil
}

// lateDebit is how long after its failure a late debit succeeds: between two checks of a merchant, and before a retry.
const lateDebit = 60 * time.Hour
