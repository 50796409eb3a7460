package outlet

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestOutletNameAndCity_ValidAndInvalid(t *testing.T) {
	t.Parallel()
	for _, fine := range [][2]string{
		{"MG Road", "Pune"},
		{"Asha & Sons", "Navi Mumbai"},
		{"D'Souza - Panjim", "St. Thomas-Mount"},
		{"श्री गणेश २", "पुणे"},
		{"24/7", "Leh"},
		{"FC Road, Pune", "Pune"},
		{"Andheri (West)", "Mumbai"},
		{"Station Rd. (E), Gate 2", "Thane"},
		{"A. B", "O'Valley"},
		{"डॉ॰ आशा, शाखा क्र॰ २", "पु॰ नगर"},
		{"گلی، آشا", "لاہور۔"},
		{strings.Repeat("क", 50), strings.Repeat("क", 25)},
	} {
		require.NoError(t, Input{Name: fine[0], City: fine[1]}.check(), "%v", fine)
	}
	for field, texts := range map[string][]string{
		"name": {"", "A", strings.Repeat("a", 51), "-Asha", "Asha-", ",Asha", "Asha,", "(West)", "Asha ((W))", "A. B.", "A  -  B  C", "A\x00B", "A\u202EB", "A🍬", "<b>", "=1+1", "+91 x", "@x", "A\nB", strings.Repeat("a ", 5_000)},
		"city": {"", "P", strings.Repeat("a", 26), "Pune 1", "Pu\x00ne", "Pu\u200Bne", "🍬🍬", "=Pune", "Pune,Camp"},
	} {
		for _, text := range texts {
			name, city := "Asha", "Pune"
			if field == "name" {
				name = text
			} else {
				city = text
			}
			err := Input{Name: name, City: city}.check()
			require.Error(t, err, "%s %.40q", field, text)
			require.Len(t, errs.As(err).Fields, 1)
			require.Len(t, errs.As(err).Fields[field], 1, "%s %.40q", field, text)
		}
	}
}
