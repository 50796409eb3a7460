package payment_test

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/payment/refund"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// A payment has arrived (also if held or refunded since), has not, as far as is known, or is undecided. Exactly one of the three is true.
func TestStanding_EachStateOfAPayment_HasOneStanding(t *testing.T) {
	t.Parallel()
	for state, want := range map[payment.State]string{
		payment.StateCreated: "open", payment.StatePending: "open", payment.StatePaid: "received", payment.StateHeld: "received",
		payment.StateRefunded: "received", payment.StateFailed: "failed", payment.StateExpired: "failed",
	} {
		s := payment.Standing{State: state}
		got := map[string]bool{"open": state.Open(), "received": s.Received(), "failed": s.Failed()}
		for what, is := range got {
			require.Equal(t, what == want, is, "%s: %s", state, what)
		}
	}
	for kind, want := range map[subscription.Kind]bool{
		subscription.KindNew: true, subscription.KindRenewal: true, subscription.KindUpgrade: true, subscription.KindAddOn: false,
		subscription.KindDowngrade: false, subscription.KindTrial: false, subscription.KindSwitch: false, "": false,
	} {
		require.Equal(t, want, checkout.ByTransfer(kind), kind)
	}
}

// Of a bill of ₹1,59,300 with ₹13,500 of TDS, a refund of half returns half of the TDS. The last refund returns the remaining TDS, and no
// refund's TDS exceeds the refund.
func TestRefundedTDS_PartOfABill_IsItsShare(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ withheld, refund, left, want money.Paise }{
		"half of it":                {13_500_00, 79_650_00, 1_59_300_00, 6_750_00},
		"all of it":                 {13_500_00, 1_59_300_00, 1_59_300_00, 13_500_00},
		"the remainder":             {6_750_00, 79_650_00, 79_650_00, 6_750_00},
		"a paisa of it":             {13_500_00, 1, 1_59_300_00, 0},
		"a dozen, half up":          {13_500_00, 6, 1_59_300_00, 1},
		"five paise, not half":      {13_500_00, 5, 1_59_300_00, 0},
		"nothing was deducted":      {0, 79_650_00, 1_59_300_00, 0},
		"more tax than money":       {90, 50, 60, 50},
		"a refund beyond the whole": {100, 200, 150, 100},
	} {
		require.Equal(t, tc.want, refund.WithheldShare(tc.withheld, tc.refund, tc.left), name)
	}
}

// The TDS of all partial refunds adds up to the deduction. Each is its share to the paisa and at most its refund.
func TestRefundedTDS_AnyParts_AddUpToTheDeduction(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		left := money.Paise(rapid.Int64Range(1, 1_00_00_000_00).Draw(t, "paid"))
		withheld := money.Paise(rapid.Int64Range(0, int64(left)/5).Draw(t, "deducted"))
		whole, taken := withheld, money.Paise(0)
		for left > 0 {
			back := left
			if rapid.Bool().Draw(t, "in part") {
				back = money.Paise(rapid.Int64Range(1, int64(left)).Draw(t, "refund"))
			}
			share := refund.WithheldShare(withheld, back, left)
			exact := new(big.Rat).Mul(big.NewRat(int64(withheld), 1), big.NewRat(int64(back), int64(left)))
			off := new(big.Rat).Sub(big.NewRat(int64(share), 1), exact)
			require.LessOrEqual(t, off.Abs(off).Cmp(big.NewRat(1, 2)), 0, "%s of %s", share, back)
			require.LessOrEqual(t, share, back)
			left, withheld, taken = left-back, withheld-share, taken+share
		}
		require.Equal(t, whole, taken)
		require.Zero(t, withheld)
	})
}

// Gateways pass on the banks' texts for the response codes of ISO 8583. The cause is the same whichever bank reported it.
func TestFailureCause_ISO8583TextOfABank_IsRecognised(t *testing.T) {
	t.Parallel()
	const (
		funds    = "There was not enough money in the account, or too little left on the card."
		details  = "Your bank does not accept the card, account or UPI ID that was used. Check it, or pay in another way."
		limit    = "The amount is above a limit of your bank, card or UPI app. Raise the limit there, or pay in another way."
		identity = "Your bank could not confirm that it was you: the OTP or PIN was wrong, or came too late."
		left     = "The payment page was left, or its time was over, before you had paid."
		down     = "Your bank or the payment provider could not be reached just then. Try again in a few minutes, or pay in another way."
		declined = "Your bank declined the payment. Ask your bank, or pay in another way."
	)
	for told, want := range map[string]string{
		"Not sufficient funds":                        funds, // 51
		"NOT SUFFICIENT FUNDS":                        funds,
		"Insufficient balance":                        funds,
		"Do not honor":                                declined, // 05
		"Do Not Honour":                               declined,
		"Expired card":                                details,  // 54
		"Invalid card number":                         details,  // 14
		"Lost card, pick up":                          details,  // 41
		"Stolen card, pick up":                        details,  // 43
		"Incorrect PIN":                               identity, // 55
		"Allowable number of PIN tries exceeded":      limit,    // 75: "exceeded" counts first
		"Transaction not permitted to cardholder":     declined, // 57
		"Suspected fraud":                             declined, // 59
		"Exceeds withdrawal amount limit":             limit,    // 61
		"Restricted card":                             declined, // 62
		"Exceeds withdrawal frequency limit":          limit,    // 65
		"Response received too late, timed out":       down,     // 68
		"The issuer is unavailable":                   down,     // 91
		"Transaction was not completed on the page":   left,
		"Session expired":                             left,
		"Payment was cancelled by user":               left,
		"3D Secure authentication failed at the bank": identity,
		"VPA is invalid":                              details,
		"Account is frozen":                           details,
	} {
		r := history.Result{Row: history.Row{Payment: payment.Payment{State: payment.StateFailed, Reason: told}}}
		_, reason, _ := r.Outcome()
		require.Equal(t, want, reason, told)
	}
}
