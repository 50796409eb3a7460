// Package utr finds and checks the numbers of bank transfers (UTR).
package utr

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// ProblemLength and the others say what is wrong with a number.
const (
	problemNoNumber  = "The bank names no number (UTR) of this credit. Enter it by hand if it is a customer's."
	problemCut       = "A spreadsheet has changed this number (UTR). Download the statement again and do not open it before."
	problemNumbers   = "The line names several numbers (UTR). Enter the credit by hand with the right one."
	problemMobile    = "This number looks like a mobile number, not like the number of a transfer (UTR). Enter the credit by hand."
	problemZeros     = "This number (UTR) has lost its leading zeros. Numbers of UPI and IMPS have 12 digits."
	problemBanksOwn  = "The bank names only a number of its own, not that of the transfer (UTR). Enter the credit by hand with its UTR."
	problemPlace     = "The narration has a number like a UTR, but not where banks write the transfer's. If it is the transfer's, enter the credit by hand with it."
	problemReference = "The reference is not one whole number of a transfer (UTR). Enter the credit by hand with its UTR."
	problemDiffer    = "The column of references and the narration name different numbers (UTR). Enter the credit by hand with the right one."
	problemSeveral   = "This names several numbers. Write only the number of the transfer (UTR)."
	problemLetters   = "A UTR has only the letters A to Z and digits. This one has another character, which may look the same. Type the UTR again."
	ProblemLength    = "A UTR has 16 characters for NEFT, 22 for RTGS, and 12 digits for IMPS and UPI. A transfer within one bank has a number of 6 to 35 letters and digits."
)

var (
	asPower   = regexp.MustCompile(`^[0-9]+(?:[.,][0-9]+)?E\+?[0-9]{1,3}$`)
	asDecimal = regexp.MustCompile(`^[0-9]+\.[0-9]*$|^[0-9]+,[0-9]{1,2}$|^[0-9]{1,3}(?:,[0-9]{2,3})+(?:\.[0-9]*)?$`)
	asFormula = regexp.MustCompile(`^[=+-].*[0-9]`)
	// Spreadsheets keep 15 digits, and a number displayed as 6.32E+11 is exported with zeros at its end.
	rounded    = regexp.MustCompile(`^[1-9][0-9]*0{5}$|^[1-9][0-9]{12,}0{3}$`)
	allOfZeros = regexp.MustCompile(`^0*$`)
	mobile     = regexp.MustCompile(`^91[6-9][0-9]{9}$`)
	// A UPI address: the text before @ up to a separator, with the final digit of some addresses.
	upiAddress = regexp.MustCompile(`(?:[0-9]{10,12}-[0-9]{1,2}|[A-Z0-9._]+)@[A-Z0-9.]*`)
	// The day on which a transfer of 12 digits was made: the last digit of the year and the day of the year.
	// NPCI forms the RRN of IMPS and UPI as YDDDHHNNNNNN.
	dayInRRN = regexp.MustCompile(`^([0-9])([0-9]{3})[0-9]{8}$`)
)

// changedBySpreadsheet reports whether a spreadsheet has reformatted a cell's number.
func changedBySpreadsheet(cell string) bool {
	cell = strings.ToUpper(strings.TrimSpace(cell))
	return asPower.MatchString(cell) || asFormula.MatchString(cell) || asDecimal.MatchString(cell) || rounded.MatchString(cell) && !allOfZeros.MatchString(cell)
}

// HasForm reports whether a number has the form of a NEFT or RTGS UTR: four letters of a bank, 16 or 22 characters in all, at least six
// digits.
func HasForm(number string) bool {
	digits := 0
	for i, r := range number {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case r < 'A' || r > 'Z':
			return false
		}
		if i < 4 && digits > 0 {
			return false
		}
	}
	return (len(number) == 16 || len(number) == 22) && digits >= 6
}

// IsRRN reports whether a number has the twelve digits of IMPS and UPI. A cheque number padded with zeros does not count.
func IsRRN(number string) bool {
	return len(number) == 12 && strings.Trim(number, "0123456789") == "" && !strings.HasPrefix(number, "0000")
}

// MadeAround reports whether an IMPS or UPI number is dated within three days of the day.
func MadeAround(number string, day time.Time) bool {
	m := dayInRRN.FindStringSubmatch(number)
	if m == nil || day.IsZero() {
		return false
	}
	for off := -3; off <= 3; off++ {
		if at := day.In(clock.IST).AddDate(0, 0, off); at.Year()%10 == int(m[1][0]-'0') && fmt.Sprintf("%03d", at.YearDay()) == m[2] {
			return true
		}
	}
	return false
}

// isMobile reports whether twelve digits are an Indian mobile number with country code. RRNs look the same in the middle of 2029; those
// contain the line's day.
func isMobile(number string, day time.Time) bool {
	return mobile.MatchString(number) && !MadeAround(number, day)
}

// lostZeros reports whether an IMPS or UPI number lost leading zeros: with them restored, it contains the line's day.
func lostZeros(number string, day time.Time) bool {
	return len(number) >= 9 && len(number) < 12 && strings.Trim(number, "0123456789") == "" &&
		MadeAround(strings.Repeat("0", 12-len(number))+number, day)
}

// Problem returns the problem of a UTR that staff typed or a bank wrote; day is the credit's.
func Problem(said string, day time.Time) string {
	utr := Clean(said)
	switch {
	case allOfZeros.MatchString(utr) && WrittenProblem(said) != problemLetters:
		return problemNoNumber
	case changedBySpreadsheet(said), changedBySpreadsheet(utr):
		return problemCut
	case WrittenProblem(said) != "":
		return WrittenProblem(said)
	case strings.Contains(said, "@"):
		return problemMobile
	case isMobile(utr, day):
		return problemMobile
	case lostZeros(utr, day):
		return problemZeros
	}
	return ""
}

// NumberOf returns the UTR of a line, or a problem. Some banks write it in the reference column, others only in the narration. The latter
// put their internal number or the payer's account into the column.
func NumberOf(references []string, narration string, day time.Time) (utr, problem string) {
	references, narration = mapped(references, latin), latin(narration)
	column, problem := numberInColumn(references)
	if problem != "" {
		return "", problem
	}
	story := storyOf(narration, day)
	switch {
	case column != "" && len(story.named) > 0 && !slices.Contains(story.named, column):
		return "", problemDiffer
	case column != "":
		return column, Problem(column, day)
	case len(story.named) > 1, story.unplaced > 1:
		return "", problemNumbers
	case len(story.named) == 1:
		return story.named[0], Problem(story.named[0], day)
	case story.mobile:
		return "", problemMobile
	case story.unplaced > 0, NamesUTR(narration):
		return "", problemPlace
	}
	for _, cell := range references {
		own := Clean(cell)
		switch {
		case !strings.ContainsAny(own, "0123456789"), allOfZeros.MatchString(own), strings.Contains(cell, "@"), fromAccount.MatchString(strings.ToUpper(cell)):
			continue
		case lostZeros(own, day):
			return "", problemZeros
		}
		return "", problemBanksOwn
	}
	return "", problemNoNumber
}

// NamesUTR reports whether a word of a narration has the form of a NEFT or RTGS UTR.
func NamesUTR(narration string) bool {
	return slices.ContainsFunc(WordsOf(strings.ToUpper(narration)), func(word string) bool { return HasForm(Clean(word)) })
}

var (
	// wholeNumber is a cell with one number after its labels; an RRN may be in groups of four digits.
	wholeNumber = regexp.MustCompile(`^(?:(?:UTR|RRN|REF|NEFT|RTGS|IMPS|UPI|MMT|NUMBER|NO|CR|INWARD|INW|IN|P2A|P2P|P2M)[ .:/_*#-]+)*([A-Z0-9]+|[0-9]{4} [0-9]{4} [0-9]{4})$`)
	// fromAccount is the State Bank of India's text for the payer's account.
	fromAccount = regexp.MustCompile(`\bTRANSFER (?:FROM|TO)\b`)
	// wayWord is a type of transfer, with the suffixes of some banks.
	wayWord = regexp.MustCompile(`^(IMPS|UPI|MMT|RRN|NEFT|RTGS|UTR)(?:NUMBER|NO|CR|DR|INWARD|INW|IN|AR)?$`)
	// gluedWay is a type of transfer in front of its number, without a separator.
	gluedWay = regexp.MustCompile(`^(?:UTR|RRN|REF|NEFT|RTGS|IMPS|UPI)`)
	// betweenWords may be between the type of a transfer and its number.
	betweenWords = regexp.MustCompile(`^(?:CR|DR|IN|INW|INWARD|NO|NUMBER|REF|P2[AMP]|[A-Z]{4}0[A-Z0-9]{6}|[0-9]{12})$`)
	ifsc         = regexp.MustCompile(`^[A-Z]{4}0[A-Z0-9]{6}$`)
)

// numberInColumn returns the number in the reference columns, or a problem. A cell counts only if it is one number.
func numberInColumn(cells []string) (number, problem string) {
	var named []string
	for _, cell := range cells {
		cell = strings.ToUpper(strings.TrimSpace(cell))
		switch {
		case changedBySpreadsheet(cell):
			return "", problemCut
		case strings.Contains(cell, "@"), fromAccount.MatchString(cell):
			continue
		}
		if m := wholeNumber.FindStringSubmatch(cell); m != nil {
			if clean := Clean(m[1]); HasForm(clean) || IsRRN(clean) {
				named = append(named, clean)
			}
			continue
		}
		var within []string
		for _, word := range WordsOf(cell) {
			if clean := Clean(word); HasForm(clean) || IsRRN(clean) {
				within = append(within, clean)
			}
		}
		switch {
		case len(distinct(within)) > 1:
			return "", problemNumbers
		case len(within) > 0:
			return "", problemReference
		}
	}
	named = distinct(named)
	switch len(named) {
	case 0:
		return "", ""
	case 1:
		return named[0], ""
	}
	return "", problemNumbers
}

// story has the UTRs found in a narration. Named are the numbers at a bank's usual place. unplaced counts numbers of the right form
// elsewhere, which the payer may have typed.
type story struct {
	named    []string
	unplaced int
	mobile   bool
}

// storyOf reads a narration. The first type of transfer decides which numbers count: twelve digits for IMPS and UPI, numbers with a
// bank's letters for NEFT and RTGS.
func storyOf(narration string, day time.Time) story {
	words := WordsOf(upiAddress.ReplaceAllString(strings.ToUpper(narration), " "+addressWord+" "))
	for i, word := range words {
		way := ""
		if m := wayWord.FindStringSubmatch(word); m != nil {
			way = m[1]
		} else if clean := Clean(word); clean != word && (HasForm(clean) || IsRRN(clean)) && gluedWay.MatchString(word) {
			way, words[i] = word[:3], clean
		}
		switch {
		case way == "":
			continue
		case strings.HasPrefix(way, "NEF"), strings.HasPrefix(way, "RTG"):
			return bankStory(words[i:])
		case strings.HasPrefix(way, "UTR"):
			return labelStory(words[i:], day)
		case strings.HasPrefix(way, "REF"):
			continue
		}
		return instantStory(words[i:], day)
	}
	return story{}
}

// addressWord replaces a UPI address in a narration.
const addressWord = "UPIADDRESS"

// labelStory reads a narration without a type of transfer, in which the word UTR precedes the number.
func labelStory(words []string, day time.Time) story {
	for i, word := range words {
		if isPlaced(words, i) && HasForm(word) {
			return bankStory(words)
		}
	}
	return instantStory(words, day)
}

// isPlaced reports whether a word is at the usual place of the UTR: after the type of transfer, with only a direction, an IFSC or an
// account between, or after a UPI address and its bank's IFSC.
func isPlaced(words []string, at int) bool {
	for i := at - 1; i >= 0; i-- {
		switch {
		case words[i] == addressWord, wayWord.MatchString(words[i]):
			return true
		case !betweenWords.MatchString(words[i]):
			return false
		}
	}
	return true
}

// bankStory reads the words from NEFT or RTGS on. HDFC Bank writes the payer's IFSC first and the UTR last.
func bankStory(words []string) story {
	var placed, all []string
	for i, word := range words {
		if !HasForm(word) {
			continue
		}
		all = append(all, word)
		last := i == len(words)-1 && len(words) > 3 && (ifsc.MatchString(words[1]) || ifsc.MatchString(words[2]))
		if isPlaced(words, i) || last {
			placed = append(placed, word)
		}
	}
	all, placed = distinct(all), distinct(placed)
	if len(all) > 1 {
		return story{named: all}
	}
	return story{named: placed, unplaced: len(all) - len(placed)}
}

// instantStory reads the words from IMPS or UPI on. It prefers the number that contains the line's day, unless another number is at the
// usual place; otherwise it takes that one.
func instantStory(words []string, day time.Time) (found story) {
	var placed, all []string
	for i, word := range words {
		clean := Clean(word)
		switch {
		case !IsRRN(clean):
			continue
		case isMobile(clean, day):
			found.mobile = true
			continue
		}
		all = append(all, clean)
		if isPlaced(words, i) {
			placed = append(placed, clean)
		}
	}
	placed, dated := distinct(placed), madeThen(all, day)
	switch {
	case len(dated) == 1 && (len(placed) == 0 || slices.Contains(placed, dated[0])):
		found.named = dated
	case len(placed) == 1 && (len(dated) == 0 || slices.Contains(dated, placed[0])):
		found.named = placed
	case len(placed)+len(dated) > 0:
		found.named = distinct(append(placed, dated...))
	default:
		found.unplaced = len(distinct(all))
	}
	return found
}

// madeThen returns the twelve-digit numbers that contain the line's day: the others are accounts.
func madeThen(numbers []string, day time.Time) []string {
	return slices.DeleteFunc(distinct(numbers), func(n string) bool { return !MadeAround(n, day) })
}

func mapped(list []string, change func(string) string) []string {
	list = slices.Clone(list)
	for i := range list {
		list[i] = change(list[i])
	}
	return list
}

func distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// WordsOf returns the words of a text that consist of capitals and digits.
func WordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
}

// Plain returns the capitals and digits of a text.
func Plain(text string) string {
	return strings.Join(WordsOf(strings.ToUpper(text)), "")
}

// latin returns a text with full-width letters and digits of every script in their ASCII form. The database function clean_utr knows the
// full-width ones and the digits of Devanagari.
func latin(said string) string { return text.Digits(norm.NFKC.String(said)) }

// labelled is a number after the words that label it, the payer's IFSC, and the zeros with which banks pad it. UTRs have 12 digits (IMPS,
// UPI), or begin with the bank's letters and have 16 (NEFT) or 22 (RTGS) characters.
var labelled = regexp.MustCompile(`^(?:UTR|RRN|REF|NEFT|RTGS|IMPS|UPI|MMT|P2A|P2P|P2M|BY|INWARD|INW|IN|NUMBER|NO|CR)*(?:[A-Z]{4}0[0-9]{6})?0*([0-9]{12}|[A-Z][A-Z0-9]{15}|[A-Z][A-Z0-9]{21})$`)

var (
	endsInDigits = regexp.MustCompile(`[0-9]{6}$`)
	// datedRRN is a number of 12 digits with a leading zero: of 2030, with the day of the year.
	datedRRN = regexp.MustCompile(`^0(?:00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-6])[0-9]{8}$`)
)

// formIn returns the UTR that a word consists of after its labels, empty if it has no UTR's form.
func formIn(word string) string {
	m := labelled.FindStringSubmatch(word)
	if m == nil || !endsInDigits.MatchString(m[1]) || strings.HasPrefix(m[1], "0") && !datedRRN.MatchString(m[1]) {
		return ""
	}
	return m[1]
}

// formsIn returns the different numbers with a UTR's form in a text: its words, and all of it without separators.
func formsIn(said string) []string {
	words := WordsOf(strings.ToUpper(latin(said)))
	var forms []string
	for _, word := range append(words, strings.Join(words, "")) {
		forms = append(forms, formIn(word))
	}
	return slices.DeleteFunc(distinct(forms), func(form string) bool { return form == "" })
}

// Clean returns a UTR as it is stored and compared. It reduces a text around one number with a UTR's form to that number. Otherwise it
// returns the text's capitals and digits, and a number without padding zeros. The twelve digits of IMPS and UPI keep a leading zero, because
// from 2030 on they begin with the year's digit 0. The database function clean_utr does the same.
func Clean(said string) string {
	if forms := formsIn(said); len(forms) == 1 {
		return forms[0]
	}
	bare := Plain(latin(said))
	if strings.Trim(bare, "0123456789") != "" {
		return bare
	}
	if digits := strings.TrimLeft(bare, "0"); len(digits) >= 6 {
		return digits
	}
	return bare
}

// ValidUTR reports whether a cleaned number has a UTR's length.
func ValidUTR(utr string) bool { return len(utr) >= 6 && len(utr) <= 35 }

// WrittenProblem returns the problem of a UTR as a person wrote it: its letters, several numbers, or its length.
func WrittenProblem(said string) string {
	switch {
	case strings.ContainsFunc(latin(said), func(r rune) bool { return r > unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsNumber(r)) }):
		return i18n.Mark(problemLetters)
	case len(formsIn(said)) > 1:
		return i18n.Mark(problemSeveral)
	case !ValidUTR(Clean(said)):
		return ProblemLength
	}
	return ""
}
