package mandate

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// The constants of the rails, with their sources. Where sources disagree, the stricter value applies.
const (
	// AFALimit is the most that a card or UPI debits without the customer's approval of the amount: RBI/DPSS/2026-27/396, ₹15,000.
	AFALimit = 15_000 * money.Rupee
	// noticeLead is how long before the debit its notice is submitted: PayU, Pre-Debit SI, 48 hours; Razorpay wants 36 h 5 min for cards,
	// the RBI 24 hours.
	noticeLead = 48 * time.Hour
	// leastNotice is the RBI's minimum time between a notice and its debit. A database constraint also enforces it.
	leastNotice = 24 * time.Hour
	// announceDays and noticeDays are how many days before the debit we inform the customer and submit the notice. warnDays is how many
	// days before the debit we warn that the mandate does not allow the bill, so that the customer can set up another one.
	announceDays, noticeDays, warnDays = 7, 3, 10
	// mostAttempts is NPCI's one attempt and three retries.
	mostAttempts = 4
	// debitHour is when debits are requested: before NPCI's morning peak.
	debitHour = 6 * time.Hour
	// resultAfter is when the result of a debit is checked; PayU: UPI settles in about ten minutes.
	resultAfter = 10 * time.Minute
	// firstLook is when a registration is first checked, and the shortest interval between checks.
	firstLook = 2 * time.Minute
	// slowResult is when the result of an eNACH debit is checked; both providers: up to T+2.
	slowResult = time.Hour
	// ENACHLimit is the most that eNACH debits: PayU, Net Banking Consent Transaction, ₹10,00,000 with netbanking. Razorpay allows ₹1
	// crore. PayU's page says ₹1,00,000 with Aadhaar; there the customer's bank refuses higher caps, and we store the cap that it confirms.
	ENACHLimit = 10_00_000 * money.Rupee
	// lostAfter is when a debit that the gateway does not know is given up. The gateway knows an arrived request at once (PayU,
	// verify_payment, "Not Found"; Razorpay, the payments of an order). The request is repeated during resendFor only.
	lostAfter, resendFor = 48 * time.Hour, 24 * time.Hour
	// lateFor is how long a failed debit is watched for a late capture.
	lateFor = 31 * 24 * time.Hour
	// margin is how long before the rail closes the last debit is requested, because a request takes time to reach the bank.
	margin = 5 * time.Minute
	// pollEvery is how often a mandate's state is queried: PayU sends no webhook when a pause lapses, and never repeats one.
	pollEvery = 24 * time.Hour
	// capRoom is the cap relative to the next bill, in basis points, rounded up to whole ₹100: prices and tax may rise.
	capRoom = 12_500
)

// hours is a part of the day, as offsets from midnight in India.
type hours struct{ from, to time.Duration }

// rail has the rules of a method.
type rail struct {
	// open has the hours in which a debit may be requested; empty means any hour. NPCI: before 10:00, 13:00 to 17:00, after 21:30.
	open []hours
	// calendarCycle means that the cycle of a monthly mandate is the calendar month, with one successful debit. Razorpay: never on the
	// cycle's last day.
	calendarCycle bool
	// limit is the most that UPI and cards debit without an approval. It is 0 for eNACH, which RBI/DPSS/2026-27/396 does not name.
	limit money.Paise
	// withoutPayment means a set-up without a payment, possible at any time (Razorpay: amount 0; PayU: a first instalment at two banks
	// only). On the other rails the set-up pays the renewal that is due.
	withoutPayment bool
	// settles is how many days the bank takes to decide a debit. The debit is requested that many days before the term's last day.
	settles subscription.Day
	// oneACycle means that the gateway takes one debit per cycle, successful or not, and counts the payment of the set-up.
	oneACycle bool
	// retryAfter is the minimum number of days between a failure and the next debit.
	retryAfter subscription.Day
	// result is the delay before the result of a requested debit is checked.
	result time.Duration
	// requestLife is how long the bank may take to confirm a mandate.
	requestLife time.Duration
}

// rail returns the rules of a method, from the constants and the settings.
func (s Settings) rail(m Method) rail {
	r := rail{result: resultAfter, requestLife: s.RequestLife[m]}
	if r.requestLife == 0 {
		r.requestLife = DefaultSettings().RequestLife[m]
	}
	switch m {
	case MethodUPI:
		r.open = []hours{{0, 10 * time.Hour}, {13 * time.Hour, 17 * time.Hour}, {21*time.Hour + 30*time.Minute, 24 * time.Hour}}
		r.calendarCycle, r.limit = true, AFALimit
	case MethodCard:
		r.limit = AFALimit
	case MethodENACH:
		r.limit, r.withoutPayment, r.result = ENACHLimit, true, slowResult
		r.settles, r.retryAfter = subscription.Day(s.SettleDays), subscription.Day(s.RetryDays) //nolint:gosec // a few days
	}
	return r
}

// railOf returns the rules of a mandate's method at its gateway.
func (s Settings) railOf(m Mandate) rail {
	r := s.rail(m.Method)
	r.oneACycle = r.calendarCycle && s.OneACycle[m.Gateway]
	return r
}

// usedBy reports whether the mandate's set-up used up the one debit of the cycle that includes at.
func (r rail) usedBy(m Mandate, at time.Time) bool {
	began, then := m.CreatedAt.In(clock.IST), at.In(clock.IST)
	return r.oneACycle && began.Year() == then.Year() && (m.Yearly || began.Month() == then.Month())
}

// opens returns the first moment, not before at, at which the rail takes a debit.
func (r rail) opens(at time.Time) time.Time {
	if len(r.open) == 0 {
		return at
	}
	start := subscription.DayOf(at).Start()
	for _, h := range r.open {
		if at.Before(start.Add(h.to - margin)) {
			if from := start.Add(h.from); at.Before(from) {
				return from.UTC()
			}
			return at
		}
	}
	return (subscription.DayOf(at) + 1).Start().UTC()
}

// debitDay is the day of a renewal's debit: the term's last day, minus the rail's settlement days so that the renewal is never overdue.
// If the term ends on the last day of a calendar cycle, it is the next day.
func (r rail) debitDay(renewOn subscription.Day) subscription.Day {
	last := renewOn - 1 - r.settles
	if r.calendarCycle && renewOn.DayOfMonth() == 1 {
		return renewOn
	}
	return last
}

// noticeDay is when the notice of a debit is submitted and its price is fixed.
func noticeDay(debit subscription.Day) subscription.Day { return debit - noticeDays }

// closes is the end of the time in which a renewal may be debited. The debit must be decided within the grace period and the rail's
// cycle.
func (r rail) closes(renewOn subscription.Day) time.Time {
	end := (renewOn + subscription.GraceDays - 1 - r.settles).Start()
	if r.calendarCycle {
		date := r.debitDay(renewOn).Start().In(clock.IST)
		lastOfMonth := time.Date(date.Year(), date.Month()+1, 0, 0, 0, 0, 0, clock.IST)
		if lastOfMonth.Before(end) {
			end = lastOfMonth
		}
	}
	return end.UTC()
}

// MayFollow reports whether the mandate may retry the failed debit of the renewal.
func (s Settings) MayFollow(m Mandate, last DebitRow) bool { return s.railOf(m).mayFollow(last) }

func (r rail) mayFollow(last DebitRow) bool {
	switch {
	case last.State != DebitFailed || last.Number >= mostAttempts, r.oneACycle && last.AskedAt != nil:
		return false
	default:
		return remedyOf(last.Cause).retry || last.NoticedAt == nil && last.Cause.ours()
	}
}

// withinLimit reports whether the rail debits the amount without an approval.
func (r rail) withinLimit(amount money.Paise) bool { return r.limit == 0 || amount <= r.limit }

// capFor is the cap to request: room above the next bill, up to the rail's limit without an approval.
func (r rail) capFor(bill money.Paise) money.Paise {
	room := bill.MulBps(capRoom)
	room = (room + 100*money.Rupee - 1) / (100 * money.Rupee) * (100 * money.Rupee)
	if r.limit != 0 && room > r.limit {
		return r.limit
	}
	return room
}

// remedy is how dunning handles a cause of failure.
type remedy struct {
	// retry means that a debit on a later day may succeed.
	retry bool
	// text is the customer's text for the cause, at most 40 characters; advice is what to do.
	text, advice string
}

func remedyOf(c Cause) remedy {
	switch c {
	case CauseInsufficient:
		return remedy{true, i18n.Mark("there was not enough money"), i18n.Mark("Keep the amount in the account, or pay it manually.")}
	case CauseTechnical, CauseOutOfHours, CauseNoNotice:
		return remedy{true, i18n.Mark("your bank could not process it"), i18n.Mark("You do not need to do anything. You can also pay manually.")}
	case CausePaused:
		return remedy{true, i18n.Mark("the mandate is paused"), i18n.Mark("Resume it in your UPI app or at your bank, or pay manually.")}
	case CauseDeclined:
		return remedy{false, i18n.Mark("your bank declined it"), i18n.Mark("Ask your bank, or pay manually.")}
	case CauseEnded:
		return remedy{false, i18n.Mark("the mandate has ended"), i18n.Mark("Pay manually, and set automatic renewal up again if you want it.")}
	case CauseAboveCap:
		return remedy{false, i18n.Mark("the bill is above your limit"), i18n.Mark("Pay manually, and set automatic renewal up again with a higher limit.")}
	case CauseExpires:
		return remedy{false, i18n.Mark("the mandate ends before that day"), i18n.Mark("Pay manually, and set automatic renewal up again if you want it.")}
	case CauseFrequency:
		return remedy{false, i18n.Mark("the mandate is for yearly bills"), i18n.Mark("Pay manually, and set automatic renewal up again for monthly bills if you want it.")}
	case CauseAuthenticate:
		return remedy{false, i18n.Mark("your bank wants your approval"), i18n.Mark("Pay manually: your bank debits this amount only with your approval. A bank account (eNACH), where it is offered, needs none.")}
	case CauseLost:
		return remedy{false, i18n.Mark("the bank did not receive the request"), i18n.Mark("Pay manually. If it is debited anyway, what was paid twice is refunded to you.")}
	case CauseUndecided:
		return remedy{false, i18n.Mark("your bank did not decide it in time"), i18n.Mark("Pay manually. If it is debited anyway, what was paid twice is refunded to you.")}
	case CauseCycleUsed:
		return remedy{false, i18n.Mark("the bank allows no more debits now"), i18n.Mark("Pay this renewal manually. The next one is debited again.")}
	default:
		return remedy{false, i18n.Mark("the debit did not go through"), i18n.Mark("Pay manually, or ask your bank.")}
	}
}

// Text is the customer's short text for why a debit failed; it is a translation key.
func (c Cause) Text() string { return remedyOf(c).text }

// Advice says what to do about a failure. Without another attempt, it is to pay manually.
func (c Cause) Advice(again bool) string {
	r := remedyOf(c)
	if r.retry && !again {
		return i18n.Mark("Please pay it manually to keep your plan.")
	}
	return r.advice
}

// ours reports whether we refused the debit ourselves because the mandate does not allow it.
func (c Cause) ours() bool {
	return c == CauseAboveCap || c == CauseAuthenticate || c == CauseExpires || c == CauseFrequency
}

// causeOf is the reported cause, or one derived from the mandate's state if the gateway reported none.
func causeOf(told Cause, s State) Cause {
	switch {
	case told != CauseNone:
		return told
	case s.Ended():
		return CauseEnded
	case s == StatePaused:
		return CausePaused
	default:
		return CauseTechnical
	}
}
