package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

func TestAnUnsignedDisputeIsRefusedWherePayUSignsThem(t *testing.T) {
	t.Parallel()
	body := []byte(`{"event":"dispute","cb_id":1761758,"txn_id":"999000000000468","cb_amount":"1.0","cb_status":"New"}`)
	for signed, refused := range map[bool]error{false: nil, true: payment.ErrSignature} {
		gateways := newGateways(config.Gateways{Names: []string{config.GatewayPayU}, PayU: config.PayU{Key: "k", Salt: "s", DisputesSigned: signed}})
		_, err := gateways[0].Read(payment.Incoming{Body: body})
		require.ErrorIs(t, err, refused, "signed: %t", signed)
	}
}

func TestEveryGatewayHasATitle(t *testing.T) {
	t.Parallel()
	names := []string{config.GatewayPayU, config.GatewayRazorpay}
	gateways := newGateways(config.Gateways{Names: names})
	require.Len(t, gateways, len(names))
	for _, g := range gateways {
		require.NotEmpty(t, gatewayTitles()[g.Name()], g.Name())
	}
}
