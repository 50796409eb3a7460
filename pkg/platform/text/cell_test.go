package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

func TestASpreadsheetTakesNoTextForAFormula(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"": "", "-": "-", "Asha": "Asha", "=1+1": "'=1+1", "@x": "'@x", "\tx": "'\tx", "＝1+1": "'＝1+1", "＋1": "'＋1", "－1": "'－1", "＠x": "'＠x",
		"﹢1": "'﹢1", "−1": "'−1", "|x": "'|x", "｜x": "'｜x", "﹣1": "'﹣1", "﹦1": "'﹦1", "﹫x": "'﹫x",
	} {
		require.Equal(t, want, text.Cell(given))
	}
}
