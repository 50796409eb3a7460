package password

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const (
	minRunes = 8
	// Passwords of at least longRunes characters need no character classes.
	longRunes = 15
	// MaxBytes is the maximum length of a password in bytes: it bounds the input of argon2.
	MaxBytes = 128
	// minDistinctRunes is how many different characters a password without classes must have.
	minDistinctRunes = 5
	// minOwn is the minimum length of a personal detail that a password must not contain.
	minOwn = 3
	// minCut is the minimum length of a detail that is also looked for with symbols between its letters.
	minCut = 5
	// minWalk is how many adjacent keys make a keyboard walk.
	minWalk = 4
	// maxPiece is how many letters in a row a word has that is spelled out.
	maxPiece = 2
	// commonWords is how many of the commonest passwords are refused in any disguise; the others are refused only as
	// they are.
	commonWords = 3000

	textRules  = "Password must contain at least one upper-case letter, one lower-case letter, one digit and one special character such as ! @ # $ %, and no spaces; or 15 characters of any kind"
	textLong   = "Password is too long"
	textCommon = "This password is too common. Please choose another one."
	textOwn    = "Password must not contain your name, mobile number or e-mail"
)

// Check adds an error to the field, which its form labels so, unless the password is acceptable, for customers, stores and staff alike: 8 or more
// characters of all four classes without white space, or 15 or more of any kind. A common password, or one that contains
// a personal detail (own), is refused. The specification's upper limit of 20 does not apply, because longer passwords are better.
func Check(v *errs.Validation, field, label, password string, own ...string) {
	n := utf8.RuneCountInString(password)
	switch {
	case password == "":
		v.Add(field, label+" can not be empty.")
	case n < minRunes:
		v.Add(field, "Password needs at least 8 characters")
	case len(password) > MaxBytes:
		v.Add(field, textLong)
	case strings.ContainsFunc(password, unicode.IsControl), n < longRunes && !hasEveryClass(password):
		v.Add(field, textRules)
	case isCommon(password):
		v.Add(field, textCommon)
	case holdsOwn(password, own):
		v.Add(field, textOwn)
	}
}

func hasEveryClass(s string) bool {
	var upper, lower, digit, special bool
	for _, r := range s {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return false
		case unicode.IsUpper(r):
			upper = true
		case unicode.IsLower(r):
			lower = true
		case unicode.IsDigit(r):
			digit = true
		default:
			special = true
		}
	}
	return upper && lower && digit && special
}

// holdsOwn looks for each detail (of an e-mail address, the part before the @), and for the longer ones also with
// symbols in between.
func holdsOwn(password string, own []string) bool {
	password = strings.ToLower(password)
	plain := withoutSigns(password)
	for _, detail := range own {
		detail, _, _ = strings.Cut(strings.ToLower(strings.TrimSpace(detail)), "@")
		if utf8.RuneCountInString(detail) >= minOwn && strings.Contains(password, detail) {
			return true
		}
		if detail = withoutSigns(detail); utf8.RuneCountInString(detail) >= minCut && strings.Contains(plain, detail) {
			return true
		}
	}
	return false
}

// withoutSigns keeps only letters with their combining marks, and digits.
func withoutSigns(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.In(r, unicode.L, unicode.M, unicode.Nd) {
			return r
		}
		return -1
	}, s)
}

//go:embed common_passwords.txt
var commonList string

// common holds the list: every password as it is, and the words inside the commonest ones.
type common struct{ whole, words map[string]bool }

var loadCommon = sync.OnceValue(func() common { //nolint:gochecknoglobals // read once, when first needed
	c := common{whole: map[string]bool{}, words: map[string]bool{}}
	for line := range strings.Lines(commonList) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		c.whole[line] = true
		if word := core(line); len(word) >= minOwn && len(c.whole) <= commonWords {
			c.words[word] = true
		}
	}
	return c
})

// isCommon reports whether a password is a common one with other capitals, with digits and symbols around it, with
// digits in place of letters, repeated, or cut into pieces; or merely a run, a keyboard walk or a handful of characters.
func isCommon(password string) bool {
	known := loadCommon()
	lower := strings.ToLower(password)
	if known.whole[lower] || isRun(lower) || fewRunes(lower) || known.whole[unit(lower)] || isWalk(lower) ||
		known.words[onlyWord(strings.FieldsFunc(lower, isDress))] || known.words[onlyWord(strings.Fields(lower))] {
		return true
	}
	return known.hasWord(lower) || known.hasWord(strings.Join(strings.FieldsFunc(lower, isSeparator), "")) || known.hasWord(spelled(lower))
}

// hasWord reports whether the text is a common word, also repeated, disguised, or with digits and symbols around it.
func (c common) hasWord(lower string) bool {
	// The rest after the word may begin with digits and symbols used as letters: w3lc0m3@123.
	start, last := strings.IndexFunc(lower, unicode.IsLetter), len(strings.TrimRightFunc(lower, isDress))
	if start < 0 {
		return false
	}
	for end := last; end <= len(lower); end++ {
		word, whole := lower[start:end], lower[:end] // @dmin begins with a disguised letter
		if c.words[unit(word)] || c.words[plainLetters(word)] || c.words[plainLetters(whole)] {
			return true
		}
	}
	return false
}

// spelled joins the letters of a text that has at most two of them in a row, such as "F r a n c h i s e"; "" for another text.
func spelled(s string) string {
	pieces := strings.FieldsFunc(s, isDress)
	if slices.ContainsFunc(pieces, func(piece string) bool { return utf8.RuneCountInString(piece) > maxPiece }) {
		return ""
	}
	return strings.Join(pieces, "")
}

// isSeparator reports whether a sign separates pieces of a word instead of replacing a letter.
func isSeparator(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '@' && r != '$'
}

func isDress(r rune) bool { return !unicode.IsLetter(r) }

func core(password string) string { return strings.TrimFunc(password, isDress) }

// plainLetters replaces digits and symbols by the letters that they imitate.
func plainLetters(s string) string {
	return strings.NewReplacer("@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t").Replace(s)
}

// onlyWord returns the one word that all the words are, with its letters restored; "" if they differ.
func onlyWord(words []string) string {
	only := ""
	for _, word := range words {
		word = plainLetters(strings.TrimRightFunc(word, isDress))
		if only != "" && word != only {
			return ""
		}
		only = word
	}
	return only
}

// isWalk reports whether all the letters together are walks along the rows of a keyboard, forwards or backwards.
func isWalk(s string) bool {
	letters := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) {
			return r
		}
		return -1
	}, s)
	if letters == "" {
		return false
	}
	for letters != "" {
		n := max(walk(letters, "qwertyuiop asdfghjkl zxcvbnm"), walk(letters, "mnbvcxz lkjhgfdsa poiuytrewq"))
		if n < minWalk {
			return false
		}
		letters = letters[n:]
	}
	return true
}

// walk counts how many of the first letters are adjacent in the rows.
func walk(letters, rows string) int {
	n := 0
	for n < len(letters) && strings.Contains(rows, letters[:n+1]) {
		n++
	}
	return n
}

// unit returns the unit that the text repeats, or the text itself if it repeats nothing.
func unit(s string) string {
	for n := 1; n <= len(s)/2; n++ {
		if len(s)%n == 0 && strings.Repeat(s[:n], len(s)/n) == s {
			return s[:n]
		}
	}
	return s
}

// isRun reports whether letters or digits follow one another, up or down, or are all the same; 0 follows 9.
func isRun(s string) bool {
	if len(s) < minRunes {
		return false
	}
	for _, step := range []byte{0, 1, 255} {
		run := true
		for i := 1; i < len(s) && run; i++ {
			next := s[i-1] + step
			switch {
			case s[i-1] == '9' && step == 1:
				next = '0'
			case s[i-1] == '0' && step == 255:
				next = '9'
			}
			run = s[i] == next
		}
		if run {
			return true
		}
	}
	return false
}

func fewRunes(s string) bool {
	seen := map[rune]bool{}
	for _, r := range s {
		seen[r] = true
	}
	return len(seen) < minDistinctRunes
}

// CheckGiven adds an error to the field unless the password can be compared with a hash: a password that breaks the rules is simply wrong.
func CheckGiven(v *errs.Validation, field, password string) {
	if v.Check(password != "", field, "Password can not be empty.") {
		v.Check(len(password) <= MaxBytes, field, textLong)
	}
}
