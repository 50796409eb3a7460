package payment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/history"
)

// Given what gateways write of a payment that failed, then the customer reads why in words without codes.
func TestFailedPayment_ReasonOfTheGateway_IsShownInPlainWords(t *testing.T) {
	t.Parallel()
	for told, want := range map[string]string{
		"Transaction Failed at bank end E502.":             "Your bank declined the payment. Ask your bank, or pay in another way.",
		"Insufficient funds in the account.":               "There was not enough money in the account, or too little left on the card.",
		"Bank was unable to authenticate.":                 "Your bank could not confirm that it was you: the OTP or PIN was wrong, or came too late.",
		"Transaction amount exceeds the limit of the VPA.": "The amount is above a limit of your bank, card or UPI app. Raise the limit there, or pay in another way.",
		"Expired card.": "Your bank does not accept the card, account or UPI ID that was used. Check it, or pay in another way.",
		"Transaction failed. Page expired due to no user input.":                             "The payment page was left, or its time was over, before you had paid.",
		"Payment processing failed because of a temporary technical error at the bank.":      "Your bank or the payment provider could not be reached just then. Try again in a few minutes, or pay in another way.",
		"Your payment didn't go through as it was declined by the bank. Try another method.": "Your bank declined the payment. Ask your bank, or pay in another way.",
		"ZX: 0x81.":                       "The payment did not go through.",
		"You cancelled the payment.":      "You cancelled the payment.",
		"The payment did not go through.": "The payment did not go through.",
	} {
		r := history.Result{Row: history.Row{Payment: payment.Payment{State: payment.StateFailed, Reason: told}}}
		state, reason, _ := r.Outcome()
		require.Equal(t, []any{history.ResultFailed, want}, []any{state, reason}, told)
	}
	r := history.Result{Row: history.Row{Payment: payment.Payment{State: payment.StateExpired, Reason: "The payment was not completed in time."}}}
	_, reason, _ := r.Outcome()
	require.Equal(t, "The payment was not completed in time.", reason)
}
