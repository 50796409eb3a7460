package address

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// wrong returns the validation errors of the input, by field.
func wrong(in SaveInput) map[string][]string {
	var v errs.Validation
	in.normalise().check(&v)
	if err := v.Err(); err != nil {
		return errs.As(err).Fields
	}
	return nil
}

func typed() SaveInput {
	return SaveInput{
		Address: "12/4", Street: "MG Road", Landmark: "Opp. City Mall", CountryID: "IN", StateID: "27", CityID: "Pune",
		Zipcode: "411001", Location: "Camp, Pune",
	}
}

func TestSaveInput_TypedText_IsTrimmedAndComposed(t *testing.T) {
	t.Parallel()
	in := SaveInput{
		Address: "  12\t/ 4 \n\n rear ", Street: "Cafe\u0301  Road", Landmark: "\u0915\u093C", CountryID: " in ", StateID: " 27", CityID: " Pune  City ",
		Zipcode: " 411 001 ", Location: "\r\n", LegalName: " Asha   & Sons ", GSTIN: " 27aapfu0939f1zv\n",
	}.normalise()
	require.Equal(t, SaveInput{
		Address: "12 / 4 rear", Street: "Caf\u00E9 Road", Landmark: "\u0915\u093C", CountryID: "in", StateID: "27", CityID: "Pune City",
		Zipcode: "411001", LegalName: "Asha & Sons", GSTIN: "27AAPFU0939F1ZV",
	}, in)
	require.Equal(t, in, in.normalise(), "once is enough")
}

// No field of the address accepts hostile text.
func TestSaveInput_HostileText_IsRefusedInEveryField(t *testing.T) {
	t.Parallel()
	fields := map[string]func(in *SaveInput) *string{
		"address":    func(in *SaveInput) *string { return &in.Address },
		"street":     func(in *SaveInput) *string { return &in.Street },
		"landmark":   func(in *SaveInput) *string { return &in.Landmark },
		"location":   func(in *SaveInput) *string { return &in.Location },
		"legal_name": func(in *SaveInput) *string { return &in.LegalName },
		"country_id": func(in *SaveInput) *string { return &in.CountryID },
		"state_id":   func(in *SaveInput) *string { return &in.StateID },
		"city_id":    func(in *SaveInput) *string { return &in.CityID },
		"zipcode":    func(in *SaveInput) *string { return &in.Zipcode },
	}
	for field, of := range fields {
		for name, text := range map[string]string{
			"NUL": "ab\x00cd", "right to left": "ab\u202Ecd", "blank": "ab\u3164cd", "tag character": "ab\U000E0041cd",
			"emoji": "ab🍬cd", "escape": "ab\x1b[31m", "replacement": "ab\uFFFDcd", "broken UTF-8": "ab\xffcd", "tag": "<b>ab</b>",
			"template": "{{ab}}", "formula": "=ab", "backslash": `ab\cd`, "quote": `ab"cd`, "a joiner alone": "\u200Dabcd", "Chinese": "中村中村中村",
			"private use": "ab\uE000cd",
			"percent":     "100%", "semicolon and dashes in SQL": "x'); DROP TABLE a;--*",
		} {
			in := typed()
			*of(&in) = text
			got := wrong(in)
			require.Contains(t, got, field, "%s: %s", field, name)
			require.Len(t, got, 1, "%s: %s", field, name)
		}
	}
}

func TestSaveInput_Lengths_AreCountedInCharacters(t *testing.T) {
	t.Parallel()
	for _, letter := range []string{"a", "क", "é"} {
		for field, most := range map[string]int{"address": 50, "street": 50, "landmark": 50, "location": 200, "legal_name": 100} {
			oneWillDo := field == "address"
			for n, fine := range map[int]bool{1: oneWillDo, 2: true, most: true, most + 1: false, 10_000: false} {
				in := typed()
				text := strings.Repeat(letter, n)
				switch field {
				case "address":
					in.Address = text
				case "street":
					in.Street = text
				case "landmark":
					in.Landmark = text
				case "location":
					in.Location = text
				case "legal_name":
					in.LegalName = text
				}
				require.Equal(t, fine, wrong(in) == nil, "%s of %d %q", field, n, letter)
			}
		}
	}
}

func TestLegalName_CompanySigns_AreAllowedThereAlone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"Asha & Sons (Bengaluru) Pvt. Ltd.", "A+B Foods", "24x7 @ Home", "M/s. Rao, Iyer; Partners", "No. 1 #Sweets", "श्री गणेश"} {
		in := typed()
		in.LegalName = name
		require.Nil(t, wrong(in), name)
		in.LegalName, in.Street = "", name
		require.Equal(t, !strings.ContainsAny(name, "&()@+#"), wrong(in) == nil, name)
	}
	for _, mail := range []string{"asha@example.in", "a.b+c@shop.example.in"} {
		in := typed()
		in.LegalName = mail
		require.Equal(t, []string{msgEmailName}, wrong(in)["legal_name"])
	}
}

func TestCity_Typed_IsChecked(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Chhota Gaon": "", "चंद्रपुर": "", "Sant'Agata": "", "St. Thomas-Mount": "", strings.Repeat("x", 25): "", "ab": "",
		"": msgShort, "a": msgShort, strings.Repeat("x", 26): msgCity, strings.Repeat("क", 10_000): msgCity, "29-bengaluru": msgChoose, "99-x": msgChoose,
		"Pune_City": msgChars, "Pune (East)": msgChars, "Pu\u200Bne": msgChars, "🍬🍬": msgChars,
	} {
		var v errs.Validation
		checkTypedCity(&v, name)
		if want == "" {
			require.NoError(t, v.Err(), name)
			continue
		}
		require.Equal(t, map[string][]string{"city_id": {want}}, errs.As(v.Err()).Fields, "%.30q", name)
	}
}

// The check characters are computed here by the published rule, apart from the code's.
func TestGSTIN_OfAnotherState_IsRefused(t *testing.T) {
	t.Parallel()
	for _, s := range invoice.States() {
		number := withCheck(string(s.Code) + "AAPFU0939F1Z")
		var v errs.Validation
		require.Equal(t, number, checkGSTIN(&v, number, string(s.Code)))
		require.NoError(t, v.Err(), number)
		for _, other := range invoice.States() {
			if other.Code == s.Code {
				continue
			}
			var v errs.Validation
			checkGSTIN(&v, number, string(other.Code))
			require.Equal(t, []string{"The GSTIN belongs to another State than this address"}, errs.As(v.Err()).Fields["gstin"])
		}
	}
	var v errs.Validation
	require.Empty(t, checkGSTIN(&v, "", "27"))
	require.NoError(t, v.Err(), "nobody has to be registered")
}

// withCheck adds the check character: values 0 to 35, factors 1 and 2 in turn, the digits of each product in base 36 added up.
func withCheck(first string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := 0
	for i := range len(first) {
		product := strings.IndexByte(digits, first[i]) * (1 + i%2)
		sum += product/36 + product%36
	}
	return first + string(digits[(36-sum%36)%36])
}

func TestTidy_ProviderText_BecomesAnAllowedLocation(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                "",
		" , ;: ":          "",
		"Camp, Pune":      "Camp, Pune",
		"A&B":             "A and B",
		"Café Müller":     "Café Müller",
		"Cafe\u0301":      "Café",
		"Shop #4 (Rear)":  "Shop 4 Rear",
		"a,,, b , ,c":     "a, b,c",
		"line\none\ttwo":  "line one two",
		"zero\u200Bwidth": "zerowidth",
		"evil\u202Egnp":   "evil gnp",
		"\x00\x01":        "",
		"🍬🍬 Sweets":       "Sweets",
		"सदाशिव पेठ, पुणे":           "सदाशिव पेठ, पुणे",
		strings.Repeat("ab ", 100):   strings.TrimSpace(strings.Repeat("ab ", 67)[:200]),
		strings.Repeat("é", 10_000):  strings.Repeat("é", 200),
		"broken \xff\xfe UTF-8 text": "broken UTF-8 text",
	} {
		require.Equal(t, want, Tidy(text), "%.40q", text)
	}
}

// Tidy turns any provider's text into an allowed location, or into nothing.
func TestTidy_AnyText_IsALocationOrEmpty(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		tidied := Tidy(rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("ab ,;:&\u0301\u093C\u200B🍬\n")))).Draw(t, "text"))
		require.Equal(t, tidied, Tidy(tidied), "once is enough")
		if utf8.RuneCountInString(tidied) < minText {
			return
		}
		in := typed()
		in.Location = tidied
		require.Nil(t, wrong(in), "%q", tidied)
	})
}

func TestNameKey_SpellingsOfOneName_AreEqual(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"Jammu & Kashmir", "jammu and kashmir", "JAMMU AND KASHMIR", " Jammu  and\tKashmir."},
		{"Karnātaka", "Karnataka", "KARNATAKA"},
		{"Pondichéry", "Pondiche\u0301ry", "pondichery"},
		{"Navi-Mumbai", "Navi Mumbai", "NaviMumbai"},
		{"पुणे", " पुणे "},
	} {
		for _, name := range same {
			require.Equal(t, Key(same[0]), Key(name), name)
		}
	}
	require.NotEqual(t, Key("पुणे"), Key("पण"), "the vowel signs of Indian scripts tell names apart")
	for _, nothing := range []string{"", " ", "-.,", "🍬", "\u200B", "\x00"} {
		require.Empty(t, Key(nothing), "%q", nothing)
	}
}

func TestPIN_OfNoKnownOffice_FitsEveryState(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		pin, state string
		want       bool
	}{
		{"411001", "27", true},
		{"411001", "29", false},
		{"560034", "29", true},
		{"110001", "07", true},
		{"110001", "06", false},
		{"403001", "30", true},
		{"403001", "27", false},
		{"160017", "04", true},
		{"682555", "31", true},
		{"744101", "35", true},
		{"194101", "38", true},
		{"190001", "01", true},
		{"605001", "34", true},
		{"737101", "11", true},
		{"999999", "27", true},
		{"999999", "38", true},
		{"900056", "07", true}, // the army's
	} {
		require.Equal(t, tc.want, PINFits(tc.pin, tc.state), "%s in %s", tc.pin, tc.state)
	}
	runs, err := pinRuns()
	require.NoError(t, err)
	for i, r := range runs {
		require.LessOrEqual(t, r.From, r.To)
		require.NotEmpty(t, r.States)
		require.True(t, i == 0 || runs[i-1].To < r.From, "each PIN is in one run: %s", r.From)
		for _, s := range r.States {
			require.True(t, invoice.StateCode(s).Valid(), s)
		}
	}
}

func TestSearch_TextAndSession_AreChecked(t *testing.T) {
	t.Parallel()
	text, err := checkSearch("  camp pune ")
	require.NoError(t, err)
	require.Equal(t, "camp pune", text)
	for _, longest := range []string{strings.Repeat("x", 200), strings.Repeat("क", 200)} {
		_, err = checkSearch(longest)
		require.NoError(t, err)
		_, err = checkSearch(longest + "y")
		require.Error(t, err)
	}
	for session, fine := range map[string]bool{
		"": true, "5f1f7f0e-6a0b-4f0e-9f0e-1a2b3c4d5e6f": true, "5f1f7f0e-6a0b-4f0e-bf0e-1a2b3c4d5e6f": true,
		"5F1F7F0E-6A0B-4F0E-9F0E-1A2B3C4D5E6F": false, "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50": false, "5f1f7f0e-6a0b-4f0e-cf0e-1a2b3c4d5e6f": false,
		"5f1f7f0e6a0b4f0e9f0e1a2b3c4d5e6f": false, "x": false, " ": false, "5f1f7f0e-6a0b-4f0e-9f0e-1a2b3c4d5e6f\n": false,
	} {
		require.Equal(t, fine, checkSession(session) == nil, session)
	}
}

func TestLines_WholeAddress_AreThree(t *testing.T) {
	t.Parallel()
	got := Address{
		Address: "12/4", Street: "MG Road", Landmark: "Opp. City Mall", City: "Leh", State: "Ladakh", StateID: "38", Zipcode: "194101",
		LegalName: "Asha LLP", GSTIN: "38AAPFU0939F1ZS",
	}.Billing()
	require.Equal(t, BillingAddress{
		LegalName: "Asha LLP", GSTIN: "38AAPFU0939F1ZS", Lines: []string{"12/4, MG Road", "Opp. City Mall", "Leh, Ladakh 194101"}, PlaceOfSupply: "38",
	}, got)
}

// Missing parts leave no empty line; the location replaces a missing street.
func TestLines_MissingParts_LeaveNoEmptyLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		street, landmark, location string
		want                       []string
	}{
		{"", "", "Camp, Pune, Maharashtra 411001, India", []string{"7, Camp", "Pune, Maharashtra 411001"}},
		{"", "City Mall", "Pune, Maharashtra 411001, India", []string{"7", "City Mall", "Pune, Maharashtra 411001"}},
		{"", "", "Pune", []string{"7", "Pune, Maharashtra 411001"}},
		{"", "", "411001, Pune", []string{"7", "Pune, Maharashtra 411001"}},
		{"MG Road", "", "Camp, Pune", []string{"7, MG Road", "Pune, Maharashtra 411001"}},
	} {
		a := Address{
			Address: "7", Street: c.street, Landmark: c.landmark, Location: c.location,
			City: "Pune", State: "Maharashtra", StateID: "27", Zipcode: "411001",
		}
		require.Equal(t, c.want, a.Billing().Lines, c)
	}
}
