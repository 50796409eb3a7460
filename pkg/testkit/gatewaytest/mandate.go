package gatewaytest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Debitor is an adapter that takes payments and debits by mandate.
type Debitor interface {
	payment.Gateway
	mandate.Gateway
}

// Authorisation is how the customer ends a registration at the provider.
type Authorisation string

// The authorisations. Paid only: the payment succeeds, and no mandate comes of it. Lower: the bank confirms half of the limit. Pending:
// the bank has not confirmed it. Confirmed and rejected late: it does days later, untold. Despite failure: the mandate stands, and its
// transaction has failed.
const (
	AuthoriseFully    Authorisation = "fully"
	AuthoriseLower    Authorisation = "lower"
	AuthorisePending  Authorisation = "pending"
	AuthorisePaidOnly Authorisation = "paid only"
	AuthoriseRefused  Authorisation = "refused"

	AuthoriseConfirmedLate  Authorisation = "confirmed late"
	AuthoriseRejectedLate   Authorisation = "rejected late"
	AuthoriseDespiteFailure Authorisation = "despite failure"
)

// MandateProvider is a sandbox of the provider, with its own business time.
type MandateProvider interface {
	// Debitor returns the adapter under test, pointed at the sandbox.
	Debitor() Debitor
	// Authorise ends the session of a registration.
	Authorise(t *testing.T, s payment.Session, r mandate.Registration, how Authorisation)
	// Change sets a mandate's state as the customer does in an app, and returns the notices that the provider posted; silent changes
	// post none.
	Change(t *testing.T, m mandate.Reference, to mandate.ProviderState, silent bool) []payment.Incoming
	// FailNext makes the mandate's next debit fail for want of money.
	FailNext(t *testing.T, m mandate.Reference)
	// LateNext makes the mandate's next debit fail and succeed some days later without a notice.
	LateNext(t *testing.T, m mandate.Reference)
	// SettleAfter is how many working days eNACH debits take from now on.
	SettleAfter(t *testing.T, days int)
	// Now and Pass are the sandbox's business time.
	Now() time.Time
	Pass(t *testing.T, d time.Duration)
	// Debits counts the payments that were made by a mandate, whatever became of them.
	Debits() int
	// LoseDebit loses the answer to the next request for a debit, which is made all the same.
	LoseDebit()
	// Break makes the next calls fail: error, html, or ok again. The sandbox still executes the requests.
	Break(t *testing.T, mode string)
}

// debited is the amount of every debit of the suite, and limit the most that the mandates allow.
const (
	debited money.Paise = 1_179_00
	limit   money.Paise = 5_000_00
)

// RunMandates tests the requirements for every gateway with mandates. Each adapter runs against its provider's sandbox, which was written
// independently of the adapter.
func RunMandates(t *testing.T, start func(t *testing.T) MandateProvider) {
	t.Helper()
	methods := []mandate.Method{mandate.MethodUPI, mandate.MethodCard, mandate.MethodENACH}
	for _, method := range methods {
		for name, test := range map[string]func(s *suite, t *testing.T){
			"the same registration gives an equal session":    (*suite).sameRegistration,
			"what nobody has authorised is neither":           (*suite).notAuthorised,
			"an authorised mandate is active and described":   (*suite).authorised,
			"a refusal is a failed mandate":                   (*suite).refused,
			"a payment alone is no mandate":                   (*suite).paidOnly,
			"a bank that has not confirmed yet is waited for": (*suite).confirmedLater,
			"a lower limit of the bank is told":               (*suite).lowerLimit,
			"a debit is made once, of the exact amount":       (*suite).debitedOnce,
			"a failed debit tells its cause":                  (*suite).failedDebit,
			"a revoked mandate stays revoked":                 (*suite).revoked,
			"a mandate revoked elsewhere is not debited":      (*suite).revokedElsewhere,
			"a provider that is down decides nothing":         (*suite).down,
		} {
			t.Run(string(method)+": "+name, func(t *testing.T) {
				t.Parallel()
				test(newSuite(t, start(t), method), t)
			})
		}
	}
	for name, test := range map[string]func(s *suite, t *testing.T){
		"a pause is known without a notice":            (*suite).pausedSilently,
		"a repeated notice is the same":                (*suite).sameNotice,
		"a debit without its notice's time is refused": (*suite).tooEarly,
		"a second debit of a cycle is refused":         (*suite).cycleUsed,
		"a debit in closed hours waits":                (*suite).closedHours,
		"notices about mandates are signed":            (*suite).notices,
	} {
		t.Run("upi: "+name, func(t *testing.T) {
			t.Parallel()
			test(newSuite(t, start(t), mandate.MethodUPI), t)
		})
	}
	for name, test := range map[string]func(s *suite, t *testing.T){
		"a bank that confirms days later is waited for":       (*suite).confirmedDaysLater,
		"a bank that rejects days later ends the request":     (*suite).rejectedDaysLater,
		"a mandate whose transaction failed is found":         (*suite).despiteFailure,
		"a debit is processed for days, and is no failure":    (*suite).processedForDays,
		"a debit is returned after it was processed for days": (*suite).returnedAfterDays,
	} {
		t.Run("enach: "+name, func(t *testing.T) {
			t.Parallel()
			test(newSuite(t, start(t), mandate.MethodENACH), t)
		})
	}
	t.Run("nothing above the limit is debited", func(t *testing.T) {
		t.Parallel()
		newSuite(t, start(t), mandate.MethodUPI).aboveLimit(t)
	})
}

// suite is one test's provider and registration.
type suite struct {
	p      MandateProvider
	g      Debitor
	r      mandate.Registration
	number int
}

func newSuite(t *testing.T, p MandateProvider, method mandate.Method) *suite {
	t.Helper()
	r := mandate.Registration{Charge: charge(), Method: method, Cap: limit, Start: p.Now(), End: p.Now().AddDate(5, 0, 0)}
	r.Charge.Amount = 1 * money.Rupee
	if method == mandate.MethodENACH {
		r.Charge.Amount = 0
	}
	return &suite{p: p, g: p.Debitor(), r: r}
}

func (s *suite) register(t *testing.T, how Authorisation) (payment.Session, mandate.Details) {
	t.Helper()
	session, err := s.g.Register(t.Context(), s.r)
	require.NoError(t, err)
	s.p.Authorise(t, session, s.r, how)
	return session, s.registered(t, session)
}

func (s *suite) registered(t *testing.T, session payment.Session) mandate.Details {
	t.Helper()
	d, err := s.g.Registered(t.Context(), s.r.Charge.TransactionID, session.Reference)
	require.NoError(t, err)
	return d
}

// active returns the reference of a mandate that may be debited.
func (s *suite) active(t *testing.T) mandate.Reference {
	t.Helper()
	_, d := s.register(t, AuthoriseFully)
	require.Equal(t, mandate.ProviderActive, d.State, "%+v", d)
	d.Reference.RequestID = "REQ0000000000000001"
	return d.Reference
}

// debit returns a debit due three days on, in open hours, with its notice as submitted.
func (s *suite) debit(t *testing.T, m mandate.Reference, amount money.Paise) mandate.Debit {
	t.Helper()
	s.number++
	c := charge()
	c.TransactionID, c.Amount, c.Reference = fmt.Sprintf("FD26110200000000%06d", s.number), amount, ""
	d := mandate.Debit{Charge: c, Notice: mandate.Notice{
		Token: fmt.Sprintf("NT261102%08d", s.number), Amount: amount, DebitOn: s.openHour(3), Document: fmt.Sprintf("R36%05d", s.number),
	}}
	o, err := s.g.Notify(t.Context(), m, d.Notice)
	require.NoError(t, err)
	if o.Accepted {
		require.Equal(t, mandate.CauseNone, o.Cause)
		require.NotEmpty(t, o.Reference)
	}
	d.Notice.Reference = o.Reference
	return d
}

// openHour is 07:00 in India some days on, when UPI mandates are executed.
func (s *suite) openHour(days int) time.Time {
	zone := time.FixedZone("IST", 5*3600+1800)
	y, m, day := s.p.Now().In(zone).Date()
	return time.Date(y, m, day+days, 7, 0, 0, 0, zone)
}

// due passes the time until a debit may be made.
func (s *suite) due(t *testing.T, d mandate.Debit) {
	t.Helper()
	s.p.Pass(t, d.Notice.DebitOn.Sub(s.p.Now())+time.Minute)
}

// settle repeats the debit request until it is final: netbanking takes working days.
func (s *suite) settle(t *testing.T, m mandate.Reference, d mandate.Debit) mandate.DebitOutcome {
	t.Helper()
	for range 8 {
		o, err := s.g.Debit(t.Context(), m, d)
		require.NoError(t, err)
		if o.Status != payment.StatusPending {
			return o
		}
		require.Equal(t, mandate.CauseNone, o.Cause)
		s.p.Pass(t, 18*time.Hour)
	}
	require.Fail(t, "the debit never ends")
	return mandate.DebitOutcome{}
}

func (s *suite) verify(t *testing.T, d mandate.Debit) payment.Outcome {
	t.Helper()
	o, err := s.g.Verify(t.Context(), d.Charge.TransactionID, d.Notice.Reference)
	require.NoError(t, err)
	return o
}

func (s *suite) sameRegistration(t *testing.T) {
	t.Helper()
	first, err := s.g.Register(t.Context(), s.r)
	require.NoError(t, err)
	again, err := s.g.Register(t.Context(), s.r)
	require.NoError(t, err)
	require.Equal(t, first, again, "also where the answer to the first was lost")
}

func (s *suite) notAuthorised(t *testing.T) {
	t.Helper()
	session, err := s.g.Register(t.Context(), s.r)
	require.NoError(t, err)
	state := s.registered(t, session).State
	require.Contains(t, []mandate.ProviderState{mandate.ProviderUnknown, mandate.ProviderPending}, state)
}

func (s *suite) authorised(t *testing.T) {
	t.Helper()
	_, d := s.register(t, AuthoriseFully)
	require.Equal(t, mandate.ProviderActive, d.State)
	require.Equal(t, s.r.Method, d.Reference.Method)
	require.NotEmpty(t, d.Reference.MandateID)
	require.Equal(t, limit, d.Cap)
	require.NotEmpty(t, d.Masked)
	require.LessOrEqual(t, len(regexp.MustCompile(`[0-9]`).FindAllString(d.Masked, -1)), 4, "no more of the instrument than is needed to tell it")
	require.NotContains(t, d.Masked[1:], "@")
	require.WithinDuration(t, s.r.End, d.Until, 25*time.Hour)
	state, err := s.g.State(t.Context(), d.Reference)
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderActive, state.State)
}

func (s *suite) refused(t *testing.T) {
	t.Helper()
	_, d := s.register(t, AuthoriseRefused)
	require.Equal(t, mandate.ProviderFailed, d.State)
	require.NotEmpty(t, d.Reason)
}

func (s *suite) paidOnly(t *testing.T) {
	t.Helper()
	_, d := s.register(t, AuthorisePaidOnly)
	require.Equal(t, mandate.ProviderFailed, d.State)
	require.NotEmpty(t, d.Reason)
}

func (s *suite) confirmedLater(t *testing.T) {
	t.Helper()
	session, d := s.register(t, AuthorisePending)
	require.Equal(t, mandate.ProviderPending, d.State)
	s.p.Change(t, d.Reference, mandate.ProviderActive, true)
	require.Equal(t, mandate.ProviderActive, s.registered(t, session).State)
}

func (s *suite) lowerLimit(t *testing.T) {
	t.Helper()
	_, d := s.register(t, AuthoriseLower)
	require.Equal(t, mandate.ProviderActive, d.State)
	require.Equal(t, limit/2, d.Cap)
}

func (s *suite) debitedOnce(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.debit(t, m, debited)
	s.due(t, d)
	first, err := s.g.Debit(t.Context(), m, d)
	require.NoError(t, err)
	require.NotEqual(t, payment.StatusFailed, first.Status, "%+v", first)
	o := s.settle(t, m, d)
	require.Equal(t, payment.StatusPaid, o.Status, "%+v", o)
	require.NotEmpty(t, o.GatewayPaymentID)
	require.Equal(t, 1, s.p.Debits())
	paid := s.verify(t, d)
	require.Equal(t, payment.StatusPaid, paid.Status)
	require.Equal(t, debited, paid.Amount)
	require.Equal(t, payment.Currency, paid.Currency)
	require.Equal(t, o.GatewayPaymentID, paid.GatewayPaymentID)
}

func (s *suite) failedDebit(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.debit(t, m, debited)
	s.due(t, d)
	s.p.FailNext(t, m)
	o := s.settle(t, m, d)
	require.Equal(t, payment.StatusFailed, o.Status)
	require.Equal(t, mandate.CauseInsufficient, o.Cause, "%+v", o)
	require.NotEmpty(t, o.Reason)
	require.Equal(t, 1, s.p.Debits())
	require.Equal(t, payment.StatusFailed, s.verify(t, d).Status)
}

func (s *suite) revoked(t *testing.T) {
	t.Helper()
	m := s.active(t)
	for range 2 {
		d, err := s.g.Revoke(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, mandate.ProviderRevoked, d.State)
	}
	d, err := s.g.State(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderRevoked, d.State)
}

func (s *suite) revokedElsewhere(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.debit(t, m, debited)
	s.due(t, d)
	s.p.Change(t, m, mandate.ProviderRevoked, true)
	o := s.settle(t, m, d)
	require.Equal(t, payment.StatusFailed, o.Status)
	require.Equal(t, mandate.CauseEnded, o.Cause)
	require.NotEqual(t, payment.StatusPaid, s.verify(t, d).Status)
}

// down loses the response to a debit: the request fails, and a repeated request finds the debit.
func (s *suite) down(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.debit(t, m, debited)
	s.due(t, d)
	for _, mode := range []string{"error", "html"} {
		s.p.Break(t, mode)
		_, err := s.g.Debit(t.Context(), m, d)
		require.Error(t, err, mode)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), mode)
		_, err = s.g.State(t.Context(), m)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), mode)
		_, err = s.g.Registered(t.Context(), s.r.Charge.TransactionID, "")
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), mode)
		_, err = s.g.Revoke(t.Context(), mandate.Reference{MandateID: "none", CustomerID: "none", Method: m.Method, RequestID: "R"})
		require.Error(t, err, mode)
	}
	s.p.Break(t, "ok")
	require.Zero(t, s.p.Debits(), "nothing was asked for while the transaction could not be asked about")
	s.p.LoseDebit()
	_, err := s.g.Debit(t.Context(), m, d)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.Equal(t, payment.StatusPaid, s.settle(t, m, d).Status)
	require.Equal(t, 1, s.p.Debits())
}

func (s *suite) pausedSilently(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.debit(t, m, debited)
	s.due(t, d)
	require.Empty(t, s.p.Change(t, m, mandate.ProviderPaused, true))
	state, err := s.g.State(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderPaused, state.State)
	o := s.settle(t, m, d)
	require.Equal(t, payment.StatusFailed, o.Status)
	require.Equal(t, mandate.CausePaused, o.Cause)
	s.p.Change(t, m, mandate.ProviderActive, true)
	state, err = s.g.State(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderActive, state.State)
}

func (s *suite) sameNotice(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.debit(t, m, debited)
	n := d.Notice
	n.Reference = ""
	again, err := s.g.Notify(t.Context(), m, n)
	require.NoError(t, err)
	require.True(t, again.Accepted, "%+v", again)
	s.p.Break(t, "error")
	_, err = s.g.Notify(t.Context(), m, n)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	s.p.Break(t, "ok")
	again, err = s.g.Notify(t.Context(), m, n)
	require.NoError(t, err)
	require.True(t, again.Accepted)
	_, err = s.g.WithdrawNotice(t.Context(), m, d.Notice)
	require.NoError(t, err)
}

func (s *suite) tooEarly(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.debit(t, m, debited)
	o := s.settle(t, m, d)
	require.Equal(t, payment.StatusFailed, o.Status)
	require.Equal(t, mandate.CauseNoNotice, o.Cause, "%+v", o)
}

// cycleUsed requests a second debit in one month: the provider refuses it at the notice or at the debit.
func (s *suite) cycleUsed(t *testing.T) {
	t.Helper()
	m := s.active(t)
	first := s.debit(t, m, debited)
	s.due(t, first)
	require.Equal(t, payment.StatusPaid, s.settle(t, m, first).Status)
	s.number++
	second := first
	second.Charge.TransactionID = "FD26110200000000000009"
	second.Notice = mandate.Notice{Token: "NT2611020000000009", Amount: debited, DebitOn: s.openHour(3), Document: "R3600009"}
	n, err := s.g.Notify(t.Context(), m, second.Notice)
	require.NoError(t, err)
	cause := n.Cause
	if n.Accepted {
		second.Notice.Reference = n.Reference
		s.due(t, second)
		o := s.settle(t, m, second)
		require.Equal(t, payment.StatusFailed, o.Status)
		cause = o.Cause
	}
	require.Equal(t, mandate.CauseCycleUsed, cause)
}

func (s *suite) aboveLimit(t *testing.T) {
	t.Helper()
	m := s.active(t)
	s.number++
	d := s.debit(t, m, limit+1)
	n, err := s.g.Notify(t.Context(), m, d.Notice)
	require.NoError(t, err)
	cause := n.Cause
	if n.Accepted {
		s.due(t, d)
		cause = s.settle(t, m, d).Cause
	}
	require.Equal(t, mandate.CauseAboveCap, cause)
	require.NotEqual(t, payment.StatusPaid, s.verify(t, d).Status)
}

func (s *suite) closedHours(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.debit(t, m, debited)
	s.due(t, d)
	s.p.Pass(t, 4*time.Hour) // 11:00
	o, err := s.g.Debit(t.Context(), m, d)
	require.NoError(t, err)
	require.Equal(t, payment.StatusPending, o.Status)
	s.p.Pass(t, time.Hour)
	require.Equal(t, payment.StatusPending, s.verify(t, d).Status, "a queue is no failure")
	s.p.Pass(t, 2*time.Hour)
	require.Equal(t, payment.StatusPaid, s.verify(t, d).Status)
}

func (s *suite) notices(t *testing.T) {
	t.Helper()
	m := s.active(t)
	for _, to := range []mandate.ProviderState{mandate.ProviderPaused, mandate.ProviderRevoked} {
		posted := s.p.Change(t, m, to, false)
		require.NotEmpty(t, posted, to)
		for _, n := range posted {
			h, err := s.g.ReadMandate(n)
			require.NoError(t, err)
			require.True(t, h.Signed)
			require.Equal(t, m.MandateID, h.MandateID)
			require.NotEmpty(t, h.Key)
			again, err := s.g.ReadMandate(n)
			require.NoError(t, err)
			require.Equal(t, h, again)
			changed := n
			changed.Body = []byte(strings.Replace(string(n.Body), m.MandateID, strings.Repeat("1", len(m.MandateID)), 1))
			require.NotEqual(t, string(n.Body), string(changed.Body))
			_, err = s.g.ReadMandate(changed)
			require.ErrorIs(t, err, payment.ErrSignature)
		}
	}
	_, err := s.g.ReadMandate(payment.Incoming{Body: []byte("{}")})
	require.ErrorIs(t, err, payment.ErrSignature)
	_, err = s.g.ReadMandate(payment.Incoming{Form: map[string]string{"txnid": "T1", "hash": "00", "status": "success"}})
	require.ErrorIs(t, err, payment.ErrSignature)
}
