// Package subscription is what a franchiser has bought and for how long: orders, terms, add-ons, renewals and the
// states that time leads through. Its rules (quote.go, state.go, day.go) do no I/O.
package subscription

import (
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Lengths of the stages of a subscription's life, in days.
const (
	// TrialDays is the length of the free trial.
	TrialDays = 14
	// GraceDays follow the end of a paid term: everything works, and a renewal continues from the old end.
	GraceDays = 7
	// MaxGraceExtra is how many days staff may add to those at most: a month has 28, and a renewal in grace continues
	// from the old end.
	MaxGraceExtra = 20
	// LapseDays after expiry the subscription lapses; until then it can be looked at and renewed.
	LapseDays = 90
	// YearlyRenewalWindow is how many days before the end of a yearly term it can be renewed.
	YearlyRenewalWindow = 30
	// MonthlyRenewalWindow is the same of a monthly one.
	MonthlyRenewalWindow = 7
)

// PaymentStatus is the number by which the specification calls the state of payment.
type PaymentStatus int

// The numbers of the specification, expired added.
const (
	PaymentUnpaid     PaymentStatus = 0
	PaymentPaid       PaymentStatus = 1
	PaymentOverdue    PaymentStatus = 2
	PaymentPrepayment PaymentStatus = 3
	PaymentFreeTrial  PaymentStatus = 4
	PaymentExpired    PaymentStatus = 5
)

// Kind is what an order is for.
type Kind string

// The kinds of order. A downgrade costs nothing and waits for the renewal; a trial costs nothing at all.
const (
	KindNew       Kind = "new"
	KindUpgrade   Kind = "upgrade"
	KindDowngrade Kind = "downgrade"
	KindRenewal   Kind = "renewal"
	KindAddOn     Kind = "add_on"
	KindTrial     Kind = "trial"
)

// Subscription is the one subscription of a franchiser.
type Subscription struct {
	ID           string
	FranchiserID string
	State        State
	// Revision counts the changes of its content; an order applies to exactly the one it was priced for.
	Revision int
	// CatalogueRevision is under which prices and limits the present term was bought.
	CatalogueRevision int
	PlanID            string
	ServiceID         string
	Type              plan.Type
	// AnchorDay is the day of the month on which terms begin, where the month has it.
	AnchorDay int
	StartsOn  Day
	// RenewOn is the first day after the present term, PaidUntil that after all that is paid.
	RenewOn   Day
	PaidUntil Day
	// Trial says that the present or last term was the free trial.
	Trial bool
	// GraceExtra is how many days of grace staff added to the present term's.
	GraceExtra int
	ExpiredOn  Day
	// Revoked says that it ended because what was paid for it went back.
	Revoked bool
	// Next is a change that waits for the renewal, nil without one.
	Next *Change
}

// Change is what the coming cycle will be instead of the present one.
type Change struct {
	ServiceID string
	Type      plan.Type
	AddOnIDs  []string
	OrderID   string
}

// changesPlan says that another plan, or another way to pay it, waits for the renewal. Whoever chose the running one again has a
// change that changes nothing of it.
func (s Subscription) changesPlan() bool {
	return s.Next != nil && (s.Next.ServiceID != s.ServiceID || s.Next.Type != s.Type)
}

// Prepaid says that the next term is paid for already.
func (s Subscription) Prepaid() bool { return s.PaidUntil > s.RenewOn }

// PaymentStatus is the specification's number for the state.
func (s Subscription) PaymentStatus() PaymentStatus {
	switch {
	case s.State == StateTrialing:
		return PaymentFreeTrial
	case s.State == StateGrace:
		return PaymentOverdue
	case s.State.Ended():
		return PaymentExpired
	case s.Prepaid():
		return PaymentPrepayment
	default:
		return PaymentPaid
	}
}

// PayBy is the last day on which a renewal still continues the term; none once that is over.
func (s Subscription) PayBy() Day {
	if s.State.Ended() || s.State == StateTrialing {
		return 0
	}
	return s.PaidUntil + s.grace() - 1
}

// grace is how many days follow the end of the term before the plan expires.
func (s Subscription) grace() Day { return GraceDays + Day(s.GraceExtra) } //nolint:gosec // 20 at most

// CanRenew says whether a renewal is open: from 30 days before the end of a year, or 7 before that of a month, once per term,
// and any time after the end.
func (s Subscription) CanRenew(today Day) bool {
	if s.State != StateActive {
		return true
	}
	window := Day(MonthlyRenewalWindow)
	if s.Type == plan.TypeYearly {
		window = YearlyRenewalWindow
	}
	return !s.Prepaid() && s.RenewOn-today <= window
}

// LastDay is the last day of the present term: plans and trials end on it in every text, and invoices name it, while they
// renew, change and begin on the day after.
func (s Subscription) LastDay() Day { return s.RenewOn - 1 }

// ExpiredMessage is the specification's banner, empty while the plan runs.
func (s Subscription) ExpiredMessage() string {
	if !s.State.Ended() {
		return ""
	}
	if s.Revoked {
		return "Your plan ended on " + s.LastDay().Human() + " because its payment went back to you"
	}
	return "Plan Expired On: " + s.LastDay().Human()
}

// Notice is what there is to know while the plan still runs, empty for nothing.
func (s Subscription) Notice() string {
	switch {
	case s.State == StateTrialing:
		return "Your free trial ends on " + s.LastDay().Human() + "."
	case s.State == StateGrace:
		return "Your plan ended on " + s.LastDay().Human() + ". Renew by " + s.PayBy().Human() + " to keep it."
	case s.State == StateActive && s.changesPlan():
		return "Your plan changes on " + s.PaidUntil.Human() + "."
	default:
		return ""
	}
}

// Summary is what the rest of the house needs to know of a franchiser's subscription.
type Summary struct {
	// State is empty before the first plan.
	State         State
	PaymentStatus PaymentStatus
	// Active is true from the first plan until 90 days after expiry.
	Active bool
}

// AddOn is one unit of an add-on that a subscription owns.
type AddOn struct {
	ID      string
	AddOnID string
	Key     string
	Name    string
	Limit   int
	// Term is its price for a whole term, before tax.
	Term      money.Paise
	StartsOn  Day
	PaidUntil Day
	// Renews is the specification's next_billing_cycle_status: 1 is true, 0 is false.
	Renews bool
}

// Failures of buying and changing, safe to show.
var (
	// ErrPlanExpired blocks add-ons; its message begins with the expired message of the plan.
	ErrPlanExpired = errs.New(errs.KindConflict, "plan_expired", "Please Renew Plan..!")
	// ErrPlanIsCurrent answers to buying again what already runs.
	ErrPlanIsCurrent = errs.New(errs.KindConflict, "plan_is_current",
		"You already have this plan. Renew it or add add-ons from your dashboard.")
	// ErrPlanRetired answers to renewing what is sold no more.
	ErrPlanRetired = errs.New(errs.KindConflict, "plan_retired",
		"Your plan is no longer sold. Please choose another one.").With("redirect_to", "/pricing")
	// ErrNothingToRenew answers to a renewal before its time or after it was paid.
	ErrNothingToRenew = errs.New(errs.KindConflict, "renewal_not_open", "There is nothing to renew just now.")
	// ErrTrialRenewal answers to renewing the free trial.
	ErrTrialRenewal = errs.New(errs.KindConflict, "plan_needed", "A free trial is not renewed. Choose a plan to go on.").
			With("redirect_to", "/pricing")
	// ErrTrialAddOns answers to buying add-ons during the trial.
	ErrTrialAddOns = errs.New(errs.KindConflict, "plan_needed", "Choose a plan first: the free trial takes no add-ons.").
			With("redirect_to", "/pricing")
	// ErrAddOnOwned answers to buying a second one of what is of use only once.
	ErrAddOnOwned = errs.New(errs.KindConflict, "add_on_owned", "You already have this add-on.")
	// ErrAddOnNotRenewed answers to reactivating what the prepaid next term does not contain.
	ErrAddOnNotRenewed = errs.New(errs.KindConflict, "add_on_not_renewed",
		"Your next term is already paid without this add-on. Add it again when that term begins.")
	// ErrErasureScheduled answers to buying anything for an account that is to be erased.
	ErrErasureScheduled = errs.New(errs.KindConflict, "erasure_scheduled",
		"Your account is about to be erased. Keep it first, on the security page, to buy or renew.").With("redirect_to", "/account/security")
	// ErrTrialUsed says that the mobile had its trial.
	ErrTrialUsed = errs.New(errs.KindConflict, "trial_used", "You have already used your free trial.")
)

// PlanExpired is ErrPlanExpired with the specification's text for this subscription.
func (s Subscription) planExpired() error {
	message := s.ExpiredMessage()
	if message == "" {
		message = s.Notice()
	}
	e := *ErrPlanExpired
	e.Message = message + " " + ErrPlanExpired.Message
	return &e
}

// dueOn is the next day on which time alone changes the subscription, none once it has lapsed.
func (s Subscription) dueOn() Day {
	switch s.State {
	case StateTrialing, StateActive:
		return s.RenewOn
	case StateGrace:
		return s.RenewOn + s.grace()
	case StateExpired:
		return s.ExpiredOn + LapseDays
	default:
		return 0
	}
}

// overdue says that a sweep should have moved the subscription on by today.
func (s Subscription) overdue(today Day) bool {
	due := s.dueOn()
	return due != 0 && due <= today
}
