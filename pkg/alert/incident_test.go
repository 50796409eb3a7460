package alert

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/queue"
)

// told returns the rules and subjects of the findings that are no part of another alert.
func told(s Sight) (list []string) {
	for _, f := range Judge(Rules(), s, limits()) {
		if f.PartOf == "" {
			list = append(list, strings.TrimSpace(f.Rule+" "+f.Subject))
		}
	}
	return list
}

func TestJudge_OneCause_HasOneAlert(t *testing.T) {
	t.Parallel()
	msg91 := []message.Fault{{Provider: "msg91", Fault: "unavailable", Failures: 9}}
	otp := Kind{Kind: "send_otp", Cause: byProvider, Failing: 25, Failed: 60, FailingFor: 40}
	for name, c := range map[string]struct {
		sight Sight
		want  []string
	}{
		"SMS fail": {
			Sight{Workers: 1, Faults: msg91, Kinds: []Kind{otp}, Queues: []Queue{{Name: queue.QueueOTP, Depth: 9, OldestAge: 99}}},
			[]string{"sms_provider msg91"},
		},
		"SMS fail before the provider's faults are known": {Sight{Workers: 1, Kinds: []Kind{otp}}, []string{"dependency_failing SMS provider"}},
		"SMS and the gateway fail": {
			Sight{Workers: 1, Faults: msg91, Kinds: []Kind{otp, {Kind: "verify_payment", Cause: byProvider, Failing: 20, Failed: 40}}},
			[]string{"dependency_failing payment gateway", "sms_provider msg91"},
		},
		"the gateway fails, and with it a recurring job and its queue": {
			Sight{
				Workers: 1, Kinds: []Kind{{Kind: "verify_payment", Cause: byProvider, Failing: 20, Failed: 40}},
				Schedules: []Schedule{{Kind: "compare_settlements", LastFailed: true}, {Kind: "purge", LastFailed: true}},
				Queues:    []Queue{{Name: queue.QueuePayments, Depth: 2, OldestAge: 999}},
			},
			[]string{"dependency_failing payment gateway", "schedule_missed purge"},
		},
		"mail fails, and alerts with it": {
			Sight{
				Workers: 1, Faults: []message.Fault{{Provider: message.EmailProvider, Failures: 3}},
				Kinds: []Kind{{Kind: "deliver_alert", Cause: byProvider, Failed: 9}},
			},
			[]string{"sms_provider smtp"},
		},
		"mail fails, and with it jobs that send only mail": {
			Sight{
				Workers: 1, Faults: []message.Fault{{Provider: message.EmailProvider, Failures: 3}},
				Kinds: []Kind{
					{Kind: "send_newsletter_link", Cause: byProvider, Failed: 9},
					{Kind: "send_staff_invitation", Cause: byProvider, Failed: 9},
					{Kind: "send_staff_notice", Cause: byProvider, Failed: 9},
				},
			},
			[]string{"sms_provider smtp"},
		},
		"no worker, so queues age": {Sight{Queues: []Queue{{Name: "otp", Depth: 1, OldestAge: 99}}}, []string{"no_workers"}},
		"a paused queue ages":      {Sight{Workers: 1, Queues: []Queue{{Name: "otp", Paused: true, Depth: 1, OldestAge: 99}}}, []string{"paused_queue otp"}},
		"another queue ages": {
			Sight{Workers: 1, Queues: []Queue{{Name: "otp", Paused: true}, {Name: "documents", Depth: 1, OldestAge: 999}}},
			[]string{"aging_queue documents", "paused_queue otp"},
		},
		"a planned stop": {
			Sight{Workers: 1, Schedules: []Schedule{{Kind: "a", Late: 3600}, {Kind: "b", Late: 3600}, {Kind: "c", Late: 3600}}},
			[]string{"schedule_missed"},
		},
		"a changed trail fails its job": {
			Sight{Workers: 1, Full: true, Trail: &Trail{Changed: true}, Schedules: []Schedule{{Kind: "verify_audit", LastFailed: true}}},
			[]string{"audit_changed"},
		},
		"the trail cannot be checked": {
			Sight{Workers: 1, Full: true, Trail: &Trail{}, Schedules: []Schedule{{Kind: "verify_audit", LastFailed: true}}},
			[]string{"schedule_missed verify_audit"},
		},
		"an api does not see why the trail's job failed": {
			Sight{Workers: 1, Schedules: []Schedule{{Kind: "verify_audit", LastFailed: true}}}, nil,
		},
	} {
		require.Equal(t, c.want, told(c.sight), name)
	}
	found := Judge(Rules(), Sight{Workers: 1, Faults: msg91, Kinds: []Kind{otp}}, limits())
	require.Contains(t, found[1].Message, "a customer has waited for 40 s", "the cause says how many are concerned")
}

// A lock in the database and a job with useless arguments say nothing about the gateway.
func TestJudge_FailuresThatTheProviderDidNotCause_NameNoDependency(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kinds []Kind
		want  []string
	}{
		"LOCK TABLE payments": {
			[]Kind{{Kind: "verify_payment", Done: 755}, {Kind: "verify_payment", Cause: byDatabase, Failing: 4, Failed: 11, FailingFor: 35}},
			[]string{"database_failing"},
		},
		"one poison job":             {[]Kind{{Kind: "verify_payment", Done: 500}, {Kind: "verify_payment", Failing: 1, Failed: 6, FailingFor: 40}}, []string{"jobs_failing verify_payment"}},
		"thirty poison jobs":         {[]Kind{{Kind: "verify_payment", Failing: 30, Failed: 30}}, []string{"jobs_failing verify_payment"}},
		"a poison job and an outage": {[]Kind{{Kind: "verify_payment", Failing: 1, FailingFor: 40}, {Kind: "verify_payment", Cause: byProvider, Failing: 9, Failed: 9}}, []string{"dependency_failing payment gateway", "jobs_failing verify_payment"}},
		"the mandates' gateway is away": {
			[]Kind{{Kind: "renew_by_mandate", Cause: byProvider, Failing: 9, Failed: 9}, {Kind: "collect_transfers", Cause: byProvider, Failed: 2}},
			[]string{"dependency_failing payment gateway"},
		},
		"the portal is away": {
			[]Kind{{Kind: "register_invoice", Cause: byProvider, Failing: 25, Failed: 60}},
			[]string{"dependency_failing invoice registration portal"},
		},
		"a kind without waiting customers": {[]Kind{{Kind: "compare_settlements", Failing: 1, Failed: 1, FailingFor: 4000}}, nil},
		"a single lock":                    {[]Kind{{Kind: "purge", Done: 100}, {Kind: "purge", Cause: byDatabase, Failed: 4}}, nil},
		"many locks among many jobs":       {[]Kind{{Kind: "purge", Done: 1000}, {Kind: "purge", Cause: byDatabase, Failed: 40, LastFailed: time.Unix(9, 0)}}, nil},
	} {
		require.Equal(t, c.want, told(Sight{Workers: 1, Kinds: c.kinds}), name)
	}
}

func TestSample_Error_KeepsTheCauseWithoutPersonalData(t *testing.T) {
	t.Parallel()
	for failure, want := range map[string]string{
		"": "",
		"provider failed: unavailable: This is not available just now.: object store: put: No space left on device":   "No space left on device.",
		"database failed: pq: canceling statement due to lock timeout":                                                "canceling statement due to lock timeout.",
		`pq: invalid input syntax for type uuid: "7"`:                                                                 "invalid input syntax for type uuid: ….",
		"550 asha.k+x@example.co.in: mailbox unavailable":                                                             "Last error: 550 …: mailbox unavailable.",
		"to +91 98765 43210 refused":                                                                                  "to … refused.",
		"9876543210 refused":                                                                                          "Last error: … refused.",
		"payment 019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50 of 019ae0c2-9f00-7a11-8f00-4b1d2c3e4f51\ngoroutine 7 [running]": "payment … of ….",
		`account "Asha Sharma" is closed`:                                                                             "account … is closed.",
		"https://user:secret@example.in/x?token=abcdefgh: status 503":                                                 "status 503.",
		strings.Repeat("long ", 200) + "no such bucket":                                                               "no such bucket.",
	} {
		got := sample(failure)
		require.True(t, strings.HasSuffix(got, want), "%q", got)
		require.LessOrEqual(t, len([]rune(got)), sampleLength+20)
		for _, secret := range []string{"9876", "98765", "43210", "asha.k", "Sharma", "secret", "abcdefgh", "019ae0c2", "goroutine"} {
			require.NotContains(t, got, secret)
		}
	}
}

func TestJobsRules_Message_HasASampleOfTheError(t *testing.T) {
	t.Parallel()
	for rule, s := range map[string]Sight{
		"dependency_failing": {Kinds: []Kind{{Kind: "render_invoice", Cause: byProvider, Failed: 5, Sample: "put: No space left on device"}}},
		"database_failing":   {Kinds: []Kind{{Kind: "purge", Cause: byDatabase, Failed: 5, Sample: "pq: No space left on device"}}},
		"jobs_failing":       {Kinds: []Kind{{Kind: "purge", Failed: 5, Sample: "write: No space left on device"}}},
		"schedule_missed":    {Workers: 1, Schedules: []Schedule{{Kind: "purge", LastFailed: true, Sample: "write: No space left on device"}}},
	} {
		require.Contains(t, found(t, rule, s, limits())[0], "No space left on device.", rule)
	}
}

// Workers cannot report while the database is away, so their silence means something only 45 s after it is back.
func TestNoWorkers_AfterAnOutageOfTheDatabase_WaitsUntilWorkersCouldReport(t *testing.T) {
	t.Parallel()
	var s steadiness
	at := time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)
	require.False(t, s.unsteady(at), "the first look judges")
	s.note(at, false)
	require.False(t, s.unsteady(at.Add(watchEvery)))
	s.note(at.Add(watchEvery), true)
	require.True(t, s.unsteady(at.Add(2*watchEvery)))
	back := at.Add(3 * time.Minute)
	s.note(back, false)
	for wait := time.Duration(0); wait < workersReport; wait += watchEvery {
		require.True(t, s.unsteady(back.Add(wait)), wait)
		s.note(back.Add(wait), false)
	}
	require.False(t, s.unsteady(back.Add(workersReport)))

	frozen := back.Add(time.Hour)
	require.True(t, s.unsteady(frozen), "this process itself was frozen")
	require.Empty(t, told(Sight{Unsteady: true}))
	require.Equal(t, []string{"no_workers"}, told(Sight{}))
}

var errAway = errors.New("dial tcp: connection refused")
