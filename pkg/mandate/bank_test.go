package mandate_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
)

func TestBankName_LettersOfAnIFSC_ReturnsTheBank(t *testing.T) {
	t.Parallel()
	for letters, want := range map[string]string{"HDFC": "HDFC Bank", " utib ": "Axis Bank", "XXXX": "XXXX", "": ""} {
		require.Equal(t, want, mandate.BankName(letters), letters)
	}
}
