package text_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

func TestLatin_DevanagariWords_AreTransliterated(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"जयपुर": "jaipur", "उदयपुर": "udaipur", "मालवीय": "malviya", "नगर": "nagar", "मुंबई": "mumbai", "दिल्ली": "delhi", "कोलकाता": "kolkata",
		"चेन्नई": "chennai", "बेंगलुरु": "bengaluru", "आगरा": "agra", "सूरत": "surat", "पुणे": "pune", "पटना": "patna", "अमृतसर": "amritsar",
		"चंडीगढ़": "chandigarh", "भोपाल": "bhopal", "रांची": "ranchi", "गुड़गाँव": "gurgaon", "surat": "surat", "302017": "302017", "": "",
	} {
		require.Equal(t, want, text.Latin(norm.NFD.String(word)), word)
	}
}
