package job

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/jobadmin"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/devclock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/tenant"
)

// notebook keeps the recorded reasons of waiting jobs.
type notebook struct {
	noted []string
	err   error
}

func (n *notebook) Note(ctx context.Context, _ int64, _ int, reason string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	n.noted = append(n.noted, reason)
	return n.err
}

// teller sends nothing and returns its error.
type teller struct {
	err   error
	asked []string
}

func (s *teller) Send(_ context.Context, rowID string) error {
	s.asked = append(s.asked, rowID)
	return s.err
}

func TestSendMessage_EachError_HasItsOutcome(t *testing.T) {
	t.Parallel()
	gone := errors.New("connection refused")
	night := errs.New(errs.KindRateLimited, "night", "It waits for the morning.")
	night.RetryAfter = 9 * time.Hour
	silent := errs.New(errs.KindUnavailable, "sms_no_answer", "It did not say.")
	silent.RetryAfter = 10 * time.Minute
	full := errors.New("disk is full")
	for name, c := range map[string]struct {
		err, noteFails error
		cancelled      bool
		snoozed        time.Duration
		want           error
		noted          int
	}{
		"it went out":               {},
		"it came too late":          {err: message.ErrTooLate(), cancelled: true},
		"a refused number":          {err: errs.New(errs.KindInvalid, "sms_refused", "No."), cancelled: true},
		"the night":                 {err: night, snoozed: 9 * time.Hour, noted: 1},
		"what may have arrived":     {err: silent, snoozed: 10 * time.Minute, noted: 1},
		"recording it fails":        {err: night, noteFails: full, want: full, noted: 1},
		"a provider that is away":   {err: errs.Unavailable(gone), want: gone},
		"a fault that has no name":  {err: gone, want: gone},
		"the end of the job's time": {err: context.DeadlineExceeded, want: context.DeadlineExceeded},
	} {
		sender, waits := &teller{err: c.err}, &notebook{err: c.noteFails}
		ctx, end := context.WithCancel(t.Context())
		end() // everything is recorded even though the time is up
		err := NewSendOTP(sender, waits).Work(ctx, &river.Job[otp.SendOTPArgs]{JobRow: &rivertype.JobRow{ID: 1, Attempt: 1}, Args: otp.SendOTPArgs{CodeID: "row"}})
		var cancelled *river.JobCancelError
		var snoozed *river.JobSnoozeError
		require.Equal(t, c.cancelled, errors.As(err, &cancelled), name)
		require.Equal(t, c.snoozed > 0, errors.As(err, &snoozed), name)
		if c.snoozed > 0 {
			require.Equal(t, c.snoozed, snoozed.Duration, name)
		}
		if c.want != nil {
			require.ErrorIs(t, err, c.want, name)
		}
		if c.err == nil {
			require.NoError(t, err, name)
		}
		require.Len(t, waits.noted, c.noted, name)
		require.Equal(t, []string{"row"}, sender.asked, name)
	}
}

func TestNextRetry_CodeAndStaffMessage_AreRetriedSoon(t *testing.T) {
	t.Parallel()
	codes, staffs := NewSendOTP(&teller{}, &notebook{}), NewSendStaffMessage(&teller{}, &notebook{})
	for attempt, want := range map[int][2]time.Duration{
		0: {time.Second, 2 * time.Second}, 1: {time.Second, 2 * time.Second}, 2: {2 * time.Second, 4 * time.Second}, 4: {8 * time.Second, 16 * time.Second},
		5: {15 * time.Second, time.Minute}, 6: {15 * time.Second, time.Minute}, 1000: {15 * time.Second, time.Minute},
	} {
		requirePause(t, want[0], want[0], func() time.Time { return codes.NextRetry(jobOf[otp.SendOTPArgs](attempt)) }, "a code", attempt)
		requirePause(t, want[1], want[1], func() time.Time { return staffs.NextRetry(jobOf[message.SendStaffMessageArgs](attempt)) }, "a message of staff", attempt)
	}
}

func TestNextRetry_Document_IsRetriedSoonThenEveryQuarterHour(t *testing.T) {
	t.Parallel()
	w := NewRenderInvoice(nil)
	for attempt, want := range map[int]time.Duration{
		0: 2 * time.Second, 1: 2 * time.Second, 2: 4 * time.Second, 9: 512 * time.Second, 10: 15 * time.Minute, 11: 15 * time.Minute, 64: 15 * time.Minute, 1 << 20: 15 * time.Minute,
	} {
		requirePause(t, want, want, func() time.Time { return w.NextRetry(jobOf[invoice.RenderArgs](attempt)) }, "a document", attempt)
	}
}

// A job that runs longer than RescueAfter is given to a second worker while the first is still running it.
func TestTimeout_EachJob_IsBelowRescueAfter(t *testing.T) {
	t.Parallel()
	timeouts := map[string]time.Duration{
		"ApplyAddOnChanges": (&ApplyAddOnChanges{}).Timeout(nil), "ChangeJobs": (&ChangeJobs{}).Timeout(nil), "CheckDispute": (&CheckDispute{}).Timeout(nil),
		"CompareSettlements": (&CompareSettlements{}).Timeout(nil), "CountFigures": (&CountFigures{}).Timeout(nil), "DeliverAlert": (&DeliverAlert{}).Timeout(nil),
		"DeliverWebhook": (&DeliverWebhook{}).Timeout(nil), "DevClockTick": (&DevClockTick{}).Timeout(nil), "EraseAccounts": (&EraseAccounts{}).Timeout(nil),
		"ExpireSubscriptions": (&ExpireSubscriptions{}).Timeout(nil), "KeepDeliveries": (&KeepDeliveries{}).Timeout(nil), "MailDocuments": (&MailDocuments{}).Timeout(nil),
		"PruneOutcomes": (&PruneOutcomes{}).Timeout(nil), "PruneWebhooks": (&PruneWebhooks{}).Timeout(nil), "PurgeAccounts": (&PurgeAccounts{}).Timeout(nil),
		"RecheckEInvoice": (&RecheckEInvoice{}).Timeout(nil), "RecogniseRevenue": (&RecogniseRevenue{}).Timeout(nil),
		"RefundPayment": (&RefundPayment{}).Timeout(nil), "RegisterInvoice": (&RegisterInvoice{}).Timeout(nil), "RemindRenewals": (&RemindRenewals{}).Timeout(nil),
		"RenderInvoice": (&RenderInvoice{}).Timeout(nil), "RenewByMandate": (&RenewByMandate{}).Timeout(nil),
		"RestoreDocuments": (&RestoreDocuments{}).Timeout(nil), "ReversePayment": (&ReversePayment{}).Timeout(nil),
		"SweepDomains": (&SweepDomains{}).Timeout(nil), "SweepPayments": (&SweepPayments{}).Timeout(nil), "SweepTransfers": (&SweepTransfers{}).Timeout(nil),
		"TellPrices": (&TellPrices{}).Timeout(nil), "VerifyAudit": (&VerifyAudit{}).Timeout(nil), "VerifyBooks": (&VerifyBooks{}).Timeout(nil),
		"VerifyDocuments": (&VerifyDocuments{}).Timeout(nil), "VerifyDomain": (&VerifyDomain{}).Timeout(nil), "VerifyPayment": (&VerifyPayment{}).Timeout(nil),
		"SendMessage": NewSendOTP(nil, nil).Timeout(nil), "staff": NewSendStaffMessage(nil, nil).Timeout(nil),
	}
	for name, timeout := range timeouts {
		if timeout == 0 {
			timeout = river.JobTimeoutDefault
		}
		require.Positive(t, timeout, "%s: a wait without end", name)
		require.LessOrEqual(t, timeout, queue.RescueAfter-time.Minute, "%s leaves time to stop", name)
	}
	require.Greater(t, (&ChangeJobs{}).Timeout(nil), changeSlice, "a slice ends by itself")
	require.Greater(t, (&VerifyDocuments{}).Timeout(nil), keepSlice)
	require.Greater(t, (&RestoreDocuments{}).Timeout(nil), keepSlice)

	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, found := range regexp.MustCompile(`(?m)^func \((?:\w+ )?\*(\w+)(?:\[\w\])?\) Timeout\(`).FindAllSubmatch(text, -1) {
			require.Contains(t, timeouts, string(found[1]), "%s has a time of its own that nobody compares", found[1])
		}
	}
}

// Rows of the queue outlive releases: renaming a kind orphans its waiting jobs.
func TestJobKinds_NamesStay(t *testing.T) {
	t.Parallel()
	for want, args := range map[string]river.JobArgs{
		"send_otp": otp.SendOTPArgs{}, "send_support_message": message.SendStaffMessageArgs{}, "verify_audit": staff.VerifyArgs{},
		"change_jobs": jobadmin.ChangeJobsArgs{}, "prune_outcomes": jobadmin.PruneOutcomesArgs{}, "dev_clock_tick": devclock.TickArgs{},
		"render_invoice": invoice.RenderArgs{}, "verify_payment": payment.VerifyArgs{}, "verify_domain": tenant.VerifyDomainArgs{},
		"compare_settlements": settlement.CompareArgs{},
	} {
		require.Equal(t, want, args.Kind())
	}
}

// A message to a customer is worth sending for three days, over which a provider may be down.
func TestMaxAttempts_CustomerMessage_SpansThreeDays(t *testing.T) {
	t.Parallel()
	w := NewSendCustomerMessage(&teller{}, &notebook{})
	var tried time.Duration
	for attempt := 1; attempt < message.CustomerMessageAttempts; attempt++ {
		next := w.NextRetry(&river.Job[message.SendCustomerMessageArgs]{JobRow: &rivertype.JobRow{Attempt: attempt}})
		tried += time.Until(next).Round(time.Second)
	}
	require.Greater(t, tried, 3*24*time.Hour)
}
