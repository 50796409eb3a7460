package handler

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
)

// The message for money that staff have already returned must not say that a gateway refunds it.
func TestReversalMessage_EachKind_NamesTheNextStep(t *testing.T) {
	t.Parallel()
	for kind, want := range map[payment.ReversalKind]string{
		payment.ReversalRefund:       "The refund is on its way: the gateway is asked for it now.",
		payment.ReversalCreditNote:   "The bank transfer is being booked, with its credit note.",
		payment.ReversalBankTransfer: "The bank transfer is being booked.",
		payment.ReversalRelease:      "The held payment is on its way back.",
		payment.ReversalChargeback:   "The loss is being booked.",
	} {
		require.Equal(t, want, requested(payment.Reversal{Kind: kind, State: payment.ReversalApproved}), string(kind))
	}
	booked := payment.Reversal{Kind: payment.ReversalBankTransfer, State: payment.ReversalDone}
	require.Equal(t, "The bank transfer is booked already.", requested(booked))
	booked.Kind = payment.ReversalCreditNote
	require.Equal(t, "The bank transfer is booked already, with its credit note.", requested(booked))
}
