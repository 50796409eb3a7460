package payment_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

func TestReversalInput_UTR_Has6To35LettersAndDigits(t *testing.T) {
	t.Parallel()
	for utr, isValid := range map[string]bool{
		"SBIN326309120003": true, "HDFCR52026112500000001": true, "632712345678": true, "HDFC-R5/2026": true, "123456": true, strings.Repeat("A1", 17): true,
		"12345": false, "------": false, "A-B-C-D-E": false, strings.Repeat("A1", 18): false, "HDFC_R52026": false, "HDFCR५2026": false,
	} {
		in := reversal.Input{
			PaymentID: id.New(), FranchiserID: id.New(), Kind: reversal.KindBankTransfer, BankReference: utr, Reason: "Paid twice", Key: "key-two-2",
		}
		err := in.Validate()
		if isValid {
			require.NoError(t, err, utr)
			continue
		}
		require.ErrorContains(t, err, "6 to 35 letters and digits", utr)
	}
}
