package transfer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Basis is by what a credit is thought to be for a proforma.
type Basis string

// The bases, the best first. A reference is the number of the proforma, or that of the customer's order, in what the bank says of a transfer.
const (
	BasisAccount   Basis = "account"
	BasisUTR       Basis = "utr"
	BasisReference Basis = "reference"
	BasisAmount    Basis = "amount"
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
	ProformaID, FranchiserID, Number, PONumber, Name string
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

// mostProposals is how many bills are proposed for one credit.
const mostProposals = 5

// incomeTaxRates are those at which customers deduct, in basis points, in the order in which they are tried. gstTDSRate is that of
// section 51 of the CGST Act.
func incomeTaxRates() []int64 { return []int64{100, 200, 1000} }

const gstTDSRate = 200

// Seen is what is known of a credit: the customer's account that it came into, its number, its amount, and what the bank says of it.
type Seen struct {
	VirtualID, UTR, Remark string
	Amount                 money.Paise
}

// Match returns what a credit may pay, the best first. What came into a customer's own account is for that customer, first for the bill
// that the customer named. Anything else is proposed for the bill whose customer told its number, then for those that its remark names, and
// only then by its amount. Nothing is certain but the exact amount of one proforma alone on its customer's own account, of which the
// collector told us: anybody may tell a number that they saw, and a credit that one person entered has been seen by nobody else.
func Match(of Seen, open []Candidate) []Proposal {
	references := referencesIn(of.Remark)
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

// references are the words of a remark, each by itself and joined with the next ones, as banks cut and join what was typed.
type references map[string]bool

// mostJoined is how many words of a remark are read as one number, and leastPO how short an order number may be to be
// looked for: the year stands in many remarks.
const (
	mostJoined = 4
	leastPO    = 5
)

func referencesIn(remark string) references {
	words := strings.FieldsFunc(strings.ToUpper(remark), func(r rune) bool { return (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
	found := references{}
	for i := range words {
		for n := i + 1; n <= min(len(words), i+mostJoined); n++ {
			found[strings.Join(words[i:n], "")] = true
		}
	}
	return found
}

// names reports whether the words name the proforma, by its number or by that of the customer's order, which needs a digit.
func (r references) names(c Candidate) bool {
	po := plain(c.PONumber)
	return r[plain(c.Number)] && c.Number != "" || len(po) >= leastPO && strings.ContainsAny(po, "0123456789") && r[po]
}

func place(f Fit) int {
	return slices.Index([]Fit{FitExact, FitTDS, FitGSTTDS, FitBoth, FitPart, FitExcess}, f)
}

// taxFits reports whether deducted tax is what its rate gives, but for how deductors round.
func taxFits(tax, deducted money.Paise) bool {
	return deducted == 0 || (deducted-tax).Abs() <= tolerance
}

// gstTDS is the GST that is deducted from a value: unlike income tax it has paise.
func gstTDS(taxable money.Paise) money.Paise { return taxable.MulBps(gstTDSRate) }

// fit compares the amount with what is due, exact first, then less tax at each rate, then less GST, then less both. A part or an excess is
// proposed only for a proforma that is known otherwise than by its amount.
func fit(amount money.Paise, c Candidate, known bool) (Proposal, bool) {
	p := Proposal{Candidate: c, Amount: amount, Fit: FitExact}
	if amount == c.Due {
		return p, true
	}
	gst := gstTDS(c.Taxable)
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
			ofGST := with.gst
			if rate == 0 {
				ofGST += off
			} else {
				tds += off
			}
			if off.Abs() > tolerance || rate > 0 && tds < 1 || with.gst > 0 && ofGST < 1 { // a few rupees too much are no tax
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
