package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer"
)

const lakh = 1_00_000 * money.Rupee

// due is a bill of ₹1,18,000 for a customer with their own account.
func due(id, account, utr string) transfer.Candidate {
	return transfer.Candidate{ProformaID: id, VirtualID: account, ToldUTR: utr, Due: lakh * 118 / 100, Taxable: lakh}
}

// Given a credit, then it is matched by account, then by number, then by the exact total, then less tax at 1, 2 and 10 %, then less GST, then
// less both, and then as a part; and nothing but the exact amount on the customer's own account is certain.
func TestMatch_EachRule_HasItsOrder(t *testing.T) {
	t.Parallel()
	const rupee = money.Rupee
	for name, tc := range map[string]struct {
		account, utr string
		amount       money.Paise
		open         []transfer.Candidate
		want         transfer.Proposal // of which basis, fit, rate, tax, over and certainty count
		of           string
	}{
		"exact, on the account":      {"va1", "U1", 118_000 * rupee, []transfer.Candidate{due("a", "va1", ""), due("b", "va2", "")}, transfer.Proposal{Basis: transfer.BasisAccount, Fit: transfer.FitExact, Certain: true}, "a"},
		"exact, by the number":       {"", "U1", 118_000 * rupee, []transfer.Candidate{due("a", "", ""), due("b", "", "U1")}, transfer.Proposal{Basis: transfer.BasisUTR, Fit: transfer.FitExact}, "b"},
		"account before number":      {"va1", "U1", 118_000 * rupee, []transfer.Candidate{due("a", "va1", ""), due("b", "", "U1")}, transfer.Proposal{Basis: transfer.BasisAccount, Fit: transfer.FitExact, Certain: true}, "a"},
		"exact, by the amount alone": {"", "U9", 118_000 * rupee, []transfer.Candidate{due("a", "", "U1")}, transfer.Proposal{Basis: transfer.BasisAmount, Fit: transfer.FitExact}, "a"},
		"less 1 %":                   {"va1", "", 117_000 * rupee, []transfer.Candidate{due("a", "va1", "")}, transfer.Proposal{Basis: transfer.BasisAccount, Fit: transfer.FitTDS, RateBps: 100, TDS: 1_000 * rupee}, "a"},
		"less 2 %":                   {"", "", 116_000 * rupee, []transfer.Candidate{due("a", "", "")}, transfer.Proposal{Basis: transfer.BasisAmount, Fit: transfer.FitTDS, RateBps: 200, TDS: 2_000 * rupee}, "a"},
		"less 10 %":                  {"", "", 108_000 * rupee, []transfer.Candidate{due("a", "", "")}, transfer.Proposal{Basis: transfer.BasisAmount, Fit: transfer.FitTDS, RateBps: 1000, TDS: 10_000 * rupee}, "a"},
		"less 10 %, two rupees off":  {"", "", 107_998 * rupee, []transfer.Candidate{due("a", "", "")}, transfer.Proposal{Basis: transfer.BasisAmount, Fit: transfer.FitTDS, RateBps: 1000, TDS: 10_002 * rupee, Off: 2 * rupee}, "a"},
		"GST besides 1 %":            {"va1", "", 115_000 * rupee, []transfer.Candidate{due("a", "va1", "")}, transfer.Proposal{Basis: transfer.BasisAccount, Fit: transfer.FitBoth, RateBps: 100, TDS: 1_000 * rupee, GSTTDS: 2_000 * rupee}, "a"},
		"GST besides 10 %":           {"va1", "", 106_000 * rupee, []transfer.Candidate{due("a", "va1", "")}, transfer.Proposal{Basis: transfer.BasisAccount, Fit: transfer.FitBoth, RateBps: 1000, TDS: 10_000 * rupee, GSTTDS: 2_000 * rupee}, "a"},
		"a part":                     {"va1", "", 50_000 * rupee, []transfer.Candidate{due("a", "va1", "")}, transfer.Proposal{Basis: transfer.BasisAccount, Fit: transfer.FitPart}, "a"},
		"too much":                   {"", "U1", 120_000 * rupee, []transfer.Candidate{due("a", "", "U1")}, transfer.Proposal{Basis: transfer.BasisUTR, Fit: transfer.FitExcess, Over: 2_000 * rupee}, "a"},
	} {
		got := transfer.Match(transfer.Seen{VirtualID: tc.account, UTR: tc.utr, Amount: tc.amount}, tc.open)
		require.NotEmpty(t, got, name)
		p := got[0]
		require.Equal(t, tc.of, p.ProformaID, name)
		require.Equal(t, tc.want, transfer.Proposal{Basis: p.Basis, Fit: p.Fit, RateBps: p.RateBps, TDS: p.TDS, GSTTDS: p.GSTTDS, Off: p.Off, Over: p.Over, Certain: p.Certain}, name)
		if p.Fit != transfer.FitPart {
			require.Equal(t, p.Due, p.Amount+p.TDS+p.GSTTDS, "%s: the arithmetic is whole", name)
		}
		require.Equal(t, tc.amount, p.Amount+p.Over, name)
	}
}

// Given money that fits no bill, or several bills equally well, then no match is certain.
func TestMatch_AmbiguousOrUnknownAmount_IsNotCertain(t *testing.T) {
	t.Parallel()
	const rupee = money.Rupee
	require.Empty(t, transfer.Match(transfer.Seen{VirtualID: "", UTR: "U9", Amount: 50_000 * rupee}, []transfer.Candidate{due("a", "", "")}), "a part is proposed for nobody by its amount")
	require.Empty(t, transfer.Match(transfer.Seen{VirtualID: "va9", UTR: "U1", Amount: 118_000 * rupee}, []transfer.Candidate{due("a", "va1", "U1")}), "what came into one customer's account is nobody else's")
	require.Empty(t, transfer.Match(transfer.Seen{VirtualID: "", UTR: "", Amount: 107_997 * rupee}, []transfer.Candidate{due("a", "", "")}), "three rupees are too far off")

	two := transfer.Match(transfer.Seen{VirtualID: "va1", UTR: "U1", Amount: 118_000 * rupee}, []transfer.Candidate{due("a", "va1", ""), due("b", "va1", "")})
	require.Len(t, two, 2)
	require.False(t, two[0].Certain || two[1].Certain)
	told := transfer.Match(transfer.Seen{VirtualID: "", UTR: "U1", Amount: 118_000 * rupee}, []transfer.Candidate{due("a", "", "U1"), due("b", "", "U1")})
	require.Len(t, told, 2)
	require.False(t, told[0].Certain || told[1].Certain, "two customers cannot both have paid it")
	late := due("a", "va1", "")
	late.Expired = true
	require.False(t, transfer.Match(transfer.Seen{VirtualID: "va1", UTR: "", Amount: 118_000 * rupee}, []transfer.Candidate{late})[0].Certain, "its price may be another one now")
}

// Given GST deducted alone at 2 %, then it is proposed as income tax at the same rate, which comes first in the order and which a person may change.
func TestMatch_RateOfBothTaxes_IsProposedAsIncomeTax(t *testing.T) {
	t.Parallel()
	p := transfer.Match(transfer.Seen{VirtualID: "va1", UTR: "", Amount: 116_000 * money.Rupee}, []transfer.Candidate{due("a", "va1", "")})[0]
	require.Equal(t, transfer.FitTDS, p.Fit)
	require.Equal(t, int64(200), p.RateBps)
}

func TestCleanUTR_RemovesSeparators(t *testing.T) {
	t.Parallel()
	require.Equal(t, "SBIN0R52026", transfer.CleanUTR(" sbin-0r5/2026 "))
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
			found := transfer.Match(transfer.Seen{VirtualID: "va1", Amount: amount}, []transfer.Candidate{{VirtualID: "va1", Due: due, Taxable: taxable}})
			require.Len(t, found, 1)
			p := found[0]
			require.GreaterOrEqual(t, p.TDS, money.Paise(0), "taxable %d amount %d", taxable, amount)
			require.GreaterOrEqual(t, p.GSTTDS, money.Paise(0))
			if p.Fit != transfer.FitPart && p.Fit != transfer.FitExcess {
				require.Equal(t, due, p.Amount+p.TDS+p.GSTTDS)
			}
			if p.Fit == transfer.FitTDS || p.Fit == transfer.FitBoth {
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
