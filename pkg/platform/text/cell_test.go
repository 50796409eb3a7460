package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

func TestCell_TextLikeAFormula_IsQuoted(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"": "", "-": "-", "-118.00": "-118.00", "-5": "-5", "-1+1": "'-1+1", "-1.2.3": "'-1.2.3", "-.5": "'-.5", "-1e5": "'-1e5", "+118.00": "'+118.00", "Asha": "Asha", "=1+1": "'=1+1", "@x": "'@x", "\tx": "'\tx", "＝1+1": "'＝1+1", "＋1": "'＋1", "－1": "'－1", "＠x": "'＠x",
		"﹢1": "'﹢1", "−1": "'−1", "|x": "'|x", "｜x": "'｜x", "﹣1": "'﹣1", "﹦1": "'﹦1", "﹫x": "'﹫x",
	} {
		require.Equal(t, want, text.Cell(given))
	}
}

func TestCell_NumberThatASpreadsheetChanges_StaysText(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"403993715524046125": "'403993715524046125", "632712345678": "'632712345678", "000012345678": "'000012345678", "003212345678": "'003212345678",
		"1E5000": "'1E5000", "632712E11": "'632712E11", "6.32E+11": "'6.32E+11", "00": "'00",
		"20261120": "20261120", "411001": "411001", "0": "0", "0.50": "0.50", "118000.00": "118000.00", "10000000000000.00": "10000000000000.00",
		"-10000000000000.00": "-10000000000000.00", "SBIN326324123456": "SBIN326324123456", "12345678901": "12345678901", "2026-11-20": "2026-11-20",
	} {
		require.Equal(t, want, text.Cell(given))
	}
}
