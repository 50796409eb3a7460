package alert

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/webhook"
)

// found returns the findings of a rule as "severity subject: message".
func found(t *testing.T, rule string, s Sight, th Thresholds) (list []string) {
	t.Helper()
	r := RuleOf(rule)
	require.NotNil(t, r, rule)
	for _, f := range Judge([]Rule{*r}, s, th) {
		require.Equal(t, rule, f.Rule)
		list = append(list, fmt.Sprintf("%s %s: %s", f.Severity, f.Subject, f.Message))
	}
	return list
}

// A dependency is judged by all kinds of jobs that need it; no single kind reaches the limits here.
func TestDependencyFailing_SeveralJobKinds_AreJudgedTogether(t *testing.T) {
	t.Parallel()
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	for name, c := range map[string]struct {
		kinds []Kind
		want  []string
	}{
		"two kinds of two and three": {
			[]Kind{{Kind: "send_otp", Cause: byProvider, Failed: 2, Done: 2, Failing: 1}, {Kind: "send_team_invitation", Cause: byProvider, Failed: 3, Done: 3, Failing: 1}},
			[]string{"critical SMS provider: 5 of 10 attempts that need the SMS provider failed in 10 min; 2 jobs are failing now."},
		},
		"two and two": {[]Kind{{Kind: "send_otp", Cause: byProvider, Failed: 2}, {Kind: "send_team_invitation", Cause: byProvider, Failed: 2}}, nil},
		"one below the half": {
			[]Kind{{Kind: "send_otp", Cause: byProvider, Failed: 2, Done: 2, Failing: 1}, {Kind: "send_team_invitation", Cause: byProvider, Failed: 3, Done: 4, Failing: 1}}, nil,
		},
		"each dependency separately": {
			[]Kind{{Kind: "verify_domain", Cause: byProvider, Failed: 5}, {Kind: "check_dispute", Cause: byProvider, Failed: 4, Failing: 1}, {Kind: "refund_payment", Cause: byProvider, Failed: 1}},
			[]string{
				"critical name servers: 5 of 5 attempts that need the name servers failed in 10 min; 0 jobs are failing now.",
				"critical payment gateway: 5 of 5 attempts that need the payment gateway failed in 10 min; 1 job is failing now.",
			},
		},
		"one kind answers again, a job of another still fails": {
			[]Kind{{Kind: "verify_payment", Cause: byProvider, Failed: 5, LastFailed: at(1), LastDone: at(3)}, {Kind: "refund_payment", Cause: byProvider, Failed: 1, Failing: 1, LastFailed: at(2)}},
			[]string{"critical payment gateway: 6 of 6 attempts that need the payment gateway failed in 10 min; 1 job is failing now."},
		},
		"the last success is after the last failure of all kinds": {
			[]Kind{{Kind: "verify_payment", Cause: byProvider, Failed: 5, LastFailed: at(4), LastDone: at(1)}, {Kind: "refund_payment", Cause: byProvider, Failed: 1, LastFailed: at(2), LastDone: at(5)}}, nil,
		},
		"the last failure is after the last success of all kinds": {
			[]Kind{{Kind: "verify_payment", Cause: byProvider, Failed: 5, LastFailed: at(5), LastDone: at(1)}, {Kind: "refund_payment", Cause: byProvider, Failed: 1, LastFailed: at(2), LastDone: at(4)}},
			[]string{"critical payment gateway: 6 of 6 attempts that need the payment gateway failed in 10 min; 0 jobs are failing now."},
		},
		"last success and last failure at the same moment": {
			[]Kind{{Kind: "verify_payment", Cause: byProvider, Failed: 5, Done: 1, LastFailed: at(5), LastDone: at(5)}},
			[]string{"critical payment gateway: 5 of 6 attempts that need the payment gateway failed in 10 min; 0 jobs are failing now."},
		},
		"a comparison without waiting customers": {[]Kind{{Kind: "compare_settlements", Cause: byProvider, Failed: 1, Failing: 1, FailingFor: 86_400}}, nil},
		"the longest wait of a customer": {
			[]Kind{
				{Kind: "compare_settlements", Cause: byProvider, Failed: 1, Failing: 1, FailingFor: 7200},
				{Kind: "verify_payment", Cause: byProvider, Failed: 1, Failing: 1, Done: 90, FailingFor: 130},
				{Kind: "refund_payment", Cause: byProvider, Failing: 1, FailingFor: 9000},
			},
			[]string{"critical payment gateway: 2 of 92 attempts that need the payment gateway failed in 10 min; 3 jobs are failing now, and a customer has waited for 2 min."},
		},
	} {
		require.Equal(t, c.want, found(t, "dependency_failing", Sight{Kinds: c.kinds}, limits()), name)
	}
}

func TestJobsFailing_BothLimitsReached_ReportsTheWorseOnce(t *testing.T) {
	t.Parallel()
	kinds := []Kind{
		{Kind: "purge", Failing: 20, Failed: 40},
		{Kind: "send_otp", Failing: 21, Failed: 40},
		{Kind: "verify_books", Failed: 5, Done: 5, LastFailed: time.Unix(2, 0), LastDone: time.Unix(1, 0)},
		{Kind: "send_team_invitation", Cause: byProvider, Failed: 40, LastFailed: time.Unix(2, 0)},
	}
	require.Equal(t, []string{
		"critical purge: 20 jobs of the kind purge are failing now; 20 is too many.",
		"critical send_otp: 21 jobs of the kind send_otp are failing now; 20 is too many.",
		"warning verify_books: 5 of 10 attempts at verify_books failed in 10 min.",
	}, found(t, "jobs_failing", Sight{Kinds: kinds}, limits()), "what needs a dependency is told with that one")
	strict := limits()
	strict.FailureCount, strict.FailurePercent = 1, 100
	require.Nil(t, found(t, "jobs_failing", Sight{Kinds: []Kind{{Kind: "purge"}, {Kind: "verify_books", Failed: 99, Done: 1}}}, strict), "no attempt is no failure")
}

func TestHungQueue_OnlyIfEveryWorkerIsStuck(t *testing.T) {
	t.Parallel()
	hung := Queue{Name: "documents", Depth: 3, Running: 4, Capacity: 4, YoungestRun: 45}
	for name, c := range map[string]struct {
		change func(*Queue)
		hangs  bool
	}{
		"all hold theirs":                      {func(*Queue) {}, true},
		"more run than are reported":           {func(q *Queue) { q.Running = 5 }, true},
		"one is free":                          {func(q *Queue) { q.Running = 3 }, false},
		"one began a second less ago":          {func(q *Queue) { q.YoungestRun = 44 }, false},
		"nothing waits":                        {func(q *Queue) { q.Depth = 0 }, false},
		"no worker works on it: not its fault": {func(q *Queue) { q.Capacity, q.Running = 0, 0 }, false},
	} {
		q := hung
		c.change(&q)
		got := found(t, "hung_queue", Sight{Queues: []Queue{q}}, limits())
		require.Equal(t, c.hangs, len(got) == 1, "%s: %v", name, got)
	}
	require.Equal(t, []string{"critical documents: Queue documents hangs: all 4 workers have held their jobs for 45 s or longer, and 3 jobs wait."},
		found(t, "hung_queue", Sight{Queues: []Queue{hung}}, limits()))
}

// The longest that a first job may wait differs by queue: 30 s for codes, 2 min for payments, 10 min for documents, 5 min for the rest.
func TestAgingQueue_Limit_DiffersByQueue(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int64{"otp": 30, "payments": 120, "documents": 600, "default": 300, "a queue of another release": 300} {
		q := Queue{Name: name, Depth: 1, OldestAge: most}
		require.Nil(t, found(t, "aging_queue", Sight{Queues: []Queue{q}}, limits()), name)
		q.OldestAge++
		require.Len(t, found(t, "aging_queue", Sight{Queues: []Queue{q}}, limits()), 1, name)
		q.Depth = 0
		require.Nil(t, found(t, "aging_queue", Sight{Queues: []Queue{q}}, limits()), "%s: nothing waits", name)
	}
}

func TestScheduleMissed_Message_SaysLateOrFailed(t *testing.T) {
	t.Parallel()
	schedules := []Schedule{
		{Kind: "sweep_payments", Every: 60, Late: 601, LastFailed: true}, {Kind: "verify_books", Every: 86_400, Late: 600, LastFailed: true}, {Kind: "count_figures", Every: 3600, Late: 600},
	}
	require.Equal(t, []string{
		"warning : The recurring job sweep_payments, due every 60 s, is 10 min late.",
		"warning verify_books: The last run of the recurring job verify_books failed.",
	}, found(t, "schedule_missed", Sight{Workers: 1, Schedules: schedules}, limits()))
	require.Nil(t, found(t, "schedule_missed", Sight{Schedules: schedules}, limits()), "without a worker all of them are late, which another alert says")
}

// The message names the provider, its fault and the delayed messages; each channel has its own wording.
func TestProviderFault_Message_NamesTheFaultAndTheDelayedMessages(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 2, 18, 31, 0, 0, time.UTC) // one minute after midnight in India
	fault := func(provider, kind, code string) message.Fault {
		return message.Fault{Provider: provider, Fault: kind, Code: code, Failures: 3, Since: since}
	}
	for want, f := range map[string]message.Fault{
		"SMS provider msg91 refuses our account (418), 3 times in a row since 3 Nov 00:01 IST: codes and messages wait, or go out through another one.":   fault("msg91", "account_fault", "418"),
		"SMS provider twilio has its rate limit reached, 3 times in a row since 3 Nov 00:01 IST: codes and messages wait, or go out through another one.": fault("twilio", "limited", ""),
		"The mail server does not answer, 3 times in a row since 3 Nov 00:01 IST: e-mails wait.":                                                          fault(message.EmailProvider, "unconfirmed", ""),
		"WhatsApp fails (131000), 3 times in a row since 3 Nov 00:01 IST: messages by WhatsApp wait; the same go out by SMS.":                             fault(message.WhatsAppProvider, "unavailable", "131000"),
	} {
		require.Equal(t, []string{"critical " + f.Provider + ": " + want}, found(t, "sms_provider", Sight{Faults: []message.Fault{f}}, limits()))
	}
}

func TestPaymentRules_HeldUndecidedOrWithoutWebhook_RaiseAlerts(t *testing.T) {
	t.Parallel()
	var held []desk.HeldPayment
	for n := range mostHeld + 1 {
		held = append(held, desk.HeldPayment{TransactionID: fmt.Sprintf("FP%d", n), Wrong: "It brought ₹1 too little."})
	}
	list := found(t, "payment_held", Sight{Payments: desk.Watched{Held: held}}, limits())
	require.Len(t, list, mostHeld, "whoever has not seen to twenty needs no further one")
	require.Equal(t, "critical FP19: Payment FP19 is held: It brought ₹1 too little.", list[mostHeld-1])
	require.Equal(t, []string{
		"warning payu: 1 payment has not been decided by payu for an hour: the customers may have been debited. Ask the gateway, from the console's first page.",
		"warning razorpay: 2 payments have not been decided by razorpay for an hour: the customers may have been debited. Ask the gateway, from the console's first page.",
	}, found(t, "payments_undecided", Sight{Payments: desk.Watched{Undecided: map[string]int{"razorpay": 2, "payu": 1}}}, limits()))
	unheard := []desk.Unheard{{Gateway: "payu", Payments: unnoticed - 1}, {Gateway: "razorpay", Payments: unnoticed}}
	require.Equal(t, []string{
		"warning razorpay: No notice of razorpay arrives: its last 3 payments were found paid by asking, so plans begin late. Nothing is lost. " +
			"Look at the address and the secret of the webhook in its dashboard.",
	}, found(t, "notices_missing", Sight{Payments: desk.Watched{Unheard: unheard}}, limits()))
}

func TestMessages_DocumentsBooksAndEndpoints_HaveTheirCountsAndNames(t *testing.T) {
	t.Parallel()
	lost := func(n int64) string {
		return strings.SplitN(found(t, "lost_documents", Sight{Lost: n}, limits())[0], " missing", 2)[0]
	}
	require.Equal(t, "warning : 1 document is", lost(1))
	require.Equal(t, "warning : 2 documents are", lost(2))
	require.Nil(t, found(t, "books_unsound", Sight{}, limits()), "before the first check there is nothing to tell")
	require.Nil(t, found(t, "books_unchecked", Sight{}, limits()))
	require.Equal(t, []string{"warning : The books were last checked 36 h ago."},
		found(t, "books_unchecked", Sight{Books: &Books{Age: 36*time.Hour + time.Nanosecond}}, limits()))
	off := limits()
	off.BackupMissing = 0
	require.Nil(t, found(t, "backup_missing", Sight{BackupAge: 10_000 * time.Hour}, off), "where nobody asked to be told")
	require.Equal(t, "off", backupLimit(off))
	require.Equal(t, []string{
		"warning 1: The connected system ERP is not told of anything: every delivery failed for five days. Enable it on the console's page of connected systems and have what was held sent again.",
		"warning 2: The connected system Stock is not told of anything: it answered that it is gone. Enable it on the console's page of connected systems and have what was held sent again.",
	}, found(t, "webhook", Sight{Stopped: []webhook.Endpoint{
		{ID: "1", Description: "ERP", DisabledFor: webhook.DisabledForFailing}, {ID: "2", Description: "Stock", DisabledFor: webhook.DisabledForGone},
	}}, limits()))
}

// Spans are in seconds up to two minutes, in minutes up to two hours, then in hours, rounded down.
func TestSpan_ByLength_IsInSecondsMinutesOrHours(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		0: "0 s", time.Second - 1: "0 s", 119 * time.Second: "119 s", 2*time.Minute - 1: "119 s", 2 * time.Minute: "2 min", 179 * time.Second: "2 min",
		2*time.Hour - 1: "119 min", 2 * time.Hour: "2 h", 36*time.Hour - 1: "35 h",
	} {
		require.Equal(t, want, span(d))
	}
}

// A silence is over at its end, not after it.
func TestSilenced_AtTheEndOfTheSilence_IsFalse(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	silenced := Alert{SilencedUntil: &until}
	require.True(t, silenced.Silenced(until.Add(-time.Microsecond)))
	require.False(t, silenced.Silenced(until))
	require.False(t, Alert{}.Silenced(until))
}

// The api judges without a member of staff and without a worker, so it does not judge rules about money or books.
func TestRules_MoneyBooksAuditAndBackup_AreNotJudgedByTheAPI(t *testing.T) {
	t.Parallel()
	var alone []string
	for _, r := range Rules() {
		require.Contains(t, r.Console, "/support", r.Name)
		if !r.Anywhere {
			alone = append(alone, r.Name)
		}
	}
	require.Equal(t, []string{
		"payment_held", "payments_undecided", "notices_missing", "audit_changed", "audit_unchecked", "books_unsound", "books_unchecked", "backup_missing", "site_away", "einvoice_unregistered", "deliveries_late", "webhook",
	}, alone)
	require.Nil(t, RuleOf(""))
	require.Equal(t, "/support/jobs?job=7%26kind%3Dx", PageOf("stuck_job", "7&kind=x"))
}
