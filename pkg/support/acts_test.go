package support_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/recovery"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/act"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
	"github.com/franchise360/franchise360/pkg/testkit/world"
)

// counter is a money world with the acts of staff, as the api takes them and the worker does them.
type counter struct {
	*story.Story

	asked, worker *support.Acts
	n             int
}

func acting(t *testing.T) *counter {
	t.Helper()
	b := &counter{Story: story.New(t)}
	cache, err := redis.Open("redis://127.0.0.1:1/0")
	require.NoError(t, err)
	acts := func(db *sqlx.DB, payments *act.Service) *support.Acts {
		jobs := testkit.NewInserter(t, db)
		tells := message.NewEnqueuer(message.EnqueuerOptions{Jobs: jobs, Email: true})
		people := staff.NewRecorder(b.Clock)
		return support.NewActs(support.ActOptions{
			DB: db, Jobs: jobs, Clock: b.Clock, Recorder: people, Payments: payments,
			Desk:        recovery.New(session.NewCache(cache, testkit.NewKeyring(t)), tells, jobs, nil, mobileWait),
			Concessions: subscription.NewGraceExtensions(db, b.Clock, people, tells), ApproveAbove: world.ApproveAbove,
		})
	}
	b.asked, b.worker = acts(b.DB.API, b.API.Acts), acts(b.DB.Worker, b.Worker.Acts)
	return b
}

func (b *counter) ask(kind support.ActKind, c support.ActContent) (support.Act, error) {
	b.n++
	in := support.ActInput{Kind: kind, FranchiserID: b.Buyer, Content: c, Reason: "As agreed on the phone", Key: fmt.Sprintf("act-key-%03d", b.n)}
	if kind == support.ActOutageGrace {
		in.FranchiserID = ""
	}
	return b.asked.Ask(b.Asha.Sign(b.T.Context()), b.Asha, in)
}

// do requests, approves and performs an act.
func (b *counter) do(kind support.ActKind, c support.ActContent) support.Act {
	b.T.Helper()
	act, err := b.ask(kind, c)
	require.NoError(b.T, err)
	if act.State == approval.Waiting {
		_, err = b.asked.Approve(b.Ravi.Sign(b.T.Context()), b.Ravi, act.ID, "Checked")
		require.NoError(b.T, err)
	}
	return b.perform(act)
}

func (b *counter) perform(act support.Act) support.Act {
	b.T.Helper()
	require.NoError(b.T, b.worker.Perform(b.T.Context(), act.ID))
	b.Work()
	list, _, err := b.asked.List(b.Asha.Sign(b.T.Context()), "", "", 10, 0)
	require.NoError(b.T, err)
	for _, one := range list {
		if one.ID == act.ID {
			return one
		}
	}
	b.T.Fatal("the act is not in the list")
	return act
}

// short requests a charge and has the gateway capture less.
func (b *counter) short(missing money.Paise) checkout.Requested {
	b.T.Helper()
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	r.Amount -= missing
	b.Settle(r, payment.StatusPaid)
	require.Equal(b.T, "held", b.State(r))
	return r
}

func (b *counter) count(query string, args ...any) int { b.T.Helper(); return b.Count(query, args...) }

func TestAcceptShortPayment_InvoicesADiscount(t *testing.T) {
	t.Parallel()
	for _, missing := range []money.Paise{1, 2, 3, 7, 100, 4_321, 5_000_00} {
		b := acting(t)
		r := b.short(missing)
		paymentID := b.PaymentOf(r)
		p, err := b.asked.Preview(b.Asha.Sign(t.Context()), b.Asha, support.ActInput{
			Kind: support.ActShortPayment, FranchiserID: b.Buyer, Content: support.ActContent{PaymentID: paymentID},
		})
		require.NoError(t, err)
		require.Equal(t, missing, p.Amount)
		require.False(t, p.NeedsApproval)
		done := b.do(support.ActShortPayment, support.ActContent{PaymentID: paymentID})
		require.Equal(t, approval.Done, done.State, done.Outcome)
		require.Equal(t, "Asha Kulkarni", done.CustomerName)
		require.Equal(t, "paid", b.State(r))
		require.Contains(t, b.Standing(b.Buyer), "active")
		total := b.count(`SELECT total_paise FROM invoices WHERE kind = 'invoice'`)
		require.GreaterOrEqual(t, total, int(r.Amount))
		require.LessOrEqual(t, total, int(r.Amount)+2)
		b.Balanced()
		_, err = b.ask(support.ActShortPayment, support.ActContent{PaymentID: paymentID})
		require.ErrorIs(t, err, act.ErrNotShort)
		// An accepted payment can be refunded like any other.
		require.NoError(t, b.GiveBack(paymentID, 0))
		require.Equal(t, "refunded", b.State(r))
		b.Balanced()
	}
}

func TestAcceptShortPayment_ConcurrentWorkers_AcceptOnce(t *testing.T) {
	t.Parallel()
	b := acting(t)
	r := b.short(100)
	act, err := b.ask(support.ActShortPayment, support.ActContent{PaymentID: b.PaymentOf(r)})
	require.NoError(t, err)
	_, err = b.ask(support.ActShortPayment, support.ActContent{PaymentID: b.PaymentOf(r)})
	require.ErrorIs(t, err, support.ErrActOpen)
	var group sync.WaitGroup
	for range 6 {
		group.Go(func() { _ = b.worker.Perform(context.Background(), act.ID) })
	}
	group.Wait()
	require.Equal(t, 1, b.count(`SELECT count(*) FROM invoices WHERE kind = 'invoice'`))
	b.Balanced()
}

func TestAcceptShortPayment_ReleasedBefore_Fails(t *testing.T) {
	t.Parallel()
	b := acting(t)
	r := b.short(100)
	act, err := b.ask(support.ActShortPayment, support.ActContent{PaymentID: b.PaymentOf(r)})
	require.NoError(t, err)
	_, err = b.Reversals.RequestRelease(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.PaymentOf(r), "or rather not", "release-1")
	require.NoError(t, err)
	b.Work()
	failed := b.perform(act)
	require.Equal(t, approval.Failed, failed.State)
	require.Contains(t, failed.Outcome, "Only a payment that is held")
	require.Equal(t, 0, b.count(`SELECT count(*) FROM invoices WHERE kind = 'invoice'`))
	b.Balanced()
}

func TestCancelPlan_RefundsTheUnusedDays(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Live(73)
	asked, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err)
	require.True(t, asked.NeedsApproval, "more than a lakh")
	_, err = b.asked.Approve(b.Asha.Sign(t.Context()), b.Asha, asked.ID, "I say so")
	require.ErrorIs(t, err, approval.ErrOwnRequest)
	_, err = b.asked.Withdraw(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "Not mine")
	require.ErrorIs(t, err, approval.ErrNotYours)
	require.NoError(t, b.worker.Perform(t.Context(), asked.ID))
	require.Contains(t, b.Standing(b.Buyer), "active", "nothing happens before it is approved")
	b.Live(1) // approved a day later: the asked uses the days of its request
	_, err = b.asked.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "Checked with the customer")
	require.NoError(t, err)
	done := b.perform(asked)
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	require.Equal(t, int(asked.Amount), b.count(`SELECT sum(amount_paise) FROM refunds WHERE state = 'done'`))
	require.Equal(t, int(asked.Amount), b.count(`SELECT sum(total_paise) FROM invoices WHERE kind = 'credit_note'`))
	// 292 of 365 days of the plan's value; the payment gateway's charge, if any, stays.
	plan := b.count(`SELECT l.taxable_paise FROM invoice_lines l JOIN invoices i ON i.id = l.invoice_id WHERE i.kind = 'invoice' AND l.position = 1`)
	require.InDelta(t, plan*292/365, b.count(`SELECT taxable_paise FROM invoices WHERE kind = 'credit_note'`), 1)
	b.Balanced()
	_, err = b.ask(support.ActCancelPlan, support.ActContent{})
	require.ErrorIs(t, err, act.ErrNothingUnused)
}

func TestCancelPlan_NextTermPaid_EndsBothTermsAndAddOns(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(26)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	b.Live(1)
	before := b.count(`SELECT sum(captured_paise) FROM payments`)
	done := b.do(support.ActCancelPlan, support.ActContent{})
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Contains(t, b.Standing(b.Buyer), "expired")
	require.Equal(t, 2, b.count(`SELECT count(*) FROM refunds WHERE state = 'done'`))
	require.Less(t, int(done.Amount), before)
	require.Greater(t, int(done.Amount), before/2, "the whole next term and some of this one")
	b.Balanced()
}

func TestCancelPlan_CountsTowardsTheAdminsDailyLimit(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments`)
	_, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, paymentID, money.FromRupees(90_000), "goodwill", "key-one-1")
	require.NoError(t, err)
	b.Work()
	p, err := b.asked.Preview(b.Asha.Sign(t.Context()), b.Asha, support.ActInput{Kind: support.ActCancelPlan, FranchiserID: b.Buyer})
	require.NoError(t, err)
	require.True(t, p.NeedsApproval)
	require.Less(t, p.Amount, world.ApproveAbove, "by itself it would not")
}

// Given refunds that an admin made alone, then an act of an account that the admin opened counts towards the same limit.
func TestActs_LinkedAdminAccounts_ShareTheDailyLimit(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	other := b.Franchiser("29")
	b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	paymentID := b.Text(`SELECT id FROM payments WHERE franchiser_id = $1`, other)
	_, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, other, paymentID, money.FromRupees(90_000), "goodwill", "key-one-1")
	require.NoError(t, err)
	b.Work()
	needs := func() bool {
		p, err := b.asked.Preview(b.Ravi.Sign(t.Context()), b.Ravi, support.ActInput{Kind: support.ActCancelPlan, FranchiserID: b.Buyer})
		require.NoError(t, err)
		return p.NeedsApproval
	}
	require.False(t, needs(), "another's day")
	_, err = b.DB.Owner.Exec(`INSERT INTO staff_openings (staff_id, opened_by, way, opened_at, counts_until) VALUES ($1, $2, 'enabled', $3, $4)`,
		b.Asha.StaffID, b.Ravi.StaffID, b.Clock.Now(), b.Clock.Now().Add(24*time.Hour))
	require.NoError(t, err)
	require.True(t, needs())
}

func TestRefund_AfterACancelledPlan_CountsTowardsTheDailyLimit(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	act, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err)
	require.False(t, act.NeedsApproval)
	b.perform(act)
	other := b.Franchiser("27")
	b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	refund := func(amount money.Paise, key string) reversal.Reversal {
		paymentID := b.Text(`SELECT id FROM payments WHERE franchiser_id = $1`, other)
		r, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, other, paymentID, amount, "goodwill", key)
		require.NoError(t, err)
		b.Work()
		return r
	}
	require.False(t, refund(money.Rupee, "key-one-1").NeedsApproval)
	require.True(t, refund(world.ApproveAbove-act.Amount, "key-one-2").NeedsApproval, "together it is a rupee above the limit")
}

func TestWithdraw_ByItsRequester_EndsTheAct(t *testing.T) {
	t.Parallel()
	b := acting(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	act, err := b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err)
	withdrawn, err := b.asked.Withdraw(b.Asha.Sign(t.Context()), b.Asha, act.ID, "The customer stays")
	require.NoError(t, err)
	require.Equal(t, approval.Withdrawn, withdrawn.State)
	_, err = b.asked.Approve(b.Ravi.Sign(t.Context()), b.Ravi, act.ID, "Too late")
	require.ErrorIs(t, err, approval.ErrDecided)
	r, err := b.Reversals.RequestRefund(b.Asha.Sign(t.Context()), b.Asha, b.Buyer, b.Text(`SELECT id FROM payments`), money.FromRupees(1_00_001), "goodwill", "key-one-1")
	require.NoError(t, err)
	_, err = b.Reversals.Withdraw(b.Ravi.Sign(t.Context()), b.Ravi, r.ID, "Not mine")
	require.ErrorIs(t, err, approval.ErrNotYours)
	r, err = b.Reversals.Withdraw(b.Asha.Sign(t.Context()), b.Asha, r.ID, "Typed wrongly")
	require.NoError(t, err)
	require.Equal(t, approval.Withdrawn, r.State)
	_, err = b.ask(support.ActCancelPlan, support.ActContent{})
	require.NoError(t, err, "a withdrawn request holds nothing back")
}

func TestResetAuthenticator_EndsAllSessions(t *testing.T) {
	t.Parallel()
	b := acting(t)
	_, err := b.ask(support.ActResetAuthenticator, support.ActContent{})
	require.Equal(t, "no_authenticator", errs.As(err).Code)
	_, err = b.DB.Owner.Exec(`UPDATE franchisers SET totp_secret = 'x', totp_begun_at = created_at, totp_enabled_at = created_at WHERE id = $1`, b.Buyer)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`INSERT INTO totp_recovery_codes (franchiser_id, code_mac) VALUES ($1, $2)`, b.Buyer, make([]byte, 32))
	require.NoError(t, err)
	act, err := b.ask(support.ActResetAuthenticator, support.ActContent{})
	require.NoError(t, err)
	require.True(t, act.NeedsApproval)
	done := b.do2(act)
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Equal(t, 0, b.count(`SELECT count(*) FROM franchisers WHERE totp_secret IS NOT NULL`)+b.count(`SELECT count(*) FROM totp_recovery_codes`))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM customer_messages WHERE template LIKE 'authenticator_removed%'`))
}

func TestChangeMobile_NeedsTwoPeopleAndAFreeNumber(t *testing.T) {
	t.Parallel()
	b := acting(t)
	other := b.Franchiser("27")
	mobile := func(franchiser string) string {
		return b.Text(`SELECT mobile FROM franchisers WHERE id = $1`, franchiser)
	}
	old := mobile(b.Buyer)
	for wrong, code := range map[string]string{mobile(other): "mobile_taken", old: "mobile_taken", "12345": "validation_failed", "": "validation_failed"} {
		_, err := b.ask(support.ActChangeMobile, support.ActContent{Mobile: wrong, Checked: checked})
		require.Equal(t, code, errs.As(err).Code, wrong)
	}
	for _, unproved := range []string{"", "  PAN  \t ", strings.Repeat("x", 501)} {
		_, err := b.ask(support.ActChangeMobile, support.ActContent{Mobile: "9812345678", Checked: unproved})
		require.Contains(t, errs.As(err).Fields, "checked", unproved)
	}
	act, err := b.ask(support.ActChangeMobile, support.ActContent{Mobile: "9812345678", Checked: checked})
	require.NoError(t, err)
	require.True(t, act.NeedsApproval)
	require.Contains(t, fmt.Sprint(act.Facts), "{From "+old+"} {To 9812345678} {Checked "+checked+"}", "the second person sees what was checked")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM staff_actions WHERE action = 'request_change_mobile' AND after::jsonb->'content'->>'checked' = '`+checked+`'`))
	_, err = b.asked.Approve(b.Asha.Sign(t.Context()), b.Asha, act.ID, "I say so")
	require.ErrorIs(t, err, approval.ErrOwnRequest)
	waits := b.do2(act)
	require.Equal(t, approval.Scheduled, waits.State, waits.Outcome)
	require.Equal(t, old, mobile(b.Buyer), "nothing moves before the wait is over")
	require.Equal(t, 2, b.count(`SELECT count(*) FROM customer_messages WHERE template LIKE 'mobile_change_asked%'`), "told at once")
	_, err = b.ask(support.ActChangeMobile, support.ActContent{Mobile: "9812345670", Checked: checked})
	require.ErrorIs(t, err, support.ErrActOpen, "one change at a time")
	b.Pass(mobileWait - time.Minute)
	require.Equal(t, approval.Scheduled, b.goOn(act).State)
	b.Pass(time.Minute)
	done := b.goOn(act)
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Equal(t, "9812345678", mobile(b.Buyer))
	require.Equal(t, approval.Done, b.goOn(act).State, "once")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM one_time_codes WHERE message = 'mobile_changed' AND mobile = $1`, old), "the old number is told")
	require.Equal(t, 1, b.count(`SELECT count(*) FROM customer_messages WHERE template = 'mobile_changed_email'`))
	require.Zero(t, b.count(`SELECT count(*) FROM staff_actions WHERE after::text LIKE '%9812345678%'`), "the audit keeps the last digits alone")

	// An account that takes the number between the request and the approval keeps it.
	act, err = b.ask(support.ActChangeMobile, support.ActContent{Mobile: "9812345679", Checked: checked})
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`UPDATE franchisers SET mobile = '9812345679' WHERE id = $1`, other)
	require.NoError(t, err)
	failed := b.do2(act)
	require.Equal(t, approval.Failed, failed.State)
	require.Equal(t, "An account has this mobile already.", failed.Outcome)
	require.Equal(t, "9812345678", mobile(b.Buyer))
}

const checked = "PAN card seen in a video call"

// mobileWait is how long a change of a lost mobile waits.
const mobileWait = 24 * time.Hour

// goOn has the worker look at an act that waits for its time.
func (b *counter) goOn(act support.Act) support.Act {
	b.T.Helper()
	require.NoError(b.T, b.worker.Continue(b.T.Context(), act.ID))
	return b.perform(act)
}

// scheduled requests a change of a lost mobile and has it approved.
func (b *counter) scheduled(mobile string) support.Act {
	b.T.Helper()
	act, err := b.ask(support.ActChangeMobile, support.ActContent{Mobile: mobile, Checked: checked})
	require.NoError(b.T, err)
	waits := b.do2(act)
	require.Equal(b.T, approval.Scheduled, waits.State, waits.Outcome)
	return waits
}

func TestChangeMobile_OnlyTheMessagesLinkStopsIt(t *testing.T) {
	t.Parallel()
	b := acting(t)
	keys := testkit.NewKeyring(t)
	changes := recovery.NewMobileChanges(b.DB.API, testkit.NewInserter(t, b.DB.API), b.Clock, keys)
	act := b.scheduled("9812345678")
	letters := recovery.Letters(keys, "https://franchise360.example")
	var link string
	for _, template := range []string{message.TemplateMobileChangeAsked, message.TemplateMobileChangeAskedEmail} {
		m := message.CustomerMessage{FranchiserID: b.Buyer, Template: template, About: act.ID}
		tx, err := b.DB.Worker.Beginx()
		require.NoError(t, err)
		told, err := letters[template].Write(t.Context(), tx, m)
		require.NoError(t, err)
		require.NoError(t, tx.Rollback())
		require.Equal(t, "5678", told.Values[0])
		require.NoError(t, world.Addressed(*told, template).Fits())
		if told.Link != "" {
			link = strings.TrimPrefix(told.Link, "https://franchise360.example/stop/")
		}
	}
	for _, wrong := range []string{"", "x", strings.Repeat("A", 38), link[:37], link + "A"} {
		_, err := changes.Stop(t.Context(), wrong)
		require.ErrorIs(t, err, recovery.ErrStopLink, wrong)
	}
	seen, err := changes.Look(t.Context(), link)
	require.NoError(t, err)
	require.Equal(t, recovery.MobileChangeWaiting, seen.State, "looking stops nothing")
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() { _, _ = changes.Stop(context.Background(), link) })
	}
	group.Wait()
	seen, err = changes.Stop(t.Context(), link)
	require.NoError(t, err, "again changes nothing")
	require.Equal(t, recovery.MobileChangeStopped, seen.State)
	stopped := b.goOn(act)
	require.Equal(t, approval.Stopped, stopped.State, stopped.Outcome)
	b.Pass(mobileWait)
	require.Equal(t, approval.Stopped, b.goOn(act).State)
	require.Zero(t, b.count(`SELECT count(*) FROM franchisers WHERE mobile = '9812345678'`))
	list, _, err := b.asked.List(b.Asha.Sign(t.Context()), approval.Stopped, b.Buyer, 10, 0)
	require.NoError(t, err)
	require.Len(t, list, 1)

	// What was applied cannot be stopped any more.
	act = b.scheduled("9812345679")
	b.Pass(mobileWait)
	require.Equal(t, approval.Done, b.goOn(act).State)
	code, err := keys.LinkTo("stop a change of mobile", act.ID)
	require.NoError(t, err)
	_, err = changes.Stop(t.Context(), code)
	require.ErrorIs(t, err, recovery.ErrMobileChanged)
}

func TestChangeMobile_StoppedByStaff_IsNotApplied(t *testing.T) {
	t.Parallel()
	b := acting(t)
	act := b.scheduled("9812345678")
	_, err := b.asked.Stop(b.Ravi.Sign(t.Context()), b.Ravi, act.ID, " ")
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	stopped, err := b.asked.Stop(b.Ravi.Sign(t.Context()), b.Ravi, act.ID, "The customer found the phone")
	require.NoError(t, err)
	require.Equal(t, approval.Stopped, stopped.State)
	_, err = b.asked.Stop(b.Ravi.Sign(t.Context()), b.Ravi, act.ID, "Once more")
	require.ErrorIs(t, err, support.ErrNotScheduled)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM staff_actions WHERE action = 'stop_change_mobile' AND staff_id = $1`, b.Ravi.StaffID))
	b.Pass(mobileWait)
	require.Equal(t, approval.Stopped, b.goOn(act).State)
	require.Zero(t, b.count(`SELECT count(*) FROM franchisers WHERE mobile = '9812345678'`))
}

func TestChangeMobile_NumberTakenBeforeItsDay_Fails(t *testing.T) {
	t.Parallel()
	b := acting(t)
	other := b.Franchiser("27")
	act := b.scheduled("9812345678")
	_, err := b.DB.Owner.Exec(`UPDATE franchisers SET mobile = '9812345678' WHERE id = $1`, other)
	require.NoError(t, err)
	b.Pass(mobileWait)
	failed := b.goOn(act)
	require.Equal(t, approval.Failed, failed.State)
	require.Equal(t, "An account has this mobile already.", failed.Outcome)
	require.Equal(t, 1, b.count(`SELECT count(*) FROM mobile_changes WHERE state = 'failed'`))

	act = b.scheduled("9812345670")
	_, err = b.DB.Owner.Exec(`UPDATE franchisers SET mobile = '9812345671' WHERE id = $1`, b.Buyer)
	require.NoError(t, err)
	b.Pass(mobileWait)
	failed = b.goOn(act)
	require.Equal(t, "The mobile number of the account has changed since this was requested.", failed.Outcome)

	act = b.scheduled("9812345672")
	require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(t.Context(), `DELETE FROM mobile_changes WHERE franchiser_id = $1`, b.Buyer); err != nil {
			return err
		}
		return support.PersonalData{}.EraseTx(t.Context(), tx, b.Buyer)
	}))
	b.Pass(mobileWait)
	failed = b.goOn(act)
	require.Equal(t, []any{approval.Failed, "The account was erased."}, []any{failed.State, failed.Outcome})
	require.Zero(t, b.count(`SELECT count(*) FROM staff_acts WHERE content::text LIKE '%9812345672%'`))
}

// do2 approves and performs an act.
func (b *counter) do2(act support.Act) support.Act {
	b.T.Helper()
	_, err := b.asked.Approve(b.Ravi.Sign(b.T.Context()), b.Ravi, act.ID, "Seen the passport in a video call")
	require.NoError(b.T, err)
	return b.perform(act)
}

func TestExtendGraceForOutage_EachAffectedCustomer_OnlyOnce(t *testing.T) {
	t.Parallel()
	b := acting(t)
	others := []string{b.Buyer, b.Franchiser("27"), b.Franchiser("07")}
	for _, f := range others {
		b.Pay(f, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	}
	b.Pass(5 * 24 * time.Hour)
	late := b.Franchiser("29") // not hit
	b.Pay(late, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(35) // the grace of the first three is over
	today := b.Today()
	first := today - 6
	act, err := b.ask(support.ActOutageGrace, support.ActContent{From: first, To: today, Days: 10})
	require.NoError(t, err)
	require.True(t, act.NeedsApproval)
	require.Contains(t, fmt.Sprint(act.Facts), "{Customers 3}")
	b.Pay(others[1], b.Renewal(others[1])) // renewed before the extension
	done := b.do2(act)
	require.Equal(t, approval.Done, done.State, done.Outcome)
	require.Equal(t, 2, done.Handled)
	require.Equal(t, 2, b.count(`SELECT count(*) FROM subscriptions WHERE grace_extra = 10 AND state = 'grace'`))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM staff_actions WHERE action = 'extend_grace' AND staff_id = $1`, b.Asha.StaffID))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM customer_messages WHERE template = 'grace_given'`))
	require.NoError(t, b.worker.Perform(t.Context(), act.ID))
	require.Equal(t, 2, b.count(`SELECT count(*) FROM subscriptions WHERE grace_extra = 10`), "once")
	_, err = b.ask(support.ActOutageGrace, support.ActContent{From: today + 1, To: today, Days: 0})
	require.NotEmpty(t, errs.As(err).Fields["from"])
	require.NotEmpty(t, errs.As(err).Fields["days"])
}
