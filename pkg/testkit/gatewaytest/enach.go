package gatewaytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
)

// workingDays passes three working days and what lies between them: the sandboxes begin on a Tuesday.
func (s *suite) workingDays(t *testing.T) {
	t.Helper()
	const most = 5 * 24 * time.Hour
	s.p.Pass(t, most)
}

// waiting registers a mandate that the bank has not decided about, and returns its session.
func (s *suite) waiting(t *testing.T, how Authorisation) payment.Session {
	t.Helper()
	require.Zero(t, s.r.Charge.Amount, "nothing is paid")
	session, d := s.register(t, how)
	require.Equal(t, mandate.ProviderPending, d.State)
	require.NotEmpty(t, d.Reference.MandateID, "the customer has authorised it, so that it can be ended")
	require.Equal(t, mandate.MethodENACH, d.Reference.Method)
	s.p.Pass(t, time.Hour)
	require.Equal(t, mandate.ProviderPending, s.registered(t, session).State)
	return session
}

func (s *suite) confirmedDaysLater(t *testing.T) {
	t.Helper()
	session := s.waiting(t, AuthoriseConfirmedLate)
	s.workingDays(t)
	d := s.registered(t, session)
	require.Equal(t, mandate.ProviderActive, d.State)
	require.Equal(t, limit, d.Cap)
	require.Regexp(t, `^(HDFC|ICICI) Bank( ••[0-9]{4})?$`, d.Masked, "the name of the bank, and no more of the account than is needed to tell it")
}

func (s *suite) rejectedDaysLater(t *testing.T) {
	t.Helper()
	session := s.waiting(t, AuthoriseRejectedLate)
	s.workingDays(t)
	d := s.registered(t, session)
	require.Equal(t, mandate.ProviderFailed, d.State)
	require.NotEmpty(t, d.Reason)
}

func (s *suite) despiteFailure(t *testing.T) {
	t.Helper()
	session, d := s.register(t, AuthoriseDespiteFailure)
	require.Equal(t, mandate.ProviderActive, d.State, "%+v", d)
	require.NotEmpty(t, d.Reference.MandateID)
	paid, err := s.g.Verify(t.Context(), s.r.Charge.TransactionID, session.Reference)
	require.NoError(t, err)
	require.Equal(t, payment.StatusFailed, paid.Status)
}

// processed requests a debit that the bank decides two working days later, and returns it.
func (s *suite) processed(t *testing.T, m mandate.Reference) mandate.Debit {
	t.Helper()
	s.p.SettleAfter(t, 2)
	d := s.debit(t, m, debited)
	s.due(t, d)
	return d
}

// undecided requires that the debit is neither paid nor failed for a day.
func (s *suite) undecided(t *testing.T, m mandate.Reference, d mandate.Debit) {
	t.Helper()
	for range 2 {
		o, err := s.g.Debit(t.Context(), m, d)
		require.NoError(t, err)
		require.Equal(t, payment.StatusPending, o.Status, "%+v", o)
		require.Equal(t, payment.StatusPending, s.verify(t, d).Status)
		s.p.Pass(t, 12*time.Hour)
	}
	require.Equal(t, 1, s.p.Debits())
}

func (s *suite) processedForDays(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.processed(t, m)
	s.undecided(t, m, d)
	s.workingDays(t)
	require.Equal(t, payment.StatusPaid, s.verify(t, d).Status)
	require.Equal(t, 1, s.p.Debits())
}

func (s *suite) returnedAfterDays(t *testing.T) {
	t.Helper()
	m := s.active(t)
	d := s.processed(t, m)
	s.p.FailNext(t, m)
	s.undecided(t, m, d)
	s.workingDays(t)
	require.Equal(t, payment.StatusFailed, s.verify(t, d).Status)
	o, err := s.g.Debit(t.Context(), m, d)
	require.NoError(t, err)
	require.Equal(t, mandate.CauseInsufficient, o.Cause, "%+v", o)
	require.Equal(t, 1, s.p.Debits())
}
