package app

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// accounts returns the settings of the accounts, whose addresses nothing answers.
func accounts() map[string]config.GatewayAccount {
	return map[string]config.GatewayAccount{
		payu.Name:     {"PAYU_KEY": "k", "PAYU_SALT": "s", "PAYU_URL": "http://127.0.0.1:1", "PAYU_API_URL": "http://127.0.0.1:1"},
		razorpay.Name: {"RAZORPAY_URL": "http://127.0.0.1:1"},
	}
}

func TestAnUnsignedDisputeIsRefusedWherePayUSignsThem(t *testing.T) {
	t.Parallel()
	body := []byte(`{"event":"dispute","cb_id":1761758,"txn_id":"999000000000468","cb_amount":"1.0","cb_status":"New"}`)
	for signed, refused := range map[bool]error{false: nil, true: payment.ErrSignature} {
		settings := accounts()
		settings[payu.Name]["PAYU_DISPUTES_SIGNED"] = strconv.FormatBool(signed)
		gateways := newGateways(Gateways(), config.Gateways{Names: []string{payu.Name}, Accounts: settings})
		_, err := gateways[0].Read(payment.Incoming{Body: body})
		require.ErrorIs(t, err, refused, "signed: %t", signed)
	}
}

func TestEveryGatewayHasATitle(t *testing.T) {
	t.Parallel()
	names := []string{payu.Name, razorpay.Name}
	gateways := newGateways(Gateways(), config.Gateways{Names: names})
	require.Len(t, gateways, len(names))
	for _, g := range gateways {
		require.NotEmpty(t, Gateways().Titles()[g.Name()], g.Name())
	}
}
