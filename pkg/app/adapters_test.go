package app

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

// accounts returns the settings of the accounts, whose addresses nothing answers.
func accounts() map[string]config.GatewayAccount {
	return map[string]config.GatewayAccount{
		payu.Name:     {"PAYU_KEY": "k", "PAYU_SALT": "s", "PAYU_URL": "http://127.0.0.1:1", "PAYU_API_URL": "http://127.0.0.1:1"},
		razorpay.Name: {"RAZORPAY_URL": "http://127.0.0.1:1"},
	}
}

func TestPayUDispute_UnsignedButSigningConfigured_IsRefused(t *testing.T) {
	t.Parallel()
	body := []byte(`{"event":"dispute","cb_id":1761758,"txn_id":"999000000000468","cb_amount":"1.0","cb_status":"New"}`)
	for signed, refused := range map[bool]error{false: nil, true: payment.ErrSignature} {
		settings := accounts()
		settings[payu.Name]["payu-disputes-signed"] = strconv.FormatBool(signed)
		gateways := newGateways(Gateways(), config.Gateways{Names: []string{payu.Name}, Accounts: settings}, clock.System{}, "")
		_, err := gateways[0].Read(payment.Incoming{Body: body})
		require.ErrorIs(t, err, refused, "signed: %t", signed)
	}
}

func TestGateways_EachOne_HasATitle(t *testing.T) {
	t.Parallel()
	known := Gateways()
	names := make([]string, 0, len(known))
	for _, d := range known {
		names = append(names, d.Name)
	}
	gateways := newGateways(known, config.Gateways{Names: names}, clock.System{}, "")
	require.Len(t, gateways, len(names))
	for i, g := range gateways {
		require.Equal(t, names[i], g.Name())
		require.NotEmpty(t, known.Titles()[g.Name()], g.Name())
	}
}
