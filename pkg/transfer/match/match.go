// Package match proposes the bills that a credit may pay.
package match

import (
	"cmp"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// Basis says why a credit was matched to a proforma.
type Basis string

// The bases, best first. A reference is the proforma's number or the purchase order's number in the bank's remark.
const (
	BasisAccount   Basis = "account"
	BasisUTR       Basis = "utr"
	BasisReference Basis = "reference"
	BasisAmount    Basis = "amount"
)

// Fit is how an amount compares with the amount due.
type Fit string

// The fits, best first.
const (
	FitExact  Fit = "exact"
	FitTDS    Fit = "tds"
	FitGSTTDS Fit = "gst_tds"
	FitBoth   Fit = "tds_and_gst_tds"
	FitPart   Fit = "part"
	FitExcess Fit = "excess"
)

// Candidate is a proforma that a credit may pay. Name is its customer's name; staff compare it with the payer's.
type Candidate struct {
	ProformaID, FranchiserID, Number, PONumber, Name string
	// VirtualID is the customer's virtual account, ToldUTR the UTR that the customer gave.
	VirtualID, ToldUTR string
	// Due is the unpaid amount. Taxable is the base of deducted tax.
	Due, Taxable money.Paise
	Expired      bool
}

// Proposal is a proforma that a credit may pay, with the sums. Due less TDS less GSTTDS is Amount, except for a part or an excess.
type Proposal struct {
	Candidate
	Basis       Basis
	Fit         Fit
	Amount      money.Paise
	TDS, GSTTDS money.Paise
	RateBps     int64
	// Off is the difference of the deducted tax from its rate, Over the unused rest of the credit.
	Off, Over money.Paise
	// Certain means that it may be booked without staff.
	Certain bool
}

// tolerance is the accepted difference of deducted tax from its rate, because deductors round each line.
const tolerance = 2 * money.Rupee

// MostProposals is the most proposals for one credit.
const MostProposals = 5

// IncomeTaxRates are the rates of deduction, in basis points, in the order of matching.
func IncomeTaxRates() []int64 { return []int64{100, 200, 1000} }

// GSTTDSRate is the rate of section 51 of the CGST Act, in basis points.
const GSTTDSRate = 200

// Seen has the properties of a credit that matching uses: the customer's account, its UTR, its amount, and the bank's remark.
type Seen struct {
	VirtualID, UTR, Remark string
	Amount                 money.Paise
}

// Match returns the proformas that a credit may pay, best first. A credit on a customer's own account is only for that customer, first
// for the bill that the customer named. Other credits match by the customer's UTR, then by the remark, then by the amount. A match is
// certain only for the exact amount of one proforma, alone on its customer's own account, with a credit from the collector. A customer
// may give a UTR seen elsewhere, and nobody has checked a credit that staff entered.
func Match(of Seen, open []Candidate) []Proposal {
	references := ReferencesIn(of.Remark)
	var list []Proposal
	named, exact := map[string]bool{}, 0
	for _, c := range open {
		basis := BasisAmount
		switch told := of.UTR != "" && c.ToldUTR == of.UTR; {
		case of.VirtualID != "" && c.VirtualID != of.VirtualID:
			continue // it is another customer's
		case of.VirtualID != "":
			basis = BasisAccount
			named[c.ProformaID] = told || references.names(c)
		case told:
			basis = BasisUTR
		case references.names(c):
			basis = BasisReference
		}
		if p, ok := fit(of.Amount, c, basis != BasisAmount); ok {
			p.Basis = basis
			list = append(list, p)
			if p.Fit == FitExact {
				exact++
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Proposal) int {
		return cmp.Or(rank(a.Basis)-rank(b.Basis), first(named[a.ProformaID])-first(named[b.ProformaID]), place(a.Fit)-place(b.Fit))
	})
	if best := len(list) > 0 && list[0].Basis == BasisAccount && list[0].Fit == FitExact && !list[0].Expired; best && exact == 1 {
		list[0].Certain = true
	}
	return list
}

func rank(b Basis) int {
	return slices.Index([]Basis{BasisAccount, BasisUTR, BasisReference, BasisAmount}, b)
}

func first(named bool) int {
	if named {
		return 0
	}
	return 1
}

// references are the words of a remark, single and joined with the next ones, because banks split and join typed text.
type references map[string]bool

// mostJoined is how many words of a remark may form one number. LeastPO is the minimum length of a purchase order number to match,
// because many remarks contain a year.
const (
	mostJoined = 4
	LeastPO    = 5
)

// ReferencesIn returns the words of a remark, alone and joined, that may name a bill.
func ReferencesIn(remark string) references {
	words := utr.WordsOf(strings.ToUpper(remark))
	found := references{}
	for i := range words {
		for n := i + 1; n <= min(len(words), i+mostJoined); n++ {
			found[strings.Join(words[i:n], "")] = true
		}
	}
	return found
}

// names reports whether the words contain the proforma's number or its purchase order number. The latter needs a digit.
func (r references) names(c Candidate) bool {
	po := utr.Plain(c.PONumber)
	return r[utr.Plain(c.Number)] && c.Number != "" || len(po) >= LeastPO && strings.ContainsAny(po, "0123456789") && r[po]
}

func place(f Fit) int {
	return slices.Index([]Fit{FitExact, FitTDS, FitGSTTDS, FitBoth, FitPart, FitExcess}, f)
}

// TaxFits reports whether deducted tax equals its rate within the deductors' rounding.
func TaxFits(tax, deducted money.Paise) bool {
	return deducted == 0 || (deducted-tax).Abs() <= tolerance
}

// GSTTDS is the GST deducted from a value. Unlike income tax, it has paise.
func GSTTDS(taxable money.Paise) money.Paise { return taxable.MulBps(GSTTDSRate) }

// fit compares the amount with the amount due: exact, less tax at each rate, less GST, less both. It proposes a part or an excess only if
// the proforma is known by more than its amount.
func fit(amount money.Paise, c Candidate, known bool) (Proposal, bool) {
	p := Proposal{Candidate: c, Amount: amount, Fit: FitExact}
	if amount == c.Due {
		return p, true
	}
	gst := GSTTDS(c.Taxable)
	for _, with := range []struct {
		fit Fit
		gst money.Paise
	}{{FitTDS, 0}, {FitGSTTDS, gst}, {FitBoth, gst}} {
		rates := IncomeTaxRates()
		if with.fit == FitGSTTDS {
			rates = []int64{0}
		}
		for _, rate := range rates {
			tds := WholeRupees(c.Taxable, rate)
			off := c.Due - amount - with.gst - tds
			ofGST := with.gst
			if rate == 0 {
				ofGST += off
			} else {
				tds += off
			}
			if off.Abs() > tolerance || rate > 0 && tds < 1 || with.gst > 0 && ofGST < 1 { // an excess of a few rupees is not tax
				continue
			}
			p.Fit, p.RateBps, p.Off, p.TDS, p.GSTTDS = with.fit, rate, off, tds, ofGST
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

// WholeRupees is the tax on a value at a rate, rounded half up to whole rupees as deductors do. It rounds once: rounding to paise first
// would turn 49.99 paise into a rupee.
func WholeRupees(taxable money.Paise, rateBps int64) money.Paise {
	const ofWhole = 10_000 * int64(money.Rupee) // basis points of a rupee's paise
	return taxable.Prorate(rateBps, ofWhole) * money.Rupee
}
