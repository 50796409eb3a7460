package payment_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// stranger is a gateway that the open payments do not belong to.
type stranger struct{ app.Gateway }

func (stranger) Name() string { return "another" }

func TestCheckGateways_OpenPaymentOfARemovedGateway_IsLoggedAndStaysOpen(t *testing.T) {
	t.Parallel()
	// given an open payment
	b := setup(t)
	open := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	var said bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&said, nil))

	// when all gateways are configured, nothing is logged
	require.NoError(t, b.WorkerWith(func(p *app.BillingParts) { p.Logger = logger }).Payments.Trails.CheckGateways(context.Background()))
	require.Empty(t, said.String())

	// then a process without that gateway logs how many wait, and leaves them open
	alone := b.WorkerWith(func(p *app.BillingParts) { p.Logger, p.Gateways = logger, []app.Gateway{stranger{}} }).Payments
	require.NoError(t, alone.Trails.CheckGateways(context.Background()))
	require.Contains(t, said.String(), "level=ERROR")
	require.Contains(t, said.String(), "gateway=fake")
	require.Contains(t, said.String(), "payments=1")
	require.ErrorIs(t, alone.Captures.Verify(context.Background(), payment.VerifyArgs{PaymentID: b.PaymentOf(open), Check: 15}), payment.ErrGatewayMissing)
	require.Equal(t, "created", b.State(open))
}

func TestPreview_OpenPaymentOfARemovedGateway_ShowsThePrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wish := story.Buy(b.Tier(0, 0), plan.TypeYearly)
	open := b.Ask(b.Buyer, wish)
	alone := b.APIWith(func(p *app.BillingParts) { p.Gateways = []app.Gateway{stranger{}} }).Payments
	shown, err := alone.Checkout.Preview(context.Background(), b.Buyer, wish)
	require.NoError(t, err)
	require.Equal(t, open.Amount, shown.Payable())
	require.Nil(t, shown.Open, "it cannot be resumed")
	_, err = alone.Checkout.Request(context.Background(), b.Buyer, checkout.Input{Intent: wish})
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments`))
}

// newcomer is a gateway without payments, so querying one at it is a mistake.
type newcomer struct{ app.Gateway }

func (newcomer) Name() string { return "newcomer" }

func (newcomer) Read(payment.Incoming) (payment.Notice, error) {
	return payment.Notice{}, payment.ErrSignature
}

func (newcomer) Verify(context.Context, string, string) (payment.Outcome, error) {
	return payment.Outcome{}, errors.New("no such payment")
}

func (newcomer) Refund(context.Context, payment.RefundRequest) (payment.RefundOutcome, error) {
	return payment.RefundOutcome{}, errors.New("no such payment")
}

// The operator's way to another gateway: name it behind the gateway in use, then put it first.
func TestGateways_SecondConfigured_OpenPaymentsOfTheFirstSettle(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, wish := context.Background(), story.Buy(b.Tier(0, 0), plan.TypeYearly)
	naming := func(list ...app.Gateway) func(*app.BillingParts) {
		return func(p *app.BillingParts) { p.Gateways = list }
	}
	requireGateway := func(want string, r checkout.Requested) {
		t.Helper()
		require.Equal(t, want, b.Text(`SELECT gateway FROM payments WHERE transaction_id = $1`, r.TransactionID))
	}

	// given the other one behind, then nothing goes to it
	behind := b.APIWith(naming(b.Gateway, newcomer{b.Gateway})).Payments
	open, err := behind.Checkout.Request(ctx, b.Buyer, checkout.Input{Intent: wish})
	require.NoError(t, err)
	requireGateway("fake", open)
	paid := b.Pay(b.Franchiser("29"), wish)

	// when it is put first, then new payments go to it
	api, worker := b.APIWith(naming(newcomer{b.Gateway}, b.Gateway)).Payments, b.WorkerWith(naming(newcomer{b.Gateway}, b.Gateway)).Payments
	require.NoError(t, worker.Trails.CheckGateways(ctx))
	next, err := api.Checkout.Request(ctx, b.Franchiser("27"), checkout.Input{Intent: wish})
	require.NoError(t, err)
	requireGateway("newcomer", next)

	// and those of the old one are still confirmed and refunded
	b.Gateway.Decide(open.TransactionID, payment.StatusPaid, open.Amount)
	_, err = api.Notices.Returned(ctx, b.Gateway.Notice(open.TransactionID))
	require.NoError(t, err)
	require.NoError(t, worker.Captures.Verify(ctx, payment.VerifyArgs{PaymentID: b.PaymentOf(open)}))
	require.Equal(t, "paid", b.State(open))
	asked, err := b.Reversals.RequestRefund(b.Asha.Sign(ctx), b.Asha, b.Text(`SELECT franchiser_id FROM payments WHERE id = $1`, b.PaymentOf(paid)),
		b.PaymentOf(paid), 100, "goodwill", id.New())
	require.NoError(t, err)
	require.NoError(t, worker.Reversals.Reverse(ctx, asked.ID))
	require.NoError(t, worker.Refunds.Send(ctx, b.Text(`SELECT id FROM refunds`)))
	require.Equal(t, "done", b.Text(`SELECT state FROM refunds`))
	require.Len(t, b.Gateway.RefundRequests(), 1)
	b.Balanced()
}
