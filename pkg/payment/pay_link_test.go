package payment_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/profile"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// links returns the pay-links, and the code of the newest reminder's, as it is sent by SMS.
func (b *bundle) links() (*checkout.PayLinks, string) {
	b.T.Helper()
	keys := testkit.NewKeyring(b.T)
	sms := &carrier{}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: sms, Site: message.Site{Host: "shop.example", URL: "https://shop.example"}, Clock: b.Clock, Email: &carrier{},
		Logger: testkit.NewLogger(b.T),
	})
	sender := message.NewCustomerOutbox(message.CustomerOutboxOptions{
		DB: b.DB.Worker, Clock: b.Clock, Outbox: outbox, Contacts: profile.Contacts{},
		Letters: subscription.Letters(b.WorkerSubs, keys, "https://shop.example"), Keys: keys,
	})
	id := b.Text(`SELECT id FROM customer_messages WHERE template = 'renewal_reminder' AND sent_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1`)
	require.NoError(b.T, sender.Send(b.T.Context(), id))
	require.Len(b.T, sms.took, 1)
	values := sms.took[0].Values
	return checkout.NewPayLinks(b.API.Checkout, keys), values[len(values)-1]
}

// linked is a customer with a monthly plan and the link of its first reminder.
func linked(t *testing.T) (b *bundle, links *checkout.PayLinks, code string) {
	t.Helper()
	b = setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Live(22) // seven days before the last day
	links, code = b.links()
	return b, links, code
}

const bearerMobile = "9123456789"

func TestPayLink_PaysOnlyItsRenewal(t *testing.T) {
	t.Parallel()
	b, links, code := linked(t)
	seen, err := links.Look(t.Context(), code, "")
	require.NoError(t, err)
	require.Equal(t, checkout.PayLinkOpen, seen.State)
	require.Equal(t, "₹14,750", seen.Offer.Payable().Display())
	require.Equal(t, "2026-12-02", seen.Offer.EffectiveOn.String())
	person := b.Text(`SELECT first_name || ' ' || last_name || ' ' || mobile || ' ' || email FROM franchisers WHERE id = $1`, b.Buyer)
	for secret := range strings.FieldsSeq(person) {
		require.NotContains(t, seen.Shop, secret)
	}
	require.Contains(t, seen.Shop, "•••")

	_, err = links.Request(t.Context(), code, bearerMobile, bearing(seen.Offer.Payable()-1, ""))
	require.Equal(t, "price_changed", errs.As(err).Code, "nobody pays another amount than the one shown")
	r, err := links.Request(t.Context(), code, bearerMobile, bearing(seen.Offer.Payable(), payment.MethodUPI))
	require.NoError(t, err)
	for name, value := range r.Session.Fields {
		for secret := range strings.FieldsSeq(person) {
			require.NotContains(t, value, secret, "the bearer's browser is told nothing of the customer: %s", name)
		}
	}
	again, err := links.Request(t.Context(), code, bearerMobile, bearing(seen.Offer.Payable(), ""))
	require.NoError(t, err)
	require.Equal(t, r.TransactionID, again.TransactionID, "who opens it again pays the same charge")
	owner := b.Ask(b.Buyer, b.Renewal(b.Buyer))
	require.Equal(t, r.TransactionID, owner.TransactionID, "and so does the owner")

	back, err := links.Look(t.Context(), code, r.TransactionID)
	require.NoError(t, err)
	require.Equal(t, checkout.PayLinkConfirming, back.State)
	require.Nil(t, back.Offer)
	b.Settle(r, payment.StatusPaid)
	for range 2 {
		paid, err := links.Look(t.Context(), code, r.TransactionID)
		require.NoError(t, err)
		require.Equal(t, checkout.LinkedPayment{State: checkout.PayLinkPaid, Link: paid.Link, Returned: checkout.ReturnedReceived}, paid, "nothing but that")
		later, err := links.Look(t.Context(), code, "")
		require.NoError(t, err)
		require.Equal(t, checkout.ReturnedNone, later.Returned, "who did not pay is told of no payment")
		_, err = links.Request(t.Context(), code, bearerMobile, bearing(seen.Offer.Payable(), ""))
		require.ErrorIs(t, err, subscription.ErrPayLinkDone)
	}
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.Standing(b.Buyer))
	b.Live(28) // the renewal of the term after it is open by now
	_, err = links.Request(t.Context(), code, bearerMobile, bearing(seen.Offer.Payable(), ""))
	require.ErrorIs(t, err, subscription.ErrPayLinkDone, "worth nothing after its term")
	b.Balanced()
}

func TestPayLink_BearerLeftThePageUnpaid_MayPayAgain(t *testing.T) {
	t.Parallel()
	for _, end := range []payment.Status{payment.StatusOpened, payment.StatusPending} {
		t.Run(string(end), func(t *testing.T) {
			t.Parallel()
			b, links, code := linked(t)
			r, err := links.Request(t.Context(), code, bearerMobile, bearing(money.FromRupees(14_750), payment.MethodUPI))
			require.NoError(t, err)
			b.Settle(r, end)
			back, err := links.Look(t.Context(), code, r.TransactionID)
			require.NoError(t, err)
			want := checkout.PayLinkOpen
			if end == payment.StatusPending {
				want = checkout.PayLinkConfirming
			}
			require.Equal(t, want, back.State)
			again, err := links.Request(t.Context(), code, bearerMobile, bearing(money.FromRupees(14_750), ""))
			require.NoError(t, err)
			require.Equal(t, r.TransactionID, again.TransactionID, "one transaction cannot be paid twice")
			require.Empty(t, again.Session.Fields["method"])
		})
	}
}

func TestPayLink_BrowserReportsFailureTheGatewayDoesNotKnow_MayPayAgain(t *testing.T) {
	t.Parallel()
	b, links, code := linked(t)
	r, err := links.Request(t.Context(), code, bearerMobile, bearing(money.FromRupees(14_750), ""))
	require.NoError(t, err)
	b.Gateway.Decide(r.TransactionID, payment.StatusFailed, r.Amount)
	_, err = b.API.Notices.Returned(t.Context(), b.Gateway.Notice(r.TransactionID))
	require.NoError(t, err)
	b.Gateway.Decide(r.TransactionID, payment.StatusUnknown, r.Amount) // Razorpay's cancellation: its order has no payment
	b.Work()
	require.Equal(t, "created", b.State(r))
	back, err := links.Look(t.Context(), code, r.TransactionID)
	require.NoError(t, err)
	require.Equal(t, checkout.PayLinkOpen, back.State)
}

func TestPayLink_ConcurrentRequests_MakeOnePayment(t *testing.T) {
	t.Parallel()
	b, links, code := linked(t)
	var pays sync.WaitGroup
	asked := make(chan checkout.Requested, 4)
	for range cap(asked) {
		pays.Go(func() {
			if r, err := links.Request(t.Context(), code, bearerMobile, bearing(money.FromRupees(14_750), "")); err == nil {
				asked <- r
			}
		})
	}
	pays.Wait()
	close(asked)
	seen := map[string]checkout.Requested{}
	for r := range asked {
		seen[r.TransactionID] = r
	}
	require.Len(t, seen, 1, "one charge for all of them")
	for _, r := range seen {
		b.Settle(r, payment.StatusPaid)
		b.Settle(r, payment.StatusPaid)
	}
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM payments WHERE state = 'paid'`), "the first term and this one")
	require.Equal(t, "active 2026-11-02 2026-12-02 2027-01-02", b.Standing(b.Buyer))
	b.Balanced()
}

// Links that were altered, signed with another key, or name another or no subscription reveal and pay nothing.
func TestPayLink_AlteredOrForeign_IsRefused(t *testing.T) {
	t.Parallel()
	b, links, code := linked(t)
	other := b.Franchiser("27")
	broken := []string{
		"", "x", code + "A", code[:37], strings.ToLower(code), strings.Repeat("A", 38), "../" + code[3:], code[:22] + code[:16],
		"A" + code[1:], code[:37] + string("AB"[btoi(code[37] == 'A')]), strings.ReplaceAll(code, code[30:31], "%"),
	}
	for _, bad := range broken {
		if bad == code {
			continue
		}
		_, err := links.Look(t.Context(), bad, "")
		require.ErrorIs(t, err, subscription.ErrPayLink, bad)
		_, err = links.Request(t.Context(), bad, bearerMobile, bearing(money.FromRupees(14_750), ""))
		require.ErrorIs(t, err, subscription.ErrPayLink, bad)
	}
	// the id of a session, or of another customer's payment, is ignored
	r := b.Ask(other, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	seen, err := links.Look(t.Context(), code, r.TransactionID)
	require.NoError(t, err)
	require.Equal(t, checkout.PayLinkOpen, seen.State)
	first := b.Text(`SELECT transaction_id FROM payments WHERE franchiser_id = $1`, b.Buyer)
	seen, err = links.Look(t.Context(), code, first)
	require.NoError(t, err)
	require.Equal(t, checkout.PayLinkOpen, seen.State, "nor does it tell of the customer's other payments")
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestPayLink_AfterThirtyOneDays_HasExpired(t *testing.T) {
	t.Parallel()
	b, links, code := linked(t)
	b.Clock.Advance(31*story.Day - time.Second)
	_, err := links.Look(t.Context(), code, "")
	require.NoError(t, err, "the plan has stopped, and can be used again")
	b.Clock.Advance(time.Second)
	_, err = links.Look(t.Context(), code, "")
	require.ErrorIs(t, err, subscription.ErrPayLink)
}

// Given a change of the plan after the reminder, then the link shows and takes the price of the change, and nothing once the term
// is another one.
func TestPayLink_PlanChangedAfterTheReminder_ShowsTheNewPrice(t *testing.T) {
	t.Parallel()
	b, links, code := linked(t)
	before, err := links.Look(t.Context(), code, "")
	require.NoError(t, err)
	bearer, err := links.Request(t.Context(), code, bearerMobile, bearing(before.Offer.Payable(), ""))
	require.NoError(t, err)
	_, err = b.Request(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	require.NoError(t, err)
	r := b.Ask(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	if r.Session != nil {
		b.Settle(r, payment.StatusPaid)
	}
	_, err = links.Request(t.Context(), code, bearerMobile, bearing(before.Offer.Payable(), ""))
	require.ErrorIs(t, err, subscription.ErrPayLinkDone, "an upgrade begins another term")
	after, err := links.Look(t.Context(), code, "")
	require.NoError(t, err)
	require.Equal(t, checkout.PayLinkPaid, after.State)
	require.Nil(t, after.Offer)
	b.Settle(bearer, payment.StatusPaid)
	after, err = links.Look(t.Context(), code, bearer.TransactionID)
	require.NoError(t, err)
	require.Equal(t, checkout.ReturnedGivenBack, after.Returned, "who pays a term that is no more is told that it goes back")
	b.Balanced()
}

// Given a downgrade scheduled for the renewal, then the link shows the price of the next term.
func TestPayLink_DowngradeScheduled_ShowsThePriceOfTheNextTerm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	b.Live(22)
	links, code := b.links()
	before, err := links.Look(t.Context(), code, "")
	require.NoError(t, err)
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly)) // scheduled
	after, err := links.Look(t.Context(), code, "")
	require.NoError(t, err)
	require.Less(t, after.Offer.Payable(), before.Offer.Payable())
	_, err = links.Request(t.Context(), code, bearerMobile, bearing(before.Offer.Payable(), ""))
	require.Equal(t, "price_changed", errs.As(err).Code)
}

func TestPayLink_ErasureScheduled_IsRefused(t *testing.T) {
	t.Parallel()
	b, links, code := linked(t)
	b.DB.Owner.MustExec(`UPDATE franchisers SET erasure_requested_at = now() WHERE id = $1`, b.Buyer)
	_, err := links.Look(t.Context(), code, "")
	require.ErrorIs(t, err, subscription.ErrPayLink)
	_, err = links.Request(t.Context(), code, bearerMobile, bearing(money.FromRupees(14_750), ""))
	require.ErrorIs(t, err, subscription.ErrPayLink)
}

func bearing(total money.Paise, m payment.Method) checkout.Input {
	return checkout.Input{ExpectedTotal: &total, Method: m}
}
