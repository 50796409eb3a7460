package gazetteer

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"
)

func TestLatin_DevanagariWords_AreTransliterated(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"जयपुर": "jaipur", "उदयपुर": "udaipur", "मालवीय": "malviya", "नगर": "nagar", "मुंबई": "mumbai", "दिल्ली": "delhi", "कोलकाता": "kolkata",
		"चेन्नई": "chennai", "बेंगलुरु": "bengaluru", "आगरा": "agra", "सूरत": "surat", "पुणे": "pune", "पटना": "patna", "अमृतसर": "amritsar",
		"चंडीगढ़": "chandigarh", "भोपाल": "bhopal", "रांची": "ranchi", "गुड़गाँव": "gurgaon", "surat": "surat", "302017": "302017", "": "",
	} {
		require.Equal(t, want, latin(norm.NFD.String(word)), word)
	}
}

func TestSuggest_Devanagari_FindsThePlace(t *testing.T) {
	t.Parallel()
	g := New()
	for typed, want := range map[string]string{
		"जयपुर": "Jaipur", "मालवीय नगर जयपुर": "Malviya Nagar", "दिल्ली": "Delhi", "मुंबई": "Mumbai", "अहमदाबाद": "Ahmedabad", "हैदराबाद": "Hyderabad",
		"वाराणसी": "Varanasi", "वडोदरा": "Vadodara", "लुधियाना": "Ludhiana", "लखनऊ": "Lucknow", "३०२०१७": "302017", "सूरत, भारत": "Surat",
		"ring road surat": "Surat", "रिंग रोड सूरत": "Surat", "near big temple gate jaipur": "Jaipur",
	} {
		found, err := g.Suggest(t.Context(), typed, "", 8)
		require.NoError(t, err)
		require.NotEmpty(t, found, typed)
		require.Contains(t, found[0].Description, want, typed)
	}
}
