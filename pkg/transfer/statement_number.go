package transfer

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
)

const (
	problemNoNumber  = "The bank names no number (UTR) of this credit. Enter it by hand if it is a customer's."
	problemCut       = "A spreadsheet has changed this number (UTR). Download the statement again and do not open it before."
	problemNumbers   = "The line names several numbers (UTR). Enter the credit by hand with the right one."
	problemMobile    = "This number looks like a mobile number, not like the number of a transfer (UTR). Enter the credit by hand."
	problemZeros     = "This number (UTR) has lost its leading zeros. Numbers of UPI and IMPS have 12 digits."
	problemBanksOwn  = "The bank names only a number of its own, not that of the transfer (UTR). Enter the credit by hand with its UTR."
	problemUTRLength = "The UTR has 6 to 35 letters and digits."
)

var (
	asPower   = regexp.MustCompile(`^[0-9]+(?:[.,][0-9]+)?E\+?[0-9]{1,2}$`)
	asDecimal = regexp.MustCompile(`^[0-9]+\.[0-9]*$`)
	// Spreadsheets keep 15 digits, and a number that was shown as 6.32E+11 comes back with zeros at its end.
	rounded    = regexp.MustCompile(`^[1-9][0-9]*0{5}$|^[1-9][0-9]{12,}0{3}$`)
	allOfZeros = regexp.MustCompile(`^0*$`)
	// In a column of references, a number that begins with a bank's code is that of the transfer, even if it is not of the usual length.
	codedByBank = regexp.MustCompile(`^[A-Z]{4}[A-Z0-9]{2,8}[0-9]{10}$`)
	mobile      = regexp.MustCompile(`^91[6-9][0-9]{9}$`)
	// A UPI address: what stands before @ up to a sign that separates cells of a narration, with the digit that some addresses end in.
	upiAddress = regexp.MustCompile(`(?:[0-9]{10,12}-[0-9]{1,2}|[A-Z0-9._]+)@[A-Z0-9.]*`)
	// The day on which a transfer of 12 digits was made: the last digit of the year and the day of the year.
	// NPCI forms the RRN of IMPS and UPI as YDDDHHNNNNNN.
	dayInRRN = regexp.MustCompile(`^([0-9])([0-9]{3})[0-9]{8}$`)
)

// changedBySpreadsheet reports whether a number as it stands in a cell was written by a spreadsheet instead of the bank.
func changedBySpreadsheet(cell string) bool {
	cell = strings.ToUpper(strings.TrimSpace(cell))
	return asPower.MatchString(cell) || asDecimal.MatchString(cell) || rounded.MatchString(cell) && !allOfZeros.MatchString(cell)
}

// hasForm reports whether a number has the form of NEFT or RTGS: it begins with the bank's letters, has 16 or 22 characters, and many digits.
func hasForm(number string) bool {
	digits := 0
	for _, r := range number {
		if '0' <= r && r <= '9' {
			digits++
		}
	}
	return (len(number) == 16 || len(number) == 22) && number[0] >= 'A' && digits >= 6
}

// isRRN reports whether a number has the twelve digits of IMPS and UPI. A cheque's number that is filled up with zeros is none.
func isRRN(number string) bool {
	return len(number) == 12 && strings.Trim(number, "0123456789") == "" && !strings.HasPrefix(number, "0000")
}

// madeAround reports whether a number of IMPS or UPI was made within three days of the day.
func madeAround(number string, day time.Time) bool {
	m := dayInRRN.FindStringSubmatch(number)
	if m == nil || day.IsZero() {
		return false
	}
	for off := -3; off <= 3; off++ {
		if at := day.In(clock.IST).AddDate(0, 0, off); at.Year()%10 == int(m[1][0]-'0') && at.YearDay() == atoi(m[2]) {
			return true
		}
	}
	return false
}

// isMobile reports whether twelve digits are a mobile number with the code of India. In the middle of 2029, numbers of transfers look the
// same; they name the day of the line.
func isMobile(number string, day time.Time) bool {
	return mobile.MatchString(number) && !madeAround(number, day)
}

// lostZeros reports whether a number of IMPS or UPI lost its first digits: with zeros it names the day of the line.
func lostZeros(number string, day time.Time) bool {
	return len(number) >= 9 && len(number) < 12 && strings.Trim(number, "0123456789") == "" &&
		madeAround(strings.Repeat("0", 12-len(number))+number, day)
}

// utrProblem says what is wrong with a number that somebody typed or a bank wrote; day is that of the credit.
func utrProblem(said string, day time.Time) string {
	utr := CleanUTR(said)
	switch {
	case allOfZeros.MatchString(utr):
		return problemNoNumber
	case changedBySpreadsheet(said), changedBySpreadsheet(utr):
		return problemCut
	case !validUTR(utr):
		return problemUTRLength
	case strings.Contains(said, "@"):
		return problemMobile
	case isMobile(utr, day):
		return problemMobile
	case lostZeros(utr, day):
		return problemZeros
	}
	return ""
}

// reference is a cell that may hold the number of the transfer; UTR says that its heading calls it so.
type reference struct {
	Cell string
	UTR  bool
}

// numberOf returns the number of a transfer, or what keeps it from being known. Banks put it into the column of references, or only into
// the narration, and then a number of their own, or the payer's account, into the column.
func numberOf(references []reference, narration string, day time.Time) (utr, problem string) {
	var named []string
	for _, r := range references {
		cell := r.Cell
		if changedBySpreadsheet(cell) {
			return "", problemCut
		}
		if clean := CleanUTR(cell); !strings.Contains(cell, "@") && (hasForm(clean) || isRRN(clean) || codedByBank.MatchString(clean) && !begins([]string{clean}, "NEFT", "RTGS", "IMPS", "UTR")) {
			named = append(named, clean)
		}
	}
	named = distinct(named)
	if len(named) > 1 {
		return "", problemNumbers
	}
	if len(named) == 1 {
		return named[0], utrProblem(named[0], day)
	}
	words := wordsOf(upiAddress.ReplaceAllString(strings.ToUpper(narration), " "))
	instant := begins(words, "IMPS", "UPI", "RRN", "MMT")
	between := instant || begins(words, "NEFT", "RTGS")
	if utr, problem := numberIn(words, instant, day); utr != "" || problem != "" {
		return utr, problem
	}
	for _, r := range references {
		cell, own := r.Cell, CleanUTR(r.Cell)
		switch {
		case allOfZeros.MatchString(own), strings.Contains(cell, "@"), strings.HasPrefix(plain(cell), "TRANSFER"): // TRANSFER FROM and the payer's account
			continue
		case lostZeros(own, day):
			return "", problemZeros
		case between && !r.UTR && !strings.HasPrefix(plain(cell), "UTR"): // the number of the other bank's transfer is not here
			return "", problemBanksOwn
		}
		return own, utrProblem(cell, day)
	}
	return "", problemNoNumber
}

// begins reports whether a word begins with one of the names of a way to transfer.
func begins(words []string, names ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(word, name) })
	})
}

// numberIn looks for the number among the words of a narration.
func numberIn(words []string, instant bool, day time.Time) (utr, problem string) {
	var long, short, labelledOnes []string
	mobiles := false
	for i, word := range words {
		clean := CleanUTR(word)
		switch {
		case hasForm(clean):
			long = append(long, clean)
		case isRRN(clean) && isMobile(clean, day):
			mobiles = true
		case isRRN(clean) && instant:
			short = append(short, clean)
			if i > 0 && (words[i-1] == "RRN" || words[i-1] == "UTR") {
				labelledOnes = append(labelledOnes, clean)
			}
		}
	}
	if len(distinct(long)) > 1 {
		return "", problemNumbers
	}
	for _, found := range [][]string{distinct(long), distinct(labelledOnes), distinct(short), madeThen(short, day)} {
		if len(found) == 1 {
			return found[0], utrProblem(found[0], day)
		}
	}
	switch {
	case len(short) > 0:
		return "", problemNumbers
	case mobiles && instant:
		return "", problemMobile
	}
	return "", ""
}

// madeThen returns those of several numbers of twelve digits that name the day of the line: the others are accounts.
func madeThen(numbers []string, day time.Time) []string {
	return slices.DeleteFunc(distinct(numbers), func(n string) bool { return !madeAround(n, day) })
}

func distinct(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
}
