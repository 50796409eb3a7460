package gazetteer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSuggest_ScriptsOfIndia_FindThePlace(t *testing.T) {
	t.Parallel()
	g := New()
	for typed, want := range map[string]string{
		"जयपुर": "Jaipur", "मालवीय नगर जयपुर": "Malviya Nagar", "दिल्ली": "Delhi", "मुंबई": "Mumbai", "अहमदाबाद": "Ahmedabad", "हैदराबाद": "Hyderabad",
		"वाराणसी": "Varanasi", "वडोदरा": "Vadodara", "लुधियाना": "Ludhiana", "लखनऊ": "Lucknow", "३०२०१७": "302017", "सूरत, भारत": "Surat",
		"तिरुवनंतपुरम": "Thiruvananthapuram", "तिरुवनन्तपुरम": "Thiruvananthapuram", "त्रिवेंद्रम": "Thiruvananthapuram", "कोच्चि": "Kochi",
		"कोझिकोड": "Kozhikode", "तिरुचिरापल्ली": "Tiruchirappalli", "तिरुपति": "Tirupati", "कन्याकुमारी": "Kanyakumari", "विजयवाड़ा": "Vijayawada",
		"विशाखापत्तनम": "Visakhapatnam", "मैसूर": "Mysuru", "कोयंबटूर": "Coimbatore",
		"തിരുവനന്തപുരം": "Thiruvananthapuram", "കൊച്ചി": "Kochi", "കോഴിക്കോട്": "Kozhikode", "തൃശ്ശൂർ": "Thrissur", "കൊല്ലം": "Kollam",
		"ആലപ്പുഴ": "Alappuzha", "ട്രിവാൻഡ്രം": "Thiruvananthapuram", "കണ്ണൂർ": "Kannur", "പാലക്കാട്": "Palakkad",
		"சென்னை": "Chennai", "மதுரை": "Madurai", "திருச்சிராப்பள்ளி": "Tiruchirappalli", "கோயம்புத்தூர்": "Coimbatore", "சேலம்": "Salem",
		"ಬೆಂಗಳೂರು": "Bengaluru", "ಮೈಸೂರು": "Mysuru", "ಮಂಗಳೂರು": "Mangaluru", "విజయవాడ": "Vijayawada", "హైదరాబాద్": "Hyderabad", "గుంటూరు": "Guntur",
		"কলকাতা": "Kolkata", "হাওড়া": "Howrah", "સુરત": "Surat", "અમદાવાદ": "Ahmedabad", "રાજકોટ": "Rajkot", "ਅੰਮ੍ਰਿਤਸਰ": "Amritsar", "ਲੁਧਿਆਣਾ": "Ludhiana",
		"ଭୁବନେଶ୍ୱର": "Bhubaneswar", "କଟକ": "Cuttack", "tiruvanantapuram": "Thiruvananthapuram",
		"ring road surat": "Surat", "रिंग रोड सूरत": "Surat", "near big temple gate jaipur": "Jaipur",
	} {
		found, err := g.Suggest(t.Context(), typed, "", 8)
		require.NoError(t, err)
		require.NotEmpty(t, found, typed)
		require.Contains(t, found[0].Description, want, typed)
	}
}
