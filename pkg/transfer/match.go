package transfer

import (
	"slices"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Basis is by what a credit is thought to be for a proforma.
type Basis string

// The bases, the best first.
const (
	BasisAccount Basis = "account"
	BasisUTR     Basis = "utr"
	BasisAmount  Basis = "amount"
)

// Fit is how an amount fits what is due.
type Fit string

// The fits, the best first.
const (
	FitExact  Fit = "exact"
	FitTDS    Fit = "tds"
	FitGSTTDS Fit = "gst_tds"
	FitBoth   Fit = "tds_and_gst_tds"
	FitPart   Fit = "part"
	FitExcess Fit = "excess"
)

// Candidate is a proforma that a credit may pay. Name is its customer's, for staff, who compare it with the payer's.
type Candidate struct {
	ProformaID, FranchiserID, Number, Name string
	// VirtualID is the customer's virtual account, ToldUTR the number that the customer told.
	VirtualID, ToldUTR string
	// Due is what is still to be paid: the amount less what came before. Taxable is what tax is deducted from.
	Due, Taxable money.Paise
	Expired      bool
}

// Proposal is what a credit may pay, with its arithmetic: Due less TDS less GSTTDS is Amount, but for a part or an excess.
type Proposal struct {
	Candidate
	Basis       Basis
	Fit         Fit
	Amount      money.Paise
	TDS, GSTTDS money.Paise
	RateBps     int64
	// Off is by how much the deducted tax differs from its rate, and Over what is left of the credit.
	Off, Over money.Paise
	// Certain means that it may be booked without a person.
	Certain bool
}

// tolerance is how far deducted tax may be from its rate, because deductors round each line.
const tolerance = 2 * money.Rupee

// incomeTaxRates are those at which customers deduct, in basis points, in the order in which they are tried. gstTDSRate is that of
// section 51 of the CGST Act.
func incomeTaxRates() []int64 { return []int64{100, 200, 1000} }

const gstTDSRate = 200

// Match returns what a credit of that amount may pay, the best first. What came into a customer's own account is for that customer; what
// has the number that a customer told is proposed for that proforma; anything else is compared with all. Nothing is certain but the exact
// amount of one proforma alone on its customer's own account, of which the collector told us: anybody may tell a number that they saw, and
// a credit that one person entered has been seen by nobody else.
func Match(virtualID, utr string, amount money.Paise, open []Candidate) []Proposal {
	basis, among := narrow(virtualID, utr, open)
	var list []Proposal
	for _, c := range among {
		if p, ok := fit(amount, c, basis != BasisAmount); ok {
			p.Basis = basis
			list = append(list, p)
		}
	}
	slices.SortStableFunc(list, func(a, b Proposal) int { return place(a.Fit) - place(b.Fit) })
	exact := 0
	for _, p := range list {
		if p.Fit == FitExact {
			exact++
		}
	}
	if exact == 1 && basis == BasisAccount && !list[0].Expired {
		list[0].Certain = true
	}
	return list
}

func place(f Fit) int {
	return slices.Index([]Fit{FitExact, FitTDS, FitGSTTDS, FitBoth, FitPart, FitExcess}, f)
}

func narrow(virtualID, utr string, open []Candidate) (Basis, []Candidate) {
	for _, by := range []struct {
		basis Basis
		is    func(Candidate) bool
	}{
		{BasisAccount, func(c Candidate) bool { return virtualID != "" && c.VirtualID == virtualID }},
		// A number told for one customer's order says nothing of money on another's account.
		{BasisUTR, func(c Candidate) bool { return virtualID == "" && utr != "" && c.ToldUTR == utr }},
	} {
		var among []Candidate
		for _, c := range open {
			if by.is(c) {
				among = append(among, c)
			}
		}
		if len(among) > 0 {
			return by.basis, among
		}
	}
	if virtualID != "" {
		return BasisAccount, nil
	}
	return BasisAmount, open
}

// taxFits reports whether deducted tax is what its rate gives, but for how deductors round.
func taxFits(taxable money.Paise, rateBps int64, amount money.Paise) bool {
	return amount == 0 || (amount-wholeRupees(taxable, rateBps)).Abs() <= tolerance
}

// fit compares the amount with what is due, exact first, then less tax at each rate, then less GST, then less both. A part or an excess is
// proposed only for a proforma that is known otherwise than by its amount.
func fit(amount money.Paise, c Candidate, known bool) (Proposal, bool) {
	p := Proposal{Candidate: c, Amount: amount, Fit: FitExact}
	if amount == c.Due {
		return p, true
	}
	gst := c.Taxable.MulBps(gstTDSRate)
	for _, with := range []struct {
		fit Fit
		gst money.Paise
	}{{FitTDS, 0}, {FitGSTTDS, gst}, {FitBoth, gst}} {
		rates := incomeTaxRates()
		if with.fit == FitGSTTDS {
			rates = []int64{0}
		}
		for _, rate := range rates {
			tds := wholeRupees(c.Taxable, rate)
			off := c.Due - amount - with.gst - tds
			if off.Abs() > tolerance {
				continue
			}
			p.Fit, p.RateBps, p.Off, p.TDS, p.GSTTDS = with.fit, rate, off, tds+off, with.gst
			if rate == 0 {
				p.TDS, p.GSTTDS = 0, with.gst+off
			}
			return p, true
		}
	}
	switch {
	case !known:
		return p, false
	case amount < c.Due:
		p.Fit = FitPart
	default:
		p.Fit, p.Amount, p.Over = FitExcess, c.Due, amount-c.Due
	}
	return p, true
}
