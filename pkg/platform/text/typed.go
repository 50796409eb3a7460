package text

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The web client has the same functions in web/src/lib/typed.ts; testdata/typed.json tests both.

// Digits replaces the decimal digits of every script by ASCII digits: "४११००१" becomes "411001".
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if value, ok := digitValue(r); ok {
			return '0' + value
		}
		return r
	}, s)
}

// digitValue relies on Unicode's stability policy: decimal digits are coded in runs of ten, zero first.
func digitValue(r rune) (rune, bool) {
	if r <= unicode.MaxASCII || !unicode.Is(unicode.Nd, r) {
		return r - '0', r >= '0' && r <= '9'
	}
	for _, run := range unicode.Nd.R16 {
		if low := rune(run.Lo); r >= low && r <= rune(run.Hi) {
			return (r - low) % 10, true
		}
	}
	for _, run := range unicode.Nd.R32 {
		if low := rune(run.Lo); r >= low && r <= rune(run.Hi) { //nolint:gosec // code points fit into a rune
			return (r - low) % 10, true
		}
	}
	return 0, false
}

// Signs of Indian scripts that correspond to the Latin full stop, comma or semicolon. Every rule that accepts the Latin sign accepts them,
// and the fonts of the documents have them.
const (
	// FullStops are the abbreviation signs of Devanagari, Gujarati, Bengali and Gurmukhi, the dandas and double dandas, and Urdu's full stop.
	FullStops = "॰૰৽੶।॥᱾᱿꯫۔"
	// Commas and Semicolons are those of Urdu.
	Commas     = "،"
	Semicolons = "؛"
)

// pastedMarks have no width: soft hyphen, direction marks, embeddings and isolates, zero-width space, word joiner and byte order mark. Web
// pages, PDF files and address books add them to copied text. Overrides are not among them: they show text in another order.
const pastedMarks = "\u00ad\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u2060\u2066\u2067\u2068\u2069\ufeff"

// WithoutMarks drops the invisible marks that come with pasted text, and leaves the joiners of Indian scripts and emoji.
func WithoutMarks(s string) string {
	if !strings.ContainsAny(s, pastedMarks) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(pastedMarks, r) {
			return -1
		}
		return r
	}, s)
}

// Line returns one line of typed text in the form that is stored: composed (NFC), without the marks of pasted text, with single spaces, and
// with the quotes, dashes and full-width characters of phone keyboards as plain ASCII. Double typographic quotes become apostrophes,
// because an address may hold those and no straight double quotes; so do the accents that people type for apostrophes.
func Line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case strings.ContainsRune("`´ˊˋ｀‘’‚‛“”„‟′″ʼʹˈ", r):
			return '\''
		case r <= unicode.MaxASCII:
			return r
		case unicode.Is(unicode.Pd, r) || r == '−':
			return '-'
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		}
		return r
	}, norm.NFC.String(WithoutMarks(s)))
	return strings.Join(strings.Fields(s), " ")
}

// mobileForm is an Indian mobile after the prefixes that people and address books put before it: 0, 91, +91, 0091 and +91 0.
var mobileForm = regexp.MustCompile(`^(?:0{0,2}91){0,2}0?([0-9]{10})$`)

// mobileLink is a link that opens a chat with a number.
var mobileLink = regexp.MustCompile(`(?i)^(?:https?://)?(?:www\.)?(?:wa\.me/|(?:api\.whatsapp\.com/|whatsapp://)send/?\?phone=)\+?([0-9]+)(?:[/?&#].*)?$`)

// besideNumber is the punctuation around a pasted number, wordsBesideNumber also the labels and names.
const (
	besideNumber      = ` .,:;()/'&=\-` + FullStops + Commas + Semicolons
	wordsBesideNumber = `\p{L}\p{M}` + besideNumber
)

// amongWords is the only number of a pasted text, such as "Mob. 98765 43210", "मो. ९८७६५ ४३२१०" or "+91 98765 43210 (Asha)". No letter
// touches it.
var amongWords = regexp.MustCompile(
	`^(?:[` + wordsBesideNumber + `]*[` + besideNumber + `])?(\+?[0-9][0-9 ().+/-]*)(?:[` + besideNumber + `][` + wordsBesideNumber + `]*)?$`)

// Mobile reduces a mobile number as people type and paste it to its ten digits: "+91 (0) 98765-43210" becomes "9876543210".
// Any other text comes back without its separators, for the caller to refuse.
func Mobile(s string) string {
	s = Line(Visible(Digits(s)))
	for _, form := range []*regexp.Regexp{mobileLink, amongWords} {
		if m := form.FindStringSubmatch(s); m != nil {
			s = m[1]
			break
		}
	}
	s = strings.NewReplacer(" ", "", "-", "", "(", "", ")", "", ".", "", "+", "", "/", "").Replace(s)
	if m := mobileForm.FindStringSubmatch(s); m != nil {
		return m[1]
	}
	return s
}

// Visible drops direction marks and other format characters, which WhatsApp and address books copy with a number.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, s)
}

var (
	// boundCode is the last line of an SMS with an origin-bound code (WICG, "Origin-bound one-time codes delivered via SMS"),
	// which a browser joins to the line before when the SMS is pasted into a field.
	boundCode = regexp.MustCompile(`@[^\s@]+ #([0-9]{6})(?:[^0-9]|$)`)
	separated = regexp.MustCompile(`^[0-9 \-]*$`)
	digitRun  = regexp.MustCompile(`[0-9]+`)
	codePair  = regexp.MustCompile(`[0-9]{3}[ -][0-9]{3}`)
)

// Code returns the six digits of a code as people type and paste it: with spaces or a hyphen, or within the whole SMS. An
// SMS names the code behind the # of its last line; otherwise it is the only group of six digits. Any other text comes back
// without spaces, for the caller to refuse.
func Code(s string) string {
	s = Visible(Digits(s))
	if m := boundCode.FindAllStringSubmatch(s, -1); m != nil {
		return m[len(m)-1][1]
	}
	s = Line(s)
	plain := strings.NewReplacer(" ", "", "-", "").Replace(s)
	if separated.MatchString(s) {
		return plain
	}
	if found := slices.Compact(groupsOfSix(s)); len(found) == 1 {
		return found[0]
	}
	return plain
}

// groupsOfSix returns the numbers of exactly six digits in the text, or else the numbers written as 123 456.
func groupsOfSix(s string) []string {
	var found []string
	for _, run := range digitRun.FindAllString(s, -1) {
		if len(run) == 6 {
			found = append(found, run)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, at := range codePair.FindAllStringIndex(s, -1) {
		before, after := strings.TrimRight(s[:at[0]], " -"), strings.TrimLeft(s[at[1]:], " -")
		if !endsInDigit(before) && !endsInDigit(after[:min(len(after), 1)]) {
			found = append(found, s[at[0]:at[0]+3]+s[at[0]+4:at[1]])
		}
	}
	return found
}

func endsInDigit(s string) bool { return s != "" && s[len(s)-1] >= '0' && s[len(s)-1] <= '9' }

// pinAmongWords is the only number of a pasted text, such as "PIN: 411 001", "पिन ४११००१" or "Pune - 411001".
var pinAmongWords = regexp.MustCompile(`^[` + wordsBesideNumber + `]*([0-9]{3}[ -]*[0-9]{3})[` + wordsBesideNumber + `]*$`)

// Pincode returns a PIN code in ASCII digits without its separators and label: "५६० ००१", "560-001" and "PIN: 560001" become "560001".
func Pincode(s string) string {
	s = Line(Visible(Digits(s)))
	if m := pinAmongWords.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	return strings.NewReplacer(" ", "", "-", "").Replace(s)
}
