package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// decision is how a payment should end, chosen on the page or by a test.
type decision struct {
	Outcome           string `json:"outcome"`
	Webhook           string `json:"webhook"` // once, lost, twice, late or reordered
	Return            string `json:"return"`  // post or lost
	Method            string `json:"method,omitempty"`
	Amount            string `json:"amount,omitempty"` // reported with wrong_amount; off by one paisa if empty
	AdditionalCharges string `json:"additional_charges,omitempty"`
	Discount          string `json:"discount,omitempty"`
	Mandate           string `json:"mandate,omitempty"`       // what becomes of the mandate, as in mandateChoices
	MandateLimit      string `json:"mandate_limit,omitempty"` // what the bank confirms with lower; half if empty
	DelaySeconds      *int   `json:"delay_seconds,omitempty"` // for late events; the sandbox's default if absent
	mandateDays       int    // working days until the bank decides about a mandate that is decided late
}

// ending is the effect of an outcome on a payment.
type ending struct{ Outcome, Status, Unmapped, Name string }

// endings returns the outcomes in the page's order. late_success fails now and is captured later; auto_refund is a late success
// that PayU refunds automatically, so that the merchant only ever sees a failure. Source of the statuses: PayU, Payment State
// Explanations.
func endings() []ending {
	return []ending{
		{"success", statusSuccess, unmappedCaptured, "Pay"},
		{"failure", statusFailure, "failed", "Fail"},
		{"user_cancelled", statusFailure, "userCancelled", "Cancel"},
		{"dropped", statusFailure, "dropped", "Drop at the bank’s page"},
		{"bounced", statusFailure, "bounced", "Leave without a choice"},
		{"pending", statusPending, statusPending, "Leave pending"},
		{"initiated", statusPending, unmappedInitiated, "Leave initiated"},
		{"in_progress", statusPending, "in progress", "Leave in progress"},
		{"late_success", statusFailure, "failed", "Fail, succeed later"},
		{"auto_refund", statusFailure, "autoRefund", "Fail, refunded by PayU"},
		{"auth", statusSuccess, unmappedAuth, "Authorise only"},
		{"wrong_amount", statusSuccess, unmappedCaptured, "Charge a wrong amount"},
	}
}

func endingOf(outcome string) (ending, error) {
	names := []string{}
	for _, e := range endings() {
		if e.Outcome == outcome {
			return e, nil
		}
		names = append(names, e.Outcome)
	}
	return ending{}, fmt.Errorf("outcome is not one of: %s", strings.Join(names, " "))
}

func (d *decision) validate() error {
	if d.Webhook == "" {
		d.Webhook = "once"
	}
	if d.Return == "" {
		d.Return = "post"
	}
	if _, err := endingOf(d.Outcome); err != nil {
		return err
	}
	for _, choice := range []struct {
		name, value string
		allowed     []string
	}{
		{"webhook", d.Webhook, []string{"once", "lost", "twice", "late", "reordered"}},
		{"return", d.Return, []string{"post", "lost"}},
		{"method", d.Method, append(methods(), "")},
		{"mandate", d.Mandate, mandateChoices()},
	} {
		if !slices.Contains(choice.allowed, choice.value) {
			return fmt.Errorf("%s is not one of: %s", choice.name, strings.Join(choice.allowed, " "))
		}
	}
	if d.DelaySeconds != nil && (*d.DelaySeconds < 0 || *d.DelaySeconds > 3600) {
		return errors.New("delay_seconds is between 0 and 3600")
	}
	for _, amount := range []string{d.Amount, d.AdditionalCharges, d.Discount, d.MandateLimit} {
		if amount == "" {
			continue
		}
		if _, err := paise(amount); err != nil {
			return err
		}
	}
	return nil
}

// decide applies the decision. A payment that has succeeded stays so: errDecided.
func (p *payment) decide(d decision, now time.Time, settlementDays int) error {
	if p.Status == statusSuccess {
		return errDecided
	}
	chosen, err := endingOf(d.Outcome)
	if err != nil {
		return err
	}
	if d.Method != "" {
		if len(p.Methods) > 0 && !slices.Contains(p.Methods, d.Method) {
			return errors.New("enforce_paymethod does not leave this method")
		}
		p.Method = d.Method
	}
	p.Charged, p.AdditionalCharges, p.Discount = p.Amount, d.AdditionalCharges, d.Discount
	p.SucceedsAt, p.Decided = time.Time{}, now
	if d.Outcome == "wrong_amount" {
		p.Charged = d.Amount
		if d.Amount == "" {
			if p.Charged, err = offByOnePaisa(p.Amount); err != nil {
				return err
			}
		}
	}
	paid, err := p.pays()
	if p.Terms != nil && p.Method != "NB" && paid < 100 {
		return errors.New("a mandate by card or UPI is registered with a payment of one rupee or more")
	}
	if err != nil || paid <= 0 && p.Terms == nil {
		return errors.Join(errors.New("the discount leaves nothing to pay"), err)
	}
	if p.Status, p.Unmapped = chosen.Status, chosen.Unmapped; p.captured() {
		p.capture(now, settlementDays)
	}
	if err := p.register(d.Mandate, d.MandateLimit, payoutAfter(now, d.mandateDays)); err != nil {
		return err
	}
	return p.answerOfTheBank()
}

// answerOfTheBank fills field0 to field9 as the banks behind PayU do: references of many lengths, some with sixteen digits that
// pass a card number's check.
func (p *payment) answerOfTheBank() error {
	p.Fields = [10]string{9: fieldNine(*p)}
	if p.Status != statusSuccess {
		return nil
	}
	approval, err := number(6)
	if err != nil {
		return err
	}
	switch p.Method {
	case "UPI":
		p.Fields[1], p.Fields[2], p.Fields[4] = "asha@okbank", p.TxnID, p.FirstName
		p.Fields[5], p.Fields[7] = "HDF"+p.MihpayID, "APPROVED OR COMPLETED SUCCESSFULLY|00"
	case "NB":
		if p.Terms != nil {
			p.Fields[1], p.Fields[2] = "ENACH"+p.BankReference, p.BankReference
		}
	default:
		like, err := cardLike()
		if err != nil {
			return err
		}
		p.Fields[1], p.Fields[2], p.Fields[3], p.Fields[5], p.Fields[6] = p.BankReference, approval, like, "00", "02"
		p.Fields[7], p.Fields[8] = "AUTHPOSITIVE", "AUTHORIZED"
	}
	return nil
}

// cardLike returns a bank reference of sixteen digits with a valid Luhn digit, such as 5233515521271721 in a recorded answer.
func cardLike() (string, error) {
	digits, err := number(14)
	if err != nil {
		return "", err
	}
	digits = "5" + digits
	sum := 0
	for i := range digits {
		d := int(digits[i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return fmt.Sprintf("%s%d", digits, (10-sum%10)%10), nil
}
