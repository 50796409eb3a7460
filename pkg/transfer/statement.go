package transfer

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// maxStatement is how many credits of a statement are taken at once.
const maxStatement = 200

// StatementRow is a credit of a bank statement. Problem says why it cannot be taken, Known that its number is booked already.
type StatementRow struct {
	Line      int
	UTR       string
	Amount    money.Paise
	PaidAt    time.Time
	PayerName string
	Narration string
	Problem   string
	Known     bool
	// Dismissed says that a credit of its number was dismissed before: it is left out unless somebody chooses it.
	Dismissed bool
	// Proposals is what it may pay.
	Proposals []Proposal
}

// columnNames are the names that banks give the columns of their statements, without spaces and signs, each in the order in which they are
// looked for. A statement with a column of deposits needs none of amounts.
func columnNames() map[string][]string {
	return map[string][]string{
		"date": {"date", "transactiondate", "txndate", "trandate", "txnposteddate", "postdate", "valuedate", "valuedt", "valuedat"},
		"deposit": {
			"deposit", "deposits", "depositamt", "depositamount", "depositinr", "depositsinr", "depositamtinr", "depositamountinr",
			"credit", "credits", "creditamount", "creditamt", "creditinr", "creditsinr", "creditamtinr", "creditamountinr",
			"cr", "cramount", "crinr", "depositcr",
		},
		"amount": {"amount", "amountinr", "transactionamount", "transactionamountinr", "txnamount"},
		"utr": {
			"utr", "utrno", "utrnumber", "reference", "referenceno", "referencenumber", "refno", "chqrefno", "chqrefnumber", "refnochequeno",
			"chequereferenceno", "chequenoreferenceno", "chqno", "chequeno", "chequenumber", "instrumentno", "transactionid",
		},
		"narration": {"narration", "description", "particulars", "remarks", "transactionremarks", "transactiondescription", "transactiondetails", "details"},
		"payer":     {"payer", "payername", "remitter", "remittername", "name"},
		"way":       {"drcr", "crdr", "debitcredit", "creditdebit", "dc", "cd", "type", "transactiontype", "txntype", "indicator"},
	}
}

func dateForms() []string {
	return []string{
		"2006-01-02", "02-01-2006", "02/01/2006", "2/1/2006", "02/01/06", "02-01-06", "02-Jan-2006", "2-Jan-2006", "02-Jan-06", "02/Jan/2006",
		"2 Jan 2006", "02 Jan 2006", "02.01.2006",
	}
}

// dayOf reads a day in India, with or without a time behind it.
func dayOf(text string) (time.Time, bool) {
	word, _, _ := strings.Cut(text, " ")
	for _, form := range dateForms() {
		for _, one := range []string{text, word} {
			if at, err := time.ParseInLocation(form, one, clock.IST); err == nil {
				return at, true
			}
		}
	}
	return time.Time{}, false
}

// columnsOf returns where a line of headings has each column, or false if it is none: -1 for a column that is not there.
func columnsOf(head []string) (map[string]int, bool) {
	at := map[string]int{}
	for name, known := range columnNames() {
		at[name] = -1
		for _, k := range known {
			for i, h := range head {
				if at[name] < 0 && strings.EqualFold(plain(h), k) {
					at[name] = i
				}
			}
		}
	}
	return at, at["date"] >= 0 && (at["deposit"] >= 0 || at["amount"] >= 0) && (at["utr"] >= 0 || at["narration"] >= 0)
}

// mostPreamble is how many lines about the account and its holder stand above the headings.
const mostPreamble = 60

// ReadStatement reads a statement as a bank exports it: below some lines about the account, a line of headings, lines of transactions, and
// whatever the bank writes below. Lines without a credit are left out; the others say what is wrong with them.
func ReadStatement(text string, now time.Time) ([]StatementRow, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return nil, errs.Invalid("The file is not a CSV.").Field("csv", "The file is not a CSV. Save the statement as CSV first.")
	}
	for _, comma := range []rune{',', '\t', ';', '|'} {
		r := csv.NewReader(strings.NewReader(text))
		r.Comma, r.FieldsPerRecord, r.TrimLeadingSpace, r.LazyQuotes = comma, -1, comma != '\t', true
		for range mostPreamble {
			head, err := r.Read()
			if err != nil {
				break
			}
			if at, ok := columnsOf(head); ok {
				return statementRows(r, head, at, now)
			}
		}
	}
	return nil, errs.Invalid("A line needs to name the columns date, amount (or deposit) and UTR (or narration).").
		Field("csv", "No line names the columns date, amount (or deposit) and UTR (or narration).")
}

func statementRows(r *csv.Reader, head []string, at map[string]int, now time.Time) ([]StatementRow, error) {
	rows := []StatementRow{}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, errs.Invalid("The file is not a CSV.").Field("csv", "The file is not a CSV.")
		}
		if isEnd(record) {
			return rows, nil
		}
		line, _ := r.FieldPos(0)
		row, ok := statementRow(record, at)
		if !ok || slices.Equal(record, head) { // the headings of a further page
			continue
		}
		row.Line = line
		if len(rows) == maxStatement {
			return nil, errs.Invalid("A statement has at most 200 credits.").Field("csv", "Split the file: at most 200 credits at once.")
		}
		if row.Problem == "" {
			row = row.checked(now)
		}
		rows = append(rows, row)
	}
}

// isEnd reports whether a bank's summary begins, whose sums are no transactions.
func isEnd(record []string) bool {
	for _, cell := range record {
		if text := plain(cell); text != "" {
			return strings.HasPrefix(text, "STATEMENTSUMMARY") || strings.HasPrefix(text, "ACCOUNTSUMMARY") || strings.HasPrefix(text, "ENDOFSTATEMENT")
		}
	}
	return false
}

// isSum reports whether a line without a day is a sum or a balance, as banks write between and below the transactions.
func isSum(record []string) bool {
	return slices.ContainsFunc(record, func(cell string) bool {
		text := plain(cell)
		return slices.ContainsFunc([]string{"OPENINGBALANCE", "CLOSINGBALANCE", "TRANSACTIONTOTAL", "TOTAL", "GRANDTOTAL", "BROUGHTFORWARD", "CARRIEDFORWARD"},
			func(sum string) bool { return strings.HasPrefix(text, sum) })
	})
}

// statementRow reads a line; it is none of ours if it has no credit, as that of money that went out.
func statementRow(record []string, at map[string]int) (StatementRow, bool) {
	cell := func(name string) string {
		if i := at[name]; i >= 0 && i < len(record) {
			return strings.TrimSpace(record[i])
		}
		return ""
	}
	said, way := cell("deposit"), ""
	if at["deposit"] < 0 {
		said, way = cell("amount"), strings.ToUpper(strings.Trim(cell("way"), " .()"))
	}
	amount := strings.NewReplacer(",", "", "₹", "", "INR", "", "RS.", "", " ", "").Replace(strings.ToUpper(said))
	if strings.Trim(amount, "0.-") == "" || strings.HasPrefix(amount, "-") || strings.HasPrefix(amount, "(") || strings.HasSuffix(amount, "-") || wentOut(way) || wentOut(strings.TrimLeft(strings.Trim(amount, ".()"), "0123456789.")) {
		return StatementRow{}, false
	}
	amount = strings.TrimRight(amount, "CR.()+")
	row := StatementRow{UTR: numberOf(cell("utr"), cell("narration")), Narration: cell("narration"), PayerName: cell("payer")}
	var dated bool
	if row.PaidAt, dated = dayOf(cell("date")); !dated && (isSum(record) || strings.Trim(amount, "*") == "") {
		return StatementRow{}, false
	}
	var err error
	if row.Amount, err = money.Parse(amount); err != nil {
		row.Problem = "The amount is no sum in rupees."
	}
	return row, true
}

// numberOf returns the number of a transfer. Banks put it into the column of references, or only into the narration, and then another number
// of their own, or the payer's account, into the column: what has the form of a transfer's number comes first.
func numberOf(reference, narration string) string {
	if number := CleanUTR(reference); hasForm(number) || isRRN(number) {
		return number
	}
	words := strings.FieldsFunc(strings.ToUpper(narration), func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	instant := slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "IMPS") || strings.HasPrefix(w, "UPI") || w == "RRN" || w == "MMT"
	})
	for _, w := range words {
		if number := CleanUTR(w); hasForm(number) || instant && isRRN(number) {
			return number
		}
	}
	if strings.HasPrefix(plain(reference), "TRANSFER") { // the payer's account, the same for all that it pays
		return ""
	}
	return CleanUTR(reference)
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

// isRRN reports whether a number has the twelve digits of IMPS and UPI.
func isRRN(number string) bool { return len(number) == 12 && strings.Trim(number, "0123456789") == "" }

// wentOut reports whether a bank's word for the way of money means that it went out.
func wentOut(way string) bool {
	switch strings.Trim(way, ".()") {
	case "D", "DR", "DEBIT", "WITHDRAWAL", "W":
		return true
	default:
		return false
	}
}

// Preview reads a statement and says of each credit whether it can be taken and what it may pay. It stores nothing.
func (d *Desk) Preview(ctx context.Context, text string) ([]StatementRow, error) {
	now := d.clock.Now()
	rows, err := ReadStatement(text, now)
	if err != nil || len(rows) == 0 {
		return rows, err
	}
	numbers, of := make([]string, 0, len(rows)), make([]Seen, 0, len(rows))
	seen := map[string]bool{}
	for i := range rows {
		numbers, of = append(numbers, rows[i].UTR), append(of, Seen{UTR: rows[i].UTR, Remark: rows[i].Narration, Amount: rows[i].Amount})
		if seen[rows[i].UTR] && rows[i].Problem == "" {
			rows[i].Problem = "The same UTR stands in an earlier line."
		}
		seen[rows[i].UTR] = true
	}
	err = postgres.InTx(ctx, d.db, func(tx *sqlx.Tx) error {
		var known []string
		if err := tx.SelectContext(ctx, &known, `SELECT u FROM unnest($1::text[]) u
			WHERE bank_credit_exists(u) OR bank_return_exists(u) OR refund_transfer_exists(u)`, pq.Array(numbers)); err != nil {
			return fmt.Errorf("look for known numbers: %w", err)
		}
		var dismissed []string
		if err := tx.SelectContext(ctx, &dismissed, `SELECT DISTINCT utr FROM bank_credits WHERE utr = ANY ($1) AND state = 'dismissed'`, pq.Array(numbers)); err != nil {
			return fmt.Errorf("look for dismissed numbers: %w", err)
		}
		open, err := d.candidates(ctx, tx, of)
		if err != nil {
			return err
		}
		booked := map[string]bool{}
		for _, k := range known {
			booked[k] = true
		}
		for i := range rows {
			r := &rows[i]
			r.Known, r.Dismissed, r.Proposals = booked[r.UTR], slices.Contains(dismissed, r.UTR), []Proposal{}
			if all := Match(Seen{UTR: r.UTR, Remark: r.Narration, Amount: r.Amount}, open); !r.Known && r.Problem == "" && len(all) > 0 {
				r.Proposals = all[:min(len(all), 3)]
			}
		}
		return nil
	})
	return rows, err
}
