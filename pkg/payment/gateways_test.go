package payment_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// stranger is a gateway that the open payments do not belong to.
type stranger struct{ app.Gateway }

func (stranger) Name() string { return "another" }

func TestOpenMoneyOfAGatewayThatIsGoneIsToldAndWaits(t *testing.T) {
	t.Parallel()
	// given an open payment
	b := setup(t)
	open := b.Ask(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	var said bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&said, nil))

	// when all gateways are configured, nothing is said
	require.NoError(t, b.WorkerWith(func(p *app.BillingParts) { p.Logger = logger }).Payments.CheckGateways(context.Background()))
	require.Empty(t, said.String())

	// then a process without theirs says how many wait, and leaves them open
	alone := b.WorkerWith(func(p *app.BillingParts) { p.Logger, p.Gateways = logger, []app.Gateway{stranger{}} }).Payments
	require.NoError(t, alone.CheckGateways(context.Background()))
	require.Contains(t, said.String(), "level=ERROR")
	require.Contains(t, said.String(), "gateway=fake")
	require.Contains(t, said.String(), "payments=1")
	id := b.Text(`SELECT id FROM payments WHERE transaction_id = $1`, open.TransactionID)
	require.ErrorIs(t, alone.Verify(context.Background(), payment.VerifyArgs{PaymentID: id, Check: 15}), payment.ErrGatewayMissing)
	require.Equal(t, "created", b.Text(`SELECT state FROM payments WHERE id = $1`, id))
}

func TestAPriceIsShownWithoutTheGatewayOfAnOpenPayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	wish := story.Buy(b.Tier(0, 0), plan.TypeYearly)
	open := b.Ask(b.Buyer, wish)
	alone := b.APIWith(func(p *app.BillingParts) { p.Gateways = []app.Gateway{stranger{}} }).Payments
	shown, err := alone.Preview(context.Background(), b.Buyer, wish)
	require.NoError(t, err)
	require.Equal(t, open.Amount, shown.Payable())
	require.Nil(t, shown.Open, "it cannot be resumed")
	_, err = alone.Request(context.Background(), b.Buyer, payment.RequestInput{Intent: wish})
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.Equal(t, 1, b.Count(`SELECT count(*) FROM payments`))
}
