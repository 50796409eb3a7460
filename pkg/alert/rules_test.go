package alert

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment/desk"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/webhook"
)

func limits() Thresholds {
	return Thresholds{
		Window: 10 * time.Minute, FailurePercent: 50, FailureCount: 5, FailingJobs: 20, HungAfter: 45 * time.Second,
		ScheduleLate: 10 * time.Minute, BooksUnchecked: 36 * time.Hour, BackupMissing: 26 * time.Hour, SMSPerDay: 100,
	}
}

func TestRules_EachFault_RaisesItsAlert(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		sight   Sight
		rule    string
		subject string
	}{
		"no worker":               {Sight{}, "no_workers", ""},
		"every SMS fails":         {Sight{Workers: 1, Kinds: []Kind{{Kind: "send_otp", Cause: byProvider, Failed: 5}}}, "dependency_failing", "SMS provider"},
		"half of them":            {Sight{Workers: 1, Kinds: []Kind{{Kind: "send_otp", Cause: byProvider, Failed: 5, Done: 5}}}, "dependency_failing", "SMS provider"},
		"many fail at once":       {Sight{Workers: 1, Kinds: []Kind{{Kind: "purge", Failing: 20}}}, "jobs_failing", "purge"},
		"a kind fails":            {Sight{Workers: 1, Kinds: []Kind{{Kind: "purge", Failed: 5}}}, "jobs_failing", "purge"},
		"a stuck job":             {Sight{Workers: 1, Stuck: []StuckJob{{ID: 7, Kind: "x", Age: 301}}}, "stuck_job", "7"},
		"a queue hangs":           {Sight{Workers: 1, Queues: []Queue{{Name: "x", Capacity: 2, Running: 2, Depth: 1, YoungestRun: 45}}}, "hung_queue", "x"},
		"a code waits":            {Sight{Workers: 1, Queues: []Queue{{Name: queue.QueueOTP, Depth: 1, OldestAge: 31}}}, "aging_queue", "otp"},
		"a paused queue":          {Sight{Workers: 1, Queues: []Queue{{Name: "x", Paused: true}}}, "paused_queue", "x"},
		"a late schedule":         {Sight{Workers: 1, Schedules: []Schedule{{Kind: "x", Every: 60, Late: 601}}}, "schedule_missed", ""},
		"a failed schedule":       {Sight{Workers: 1, Schedules: []Schedule{{Kind: "x", Every: 60, LastFailed: true}}}, "schedule_missed", "x"},
		"the database":            {Sight{Workers: 1, Kinds: []Kind{{Kind: "purge", Cause: byDatabase, Failed: 5}}}, "database_failing", ""},
		"a useless argument":      {Sight{Workers: 1, Kinds: []Kind{{Kind: "verify_payment", Failing: 1, Failed: 2, FailingFor: 30}}}, "jobs_failing", "verify_payment"},
		"SMS pumping":             {Sight{Workers: 1, SMS: otp.Volume{LastDay: 500, Usual: 100}}, "sms_volume", ""},
		"the SMS of a day":        {Sight{Workers: 1, SMS: otp.Volume{LastDay: 100, Usual: 100, Unknown: 80}}, "sms_volume", ""},
		"no Redis":                {Sight{Workers: 1, RedisAway: true}, "redis_away", ""},
		"WAL is not archived":     {Sight{Workers: 1, WAL: WAL{Unarchived: 301, Segment: "0001"}}, "archiving_failing", ""},
		"a forgotten slot":        {Sight{Workers: 1, WAL: WAL{Slots: []Slot{{Name: "old_standby", Held: slotHolds + 1}}}}, "slot_holds_wal", "old_standby"},
		"a changed trail":         {Sight{Workers: 1, Trail: &Trail{Changed: true, Problem: "Record 6 was changed."}}, "audit_changed", ""},
		"an unchecked trail":      {Sight{Workers: 1, Trail: &Trail{Age: trailUnchecked + 1}}, "audit_unchecked", ""},
		"a provider":              {Sight{Workers: 1, Faults: []message.Fault{{Provider: "msg91", Failures: 3}}}, "sms_provider", "msg91"},
		"lost documents":          {Sight{Workers: 1, Lost: 1}, "lost_documents", ""},
		"refused debits":          {Sight{Workers: 1, Refused: 1}, "debits_refused", ""},
		"a customer waits":        {Sight{Workers: 1, Kinds: []Kind{{Kind: "render_invoice", Cause: byProvider, Failing: 1, Failed: 1, Done: 50, FailingFor: 30}}}, "dependency_failing", "object store"},
		"a held payment":          {Sight{Workers: 1, Payments: desk.Watched{Held: []desk.HeldPayment{{TransactionID: "FP1", Wrong: "It came."}}}}, "payment_held", "FP1"},
		"an undecided payment":    {Sight{Workers: 1, Payments: desk.Watched{Undecided: map[string]int{"payu": 1}}}, "payments_undecided", "payu"},
		"no notices":              {Sight{Workers: 1, Payments: desk.Watched{Unheard: []desk.Unheard{{Gateway: "payu", Payments: 3}}}}, "notices_missing", "payu"},
		"books out of order":      {Sight{Workers: 1, Books: &Books{Findings: 1}}, "books_unsound", ""},
		"books not checked":       {Sight{Workers: 1, Books: &Books{Age: 37 * time.Hour}}, "books_unchecked", ""},
		"no backup":               {Sight{Workers: 1, BackupAge: 26*time.Hour + 1}, "backup_missing", ""},
		"the site is away":        {Sight{Workers: 1, SiteAway: siteAwayAfter}, "site_away", ""},
		"no e-invoice":            {Sight{Workers: 1, Unregistered: []time.Duration{20 * 24 * time.Hour}}, "einvoice_unregistered", "day 20"},
		"a late delivery":         {Sight{Workers: 1, LateDeliveries: 1}, "deliveries_late", ""},
		"a system that is silent": {Sight{Workers: 1, Stopped: []webhook.Endpoint{{ID: "1", DisabledFor: webhook.DisabledForGone}}}, "webhook", "1"},
	} {
		found := Judge(Rules(), c.sight, limits())
		require.Len(t, found, 1, name)
		require.Equal(t, c.rule, found[0].Rule, name)
		require.Equal(t, c.subject, found[0].Subject, name)
		require.NotEmpty(t, found[0].Message, name)
	}
	require.Empty(t, Judge(Rules(), Sight{
		Workers: 1, Books: &Books{Age: 36 * time.Hour}, BackupAge: 26 * time.Hour, SiteAway: siteAwayAfter - 1, Trail: &Trail{Age: trailUnchecked},
		WAL:    WAL{Unarchived: 300, Slots: []Slot{{Name: "standby", Held: slotHolds}}},
		Queues: []Queue{{Name: "x", Depth: 1, OldestAge: 300, Running: 2, Capacity: 2, YoungestRun: 44}, {Name: "y", Running: 1, Capacity: 1, YoungestRun: 999}},
		Kinds: []Kind{
			{Kind: "send_otp", Cause: byProvider, Failed: 4},
			{Kind: "render_invoice", Cause: byProvider, Failed: 5, Done: 6, Failing: 1, FailingFor: 29},
			{Kind: "count_figures", Cause: byDatabase, Failed: 4},
			{Kind: "purge", Failing: 19},
			{Kind: "deliver_webhook", Cause: byProvider, Failing: 1, FailingFor: 3600},
			{Kind: "verify_payment", Cause: byProvider, Failed: 9, Done: 1, LastFailed: time.Unix(1, 0), LastDone: time.Unix(2, 0)}, // it answers again
			{Kind: "x", Failed: 9, LastFailed: time.Unix(1, 0), LastDone: time.Unix(2, 0)},
		},
		SMS:       otp.Volume{LastDay: 499, Usual: 1, Unknown: 79},
		Payments:  desk.Watched{Unheard: []desk.Unheard{{Gateway: "payu", Payments: 2}}},
		Schedules: []Schedule{{Kind: "x", Every: 60, Late: 600}},
	}, limits()), "at the limit all is well")
}

func TestRules_Limit_IsStatedByEachRule(t *testing.T) {
	t.Parallel()
	said := map[string]string{}
	for _, r := range Rules() {
		said[r.Name] = r.limit(limits())
		require.NotEmpty(t, said[r.Name], r.Name)
	}
	require.Equal(t, "26 h", said["backup_missing"])
	require.Equal(t, "codes 30 s, payments 2 min, documents 10 min, others 5 min", said["aging_queue"])
}

func TestPageOf_RuleAndSubject_IsTheirConsolePage(t *testing.T) {
	t.Parallel()
	require.Equal(t, "/support/payments/FP26%2F1", PageOf("payment_held", "FP26/1"))
	require.Equal(t, "/support/jobs?kind=send_otp", PageOf("jobs_failing", "send_otp"))
	require.Equal(t, "/support/queues", PageOf("no_workers", ""))
	require.Equal(t, "/support", PageOf("a rule of another release", ""))
}

func TestRunbookOf_RuleAndSubject_IsTheirRunbook(t *testing.T) {
	t.Parallel()
	require.Equal(t, "codes", RunbookOf("sms_provider", "msg91"))
	require.Equal(t, "email", RunbookOf("sms_provider", message.EmailProvider))
	require.Equal(t, "gateway", RunbookOf("dependency_failing", "payment gateway"))
	require.Equal(t, "jobs", RunbookOf("jobs_failing", "send_otp"))
	require.Empty(t, RunbookOf("a rule of another release", ""))
}

func TestSMSVolume_Message_StatesTheVolumeAndItsEffect(t *testing.T) {
	t.Parallel()
	one := func(v otp.Volume) Finding {
		list := unusualVolume(Sight{SMS: v}, limits())
		require.Len(t, list, 1)
		return list[0]
	}
	unusual := one(otp.Volume{LastDay: 700, Usual: 100})
	require.Equal(t, []any{Warning, []string{"unusual"}}, []any{unusual.Severity, unusual.Parts})
	require.Contains(t, unusual.Message, "700 SMS with codes or invitations were asked for in a day; 100 a day were usual")
	near := one(otp.Volume{LastDay: 700, Usual: 100, Unknown: 99})
	require.Equal(t, []any{Critical, []string{"unusual", "near"}}, []any{near.Severity, near.Parts})
	reached := one(otp.Volume{Unknown: 100})
	require.Equal(t, []string{"near", "reached"}, reached.Parts)
	require.Contains(t, reached.Message, "invitations of accounts that never paid are refused")
	require.Contains(t, reached.Message, "known browsers and accounts with a plan still get codes")
	require.Len(t, unusualVolume(Sight{SMS: otp.Volume{LastDay: 3, Unknown: 600, Usual: 100}}, Thresholds{}), 1, "invitations")
	require.Empty(t, unusualVolume(Sight{SMS: otp.Volume{LastDay: 499}}, Thresholds{}), "without a ceiling")
	require.Len(t, unusualVolume(Sight{SMS: otp.Volume{LastDay: 500}}, Thresholds{}), 1, "the first week has no usual number")
}
