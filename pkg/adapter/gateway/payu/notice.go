package payu

import (
	"context"
	"fmt"
	"strings"

	"github.com/franchise360/franchise360/pkg/mandate"
)

// preDebit is the var1 of pre_debit_SI ("Pre-Debit Notification API").
type preDebit struct {
	MandateID string `json:"authPayuId"`
	RequestID string `json:"requestId"`
	DebitDate string `json:"debitDate,omitempty"`
	Document  string `json:"invoiceDisplayNumber"`
	Amount    string `json:"amount,omitempty"`
	Action    string `json:"action,omitempty"`
}

// Notify submits the notice with pre_debit_SI; netbanking has no notice. PayU refuses a second notice for a cycle, so after a refusal the
// existing notice is compared: an equal one is ours, whose answer was lost.
func (g *Gateway) Notify(ctx context.Context, m mandate.Reference, n mandate.Notice) (mandate.NoticeOutcome, error) {
	if m.Method == mandate.MethodENACH {
		return mandate.NoticeOutcome{Reference: n.Token, Accepted: true}, nil
	}
	f, err := g.notice(ctx, m, n, "")
	if err != nil {
		return mandate.NoticeOutcome{}, err
	}
	if f.accepted() {
		return accepted(n, f), nil
	}
	cause, err := g.cause(ctx, m, f["status"], f["message"])
	if err != nil {
		return mandate.NoticeOutcome{}, err
	}
	if cause == mandate.CauseOther || cause == mandate.CauseTechnical {
		had, err := g.notice(ctx, m, n, "Retrieve")
		if err != nil {
			return mandate.NoticeOutcome{}, err
		}
		amount, amountErr := parseAmount(had["amount"])
		if had.accepted() && !strings.EqualFold(had["invoicestatus"], "deleted") && amountErr == nil && amount == n.Amount {
			return accepted(n, had), nil
		}
	}
	if f["status"] == "0" && retried(cause) {
		return mandate.NoticeOutcome{Later: true, Reason: sentence(f["message"])}, nil
	}
	return mandate.NoticeOutcome{Cause: cause, Reason: sentence(f["message"])}, nil
}

// retried reports whether a notice that PayU itself refused, with status 0, is to be submitted again: "merchant should retry after some
// time to trigger the same" ("Additional Info. for Recurring Payment APIs"). A bank's code, and a mandate that has ended or a limit, are
// final.
func retried(c mandate.Cause) bool {
	return c == mandate.CauseOther || c == mandate.CauseTechnical || c == mandate.CauseNoNotice || c == mandate.CauseOutOfHours
}

func accepted(n mandate.Notice, f fields) mandate.NoticeOutcome {
	o := mandate.NoticeOutcome{Reference: f["invoiceid"], Accepted: true}
	if o.Reference == "" { // UPI has no separate number
		o.Reference = n.Token
	}
	return o
}

// WithdrawNotice deletes the notice; netbanking has no notice.
func (g *Gateway) WithdrawNotice(ctx context.Context, m mandate.Reference, n mandate.Notice) (bool, error) {
	if m.Method == mandate.MethodENACH {
		return true, nil
	}
	f, err := g.notice(ctx, m, n, "Delete")
	if err != nil {
		return false, err
	}
	return f.accepted(), nil
}

// notice submits, retrieves or deletes a notice; the latter two are found by mandate and document.
func (g *Gateway) notice(ctx context.Context, m mandate.Reference, n mandate.Notice, action string) (fields, error) {
	asked := preDebit{MandateID: m.MandateID, RequestID: n.Token, Document: n.Document, Action: action}
	if action == "" {
		asked.DebitDate, asked.Amount = day(n.DebitOn), n.Amount.Decimal()
	}
	f, err := g.ask(ctx, "pre_debit_SI", asked)
	if err != nil {
		return nil, fmt.Errorf("notice of a debit: %w", err)
	}
	return f, nil
}

// cause maps PayU's code or text to our causes. "Mandate is not active" covers a pause and an end alike, so the state is queried. The
// codes: E9254 to E9263 of "Pre-Debit SI API (Parallel Sequencing)", QC and Z9 of NPCI, ER1002 of PayU.
func (g *Gateway) cause(ctx context.Context, m mandate.Reference, code, words string) (mandate.Cause, error) {
	prefix, _, _ := strings.Cut(strings.TrimSpace(words), "|")
	for _, c := range []string{strings.ToUpper(code), strings.ToUpper(strings.TrimSpace(prefix))} {
		switch c {
		case "QC":
			return mandate.CauseEnded, nil
		case "Z9":
			return mandate.CauseInsufficient, nil
		case "E9256":
			return mandate.CauseCycleUsed, nil
		case "ER1002":
			return mandate.CauseTechnical, nil
		}
	}
	if has(words, "not active") {
		d, err := g.State(ctx, m)
		switch {
		case err != nil:
			return mandate.CauseOther, err
		case d.State == mandate.ProviderPaused:
			return mandate.CausePaused, nil
		default:
			return mandate.CauseEnded, nil
		}
	}
	for _, rule := range []struct {
		cause mandate.Cause
		words []string
	}{
		{mandate.CauseInsufficient, []string{"insufficient", "inadequate"}},
		{mandate.CauseEnded, []string{"revoked", "cancelled", "expired", "er0816", "mandate not found"}},
		{mandate.CausePaused, []string{"paused"}},
		{mandate.CauseAuthenticate, []string{"approval", "additional factor", "afa"}},
		{mandate.CauseNoNotice, []string{"predebit", "pre-debit", "pre debit", "notification"}},
		{mandate.CauseCycleUsed, []string{"execution already", "already executed"}},
		{mandate.CauseAboveCap, []string{"exceed", "greater than", "limit"}},
		{mandate.CauseOutOfHours, []string{"peak", "time window", "window"}},
		{mandate.CauseDeclined, []string{"declined", "do not honour", "not permitted"}},
		{mandate.CauseTechnical, []string{"technical", "timeout", "timed out", "try again", "unavailable", "down", "internal", "at bank end"}},
	} {
		// A notice that was sent before is no missing one.
		if rule.cause == mandate.CauseNoNotice && has(words, "already sent", "30 days", "incorrect period") {
			continue
		}
		if has(words, rule.words...) {
			return rule.cause, nil
		}
	}
	return mandate.CauseOther, nil
}

func has(text string, any ...string) bool {
	text = strings.ToLower(text)
	for _, part := range any {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

func sentence(s string) string {
	if s = strings.TrimSpace(s); s == "" {
		return ""
	}
	if len(s) > maxField {
		s = strings.ToValidUTF8(s[:maxField], "")
	}
	return strings.TrimRight(s, ".") + "."
}
