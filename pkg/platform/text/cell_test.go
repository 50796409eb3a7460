package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

func TestASpreadsheetTakesNoTextForAFormula(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"": "", "-": "-", "-118.00": "-118.00", "-5": "-5", "-1+1": "'-1+1", "-1.2.3": "'-1.2.3", "-.5": "'-.5", "-1e5": "'-1e5", "+118.00": "'+118.00", "Asha": "Asha", "=1+1": "'=1+1", "@x": "'@x", "\tx": "'\tx", "＝1+1": "'＝1+1", "＋1": "'＋1", "－1": "'－1", "＠x": "'＠x",
		"﹢1": "'﹢1", "−1": "'−1", "|x": "'|x", "｜x": "'｜x", "﹣1": "'﹣1", "﹦1": "'﹦1", "﹫x": "'﹫x",
	} {
		require.Equal(t, want, text.Cell(given))
	}
}
