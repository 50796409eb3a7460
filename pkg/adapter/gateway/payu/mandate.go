package payu

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// siVersion is the version of the payment form under whose hash the standing instruction is.
const siVersion = "7"

// modeENACH is PayU's mode of a mandate over netbanking.
const modeENACH = "ENACH"

// standingInstruction is si_details, posted and signed as one text ("SI Parameter JSON Details").
type standingInstruction struct {
	Amount   string `json:"billingAmount"`
	Currency string `json:"billingCurrency"`
	Cycle    string `json:"billingCycle"`
	Interval int    `json:"billingInterval"`
	Start    string `json:"paymentStartDate"`
	End      string `json:"paymentEndDate"`
	Rule     string `json:"billingRule,omitempty"`
}

// Register builds the payment form with a standing instruction; PayU learns of it when the browser posts it ("Payment Consent
// Transaction, PayU Hosted Checkout"). PayU debits a card with a fixed cycle only for exactly the billing amount, and one without a
// cycle for any amount up to it ("Pre-Debit Notification API"), so that cards are registered without one. So is netbanking, whose debits
// come some days before the end of a term and are presented again after a return, twice within a calendar month at times. It is
// registered with 0.00, and the customer enters the account at PayU's page ("Net Banking Payment Experience").
func (g *Gateway) Register(ctx context.Context, r mandate.Registration) (payment.Session, error) {
	details := standingInstruction{
		Amount: r.Cap.Decimal(), Currency: payment.Currency, Cycle: "MONTHLY", Interval: 1,
		Start: day(r.Start), End: day(r.End),
	}
	if r.Yearly {
		details.Cycle = "YEARLY"
	}
	charge := r.Charge
	switch r.Method {
	case mandate.MethodUPI:
		charge.Method, details.Rule = payment.MethodUPI, "MAX"
	case mandate.MethodCard:
		charge.Method, details.Cycle = payment.MethodCard, "ADHOC"
	case mandate.MethodENACH:
		charge.Method, details.Cycle = payment.MethodNetbanking, "ADHOC"
	default:
		return payment.Session{}, errs.Internal(fmt.Errorf("payu: no mandate by %q", r.Method))
	}
	text, err := json.Marshal(details)
	if err != nil {
		return payment.Session{}, errs.Internal(err)
	}
	s, err := g.Begin(ctx, charge)
	if err != nil {
		return payment.Session{}, err
	}
	s.Fields["si"], s.Fields["api_version"], s.Fields["si_details"] = "1", siVersion, string(text)
	s.Fields["hash"] = g.siHash(s.Fields)
	return s, nil
}

func day(t time.Time) string { return t.In(clock.IST).Format(time.DateOnly) }

// siHash returns the signature of a form with a standing instruction:
// sha512(key|txnid|amount|productinfo|firstname|email|udf1…udf5||||||si_details|SALT).
func (g *Gateway) siHash(f map[string]string) string {
	return digest(g.config.Key, f["txnid"], f["amount"], f["productinfo"], f["firstname"], f["email"],
		f["udf1"], f["udf2"], f["udf3"], f["udf4"], f["udf5"], "", "", "", "", "", f["si_details"], g.config.Salt)
}

// Registered queries verify_payment. A mandate exists only where the payment succeeded and its source is the standing instruction:
// a customer can pay without leaving one.
func (g *Gateway) Registered(ctx context.Context, transactionID, _ string) (mandate.Details, error) {
	found, err := g.transaction(ctx, transactionID)
	if err != nil {
		return mandate.Details{}, err
	}
	m := mandate.Reference{
		MandateID: strings.TrimSpace(found.text("mihpayid")), Method: methodOf(found.text("mode")), RequestID: requestID(transactionID),
	}
	instructed := strings.EqualFold(found.text("payment_source"), "sist") && number(m.MandateID)
	var failed mandate.Details
	switch statusOf(found.text("status"), found.text("unmappedstatus")) {
	case payment.StatusUnknown:
		return mandate.Details{State: mandate.ProviderUnknown}, nil
	case payment.StatusFailed:
		failed = mandate.Details{State: mandate.ProviderFailed, Reason: reason(found)}
		if !instructed || m.Method != mandate.MethodENACH { // nothing was paid that could have failed, so that the bank's word counts
			return failed, nil
		}
	case payment.StatusPaid:
		if !instructed {
			return mandate.Details{State: mandate.ProviderFailed, Reason: "Paid, but without a mandate."}, nil
		}
	default:
		return mandate.Details{State: mandate.ProviderPending}, nil
	}
	confirmed, err := g.State(ctx, m)
	if err != nil {
		return mandate.Details{}, err
	}
	if failed.State != "" && confirmed.State != mandate.ProviderActive && confirmed.State != mandate.ProviderPending {
		return failed, nil
	}
	confirmed.Masked, err = g.masked(ctx, m, found)
	return confirmed, err
}

func methodOf(mode string) mandate.Method {
	switch strings.ToUpper(mode) {
	case modeENACH, "NB":
		return mandate.MethodENACH
	case "UPI":
		return mandate.MethodUPI
	default:
		return mandate.MethodCard
	}
}

// masked returns the permitted part of the instrument. Only check_payment has the UPI address, in field1.
func (g *Gateway) masked(ctx context.Context, m mandate.Reference, found details) (string, error) {
	switch m.Method {
	case mandate.MethodCard:
		return last4(found.first("card_no", "cardnum")), nil
	case mandate.MethodENACH:
		return bankOf(found.text("bankcode")), nil
	case mandate.MethodUPI:
	}
	var answer struct {
		Transaction details `json:"transaction_details"`
	}
	if err := g.call(ctx, &answer, "check_payment", m.MandateID, nil); err != nil {
		return "", err
	}
	if _, handle, ok := strings.Cut(strings.TrimSpace(answer.Transaction.text("field1")), "@"); ok {
		return "@" + handle, nil
	}
	return "", nil
}

// bankOf returns the name of a bank by PayU's code of eNACH: the first letters of its IFSC with ENCC or ENCR, by how the customer signed
// in. PayU tells nothing of the account. Any other code stays as it is.
func bankOf(code string) string {
	code = strings.TrimSpace(code)
	for _, ending := range []string{"ENCC", "ENCR"} {
		if letters, ok := strings.CutSuffix(code, ending); ok && len(letters) == ifscLetters {
			return mandate.BankName(letters)
		}
	}
	return code
}

// ifscLetters is how many letters of an IFSC name the bank.
const ifscLetters = 4

func last4(s string) string {
	s = strings.TrimSpace(s)
	if len(s) < 4 || strings.Trim(s[len(s)-4:], "0123456789") != "" {
		return ""
	}
	return s[len(s)-4:]
}

// maxRequest is the longest requestId that our own calls use.
const maxRequest = 20

func requestID(text string) string { return text[max(0, len(text)-maxRequest):] }

// fields is the answer of a command about a mandate, by lower-case name: PayU spells authPayuId and authpayuid, and writes numbers
// as numbers or as texts.
type fields map[string]string

// ask calls a command whose var1 is a JSON object.
func (g *Gateway) ask(ctx context.Context, command string, var1 any) (fields, error) {
	text, err := json.Marshal(var1)
	if err != nil {
		return nil, errs.Internal(err)
	}
	var answer details
	if err := g.call(ctx, &answer, command, string(text), nil); err != nil {
		return nil, err
	}
	f := fields{}
	for name := range answer {
		f[strings.ToLower(name)] = strings.TrimSpace(answer.text(name))
	}
	// A refused call names no action: it says nothing about the mandate.
	if f["action"] == "" && f["status"] != "1" && f["message"] == "" {
		return nil, errs.Unavailable(fmt.Errorf("%s: %s", command, f["msg"]))
	}
	return f, nil
}

func (f fields) accepted() bool {
	return f["status"] == "1" || f["status"] == "" && f["statuscode"] == "1"
}

// about is the var1 of the commands about a mandate.
type about struct {
	MandateID string `json:"authPayuId"`
	RequestID string `json:"requestId"`
}

// State queries the status command of the mandate's method ("Check Mandate Status", "Get Mandate Status API for UPI", "Net Banking
// Mandate Status API").
func (g *Gateway) State(ctx context.Context, m mandate.Reference) (mandate.Details, error) {
	var command string
	switch m.Method {
	case mandate.MethodUPI:
		command = "upi_mandate_status"
	case mandate.MethodENACH:
		command = "NB_mandate_status"
	case mandate.MethodCard:
		command = "check_mandate_status"
	default:
		return mandate.Details{}, errs.Internal(fmt.Errorf("payu: no mandate by %q", m.Method))
	}
	f, err := g.ask(ctx, command, about{m.MandateID, requestID(m.RequestID)})
	if err != nil {
		return mandate.Details{}, err
	}
	d := mandate.Details{Reference: m}
	// "Check Mandate Status" shows the state as status; other clients read it from mandate_status next to a status of 1.
	state, ok := stateOf(cmp.Or(f["mandate_status"], f["mandatestatus"], f["status"]))
	switch {
	case ok:
		d.State = state
	case f["status"] == "0" && has(f["message"], "not found", "does not exist", "invalid authpayuid"):
		return mandate.Details{Reference: m, State: mandate.ProviderUnknown}, nil
	default:
		return mandate.Details{}, errs.Unavailable(fmt.Errorf("%s: status %q: %s", command, f["status"], f["message"]))
	}
	if id := f["authpayuid"]; id != "" && id != m.MandateID {
		return mandate.Details{}, errs.Unavailable(fmt.Errorf("%s: another mandate in the answer", command))
	}
	if limit, err := parseAmount(f["amount"]); err == nil && limit > 0 {
		d.Cap = limit
	}
	if end := f["mandateenddate"]; len(end) >= len(time.DateOnly) {
		if until, err := time.ParseInLocation(time.DateOnly, end[:len(time.DateOnly)], clock.IST); err == nil {
			d.Until = until
		}
	}
	if state == mandate.ProviderFailed {
		d.Reason = cmp.Or(f["message"], "The bank has rejected the mandate.")
	}
	return d, nil
}

// stateOf maps the states of "Check Mandate Status", and those of netbanking. A cancellation in progress counts as done, because nothing
// may be debited any more; a failed cancellation leaves the mandate unchanged.
func stateOf(status string) (mandate.ProviderState, bool) {
	switch strings.ToLower(status) {
	case "active", "success", "cancel_failed", "cancel_initiation_failed":
		return mandate.ProviderActive, true
	case "pause", "paused":
		return mandate.ProviderPaused, true
	case "cancelled", "cancel", "revoked", "revoke", "deleted", "discarded", "cancel_success", "cancel_initiated", "cancel_pending":
		return mandate.ProviderRevoked, true
	case "expired", "completed":
		return mandate.ProviderExpired, true
	case "failed":
		return mandate.ProviderFailed, true
	case "initiated", "pending":
		return mandate.ProviderPending, true
	default:
		return "", false
	}
}

// Revoke ends a mandate, which is final ("Cancel the Recurring Payment"). If PayU refuses because the mandate is not active, its state is
// queried: a paused mandate is not active either.
func (g *Gateway) Revoke(ctx context.Context, m mandate.Reference) (mandate.Details, error) {
	command := "mandate_revoke"
	if m.Method == mandate.MethodUPI {
		command = "upi_mandate_revoke"
	}
	f, err := g.ask(ctx, command, about{m.MandateID, requestID(m.RequestID)})
	if err != nil {
		return mandate.Details{}, err
	}
	if f.accepted() {
		return mandate.Details{Reference: m, State: mandate.ProviderRevoked}, nil
	}
	d, err := g.State(ctx, m)
	if err != nil {
		return mandate.Details{}, err
	}
	switch d.State {
	case mandate.ProviderRevoked, mandate.ProviderExpired, mandate.ProviderFailed, mandate.ProviderUnknown:
		return d, nil
	default:
		return mandate.Details{}, errs.Unavailable(fmt.Errorf("%s: %s", command, f["message"]))
	}
}

// errNoDebit says that PayU's answer to a debit did not name it.
var errNoDebit = errors.New("si_transaction: no such transaction in the answer")

// Debit requests the charge, unless PayU knows the transaction already: its reaction to a repeated txnid is not documented. Only the status
// of the transaction counts, because the outer one is 1 also if the debit failed ("Recurring Payment Transaction API").
func (g *Gateway) Debit(ctx context.Context, m mandate.Reference, d mandate.Debit) (mandate.DebitOutcome, error) {
	known, err := g.transaction(ctx, d.Charge.TransactionID)
	if err != nil {
		return mandate.DebitOutcome{}, err
	}
	if status := statusOf(known.text("status"), known.text("unmappedstatus")); status != payment.StatusUnknown {
		return g.debited(ctx, m, known.text("mihpayid"), status, known)
	}
	if needed, err := g.needsApproval(ctx, m, d); err != nil || needed.Cause != mandate.CauseNone {
		return needed, err
	}
	var answer struct {
		Status  any                `json:"status"`
		Message string             `json:"message"`
		Refusal string             `json:"msg"`
		Details map[string]details `json:"details"`
	}
	text, err := json.Marshal(map[string]string{
		"authpayuid": m.MandateID, "txnid": d.Charge.TransactionID, "amount": d.Charge.Amount.Decimal(),
		"invoiceDisplayNumber": d.Notice.Document, "phone": d.Charge.Mobile, "email": email(d.Charge),
		"udf2": "", "udf3": "", "udf4": "", "udf5": "",
	})
	if err != nil {
		return mandate.DebitOutcome{}, errs.Internal(err)
	}
	if err := g.call(ctx, &answer, "si_transaction", string(text), nil); err != nil {
		return mandate.DebitOutcome{}, err
	}
	one, ok := answer.Details[d.Charge.TransactionID]
	for _, other := range answer.Details { // a published answer has another key than its transaction
		if !ok && other.text("transactionid") == d.Charge.TransactionID {
			one, ok = other, true
		}
	}
	if !ok {
		return g.undetailed(ctx, m, statusText(answer.Status), answer.Message+answer.Refusal, len(answer.Details))
	}
	status := debitStatus(one.text("status"))
	if words := one.text("field9") + " " + one.text("error_Message"); status == payment.StatusFailed && has(words, "duplicate") {
		return mandate.DebitOutcome{}, errs.Unavailable(fmt.Errorf("si_transaction: %s", words)) // an earlier request arrived: its outcome counts
	}
	return g.debited(ctx, m, one.text("payuid"), status, one)
}

func statusText(status any) string { return details{"": status}.text("") }

// undetailed reads an answer without the debit. An outer status 0 without details is documented: the request itself was refused, be it for
// its hash or because the mandate has ended, and there is no debit ("Recurring Payment Transaction API"). Anything else says nothing.
func (g *Gateway) undetailed(ctx context.Context, m mandate.Reference, status, words string, others int) (mandate.DebitOutcome, error) {
	failure := fmt.Errorf("%w: %s", errNoDebit, words)
	if status != "0" || others > 0 {
		return mandate.DebitOutcome{}, errs.Unavailable(failure)
	}
	cause, err := g.cause(ctx, m, "", words)
	switch {
	case err != nil:
		return mandate.DebitOutcome{}, err
	case cause == mandate.CauseEnded || cause == mandate.CausePaused:
		return mandate.DebitOutcome{Status: payment.StatusFailed, Cause: cause, Reason: sentence(words)}, nil
	default:
		return mandate.DebitOutcome{}, errs.Unavailable(fmt.Errorf("%w: %w", mandate.ErrNotAccepted, failure))
	}
}

// debitStatus maps the status of a debit: blank is a failure by the document, and "in progress" or anything new is not final.
func debitStatus(status string) payment.Status {
	switch strings.ToLower(strings.TrimSpace(status)) {
	case "captured", "success":
		return payment.StatusPaid
	case "failed", "failure", "":
		return payment.StatusFailed
	default:
		return payment.StatusPending
	}
}

func (g *Gateway) debited(ctx context.Context, m mandate.Reference, id string, status payment.Status, d details) (mandate.DebitOutcome, error) {
	o := mandate.DebitOutcome{GatewayPaymentID: strings.TrimSpace(id), Status: status}
	if status != payment.StatusFailed {
		return o, nil
	}
	o.Reason = reason(d)
	var err error
	o.Cause, err = g.cause(ctx, m, d.text("error_code"), d.text("field9")+" "+d.text("error_Message"))
	return o, err
}

// withoutApproval is the most that is debited from a card without the customer (RBI, e-mandate framework).
const withoutApproval = 15_000 * money.Rupee

// needsApproval checks whether the customer has approved a debit of a card above the limit; requesting the debit before would only fail.
func (g *Gateway) needsApproval(ctx context.Context, m mandate.Reference, d mandate.Debit) (mandate.DebitOutcome, error) {
	if m.Method != mandate.MethodCard || d.Charge.Amount <= withoutApproval {
		return mandate.DebitOutcome{}, nil
	}
	f, err := g.notice(ctx, m, d.Notice, "Retrieve")
	if err != nil {
		return mandate.DebitOutcome{}, err
	}
	if !strings.EqualFold(f["approvedstatus"], "pending") {
		return mandate.DebitOutcome{}, nil
	}
	return mandate.DebitOutcome{
		Status: payment.StatusFailed, Cause: mandate.CauseAuthenticate, Reason: "The customer has not approved the amount.",
	}, nil
}
