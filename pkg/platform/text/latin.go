package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// The tables spell Hindi as Indian place names are spelt in English: short and long vowels alike, and without diacritics.
//
//nolint:gochecknoglobals // tables, never changed
var (
	consonantOf = map[rune]string{
		'क': "k", 'ख': "kh", 'ग': "g", 'घ': "gh", 'ङ': "n", 'च': "ch", 'छ': "chh", 'ज': "j", 'झ': "jh", 'ञ': "n",
		'ट': "t", 'ठ': "th", 'ड': "d", 'ढ': "dh", 'ण': "n", 'त': "t", 'थ': "th", 'द': "d", 'ध': "dh", 'न': "n",
		'प': "p", 'फ': "f", 'ब': "b", 'भ': "bh", 'म': "m", 'य': "y", 'र': "r", 'ल': "l", 'ळ': "l", 'व': "v",
		'श': "sh", 'ष': "sh", 'स': "s", 'ह': "h",
	}
	dotted = map[string]string{"d": "r", "dh": "rh", "j": "z", "l": "zh"} // a consonant with a dot below
	vowels = map[rune]string{
		'अ': "a", 'आ': "a", 'इ': "i", 'ई': "i", 'उ': "u", 'ऊ': "u", 'ऋ': "ri", 'ए': "e", 'ऐ': "ai", 'ओ': "o", 'औ': "au", 'ऑ': "o", 'ऍ': "e", 'ऎ': "e", 'ऒ': "o",
		'ा': "a", 'ि': "i", 'ी': "i", 'ु': "u", 'ू': "u", 'ृ': "ri", 'े': "e", 'ै': "ai", 'ो': "o", 'ौ': "au", 'ॉ': "o", 'ॅ': "e", 'ॆ': "e", 'ॊ': "o",
	}
	// spelt has words whose English spelling does not follow from their sound.
	spelt = map[string]string{
		"दिल्ली": "delhi", "हैदराबाद": "hyderabad", "लखनऊ": "lucknow", "इंदौर": "indore", "इन्दौर": "indore", "मेरठ": "meerut", "गाजियाबाद": "ghaziabad",
		"कोचीन": "cochin", "अहमदाबाद": "ahmedabad", "पुदुच्चेरी": "puducherry", "रोड": "road", "कॉलोनी": "colony", "कालोनी": "colony", "सेक्टर": "sector", "मार्केट": "market",
		"चौक": "chowk", "चौराहा": "chauraha", "स्टेशन": "station", "सिटी": "city", "कैंप": "camp", "कैंट": "cantt", "ईस्ट": "east", "वेस्ट": "west",
		"नॉर्थ": "north", "साउथ": "south", "न्यू": "new", "नई": "new", "भारत": "india",
		"कोयंबटूर": "coimbatore", "कोयम्बटूर": "coimbatore", "कोयम्पुत्तूर": "coimbatore", "मैसूर": "mysuru", "मैसूरु": "mysuru", "विजयवाड़ा": "vijayawada",
		"अमदावाद": "ahmedabad", "हाओड़ा": "howrah", "कलकाता": "kolkata", "कटक": "cuttack", "चेलम": "salem",
	}
	// own has the letters of other Indian scripts that Devanagari has at no or another place of its block.
	own     = strings.NewReplacer("ൺ", "ണ്", "ൻ", "ന്", "ർ", "ര്", "ൽ", "ല്", "ൾ", "ള്", "ൿ", "ക്", "ৎ", "ত্", "ৰ", "র", "ৱ", "ব", "ੰ", "ਂ", "ੱ", "", "ୱ", "ଵ")
	village = strings.NewReplacer("गाँव", "गाओं", "गांव", "गाओं")
)

const (
	virama, nukta = '्', '़'
	anusvara      = "ंँ"
	spoken        = "a" // the vowel of a consonant without a sign

	firstIndic, firstOriya, lastBrahmic = '\u0900', '\u0b00', '\u0d7f'
)

// Indic reports whether a text has letters of a script of India, Devanagari to Malayalam.
func Indic(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r >= firstIndic && r <= lastBrahmic })
}

// devanagari returns a word in a script of India, Bengali to Malayalam, in Devanagari: Unicode gives the same letter the same place in each
// script's block. Northern reports whether the script's languages leave out vowels that are not written. It returns false for other scripts.
func devanagari(word string) (out string, northern, ok bool) {
	northern = !strings.ContainsFunc(word, func(r rune) bool { return r >= firstOriya })
	out = strings.Map(func(r rune) rune {
		if r < firstIndic || r > lastBrahmic {
			return r
		}
		ok = true
		return firstIndic + r%0x80
	}, own.Replace(norm.NFC.String(word)))
	return norm.NFD.String(out), northern, ok
}

// Latin returns a word in a script of India in Latin letters, spelt as in Indian place names, and any other word as it is. The word is lower
// case.
func Latin(word string) string {
	word, northern, ok := devanagari(word)
	if !ok {
		return word
	}
	if known, ok := spelt[strings.TrimRight(word, string(virama)+"ं")]; ok {
		return known
	}
	said := sounds(village.Replace(word))
	if northern {
		said = withoutSchwas(said)
	} else if last := len(said) - 1; strings.HasSuffix(word, "ं") {
		said[last].text = "m" // പുരം
	}
	var out strings.Builder
	for _, p := range said {
		out.WriteString(p.text)
	}
	// "jaypur" is spelt Jaipur, and a doubled ch is one.
	spelling := strings.ReplaceAll(out.String(), "chch", "ch")
	for i := 1; i+1 < len(spelling); i++ {
		if spelling[i-1:i+1] == "ay" && !strings.ContainsRune("aeiou", rune(spelling[i+1])) {
			spelling = spelling[:i] + "i" + spelling[i+1:]
		}
	}
	return spelling
}

type sound struct {
	text         string
	vowel, schwa bool
}

func sounds(word string) []sound {
	var out []sound
	open := false // the last consonant has no vowel yet
	settle := func() {
		if open {
			out = append(out, sound{spoken, true, true})
		}
		open = false
	}
	for _, r := range word {
		last := len(out) - 1
		switch {
		case consonantOf[r] != "":
			settle()
			out, open = append(out, sound{text: consonantOf[r]}), true
		case r == nukta && open:
			if other, ok := dotted[out[last].text]; ok {
				out[last].text = other
			}
		case r == virama:
			open = false
		case vowels[r] != "":
			if unicode.IsLetter(r) {
				settle()
			}
			out, open = append(out, sound{text: vowels[r], vowel: true}), false
		case strings.ContainsRune(anusvara, r):
			settle()
			out = append(out, sound{text: "n"})
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			settle()
			out = append(out, sound{text: string(r)})
		}
	}
	settle()
	for i := range len(out) - 1 {
		if out[i].text == "n" && strings.ContainsRune("pfbm", rune(out[i+1].text[0])) {
			out[i].text = "m" // मुंबई
		}
	}
	return out
}

// withoutSchwas drops the vowels that Hindi does not speak: the last one, except after iy (मालवीय), and from the right each one
// between a vowel with one consonant and a consonant with a vowel.
func withoutSchwas(in []sound) []sound {
	n := len(in)
	if n > 2 && in[n-1].schwa && (in[n-2].text != "y" || in[n-3].text != "i") {
		in = in[:n-1]
	}
	for i := len(in) - 3; i >= 2; i-- {
		if in[i].schwa && in[i-2].vowel && !in[i-1].vowel && !in[i+1].vowel && in[i+2].vowel {
			in = append(in[:i:i], in[i+1:]...)
		}
	}
	return in
}
