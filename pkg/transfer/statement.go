package transfer

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

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
	// Proposals is what it may pay.
	Proposals []Proposal
}

// columns are the names that banks give the columns of their statements, each in the order in which they are looked for.
func columnNames() map[string][]string {
	return map[string][]string{
		"date":      {"date", "transaction date", "txn date", "value date", "value dt"},
		"amount":    {"amount", "credit", "credit amount", "deposit", "deposit amt", "deposit amt.", "deposits", "cr amount"},
		"utr":       {"utr", "reference", "chq./ref.no.", "ref no", "ref no.", "ref no./cheque no.", "cheque/reference no", "transaction id", "utr no"},
		"narration": {"narration", "description", "particulars", "remarks", "transaction remarks"},
		"payer":     {"payer", "payer name", "remitter", "remitter name", "name"},
		"way": {
			"dr/cr", "cr/dr", "dr / cr", "cr / dr", "dr cr", "cr dr", "debit/credit", "credit/debit", "d/c", "c/d", "type", "transaction type", "txn type",
			"indicator",
		},
	}
}

func dateForms() []string {
	return []string{"2006-01-02", "02-01-2006", "02/01/2006", "2/1/2006", "02/01/06", "02-Jan-2006", "2 Jan 2006", "02 Jan 2006", "02-01-06"}
}

// ReadStatement reads a statement as a bank exports it, with a line of headings. Lines without a credit are left out; the others say what is
// wrong with them.
func ReadStatement(text string, now time.Time) ([]StatementRow, error) {
	text = strings.TrimPrefix(text, "\uFEFF")
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.TrimLeadingSpace = -1, true
	head, _ := r.Read()
	at := map[string]int{}
	for name, known := range columnNames() {
		at[name] = -1
		for _, k := range known {
			for i, h := range head {
				if at[name] < 0 && strings.EqualFold(strings.TrimSpace(h), k) {
					at[name] = i
				}
			}
		}
	}
	for _, must := range []string{"date", "amount", "utr"} {
		if at[must] < 0 {
			return nil, errs.Invalid("The first line needs the columns date, amount and UTR.").Field("csv", "There is no column for the "+must+".")
		}
	}
	rows := []StatementRow{}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, errs.Invalid("The file is no CSV.").Field("csv", "The file is no CSV.")
		}
		line, _ := r.FieldPos(0)
		row, ok := statementRow(record, at)
		if !ok {
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

// statementRow reads a line; it is none of ours if it has no credit, as that of money that went out.
func statementRow(record []string, at map[string]int) (StatementRow, bool) {
	cell := func(name string) string {
		if i := at[name]; i >= 0 && i < len(record) {
			return strings.TrimSpace(record[i])
		}
		return ""
	}
	amount := strings.ToUpper(strings.NewReplacer(",", "", "₹", "", " ", "").Replace(cell("amount")))
	way := strings.ToUpper(strings.Trim(cell("way"), " .()"))
	if strings.Trim(amount, "0.-") == "" || strings.HasPrefix(amount, "-") || strings.HasPrefix(amount, "(") || strings.HasSuffix(amount, "-") || wentOut(way) || wentOut(strings.TrimLeft(strings.Trim(amount, ".()"), "0123456789.")) {
		return StatementRow{}, false
	}
	amount = strings.TrimRight(amount, "CR.()")
	row := StatementRow{UTR: CleanUTR(cell("utr")), Narration: cell("narration"), PayerName: cell("payer")}
	var err error
	if row.Amount, err = money.Parse(amount); err != nil {
		row.Problem = "The amount is no sum in rupees."
	}
	for _, form := range dateForms() {
		if at, err := time.ParseInLocation(form, cell("date"), clock.IST); err == nil {
			row.PaidAt = at
			break
		}
	}
	return row, true
}

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
	numbers, of := make([]string, 0, len(rows)), make([]sought, 0, len(rows))
	seen := map[string]bool{}
	for i := range rows {
		numbers, of = append(numbers, rows[i].UTR), append(of, sought{"", rows[i].UTR, rows[i].Amount})
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
			r.Known, r.Proposals = booked[r.UTR], []Proposal{}
			if all := Match("", r.UTR, r.Amount, open); !r.Known && r.Problem == "" && len(all) > 0 {
				r.Proposals = all[:min(len(all), 3)]
			}
		}
		return nil
	})
	return rows, err
}
