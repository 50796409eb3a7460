package transfer

import (
	"cmp"
	"fmt"
	"slices"
)

const (
	problemBalance   = "The balance of this line does not follow from the line beside it. A line may be missing, or an amount is wrong."
	problemNoBalance = "The balance of this line is missing, while other lines have one."
	problemCutSum    = "The amount and the cell behind it may be one sum without quotes, and no balance proves the amount."
	problemDebit     = "By its column this was money out, but the balance does not follow from the line beside it."
)

// checkBalances compares each line with the balance of the previous one, in files that begin with the oldest or the newest line. It also
// compares the bank's totals with the lines.
func (r *reader) checkBalances() {
	oldest, newest, pairs := 0, 0, 0
	for i := 1; i < len(r.chain); i++ {
		a, b := r.chain[i-1], r.chain[i]
		if !a.known || !b.known {
			continue
		}
		pairs++
		if b.read && b.balance == a.balance+b.change {
			oldest++
		}
		if a.read && a.balance == b.balance+a.change {
			newest++
		}
	}
	switch {
	case pairs == 0:
	case r.constantBalance():
		r.Notes = append(r.Notes, "The column of balances shows the same sum on every line. The balances prove nothing here.")
	default:
		r.followBalances(oldest >= newest)
	}
	r.blameCut()
	r.noteUnproven(oldest >= newest)
	r.checkTotals(pairs > 0)
}

// blameCut marks each line whose amount may be part of a sum split by a comma, unless its balance proved the amount.
func (r *reader) blameCut() {
	for _, l := range r.chain {
		if l.cut && l.change != 0 && !r.proven[l.line] {
			r.blame(l, problemCutSum)
		}
	}
}

// noteUnproven marks the oldest credit if no opening balance proves it.
func (r *reader) noteUnproven(oldestFirst bool) {
	if len(r.chain) == 0 || r.constantBalance() {
		return
	}
	l := r.chain[0]
	if !oldestFirst {
		l = r.chain[len(r.chain)-1]
	}
	if l.known && l.row >= 0 && l.change > 0 && !r.proven[l.line] && r.Rows[l.row].Problem == "" {
		r.Notes = append(r.Notes, fmt.Sprintf("Line %d is the oldest, and no opening balance proves its amount. Compare it with the statement.", l.line))
	}
}

// constantBalance reports whether all lines have the same balance: the account's balance at the export, not after each line.
func (r *reader) constantBalance() bool {
	known := slices.DeleteFunc(slices.Clone(r.chain), func(l link) bool { return !l.known })
	return len(known) > 1 && !slices.ContainsFunc(known, func(l link) bool { return l.balance != known[0].balance })
}

// followBalances marks each line whose balance does not follow from the previous line. If nothing confirms that previous line, it marks
// both, because either may be wrong.
func (r *reader) followBalances(oldestFirst bool) {
	chain := slices.Clone(r.chain)
	if !oldestFirst {
		slices.Reverse(chain)
	}
	confirmed := false
	for i, l := range chain {
		if l.read && !l.known && l.change != 0 {
			r.blame(l, problemNoBalance)
		}
		if i == 0 || !l.known || !chain[i-1].known {
			confirmed = false
			continue
		}
		older := chain[i-1]
		if l.read && l.balance == older.balance+l.change {
			confirmed, r.proven[l.line] = true, true
			continue
		}
		if l.read {
			r.blame(l, problemBalance)
			if !confirmed && older.read && older.change != 0 {
				r.blame(older, problemBalance)
			}
		}
		confirmed = false
	}
}

// blame marks a line whose balance does not follow. It also lists a debit, which may be a credit in the wrong column.
func (r *reader) blame(l link, problem string) {
	if l.row >= 0 {
		r.Rows[l.row].Problem = cmp.Or(r.Rows[l.row].Problem, problem)
		return
	}
	if l.change == 0 { // a line of the bank with only a balance
		r.Notes = append(r.Notes, fmt.Sprintf("The balance of line %d does not follow from the lines beside it. A line may be missing.", l.line))
		return
	}
	if r.shown[l.line] {
		return
	}
	r.spoiled++
	r.shown[l.line] = true
	r.Rows = append(r.Rows, StatementRow{Line: l.line, Problem: problemDebit})
}

// checkTotals compares the bank's totals with the sums of the lines. Without balances the totals are the only proof, so a difference
// rejects every credit.
func (r *reader) checkTotals(balances bool) {
	if len(r.totals) != 1 || r.totals[0].in == r.in && r.totals[0].out == r.out {
		return
	}
	r.Notes = append(r.Notes, "The total of the bank differs from the sum of the lines. A line may be missing.")
	for i := r.from; i < len(r.Rows); i++ {
		if !balances && r.Rows[i].Problem == "" {
			r.Rows[i].Problem = "The total of the bank differs from the sum of the lines."
		}
	}
}
