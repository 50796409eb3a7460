package mandate

import (
	"crypto/rand"
	"time"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// Mandate is a customer's permission to debit renewals.
type Mandate struct {
	ID             string           `db:"id"`
	FranchiserID   string           `db:"franchiser_id"`
	SubscriptionID string           `db:"subscription_id"`
	Gateway        string           `db:"gateway"`
	Method         Method           `db:"method"`
	State          State            `db:"state"`
	TransactionID  string           `db:"transaction_id"`
	Reference      string           `db:"reference"`
	ProviderID     string           `db:"provider_mandate_id"`
	CustomerID     string           `db:"provider_customer_id"`
	Masked         string           `db:"masked"`
	Cap            money.Paise      `db:"cap_paise"` // the limit of a debit: Agreed, or less if the bank confirmed less
	Agreed         money.Paise      `db:"agreed_cap_paise"`
	Yearly         bool             `db:"yearly"`
	EndsOn         subscription.Day `db:"ends_on"` // AgreedEnd, or the earlier day that the bank reported
	AgreedEnd      subscription.Day `db:"agreed_ends_on"`
	ConsentVersion string           `db:"consent_version"`
	ConsentText    string           `db:"consent_text"`
	ConsentedAt    time.Time        `db:"consented_at"`
	HeldAt         *time.Time       `db:"held_at"`
	StopAskedAt    *time.Time       `db:"stop_asked_at"`
	Reason         string           `db:"reason"`
	// SkippedOn is the newest renewal whose debit the customer skipped, or nil.
	SkippedOn *subscription.Day `db:"skipped_on"`
	PollAt    *time.Time        `db:"poll_at"`
	PlanAt    *time.Time        `db:"plan_at"`
	// FixedDays is how many days before a renewal the price of its debit is fixed, 0 until the worker plans the next renewal.
	FixedDays int        `db:"fixed_days"`
	CreatedAt time.Time  `db:"created_at"`
	ActiveAt  *time.Time `db:"active_at"`
	EndedAt   *time.Time `db:"ended_at"`
}

// every is the term of the bills that the customer agreed to.
func (m Mandate) every() plan.Type {
	if m.Yearly {
		return plan.TypeYearly
	}
	return plan.TypeMonthly
}

// debits reports whether the worker may request debits.
func (m Mandate) debits() bool {
	return m.State == StateActive && m.HeldAt == nil && m.StopAskedAt == nil
}

// requestID returns an id of ours that is short enough for every provider.
func requestID() string { return "FM" + rand.Text()[:18] }

func (m Mandate) reference() Reference {
	return Reference{MandateID: m.ProviderID, CustomerID: m.CustomerID, Method: m.Method, RequestID: requestID()}
}

// DebitRow is one debit of a renewal.
type DebitRow struct {
	ID              string           `db:"id"`
	FranchiserID    string           `db:"franchiser_id"`
	MandateID       string           `db:"mandate_id"`
	SubscriptionID  string           `db:"subscription_id"`
	RenewOn         subscription.Day `db:"renew_on"`
	Number          int              `db:"number"`
	State           DebitState       `db:"state"`
	Amount          money.Paise      `db:"amount_paise"`
	DebitAt         time.Time        `db:"debit_at"`
	NextAt          *time.Time       `db:"next_at"`
	OrderID         *string          `db:"order_id"`
	NoticeToken     string           `db:"notice_token"`
	NoticeReference string           `db:"notice_reference"`
	NoticedAt       *time.Time       `db:"noticed_at"`
	PaymentID       *string          `db:"payment_id"`
	AskedAt         *time.Time       `db:"asked_at"`
	// Unheard means that the gateway does not know the requested debit.
	Unheard bool `db:"unheard"`
	// RefusedAt is when the gateway last rejected the request.
	RefusedAt *time.Time `db:"refused_at"`
	Cause     Cause      `db:"cause"`
	Reason    string     `db:"reason"`
	CreatedAt time.Time  `db:"created_at"`
	DecidedAt *time.Time `db:"decided_at"`
}

func (d DebitRow) notice() Notice {
	return Notice{
		Token: d.NoticeToken, Amount: d.Amount, DebitOn: d.DebitAt, Document: d.NoticeToken, Reference: d.NoticeReference,
	}
}

func (d DebitRow) intent() subscription.PurchaseIntent {
	return subscription.PurchaseIntent{SubscriptionID: d.SubscriptionID, Renew: true, Term: d.RenewOn}
}

// ConsentVersion is the version of the consent's text, in every language. A change of the text needs a new version.
const ConsentVersion = "3"

// consent has the values that the consent's text states.
type consent struct {
	method      Method
	bill, limit money.Paise
	yearly      bool
	from, until subscription.Day
}

// in returns the consent's text in a language.
func (c consent) in(l i18n.Language) string {
	told := l.Say("Your bank tells you a day ahead. Stop any time here, in your UPI app or at your bank.")
	switch c.method {
	case MethodENACH:
		told = l.Say("We tell you a week ahead, or at least two days if there is less time; your bank need not ask you again. Stop any time here or at your bank.")
	case MethodCard:
		told = l.Say("Your bank tells you a day ahead. Stop any time here or at your bank.")
	case MethodUPI:
	}
	values := []string{c.bill.Display(), c.from.In(l), c.limit.Display(), c.until.In(l), told}
	if c.yearly {
		return l.Say("Pay {1}, GST included, every year from {2}, at most {3} per debit, until {4}. {5} No extra fee.", values...)
	}
	return l.Say("Pay {1}, GST included, every month from {2}, at most {3} per debit, until {4}. {5} No extra fee.", values...)
}

// Errors of automatic renewal, safe to show.
var (
	// ErrOff is returned where no gateway debits by mandate.
	ErrOff = errs.New(errs.KindNotFound, "automatic_renewal_off", "Automatic renewal is not offered.")
	// ErrConsent refuses a set-up if the customer has not agreed to the current text.
	ErrConsent = errs.New(errs.KindConflict, "consent_needed", "Please read what you agree to, and tick the box.")
	// ErrLive refuses a second mandate.
	ErrLive = errs.New(errs.KindConflict, "automatic_renewal_on", "Automatic renewal is already set up. Stop it first to use another method.")
	// ErrWaiting refuses another method until the bank confirms or refuses the mandate.
	ErrWaiting = errs.New(errs.KindConflict, "automatic_renewal_waits",
		"Your bank has yet to confirm automatic renewal. Stop it first to use another method.")
	// ErrAboveLimit refuses a bill that the method debits only with the customer's approval each time.
	ErrAboveLimit = errs.New(errs.KindConflict, "above_limit",
		"Your next bill is above what is debited without your approval. Please pay it manually.")
	// ErrMethod refuses a method that the customer cannot set up.
	ErrMethod = errs.Invalid("Please check the marked fields.").Field("method", "Choose one of the methods on the page.")
	// ErrDebitUnderWay refuses to skip a requested debit.
	ErrDebitUnderWay = errs.New(errs.KindConflict, "debit_undecided", "The debit has been asked for and cannot be skipped any more.")
	// ErrSkipStands refuses to undo a skip when it is too late for the debit's notice.
	ErrSkipStands = errs.New(errs.KindConflict, "skip_stands", "It is too late to undo the skip. Please pay this renewal manually.")
	// ErrNotPausable refuses to pause or resume a mandate that is not active.
	ErrNotPausable = errs.New(errs.KindConflict, "not_active", "Automatic renewal is not active.")
)
