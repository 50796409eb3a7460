package mandate_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// The actions depend on the state, and on whether the customer paused the mandate here or asked to stop it. Only the bank can end a pause
// at the bank.
func TestMandate_EachState_AllowsItsActions(t *testing.T) {
	t.Parallel()
	now := testkit.Start()
	for state, want := range map[mandate.State][3]string{ // as it is, paused here, with a stop requested: pause, resume and stop
		mandate.StateRequested: {"--s", "--s", "---"},
		mandate.StateActive:    {"p-s", "-rs", "---"},
		mandate.StatePaused:    {"--s", "--s", "---"},
		mandate.StateRevoked:   {"---", "---", "---"},
		mandate.StateExpired:   {"---", "---", "---"},
		mandate.StateFailed:    {"---", "---", "---"},
	} {
		for i, m := range []mandate.Mandate{{State: state}, {State: state, HeldAt: &now}, {State: state, HeldAt: &now, StopAskedAt: &now}} {
			can := []byte("---")
			for at, yes := range []bool{m.CanPause(), m.CanResume(), m.CanStop()} {
				if yes {
					can[at] = "prs"[at]
				}
			}
			require.Equal(t, want[i], string(can), "%s %d", state, i)
		}
		require.False(t, mandate.Mandate{State: state, StopAskedAt: &now}.CanPause(), state)
		require.Equal(t, want[0] == "---", state.Ended(), state)
	}
	require.True(t, mandate.Mandate{ProviderID: "403993715524046125"}.Authorised())
	require.False(t, mandate.Mandate{State: mandate.StateRequested, Reference: "order_1"}.Authorised(), "the customer has not answered yet")
}

// A debit can be skipped before it is requested; a debit that failed or was called off has an explanation.
func TestDebitRow_EachState_CanBeSkippedOrExplained(t *testing.T) {
	t.Parallel()
	for state, want := range map[mandate.DebitState]struct {
		skip bool
		said string
	}{
		mandate.DebitPlanned: {true, ""}, mandate.DebitNoticed: {true, ""}, mandate.DebitAsked: {false, ""}, mandate.DebitPaid: {false, ""},
		mandate.DebitFailed: {false, "there was not enough money"}, mandate.DebitCalledOff: {false, "You skipped it."},
	} {
		d := mandate.DebitRow{State: state, Cause: mandate.CauseInsufficient, Reason: "You skipped it."}
		require.Equal(t, want.skip, d.CanSkip(), state)
		require.Equal(t, want.said, d.Explanation(), state)
	}
	require.Equal(t, "the debit did not go through", mandate.DebitRow{State: mandate.DebitFailed, Cause: "gossip"}.Explanation(), "a cause that nobody knows has words, too")
}

// The advice is shown while the debit's renewal is the next bill: the day of a planned retry, or that the customer has to pay manually. A
// debit that did not fail, or whose renewal was settled since, has none.
func TestFollows_FailedDebit_ReturnsAdviceAndNextTry(t *testing.T) {
	t.Parallel()
	const renewOn = subscription.Day(20_780) // 23 November 2026
	at := renewOn.Start().Add(6 * time.Hour)
	failed := mandate.DebitRow{ID: "d1", State: mandate.DebitFailed, Cause: mandate.CauseInsufficient, RenewOn: renewOn}
	bill := &subscription.NextBill{}
	bill.RenewsOn = renewOn
	for name, tc := range map[string]struct {
		view    mandate.View
		debit   mandate.DebitRow
		advice  string
		nextTry subscription.Day
	}{
		"no further try": {
			mandate.View{Bill: bill, History: []mandate.DebitRow{failed}}, failed, "Please pay it manually to keep your plan.", 0,
		},
		"a try that is planned": {
			mandate.View{Bill: bill, History: []mandate.DebitRow{{State: mandate.DebitPlanned, RenewOn: renewOn, DebitAt: at}, failed}},
			failed,
			"Keep the amount in the account, or pay it manually.", renewOn,
		},
		"a try that is announced": {
			mandate.View{Bill: bill, History: []mandate.DebitRow{{State: mandate.DebitNoticed, RenewOn: renewOn, DebitAt: at.AddDate(0, 0, 2)}, failed}},
			failed,
			"Keep the amount in the account, or pay it manually.", renewOn + 2,
		},
		"one of another renewal": {
			mandate.View{Bill: bill, History: []mandate.DebitRow{{State: mandate.DebitPlanned, RenewOn: renewOn + 30, DebitAt: at}, failed}},
			failed,
			"Please pay it manually to keep your plan.", 0,
		},
		"a try that was called off": {
			mandate.View{Bill: bill, History: []mandate.DebitRow{{State: mandate.DebitCalledOff, RenewOn: renewOn, DebitAt: at}, failed}},
			failed,
			"Please pay it manually to keep your plan.", 0,
		},
		"no bill any more":                {mandate.View{History: []mandate.DebitRow{failed}}, failed, "", 0},
		"a bill of a later renewal":       {mandate.View{Bill: bill}, mandate.DebitRow{State: mandate.DebitFailed, RenewOn: renewOn - 30}, "", 0},
		"a debit that is paid":            {mandate.View{Bill: bill}, mandate.DebitRow{State: mandate.DebitPaid, RenewOn: renewOn}, "", 0},
		"a failure that no retry can fix": {mandate.View{Bill: bill}, mandate.DebitRow{State: mandate.DebitFailed, Cause: mandate.CauseDeclined, RenewOn: renewOn}, "Ask your bank, or pay manually.", 0},
		"a try in the evening, in India":  {mandate.View{Bill: bill, History: []mandate.DebitRow{{State: mandate.DebitPlanned, RenewOn: renewOn, DebitAt: renewOn.Start().Add(21*time.Hour + 30*time.Minute)}}}, failed, "Keep the amount in the account, or pay it manually.", renewOn},
		"a try at midnight is of its day": {mandate.View{Bill: bill, History: []mandate.DebitRow{{State: mandate.DebitPlanned, RenewOn: renewOn, DebitAt: (renewOn + 1).Start()}}}, failed, "Keep the amount in the account, or pay it manually.", renewOn + 1},
	} {
		advice, nextTry := tc.view.Follows(tc.debit)
		require.Equal(t, []any{tc.advice, tc.nextTry}, []any{advice, nextTry}, name)
	}
}

// A warning says why the mandate does not allow the next bill, and what to do. Without a cause it is empty.
func TestWarning_EachCause_NamesReasonAndAdvice(t *testing.T) {
	t.Parallel()
	for cause, want := range map[mandate.Cause][2]string{
		mandate.CauseNone:         {"", ""},
		mandate.CauseAboveCap:     {"the bill is above your limit", "Pay manually, and set automatic renewal up again with a higher limit."},
		mandate.CauseAuthenticate: {"your bank wants your approval", "Pay manually: your bank debits this amount only with your approval. A bank account (eNACH), where it is offered, needs none."},
		mandate.CauseExpires:      {"the mandate ends before that day", "Pay manually, and set automatic renewal up again if you want it."},
		mandate.CauseFrequency:    {"the mandate is for yearly bills", "Pay manually, and set automatic renewal up again for monthly bills if you want it."},
	} {
		why, advice := mandate.View{Refused: cause}.Warning()
		require.Equal(t, want, [2]string{why, advice}, cause)
	}
}

// Configured values replace the defaults, which follow the providers' documents.
func TestSettingsFrom_Configuration_UsesItsValuesOrDefaults(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	unset := mandate.SettingsFrom(config.Renewals{OneACycle: map[string]bool{"payu": true}})
	require.Equal(t, mandate.DefaultSettings(), unset)
	require.Equal(t, []mandate.Method{mandate.MethodUPI, mandate.MethodCard, mandate.MethodENACH}, unset.Methods)
	require.Equal(t, map[mandate.Method]time.Duration{mandate.MethodUPI: 5 * day, mandate.MethodCard: 5 * day, mandate.MethodENACH: 10 * day}, unset.RequestLife)
	require.Equal(t, []int{3, 3}, []int{unset.SettleDays, unset.RetryDays})
	set := mandate.SettingsFrom(config.Renewals{
		Methods: []string{"enach", "upi"}, OneACycle: map[string]bool{"payu": true}, PerSecond: map[string]int{"payu": 9},
	})
	require.Equal(t, mandate.Settings{
		Methods: []mandate.Method{mandate.MethodENACH, mandate.MethodUPI}, RequestLife: unset.RequestLife,
		SettleDays: 3, RetryDays: 3, OneACycle: map[string]bool{"payu": true}, PerSecond: map[string]int{"payu": 9},
	}, set)
}
