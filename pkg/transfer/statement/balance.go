package statement

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

const (
	problemBalance   = "The balance of this line does not follow from the line beside it. A line may be missing, or an amount is wrong."
	problemNoBalance = "The balance of this line is missing, and no other balance proves the amount."
	problemCutSum    = "The amount and the cell behind it may be one sum without quotes, and no balance proves the amount."
	problemBetween   = "The balances before and behind this line do not follow from the amounts between them."
	problemTurned    = "All lines are of one day and one amount. The balances do not prove whether this was money in or out."
	problemTotal     = "A total or balance that the bank states differs from the lines. Compare the credit with the bank, and enter it by hand."
	problemDebit     = "By its column this was money out, but the balance does not follow from the line beside it."
)

// checkBalances compares each line with the nearest earlier balance, in files that begin with the oldest or the newest line. It also compares
// what the bank states about the whole statement with the lines. A line that no balance proves, in a file with balances, is a problem.
func (r *reader) checkBalances() {
	if r.unread {
		return
	}
	column := slices.Contains(r.columns, ColumnBalance)
	if r.constantBalance() {
		r.Notes = append(r.Notes, "The column of balances shows the same sum on every line. The balances prove nothing here.")
		for i := range r.chain {
			r.chain[i].known = false
		}
		column = false
	}
	newest, turned := r.newestFirst()
	chain := slices.Clone(r.chain)
	if newest {
		slices.Reverse(chain)
	}
	if f, ok := r.one(figureOpening); ok {
		chain = slices.Insert(chain, 0, link{line: f.line, row: -1, balance: f.value, known: true, read: true})
	}
	if f, ok := r.one(figureClosing); ok {
		chain = append(chain, link{line: f.line, row: -1, balance: f.value, known: true, read: true})
	}
	agrees := r.followBalances(chain, column)
	if turned {
		r.Contradicted = true
		for _, l := range chain {
			if l.change > 0 {
				r.blame(l, problemTurned)
			}
		}
	}
	r.blameCut()
	r.noteUnproven(chain)
	if note := r.checkFigures(); note != "" {
		r.Notes, agrees = append(r.Notes, note), false
	}
	if !agrees {
		r.Contradicted = true
		r.blameAll()
	}
}

// newestFirst reports whether the file begins with the newest line. The days decide; among lines of one day, the balances decide. turned
// means that equal amounts would fit the other direction too, with money in and out exchanged.
func (r *reader) newestFirst() (newest, turned bool) {
	rising, falling := 0, 0
	var last time.Time
	for _, l := range r.chain {
		if l.day.IsZero() {
			continue
		}
		switch {
		case last.IsZero():
		case l.day.After(last):
			rising++
		case l.day.Before(last):
			falling++
		}
		last = l.day
	}
	if rising+falling > 0 {
		return falling > rising, false
	}
	oldest, fits, mirrored, pairs := 0, 0, 0, 0
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
			fits++
		}
		if b.read && b.balance == a.balance-b.change {
			mirrored++
		}
	}
	return fits > oldest, fits > oldest && mirrored == pairs
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
func (r *reader) noteUnproven(chain []link) {
	if len(chain) == 0 {
		return
	}
	if l := chain[0]; l.known && l.row >= 0 && l.change > 0 && !r.proven[l.line] && r.Rows[l.row].Problem == "" {
		r.Notes = append(r.Notes, fmt.Sprintf("Line %d is the oldest, and no opening balance proves its amount. Compare it with the statement.", l.line))
	}
}

// constantBalance reports whether all lines have the same balance: the account's balance at the export, not after each line.
func (r *reader) constantBalance() bool {
	known := slices.DeleteFunc(slices.Clone(r.chain), func(l link) bool { return !l.known })
	return len(known) > 1 && !slices.ContainsFunc(known, func(l link) bool { return l.balance != known[0].balance }) &&
		!slices.ContainsFunc(r.chain, func(l link) bool { return l.read && !l.known && l.change != 0 })
}

// followBalances compares the lines between two balances with their difference, oldest line first. If they differ, it marks the lines. If
// nothing confirms the earlier balance, it marks that line too, because either may be wrong. With a column of balances, it marks each line
// that no balance proves. It returns false if the last balance of the bank differs.
func (r *reader) followBalances(chain []link, column bool) (agrees bool) {
	agrees = true
	last, confirmed := -1, false
	for i, l := range chain {
		if !l.known {
			continue
		}
		if last >= 0 {
			fits, whole := r.compare(chain[last], chain[last+1:i+1])
			if whole && !fits && !confirmed && chain[last].change != 0 {
				r.blame(chain[last], problemBalance)
			}
			agrees = agrees && (fits || !whole || i < len(chain)-1 || l.change != 0)
			confirmed = fits
		}
		last = i
	}
	for _, l := range chain {
		// Without any balance, money out is not suspected of being money in.
		if column && l.read && !l.known && l.change != 0 && !r.proven[l.line] && (last >= 0 || l.row >= 0) {
			r.blame(l, problemNoBalance)
		}
	}
	return agrees
}

// compare compares the lines up to a balance with an earlier balance. It returns whether they fit, and whether every line was read.
func (r *reader) compare(from link, lines []link) (fits, whole bool) {
	balance := from.balance
	for _, l := range lines {
		if !l.read {
			return false, false
		}
		balance += l.change
	}
	fits = balance == lines[len(lines)-1].balance
	r.Contradicted = r.Contradicted || !fits
	for _, l := range lines {
		switch {
		case fits:
			r.proven[l.line] = true
		case l.known || len(lines) == 1:
			r.blame(l, problemBalance)
		case l.change != 0:
			r.blame(l, problemBetween)
		}
	}
	return fits, true
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
	r.Rows = append(r.Rows, Row{Line: l.line, Problem: problemDebit})
}

// blameAll marks the credits after a difference from what the bank states. If a line could not be read, that line may explain the difference:
// credits that balances prove remain.
func (r *reader) blameAll() {
	explained := slices.ContainsFunc(r.chain, func(l link) bool { return !l.read })
	for _, l := range r.chain {
		if l.row >= 0 && (!explained || !r.proven[l.line]) {
			r.blame(l, problemTotal)
		}
	}
}
