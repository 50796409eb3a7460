package handler

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/staff/approval"
)

// The message for money that staff have already returned must not say that a gateway refunds it.
func TestReversalMessage_EachKind_NamesTheNextStep(t *testing.T) {
	t.Parallel()
	for kind, want := range map[reversal.Kind]string{
		reversal.KindRefund:       "The refund is on its way: the gateway is asked for it now.",
		reversal.KindCreditNote:   "The bank transfer is being booked, with its credit note.",
		reversal.KindBankTransfer: "The bank transfer is being booked.",
		reversal.KindRelease:      "The held payment is on its way back.",
		reversal.KindChargeback:   "The loss is being booked.",
	} {
		require.Equal(t, want, requested(reversal.Reversal{Kind: kind, Request: approval.Request{State: approval.Approved}}), string(kind))
	}
	booked := reversal.Reversal{Kind: reversal.KindBankTransfer, Request: approval.Request{State: approval.Done}}
	require.Equal(t, "The bank transfer is booked already.", requested(booked))
	booked.Kind = reversal.KindCreditNote
	require.Equal(t, "The bank transfer is booked already, with its credit note.", requested(booked))
}
