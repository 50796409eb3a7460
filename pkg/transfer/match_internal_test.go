package transfer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

const lakh = 1_00_000 * money.Rupee

// due is a bill of ₹1,18,000 for a customer with an account of its own.
func due(id, account, utr string) Candidate {
	return Candidate{ProformaID: id, VirtualID: account, ToldUTR: utr, Due: lakh * 118 / 100, Taxable: lakh}
}

// Given a credit, then it is matched by account, then by number, then by the exact total, then less tax at 1, 2 and 10 %, then less GST, then
// less both, and then as a part; and nothing but the exact amount on the customer's own account is certain.
func TestACreditIsMatchedInTheOrderOfTheRules(t *testing.T) {
	t.Parallel()
	const rupee = money.Rupee
	for name, tc := range map[string]struct {
		account, utr string
		amount       money.Paise
		open         []Candidate
		want         Proposal // of which basis, fit, rate, tax, over and certainty count
		of           string
	}{
		"exact, on the account":      {"va1", "U1", 118_000 * rupee, []Candidate{due("a", "va1", ""), due("b", "va2", "")}, Proposal{Basis: BasisAccount, Fit: FitExact, Certain: true}, "a"},
		"exact, by the number":       {"", "U1", 118_000 * rupee, []Candidate{due("a", "", ""), due("b", "", "U1")}, Proposal{Basis: BasisUTR, Fit: FitExact}, "b"},
		"account before number":      {"va1", "U1", 118_000 * rupee, []Candidate{due("a", "va1", ""), due("b", "", "U1")}, Proposal{Basis: BasisAccount, Fit: FitExact, Certain: true}, "a"},
		"exact, by the amount alone": {"", "U9", 118_000 * rupee, []Candidate{due("a", "", "U1")}, Proposal{Basis: BasisAmount, Fit: FitExact}, "a"},
		"less 1 %":                   {"va1", "", 117_000 * rupee, []Candidate{due("a", "va1", "")}, Proposal{Basis: BasisAccount, Fit: FitTDS, RateBps: 100, TDS: 1_000 * rupee}, "a"},
		"less 2 %":                   {"", "", 116_000 * rupee, []Candidate{due("a", "", "")}, Proposal{Basis: BasisAmount, Fit: FitTDS, RateBps: 200, TDS: 2_000 * rupee}, "a"},
		"less 10 %":                  {"", "", 108_000 * rupee, []Candidate{due("a", "", "")}, Proposal{Basis: BasisAmount, Fit: FitTDS, RateBps: 1000, TDS: 10_000 * rupee}, "a"},
		"less 10 %, two rupees off":  {"", "", 107_998 * rupee, []Candidate{due("a", "", "")}, Proposal{Basis: BasisAmount, Fit: FitTDS, RateBps: 1000, TDS: 10_002 * rupee, Off: 2 * rupee}, "a"},
		"GST besides 1 %":            {"va1", "", 115_000 * rupee, []Candidate{due("a", "va1", "")}, Proposal{Basis: BasisAccount, Fit: FitBoth, RateBps: 100, TDS: 1_000 * rupee, GSTTDS: 2_000 * rupee}, "a"},
		"GST besides 10 %":           {"va1", "", 106_000 * rupee, []Candidate{due("a", "va1", "")}, Proposal{Basis: BasisAccount, Fit: FitBoth, RateBps: 1000, TDS: 10_000 * rupee, GSTTDS: 2_000 * rupee}, "a"},
		"a part":                     {"va1", "", 50_000 * rupee, []Candidate{due("a", "va1", "")}, Proposal{Basis: BasisAccount, Fit: FitPart}, "a"},
		"too much":                   {"", "U1", 120_000 * rupee, []Candidate{due("a", "", "U1")}, Proposal{Basis: BasisUTR, Fit: FitExcess, Over: 2_000 * rupee}, "a"},
	} {
		got := Match(Seen{VirtualID: tc.account, UTR: tc.utr, Amount: tc.amount}, tc.open)
		require.NotEmpty(t, got, name)
		p := got[0]
		require.Equal(t, tc.of, p.ProformaID, name)
		require.Equal(t, tc.want, Proposal{Basis: p.Basis, Fit: p.Fit, RateBps: p.RateBps, TDS: p.TDS, GSTTDS: p.GSTTDS, Off: p.Off, Over: p.Over, Certain: p.Certain}, name)
		if p.Fit != FitPart {
			require.Equal(t, p.Due, p.Amount+p.TDS+p.GSTTDS, "%s: the arithmetic is whole", name)
		}
		require.Equal(t, tc.amount, p.Amount+p.Over, name)
	}
}

// Given money that fits nothing, or several bills equally well, then nothing is certain.
func TestWhatIsNotOneBillsAloneIsNotCertain(t *testing.T) {
	t.Parallel()
	const rupee = money.Rupee
	require.Empty(t, Match(Seen{VirtualID: "", UTR: "U9", Amount: 50_000 * rupee}, []Candidate{due("a", "", "")}), "a part is proposed for nobody by its amount")
	require.Empty(t, Match(Seen{VirtualID: "va9", UTR: "U1", Amount: 118_000 * rupee}, []Candidate{due("a", "va1", "U1")}), "what came into one customer's account is nobody else's")
	require.Empty(t, Match(Seen{VirtualID: "", UTR: "", Amount: 107_997 * rupee}, []Candidate{due("a", "", "")}), "three rupees are too far off")

	two := Match(Seen{VirtualID: "va1", UTR: "U1", Amount: 118_000 * rupee}, []Candidate{due("a", "va1", ""), due("b", "va1", "")})
	require.Len(t, two, 2)
	require.False(t, two[0].Certain || two[1].Certain)
	told := Match(Seen{VirtualID: "", UTR: "U1", Amount: 118_000 * rupee}, []Candidate{due("a", "", "U1"), due("b", "", "U1")})
	require.Len(t, told, 2)
	require.False(t, told[0].Certain || told[1].Certain, "two customers cannot both have paid it")
	late := due("a", "va1", "")
	late.Expired = true
	require.False(t, Match(Seen{VirtualID: "va1", UTR: "", Amount: 118_000 * rupee}, []Candidate{late})[0].Certain, "its price may be another one now")
}

// Given GST deducted alone at 2 %, then it is proposed as income tax at the same rate, which comes first in the order and which a person may change.
func TestTheSameRateOfBothTaxesIsProposedAsIncomeTax(t *testing.T) {
	t.Parallel()
	p := Match(Seen{VirtualID: "va1", UTR: "", Amount: 116_000 * money.Rupee}, []Candidate{due("a", "va1", "")})[0]
	require.Equal(t, FitTDS, p.Fit)
	require.Equal(t, int64(200), p.RateBps)
}

func TestANumberIsCleanedOfWhatBanksPrintBetween(t *testing.T) {
	t.Parallel()
	require.Equal(t, "SBIN0R52026", CleanUTR(" sbin-0r5/2026 "))
}

// Every amount around a bill is proposed with tax that is above zero, adds up to what is due, and is within two rupees of its rate.
func TestWhatIsProposedAddsUp(t *testing.T) {
	t.Parallel()
	for _, taxable := range []money.Paise{100, 4_000, 10_000, 10_050, 25_000, 99_950, 100_000, 1_250_000, 1_271_186, 13_500_000} {
		gst := taxable.MulBps(1800)
		due := taxable + gst
		for off := money.Paise(-40_000); off <= due/5+40_000 && off < due; off += 49 {
			amount := due - off
			if amount < 1 {
				break
			}
			p, ok := fit(amount, Candidate{Due: due, Taxable: taxable}, true)
			require.True(t, ok)
			require.GreaterOrEqual(t, p.TDS, money.Paise(0), "taxable %d amount %d", taxable, amount)
			require.GreaterOrEqual(t, p.GSTTDS, money.Paise(0))
			if p.Fit != FitPart && p.Fit != FitExcess {
				require.Equal(t, due, p.Amount+p.TDS+p.GSTTDS)
			}
			if p.Fit == FitTDS || p.Fit == FitBoth {
				require.Positive(t, p.TDS, "taxable %d amount %d", taxable, amount)
			}
			require.True(t, taxFits(wholeRupees(taxable, p.RateBps), p.TDS), "taxable %d amount %d rate %d tds %d", taxable, amount, p.RateBps, p.TDS)
			require.True(t, taxFits(gstTDS(taxable), p.GSTTDS), "staff can confirm it: taxable %d amount %d gst %d", taxable, amount, p.GSTTDS)
		}
	}
}
