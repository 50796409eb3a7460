package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer/match"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

const lakh = 1_00_000 * money.Rupee

// due is a bill of ₹1,18,000 for a customer with their own account.
func due(id, account, utr string) match.Candidate {
	return match.Candidate{ProformaID: id, VirtualID: account, ToldUTR: utr, Due: lakh * 118 / 100, Taxable: lakh}
}

// Given a credit, then it is matched by account, then by number, then by the exact total, then less tax at 1, 2 and 10 %, then less GST, then
// less both, and then as a part; and nothing but the exact amount on the customer's own account is certain.
func TestMatch_EachRule_HasItsOrder(t *testing.T) {
	t.Parallel()
	const rupee = money.Rupee
	for name, tc := range map[string]struct {
		account, utr string
		amount       money.Paise
		open         []match.Candidate
		want         match.Proposal // of which basis, fit, rate, tax, over and certainty count
		of           string
	}{
		"exact, on the account":      {"va1", "U1", 118_000 * rupee, []match.Candidate{due("a", "va1", ""), due("b", "va2", "")}, match.Proposal{Basis: match.BasisAccount, Fit: match.FitExact, Certain: true}, "a"},
		"exact, by the number":       {"", "U1", 118_000 * rupee, []match.Candidate{due("a", "", ""), due("b", "", "U1")}, match.Proposal{Basis: match.BasisUTR, Fit: match.FitExact}, "b"},
		"account before number":      {"va1", "U1", 118_000 * rupee, []match.Candidate{due("a", "va1", ""), due("b", "", "U1")}, match.Proposal{Basis: match.BasisAccount, Fit: match.FitExact, Certain: true}, "a"},
		"exact, by the amount alone": {"", "U9", 118_000 * rupee, []match.Candidate{due("a", "", "U1")}, match.Proposal{Basis: match.BasisAmount, Fit: match.FitExact}, "a"},
		"less 1 %":                   {"va1", "", 117_000 * rupee, []match.Candidate{due("a", "va1", "")}, match.Proposal{Basis: match.BasisAccount, Fit: match.FitTDS, RateBps: 100, TDS: 1_000 * rupee}, "a"},
		"less 2 %":                   {"", "", 116_000 * rupee, []match.Candidate{due("a", "", "")}, match.Proposal{Basis: match.BasisAmount, Fit: match.FitTDS, RateBps: 200, TDS: 2_000 * rupee}, "a"},
		"less 10 %":                  {"", "", 108_000 * rupee, []match.Candidate{due("a", "", "")}, match.Proposal{Basis: match.BasisAmount, Fit: match.FitTDS, RateBps: 1000, TDS: 10_000 * rupee}, "a"},
		"less 10 %, two rupees off":  {"", "", 107_998 * rupee, []match.Candidate{due("a", "", "")}, match.Proposal{Basis: match.BasisAmount, Fit: match.FitTDS, RateBps: 1000, TDS: 10_002 * rupee, Off: 2 * rupee}, "a"},
		"GST besides 1 %":            {"va1", "", 115_000 * rupee, []match.Candidate{due("a", "va1", "")}, match.Proposal{Basis: match.BasisAccount, Fit: match.FitBoth, RateBps: 100, TDS: 1_000 * rupee, GSTTDS: 2_000 * rupee}, "a"},
		"GST besides 10 %":           {"va1", "", 106_000 * rupee, []match.Candidate{due("a", "va1", "")}, match.Proposal{Basis: match.BasisAccount, Fit: match.FitBoth, RateBps: 1000, TDS: 10_000 * rupee, GSTTDS: 2_000 * rupee}, "a"},
		"a part":                     {"va1", "", 50_000 * rupee, []match.Candidate{due("a", "va1", "")}, match.Proposal{Basis: match.BasisAccount, Fit: match.FitPart}, "a"},
		"too much":                   {"", "U1", 120_000 * rupee, []match.Candidate{due("a", "", "U1")}, match.Proposal{Basis: match.BasisUTR, Fit: match.FitExcess, Over: 2_000 * rupee}, "a"},
	} {
		got := match.Match(match.Seen{VirtualID: tc.account, UTR: tc.utr, Amount: tc.amount}, tc.open)
		require.NotEmpty(t, got, name)
		p := got[0]
		require.Equal(t, tc.of, p.ProformaID, name)
		require.Equal(t, tc.want, match.Proposal{Basis: p.Basis, Fit: p.Fit, RateBps: p.RateBps, TDS: p.TDS, GSTTDS: p.GSTTDS, Off: p.Off, Over: p.Over, Certain: p.Certain}, name)
		if p.Fit != match.FitPart {
			require.Equal(t, p.Due, p.Amount+p.TDS+p.GSTTDS, "%s: the arithmetic is whole", name)
		}
		require.Equal(t, tc.amount, p.Amount+p.Over, name)
	}
}

// Given money that fits no bill, or several bills equally well, then no match is certain.
func TestMatch_AmbiguousOrUnknownAmount_IsNotCertain(t *testing.T) {
	t.Parallel()
	const rupee = money.Rupee
	require.Empty(t, match.Match(match.Seen{VirtualID: "", UTR: "U9", Amount: 50_000 * rupee}, []match.Candidate{due("a", "", "")}), "a part is proposed for nobody by its amount")
	require.Empty(t, match.Match(match.Seen{VirtualID: "va9", UTR: "U1", Amount: 118_000 * rupee}, []match.Candidate{due("a", "va1", "U1")}), "what came into one customer's account is nobody else's")
	require.Empty(t, match.Match(match.Seen{VirtualID: "", UTR: "", Amount: 107_997 * rupee}, []match.Candidate{due("a", "", "")}), "three rupees are too far off")

	two := match.Match(match.Seen{VirtualID: "va1", UTR: "U1", Amount: 118_000 * rupee}, []match.Candidate{due("a", "va1", ""), due("b", "va1", "")})
	require.Len(t, two, 2)
	require.False(t, two[0].Certain || two[1].Certain)
	told := match.Match(match.Seen{VirtualID: "", UTR: "U1", Amount: 118_000 * rupee}, []match.Candidate{due("a", "", "U1"), due("b", "", "U1")})
	require.Len(t, told, 2)
	require.False(t, told[0].Certain || told[1].Certain, "two customers cannot both have paid it")
	late := due("a", "va1", "")
	late.Expired = true
	require.False(t, match.Match(match.Seen{VirtualID: "va1", UTR: "", Amount: 118_000 * rupee}, []match.Candidate{late})[0].Certain, "its price may be another one now")
}

// Given GST deducted alone at 2 %, then it is proposed as income tax at the same rate, which comes first in the order and which a person may change.
func TestMatch_RateOfBothTaxes_IsProposedAsIncomeTax(t *testing.T) {
	t.Parallel()
	p := match.Match(match.Seen{VirtualID: "va1", UTR: "", Amount: 116_000 * money.Rupee}, []match.Candidate{due("a", "va1", "")})[0]
	require.Equal(t, match.FitTDS, p.Fit)
	require.Equal(t, int64(200), p.RateBps)
}

func TestCleanUTR_RemovesSeparators(t *testing.T) {
	t.Parallel()
	require.Equal(t, "SBIN0R52026", utr.Clean(" sbin-0r5/2026 "))
}

// Every amount around a bill is proposed with a positive tax that adds up to the due amount and is within two rupees of its rate.
func TestMatch_AnyAmount_ProposalAddsUp(t *testing.T) {
	t.Parallel()
	for _, taxable := range []money.Paise{100, 4_000, 10_000, 10_050, 25_000, 99_950, 100_000, 1_250_000, 1_271_186, 13_500_000} {
		gst := taxable.MulBps(1800)
		due := taxable + gst
		for off := money.Paise(-40_000); off <= due/5+40_000 && off < due; off += 49 {
			amount := due - off
			if amount < 1 {
				break
			}
			found := match.Match(match.Seen{VirtualID: "va1", Amount: amount}, []match.Candidate{{VirtualID: "va1", Due: due, Taxable: taxable}})
			require.Len(t, found, 1)
			p := found[0]
			require.GreaterOrEqual(t, p.TDS, money.Paise(0), "taxable %d amount %d", taxable, amount)
			require.GreaterOrEqual(t, p.GSTTDS, money.Paise(0))
			if p.Fit != match.FitPart && p.Fit != match.FitExcess {
				require.Equal(t, due, p.Amount+p.TDS+p.GSTTDS)
			}
			if p.Fit == match.FitTDS || p.Fit == match.FitBoth {
				require.Positive(t, p.TDS, "taxable %d amount %d", taxable, amount)
			}
			if p.TDS > 0 {
				tax := ((taxable*money.Paise(p.RateBps)+5_000)/10_000 + 50) / 100 * 100 // in whole rupees, half of one up
				require.LessOrEqual(t, (p.TDS - tax).Abs(), 2*money.Rupee, "taxable %d amount %d rate %d tds %d", taxable, amount, p.RateBps, p.TDS)
			}
			if p.GSTTDS > 0 {
				require.LessOrEqual(t, (p.GSTTDS - (taxable+25)/50).Abs(), 2*money.Rupee, "staff can confirm it: taxable %d amount %d gst %d", taxable, amount, p.GSTTDS)
			}
		}
	}
}
