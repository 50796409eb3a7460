package support

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// draftTx checks the request against the present state, and computes its effect.
func (a *Acts) draftTx(ctx context.Context, tx *sqlx.Tx, kind ActKind, franchiserID string, c ActContent, now time.Time) (draft, error) {
	switch kind {
	case ActShortPayment:
		return a.draftShortTx(ctx, tx, franchiserID, c)
	case ActEndDebit:
		return a.draftEndDebitTx(ctx, tx, franchiserID, c, now)
	case ActCorrectRecipient:
		return a.draftCorrectTx(ctx, tx, franchiserID, c, now)
	case ActCancelPlan:
		return a.draftCancelTx(ctx, tx, franchiserID, now)
	case ActSwitchPlan:
		return a.draftSwitchTx(ctx, tx, franchiserID, c, now)
	case ActResetAuthenticator:
		used, err := a.desk.HasTOTPTx(ctx, tx, franchiserID)
		if err == nil && !used {
			err = errs.New(errs.KindConflict, "no_authenticator", "This customer uses no authenticator app.")
		}
		return draft{Subject: "authenticator:" + franchiserID, TwoNeed: true, Customer: true, Facts: actFacts{
			{"Then", "The password alone signs in, every session has ended, and the customer is told by SMS and e-mail."},
		}}, err
	case ActChangeMobile:
		return a.draftMobileTx(ctx, tx, franchiserID, c)
	case ActOutageGrace:
		return a.draftGraceTx(ctx, tx, c, now)
	case ActOpenBooks:
		return draftOpenBooksTx(ctx, tx, c)
	default:
		return draft{}, errs.Invalid("Please check the marked fields.").Field("kind", "There is no such act.")
	}
}

// performTx executes an approved act, or the next part of it.
func (a *Acts) performTx(ctx context.Context, tx *sqlx.Tx, act Act, now time.Time) (step, error) {
	switch act.Kind {
	case ActShortPayment:
		return step{Outcome: "The payment is accepted and its invoice issued."},
			a.payments.AcceptShortTx(ctx, tx, act.FranchiserID, act.Content.PaymentID, now)
	case ActEndDebit:
		return step{Outcome: "The debit has ended. The customer is told and can pay manually."},
			a.payments.EndDebitTx(ctx, tx, act.FranchiserID, act.Content.PaymentID, now)
	case ActCorrectRecipient:
		issued, err := a.payments.CorrectTx(ctx, tx, act.FranchiserID, act.Content.InvoiceID, act.Content.Recipient.recipient(), now)
		return step{Outcome: "Invoice " + issued.Number + " is issued in place of " + issued.CorrectsNumber + ", which a credit note took back."}, err
	case ActCancelPlan:
		c, err := a.payments.CancelTx(ctx, tx, act.FranchiserID, act.Content.Day, act.Amount, act.Reason, now)
		return step{Outcome: "The plan has ended. " + onItsWay(c.Total(), c.ByHand()) + waits(c.ByTransfer())}, err
	case ActSwitchPlan:
		return a.switchTx(ctx, tx, act, now)
	case ActResetAuthenticator:
		after, err := a.desk.ResetTOTPTx(ctx, tx, act.FranchiserID, act.ID, now)
		return step{Outcome: "The authenticator app is removed, and every session has ended.", After: after}, err
	case ActChangeMobile:
		return a.scheduleMobileTx(ctx, tx, act, now)
	case ActOutageGrace:
		return a.graceStepTx(ctx, tx, act, now)
	case ActOpenBooks:
		by := staff.Principal{StaffID: act.RequestedBy, Name: act.RequestedByName}
		return step{Outcome: "The books are open again."}, ledger.OpenBooksTx(ctx, tx, a.recorder, by, act.Content.To, act.Reason, now)
	default:
		return step{}, errs.Internal(fmt.Errorf("nobody knows how to do %q", act.Kind))
	}
}

func (a *Acts) draftShortTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, c ActContent) (draft, error) {
	if !id.Valid(c.PaymentID) {
		return draft{}, errs.Invalid("Please check the marked fields.").Field("payment_id", "Choose a payment of this customer.")
	}
	short, err := a.payments.ShortTx(ctx, tx, franchiserID, c.PaymentID)
	return draft{
		Content: ActContent{PaymentID: c.PaymentID}, Subject: "payment:" + c.PaymentID, Customer: true, Amount: short.Missing(),
		Facts: actFacts{
			{"Payment", short.TransactionID},
			{"For", short.Bought},
			{"Due", short.Due.Display()},
			{"Came", short.Captured.Display()},
			{"Discount on the invoice", short.Missing().Display()},
		},
	}, err
}

func (a *Acts) draftEndDebitTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, c ActContent, now time.Time) (draft, error) {
	if !id.Valid(c.PaymentID) {
		return draft{}, errs.NotFound()
	}
	d, err := a.payments.UndecidedDebitTx(ctx, tx, franchiserID, c.PaymentID, now)
	return draft{
		Content: ActContent{PaymentID: c.PaymentID}, Subject: "payment:" + c.PaymentID, Customer: true, Facts: actFacts{
			{"Debit", d.TransactionID + " at " + d.Gateway},
			{"For", d.Bought},
			{"Amount", d.Amount.Display()},
			{"Asked for on", subscription.DayOf(d.AskedAt).Human()},
			{"Ends without this act on", subscription.DayOf(d.DecidedBy()).Human()},
			{"Then", "The debit counts as failed. The customer is told why and can pay manually."},
			{"If the bank debits it after all", "The money renews the plan if that is still unpaid. Otherwise it is refunded."},
		},
	}, err
}

func (a *Acts) draftCancelTx(ctx context.Context, tx *sqlx.Tx, franchiserID string, now time.Time) (draft, error) {
	today := subscription.DayOf(now)
	c, err := a.payments.CancellationTx(ctx, tx, franchiserID, today)
	if err != nil {
		return draft{}, err
	}
	return draft{
		Content: ActContent{Day: today}, Subject: "plan:" + franchiserID, Customer: true, Amount: c.Total(), Already: c.Already,
		Facts: cancelFacts(c, today),
	}, nil
}

func cancelFacts(c act.Cancellation, today subscription.Day) actFacts {
	facts := actFacts{{"Unused from", today.Human()}}
	for _, part := range c.Parts {
		for _, l := range part.Lines {
			days := l.Detail
			if days == "" {
				days = "all of it"
			}
			facts = append(facts, ActFact{
				l.Description + ", invoice " + part.InvoiceNumber,
				days + ": " + l.Taxable.Display() + " and GST " + l.Tax.Total().Display(),
			})
		}
		facts = append(facts, givenBack(part)...)
	}
	facts = append(facts, ActFact{"Goes back in all", c.Total().Display()})
	facts = append(facts, byHand(c.ByHand())...)
	return append(facts, besides(c.ByTransfer())...)
}

// besides tells what staff have to transfer because no payment can take it, if anything.
func besides(amount money.Paise) actFacts {
	if amount == 0 {
		return nil
	}
	return actFacts{{
		"To be transferred by you, besides",
		amount.Display() + " that earlier invoices paid by set-off, and that their payments cannot take at a gateway. " +
			"It waits under Money: transfer it, and book that with its UTR. The customer is told.",
	}}
}

// waits describes the money that no gateway can refund.
func waits(amount money.Paise) string {
	if amount == 0 {
		return ""
	}
	return " " + amount.Display() + " was paid by invoices that were set off and waits under Money: transfer it, and book that with its UTR."
}

// givenBack lists the payments through which a part is refunded.
func givenBack(part act.CancelledPart) actFacts {
	var facts actFacts
	for _, r := range part.Refunds {
		name := "Credit note and refund of " + r.TransactionID
		switch {
		case r.ByHand():
			name = "Credit note of " + r.TransactionID + ", once it is transferred back"
		case r.Earlier:
			name = "Credit note of invoice " + part.InvoiceNumber + ", and refund of what " + r.TransactionID + " paid of it"
		}
		facts = append(facts, ActFact{name, r.Amount.Display()})
	}
	return facts
}

// byHand tells what staff have to transfer back themselves, if anything.
func byHand(amount money.Paise) actFacts {
	if amount == 0 {
		return nil
	}
	return actFacts{{"To be transferred by you", amount.Display() + " was paid by bank transfer. Transfer it back, and book that with its UTR: it waits under Money."}}
}

// onItsWay describes how the money is refunded.
func onItsWay(total, byHand money.Paise) string {
	var parts []string
	if rest := total - byHand; rest > 0 {
		parts = append(parts, rest.Display()+" is on its way back.")
	}
	if byHand > 0 {
		parts = append(parts, byHand.Display()+" was paid by bank transfer and waits under Money: transfer it back, and book that with its UTR.")
	}
	return strings.Join(parts, " ")
}

func draftOpenBooksTx(ctx context.Context, tx *sqlx.Tx, c ActContent) (draft, error) {
	locked, err := ledger.CheckOpenTx(ctx, tx, c.To)
	if err != nil {
		return draft{}, err
	}
	after := "Nothing"
	if c.To > 0 {
		after = c.To.Human()
	}
	return draft{
		Content: ActContent{To: c.To}, Subject: "books", TwoNeed: true, Facts: actFacts{
			{"Locked up to today", locked.Human()},
			{"Locked up to after", after},
			{"Then", "Entries can be dated in the opened months again, also where their return is filed."},
		},
	}, nil
}

// graceBatch is how many customers are given more days in one transaction.
const graceBatch = 100

// graceShown is how many customers of an act on many are named before it.
const graceShown = 10

func (a *Acts) draftGraceTx(ctx context.Context, tx *sqlx.Tx, c ActContent, now time.Time) (draft, error) {
	var v errs.Validation
	today := subscription.DayOf(now)
	v.Check(c.From > 0 && c.From <= c.To, "from", "Choose the first and the last day.")
	v.Check(c.To <= today && c.To-c.From <= 31, "to", "Choose at most a month, up to today.")
	v.Check(c.Days >= 1 && c.Days <= subscription.MaxGraceExtra, "days", fmt.Sprintf("Give 1 to %d days.", subscription.MaxGraceExtra))
	if err := v.Err(); err != nil {
		return draft{}, err
	}
	_, hit, err := subscription.GraceEndedTx(ctx, tx, c.From, c.To, 1)
	if err != nil {
		return draft{}, err
	}
	helped, total, err := subscription.GraceHelpedTx(ctx, tx, c.From, c.To, c.Days, today, graceShown)
	switch {
	case err != nil:
		return draft{}, err
	case hit == 0:
		return draft{}, errs.New(errs.KindConflict, "nobody_hit", "Nobody's days of grace ended in that time.")
	case total == 0:
		return draft{}, errs.New(errs.KindConflict, "nobody_hit",
			"That many days help nobody: even with them, nobody could renew today. Give more days, up to "+fmt.Sprint(subscription.MaxGraceExtra)+" in all.")
	}
	targets := make([]string, 0, len(helped))
	for _, h := range helped {
		targets = append(targets, "customer:"+h.FranchiserID)
	}
	names, err := Subjects{}.NamesTx(ctx, tx, targets)
	if err != nil {
		return draft{}, err
	}
	facts := actFacts{
		{"Grace ended from", c.From.Human()},
		{"To", c.To.Human()},
		{"Days more", fmt.Sprint(c.Days)},
		{"Customers", fmt.Sprint(total)},
	}
	if late := hit - total; late > 0 {
		facts = append(facts, ActFact{"Not helped", counted(late, "customer, who could not renew", "customers, who could not renew") + " even with these days"})
	}
	for _, h := range helped {
		facts = append(facts, ActFact{names["customer:"+h.FranchiserID], "could renew until " + h.LastDay.Human()})
	}
	if more := total - len(helped); more > 0 {
		facts = append(facts, ActFact{"And", counted(more, "more customer", "more customers")})
	}
	return draft{
		Content: ActContent{From: c.From, To: c.To, Days: c.Days}, TwoNeed: true, Facts: facts,
		Subject: fmt.Sprintf("grace:%s:%s", c.From, c.To),
	}, nil
}

// graceStepTx extends the grace of the next customers. It skips customers who renewed or already have the maximum.
func (a *Acts) graceStepTx(ctx context.Context, tx *sqlx.Tx, act Act, now time.Time) (step, error) {
	c := act.Content
	hit, err := subscription.GraceEndedAfterTx(ctx, tx, c.From, c.To, act.Progress, graceBatch)
	if err != nil {
		return step{}, err
	}
	s := step{Progress: act.Progress, Handled: act.Handled, More: len(hit) == graceBatch}
	by := staff.Principal{StaffID: act.RequestedBy, Name: act.RequestedByName}
	for _, h := range hit {
		s.Progress = h.FranchiserID
		done, err := a.concessions.ExtendTx(ctx, tx, by, h.FranchiserID, c.Days, act.Reason, now)
		if err != nil {
			return step{}, err
		}
		if done {
			s.Handled++
		}
	}
	s.Outcome = counted(s.Handled, "customer was given more days.", "customers were given more days.")
	return s, nil
}
