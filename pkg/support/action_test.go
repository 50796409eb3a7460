package support_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

func TestAction_SameKeyTwice_RunsOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	in := support.Request{FranchiserID: asha, Reason: "She says that she has paid", Key: "key-00001"}
	_, err = b.actions.AskGateway(b.Sunita.Sign(t.Context()), b.Sunita, in, paid)
	require.Equal(t, errs.KindConflict, errs.KindOf(err), "a paid payment has nothing to ask about")
	_, err = b.DB.Owner.Exec(`ALTER TABLE payments DISABLE TRIGGER transitions; UPDATE payments SET state = 'pending', captured_paise = NULL`)
	require.NoError(t, err)

	var group sync.WaitGroup
	jobs := make([]int64, 8)
	for n := range jobs {
		group.Go(func() {
			done, err := b.actions.AskGateway(b.Sunita.Sign(t.Context()), b.Sunita, in, paid)
			if err == nil && done.JobID != nil {
				jobs[n] = *done.JobID
			}
		})
	}
	group.Wait()
	for _, jobID := range jobs {
		require.Equal(t, jobs[0], jobID)
	}
	require.Equal(t, 1, console.Count(t, b.DB, `SELECT count(*) FROM river_job WHERE kind = 'verify_payment' AND metadata ->> 'franchiser_id' = $1`, asha))
	require.Equal(t, []string{"ask_gateway"}, b.Actions(t))

	in.Reason = "Another reason"
	_, err = b.actions.AskGateway(b.Sunita.Sign(t.Context()), b.Sunita, in, paid)
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code)
	in.Key = "key-00002"
	_, err = b.actions.AskGateway(b.Sunita.Sign(t.Context()), b.Sunita, in, id.New())
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	other := console.Customer(t, b.DB, b.clock, "9876543211", "Ravi", "Rao")
	_, err = b.actions.AskGateway(b.Sunita.Sign(t.Context()), b.Sunita, support.Request{FranchiserID: other, Reason: "Not hers", Key: "key-00003"}, paid)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "another customer's payment")
	require.Equal(t, []string{"ask_gateway"}, b.Actions(t), "what was refused is not noted as done")
}

func TestAction_WithoutReasonKeyOrCustomer_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	for field, in := range map[string]support.Request{
		"reason":          {FranchiserID: asha, Reason: " \t\n ", Key: "key-00001"},
		"idempotency_key": {FranchiserID: asha, Reason: "Locked out", Key: "short"},
	} {
		_, err := b.actions.Unlock(b.Sunita.Sign(t.Context()), b.Sunita, in)
		require.NotEmpty(t, errs.As(err).Fields[field], field)
	}
	_, err := b.actions.EndSessions(b.Sunita.Sign(t.Context()), b.Sunita, support.Request{FranchiserID: id.New(), Reason: "Lost phone", Key: "key-00001"})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = b.DB.Owner.Exec(`UPDATE franchisers SET erased_at = created_at, mobile = 'gone'`)
	require.NoError(t, err)
	_, err = b.actions.EndSessions(b.Sunita.Sign(t.Context()), b.Sunita, support.Request{FranchiserID: asha, Reason: "Lost phone", Key: "key-00001"})
	require.Equal(t, "customer_erased", errs.As(err).Code)
	require.Empty(t, b.accounts.asked)
	require.Empty(t, b.Actions(t))
}

func TestAction_InAnotherDomain_IsRecordedFirstAndRetryable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	in := support.Request{FranchiserID: asha, Reason: "Lost phone", Key: "key-00001"}
	b.accounts.failure = errs.Unavailable(nil)
	_, err := b.actions.EndSessions(b.Sunita.Sign(t.Context()), b.Sunita, in)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	b.accounts.failure = nil
	done, err := b.actions.EndSessions(b.Sunita.Sign(t.Context()), b.Sunita, in)
	require.NoError(t, err)
	require.Equal(t, "2 sessions have ended.", done.Message)
	again, err := b.actions.EndSessions(b.Sunita.Sign(t.Context()), b.Sunita, in)
	require.NoError(t, err)
	require.Equal(t, done, again)
	require.Len(t, b.accounts.asked, 2, "the third was answered from what is kept")
	require.Equal(t, []string{"end_sessions"}, b.Actions(t))

	_, err = b.actions.UnlockMobile(b.Sunita.Sign(t.Context()), b.Sunita, support.Request{Reason: "No code came", Key: "key-00002"}, "9123456789")
	require.NoError(t, err)
	require.Equal(t, 1, console.Count(t, b.DB, `SELECT count(*) FROM staff_actions WHERE target = 'mobile:91••••6789'`), "the trail keeps no stranger's number")
}

func TestAtMostOnce_FailedRun_CanBeRepeated(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	in, times, failure := support.Request{FranchiserID: asha, Reason: "On the phone", Key: "key-00001"}, 0, error(errs.NotFound())
	run := func() (support.Done, error) {
		return b.actions.AtMostOnce(b.Sunita.Sign(t.Context()), b.Sunita, in, "extend_grace", 3, func() (support.Done, error) {
			times++
			return support.Done{Message: "Until tomorrow"}, failure
		})
	}
	_, err := run()
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	failure = nil
	for range 3 {
		done, err := run()
		require.NoError(t, err)
		require.Equal(t, "Until tomorrow", done.Message)
	}
	require.Equal(t, 2, times, "once that failed, once that worked")
}

func TestSendInvoice_SameKeyTwice_SendsOneSMS(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	invoiceID := id.New()
	_, err := b.DB.Owner.Exec(`SET session_replication_role = replica; INSERT INTO invoices (id, franchiser_id, kind, payment_id, series, financial_year, sequence, number,
		issued_at, supplier, recipient, receipt, place_of_supply, regime, amount_paise, discount_paise, taxable_paise, cgst_paise, sgst_paise,
		utgst_paise, igst_paise, total_paise) VALUES ('` + invoiceID + `', '` + asha + `', 'invoice', '` + id.New() + `', 'FP', '26-27', 42, 'FP/26-27/000042',
		'2026-11-02', '{}', '{}', '{}', '27', 'cgst_sgst', 100, 0, 100, 9, 9, 0, 0, 118); SET session_replication_role = DEFAULT`)
	require.NoError(t, err)
	in := support.Request{FranchiserID: asha, Reason: "She lost it", Key: "key-00001"}
	done, err := b.actions.ResendInvoice(b.Sunita.Sign(t.Context()), b.Sunita, in, invoiceID)
	require.NoError(t, err)
	require.Contains(t, done.Message, "FP/26-27/000042")
	in.Key = "key-00002"
	_, err = b.actions.ResendInvoice(b.Sunita.Sign(t.Context()), b.Sunita, in, invoiceID)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "not twice within a minute")

	box := &console.Texts{Failure: errs.Unavailable(nil)}
	outbox := message.NewStaffOutbox(b.DB.Worker, b.clock,
		message.NewOutbox(message.OutboxOptions{
			SMS: box, Site: message.Site{URL: "https://franchise360.example"}, Clock: b.clock, Logger: testkit.NewLogger(t),
		}), app.StaffMessages(testkit.NewKeyring(t)))
	var messageID string
	require.NoError(t, b.DB.Owner.Get(&messageID, `SELECT args ->> 'message_id' FROM river_job WHERE id = $1`, *done.JobID))
	require.Error(t, outbox.Send(t.Context(), messageID))
	require.Equal(t, 1, console.Count(t, b.DB, `SELECT count(*) FROM support_messages WHERE send_error = 'unavailable'`))
	box.Failure = nil
	require.NoError(t, outbox.Send(t.Context(), messageID))
	require.NoError(t, outbox.Send(t.Context(), messageID), "sent is sent")
	require.Len(t, box.Sent, 1)
	require.Equal(t, "9876543210", box.Sent[0].Mobile)
	require.Equal(t, "Your Franchise 360 document FP/26-27/000042 is ready. Download it here: https://franchise360.example/subscription_list", box.Sent[0].Text)

	b.clock.Advance(2 * time.Minute)
	late, err := b.actions.ResendInvoice(b.Sunita.Sign(t.Context()), b.Sunita, in, invoiceID)
	require.NoError(t, err)
	b.clock.Advance(25 * time.Hour)
	require.NoError(t, b.DB.Owner.Get(&messageID, `SELECT args ->> 'message_id' FROM river_job WHERE id = $1`, *late.JobID))
	require.Equal(t, errs.KindInvalid, errs.KindOf(outbox.Send(t.Context(), messageID)), "a day later nobody waits for it")
	require.Len(t, box.Sent, 1)
}

func TestRecheckDomain_EnqueuesACheck(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	in := support.Request{FranchiserID: asha, Reason: "Records are set now", Key: "key-00001"}
	_, err := b.actions.RecheckDomain(b.Sunita.Sign(t.Context()), b.Sunita, in)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	console.ClaimDomain(t, b.DB, b.clock, asha)
	done, err := b.actions.RecheckDomain(b.Sunita.Sign(t.Context()), b.Sunita, in)
	require.NoError(t, err)
	in.Key = "key-00002"
	again, err := b.actions.RecheckDomain(b.Sunita.Sign(t.Context()), b.Sunita, in)
	require.NoError(t, err)
	require.Equal(t, *done.JobID, *again.JobID, "one look is on its way already")
	require.Contains(t, again.Message, "shop.example.in")
}
