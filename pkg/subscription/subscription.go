// Package subscription manages a franchiser's purchases: orders, terms, add-ons, renewals and the states that follow with time. Its rules
// (quote.go, state.go, day.go) do no I/O.
package subscription

import (
	"strings"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Lengths of a subscription's stages, in days.
const (
	// TrialDays is the length of the free trial.
	TrialDays = 14
	// GraceDays follow the end of a paid term: everything works, and a renewal continues from the old end.
	GraceDays = 7
	// MaxGraceExtra is the most days that staff may add to the grace: a month has 28, and a renewal in grace continues from the old end.
	MaxGraceExtra = 20
	// LapseDays is the number of days after expiry during which a subscription can be viewed and renewed before it lapses.
	LapseDays = 90
	// YearlyRenewalWindow is how many days before the end of a yearly term it can be renewed.
	YearlyRenewalWindow = 30
	// MonthlyRenewalWindow is the same for a monthly term.
	MonthlyRenewalWindow = 7
)

// PaymentStatus is the specification's number for the state of payment.
type PaymentStatus int

// The numbers of the specification, with expired added.
const (
	PaymentUnpaid     PaymentStatus = 0
	PaymentPaid       PaymentStatus = 1
	PaymentOverdue    PaymentStatus = 2
	PaymentPrepayment PaymentStatus = 3
	PaymentFreeTrial  PaymentStatus = 4
	PaymentExpired    PaymentStatus = 5
)

// Kind is the kind of an order.
type Kind string

// The kinds of order. A downgrade costs nothing and takes effect at the renewal. A trial and a switch by staff cost nothing either; a
// switch keeps the invoices that pay for it, or credits a part of them.
const (
	KindNew       Kind = "new"
	KindUpgrade   Kind = "upgrade"
	KindDowngrade Kind = "downgrade"
	KindRenewal   Kind = "renewal"
	KindAddOn     Kind = "add_on"
	KindTrial     Kind = "trial"
	KindSwitch    Kind = "switch"
)

// Subscription is a franchiser's only subscription.
type Subscription struct {
	ID           string
	FranchiserID string
	State        State
	// Revision counts the changes of its content. An order applies only to the revision that it was priced for.
	Revision int
	// CatalogueRevision is the revision of the present term's prices and limits.
	CatalogueRevision int
	PlanID            string
	ServiceID         string
	Type              plan.Type
	// AnchorDay is the day of the month on which terms begin, in months that have it.
	AnchorDay int
	StartsOn  Day
	// RenewOn is the first day after the present term, PaidUntil the first day after the whole paid period.
	RenewOn   Day
	PaidUntil Day
	// Trial reports that the present or last term was the free trial.
	Trial bool
	// GraceExtra is the number of grace days that staff added to the present term.
	GraceExtra int
	ExpiredOn  Day
	// Revoked reports that it ended because its payment was refunded or charged back.
	Revoked bool
	// Next is the change scheduled for the renewal, or nil.
	Next *Change
}

// Change is the plan of the next cycle in place of the present one.
type Change struct {
	ServiceID string
	Type      plan.Type
	AddOnIDs  []string
	OrderID   string
}

// changesPlan reports whether another plan, or another billing period, is scheduled for the renewal. A change to the running plan does
// not count.
func (s Subscription) changesPlan() bool {
	return s.Next != nil && (s.Next.ServiceID != s.ServiceID || s.Next.Type != s.Type)
}

// Prepaid reports whether the next term is already paid.
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

// PayBy is the last day on which a renewal continues the term; 0 after that.
func (s Subscription) PayBy() Day {
	if s.State.Ended() || s.State == StateTrialing {
		return 0
	}
	return s.PaidUntil + s.grace() - 1
}

// grace is the number of days between the end of the term and the expiry.
func (s Subscription) grace() Day { return GraceDays + Day(s.GraceExtra) } //nolint:gosec // 20 at most

// CanRenew reports whether a renewal is open: from 30 days before a yearly term's last day, or 7 before a monthly one's, once per term,
// and any time after the end.
func (s Subscription) CanRenew(today Day) bool {
	if s.State != StateActive {
		return true
	}
	return !s.Prepaid() && today >= s.RenewableFrom()
}

// RenewableFrom is the first day on which the term after the last paid one can be paid.
func (s Subscription) RenewableFrom() Day {
	window := Day(MonthlyRenewalWindow)
	if s.Type == plan.TypeYearly {
		window = YearlyRenewalWindow
	}
	return s.PaidUntil - 1 - window
}

// LastDay is the last day of the present term. Every text and invoice names this day as the plan's end; renewals and changes begin on the
// next day.
func (s Subscription) LastDay() Day { return s.RenewOn - 1 }

// ExpiredMessage is the specification's banner for an ended plan, else empty.
func (s Subscription) ExpiredMessage() string {
	if !s.State.Ended() {
		return ""
	}
	if s.Revoked {
		return "Your plan ended on " + s.LastDay().Human() + " with a refund"
	}
	return "Plan Expired On: " + s.LastDay().Human()
}

// Notice is the notice shown while the plan runs, or empty.
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

// Tone is how urgent ExpiredMessage or Notice is.
type Tone string

// The tones, from which pages choose a colour.
const (
	ToneInfo    Tone = "info"
	ToneWarning Tone = "warning"
	ToneDanger  Tone = "danger"
)

// Tone is danger after the plan has ended and, in a trial, from its first reminder on. It is warning during grace.
func (s Subscription) Tone(today Day) Tone {
	switch {
	case s.State.Ended(), s.State == StateTrialing && s.LastDay()-today <= trialEndsSoon:
		return ToneDanger
	case s.State == StateGrace:
		return ToneWarning
	default:
		return ToneInfo
	}
}

// NoticeTexts are the templates of ExpiredMessage and Notice, as in the translation catalogues.
func NoticeTexts() []string {
	return []string{
		i18n.Mark("Your plan ended on {1} with a refund"), i18n.Mark("Plan Expired On: {1}"),
		i18n.Mark("Your free trial ends on {1}."), i18n.Mark("Your plan ended on {1}. Renew by {2} to keep it."), i18n.Mark("Your plan changes on {1}."),
	}
}

// Summary is a franchiser's subscription for other domains.
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
	// Term is the price for a whole term, before tax.
	Term      money.Paise
	StartsOn  Day
	PaidUntil Day
	// Renews is the specification's next_billing_cycle_status: 1 is true, 0 is false. A one-time add-on always has true.
	Renews bool
	// Once reports a one-time charge: the add-on stays with the account in every later plan, and is not charged again.
	Once bool
}

// Errors of purchases and changes, safe to show.
var (
	// ErrPlanExpired blocks add-ons; its message begins with the expired message of the plan.
	ErrPlanExpired = errs.New(errs.KindConflict, "plan_expired", "Please renew your plan.")
	// ErrPlanIsCurrent is returned when buying the running plan again.
	ErrPlanIsCurrent = errs.New(errs.KindConflict, "plan_is_current",
		"You already have this plan. Renew it or add add-ons from your dashboard.")
	// ErrPlanRetired is returned when renewing a plan that is no longer sold.
	ErrPlanRetired = errs.New(errs.KindConflict, "plan_retired",
		"Your plan is no longer sold. Please choose another one.").With("redirect_to", "/pricing")
	// ErrNothingToRenew is returned for a renewal before its time or after it was paid.
	ErrNothingToRenew = errs.New(errs.KindConflict, "renewal_not_open", "There is nothing to renew just now.")
	// ErrTrialRenewal is returned when renewing the free trial.
	ErrTrialRenewal = errs.New(errs.KindConflict, "plan_needed", "A free trial cannot be renewed. Choose a plan to continue.").
			With("redirect_to", "/pricing")
	// ErrTrialAddOns is returned when buying add-ons during the trial.
	ErrTrialAddOns = errs.New(errs.KindConflict, "plan_needed", "Choose a plan first: the free trial takes no add-ons.").
			With("redirect_to", "/pricing")
	// ErrAddOnOwned is returned when buying a second unit of an add-on that can be used only once.
	ErrAddOnOwned = errs.New(errs.KindConflict, "add_on_owned", "You already have this add-on.")
	// ErrAddOnNotRenewed is returned when reactivating an add-on that the prepaid next term does not contain.
	ErrAddOnNotRenewed = errs.New(errs.KindConflict, "add_on_not_renewed",
		"Your next term is already paid without this add-on. Add it again when that term begins.")
	// ErrChargedOnce is returned when cancelling or reactivating an add-on that was charged once.
	ErrChargedOnce = errs.New(errs.KindConflict, "charged_once", "This was charged once. It stays yours and is not charged again.")
	// ErrErasureScheduled is returned when buying anything for an account whose erasure is scheduled.
	ErrErasureScheduled = errs.New(errs.KindConflict, "erasure_scheduled",
		i18n.Mark("Your account is scheduled for erasure. To buy or renew, choose “Keep my account” on the security page first.")).With("redirect_to", "/account/security")
	// ErrTrialUsed reports that the mobile already had its trial.
	ErrTrialUsed = errs.New(errs.KindConflict, "trial_used", "You have already used your free trial.")
)

// PlanExpired is ErrPlanExpired with the specification's text for this subscription.
func (s Subscription) planExpired() error {
	message := s.ExpiredMessage()
	if message == "" {
		message = s.Notice()
	}
	e := *ErrPlanExpired
	e.Message = strings.TrimSuffix(message, ".") + ". " + ErrPlanExpired.Message
	return &e
}

// dueOn is the next day on which time alone changes the subscription, 0 after the lapse.
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

// overdue reports whether a sweep should have advanced the subscription by today.
func (s Subscription) overdue(today Day) bool {
	due := s.dueOn()
	return due != 0 && due <= today
}

// ownedByKey counts the renewing add-ons by kind. A change to another plan may keep that many.
func ownedByKey(owned []AddOn) map[string]int {
	units := map[string]int{}
	for _, a := range owned {
		if a.Renews {
			units[a.Key]++
		}
	}
	return units
}

// ownedOnce returns the kinds of owned one-time add-ons.
func ownedOnce(owned []AddOn) map[string]bool {
	keys := map[string]bool{}
	for _, a := range owned {
		if a.Once {
			keys[a.Key] = true
		}
	}
	return keys
}

// without returns the add-ons except those with ids in off.
func without(owned []AddOn, off []string) []AddOn {
	gone := map[string]bool{}
	for _, id := range off {
		gone[id] = true
	}
	var list []AddOn
	for _, a := range owned {
		if !gone[a.ID] {
			list = append(list, a)
		}
	}
	return list
}

// TermStatus is the status of a term within its subscription.
type TermStatus string

// The statuses of a term. A replaced term was cut short by an upgrade or by a payment after a trial.
const (
	TermCurrent   TermStatus = "current"
	TermScheduled TermStatus = "scheduled"
	TermEnded     TermStatus = "ended"
	TermReplaced  TermStatus = "replaced"
)

// term is the days From to To that a paid order adds, either at once or after the present term.
type term struct {
	From, To Day
	Status   TermStatus
	// Before is the new status of the previous terms, empty if they continue.
	Before TermStatus
}

// termPlace is where an order's term is among the terms of its subscription.
type termPlace struct {
	// Term is the status of the order's own term, empty for add-ons.
	Term TermStatus `db:"term"`
	// Upgraded reports whether the running term is an upgrade that credited the rest of this order.
	Upgraded bool `db:"upgraded"`
	// Over reports whether the order was already revoked or, for add-ons, credited by an upgrade.
	Over bool `db:"over"`
	// Unpaid is the order of the running term if its money was refunded but the term stayed because the next term is paid.
	Unpaid string `db:"unpaid"`
	// Since is the first day of the running term, or nil.
	Since *Day `db:"since"`
}
