package match_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/transfer/match"
)

// bill is a proforma of ₹1,18,000, of which ₹1,00,000 are before tax.
func bill(id string, change func(c *match.Candidate)) match.Candidate {
	c := match.Candidate{ProformaID: id, Number: "PF/26-27/00000" + id, Due: 1_18_000_00, Taxable: 1_00_000_00}
	if change != nil {
		change(&c)
	}
	return c
}

// bests returns the proformas and bases of proposals, the best first.
func bests(list []match.Proposal) (all []string) {
	for _, p := range list {
		all = append(all, p.ProformaID+" "+string(p.Basis)+" "+string(p.Fit))
	}
	return all
}

// A remark names a bill by its number or that of the customer's order, however the bank cut or joined the words: up to four in a row. An
// order's number has five characters and a digit, since the year stands in many remarks.
func TestMatch_RemarkWithANumber_FindsTheProforma(t *testing.T) {
	t.Parallel()
	of := bill("7", func(c *match.Candidate) { c.PONumber = "PO-4711" })
	for remark, named := range map[string]bool{
		"NEFT PF/26-27/000007 ASHA": true, "pf 26 27 000007": true, "PF2627000007": true, "x PF26 27000007 y": true, "PF/26-27/000008": false, "PF 26 27 00 0007": false,
		"INV PO 4711": true, "PO4711": true, "p.o. 4711": true, "4711": false, "PO 47 11": true, "PO 4 7 1 1": false, "XPO4711": false, "": false, "26 27": false,
	} {
		list := match.Match(match.Seen{Remark: remark, Amount: 50_000_00}, []match.Candidate{of})
		require.Equal(t, named, len(list) == 1, "%q: a part is proposed for a bill that is named", remark)
		if named {
			require.Equal(t, []string{"7 reference part"}, bests(list), remark)
		}
	}
	for po, known := range map[string]bool{"PO471": true, "P471": false, "ORDER": false, "ORDE1": true, "": false, "  ": false} {
		short := bill("7", func(c *match.Candidate) { c.PONumber = po })
		list := match.Match(match.Seen{Remark: "NEFT " + po + " 2026", Amount: 50_000_00}, []match.Candidate{short})
		require.Equal(t, known, len(list) == 1, "%q", po)
	}
	nameless := bill("7", func(c *match.Candidate) { c.Number = "" })
	require.Empty(t, match.Match(match.Seen{Remark: "NEFT", Amount: 50_000_00}, []match.Candidate{nameless}))
}

// The customer's information precedes the amount. On the customer's own account, the named proforma precedes the others.
func TestMatch_CustomersStatement_PrecedesTheAmount(t *testing.T) {
	t.Parallel()
	exact := bill("1", nil)
	told := bill("2", func(c *match.Candidate) { c.ToldUTR, c.Due = "U1", 2_36_000_00 })
	named := bill("3", func(c *match.Candidate) { c.Due = 2_36_000_00 })
	list := match.Match(match.Seen{UTR: "U1", Remark: "PF/26-27/000003", Amount: 1_18_000_00}, []match.Candidate{exact, named, told})
	require.Equal(t, []string{"2 utr part", "3 reference part", "1 amount exact"}, bests(list))
	for _, p := range list {
		require.False(t, p.Certain, "anybody may tell a number that they saw")
	}
	less := bill("4", func(c *match.Candidate) { c.Due = 1_20_000_00 }) // less 2 % of a lakh is the amount
	require.Equal(t, []string{"1 amount exact", "4 amount tds"}, bests(match.Match(match.Seen{Amount: 1_18_000_00}, []match.Candidate{less, exact})))

	own := func(id string, change func(c *match.Candidate)) match.Candidate {
		c := bill(id, change)
		c.VirtualID = "va1"
		return c
	}
	two := []match.Candidate{own("1", nil), own("2", func(c *match.Candidate) { c.ToldUTR, c.Due = "U1", 2_36_000_00 }), own("3", nil)}
	list = match.Match(match.Seen{VirtualID: "va1", UTR: "U1", Amount: 1_18_000_00}, two)
	require.Equal(t, []string{"2 account part", "1 account exact", "3 account exact"}, bests(list), "the bill that the customer named comes first")
	require.False(t, list[0].Certain || list[1].Certain)
	list = match.Match(match.Seen{VirtualID: "va1", Amount: 1_18_000_00}, two[:2])
	require.Equal(t, []string{"1 account exact", "2 account part"}, bests(list))
	require.True(t, list[0].Certain, "the exact amount of one bill alone")
	list = match.Match(match.Seen{VirtualID: "va1", UTR: "U1", Amount: 1_18_000_00}, two[:2])
	require.False(t, list[0].Certain || list[1].Certain, "the customer named another bill than the amount does")
	named = own("3", func(c *match.Candidate) { c.Due = 2_36_000_00 })
	list = match.Match(match.Seen{VirtualID: "va1", Remark: "PF/26-27/000003", Amount: 1_18_000_00}, []match.Candidate{own("1", nil), named})
	require.Equal(t, []string{"3 account part", "1 account exact"}, bests(list), "also where the remark names it")
	list = match.Match(match.Seen{UTR: "U1", Amount: 1_18_000_00}, two)
	require.Equal(t, []string{"2 utr part", "1 amount exact", "3 amount exact"}, bests(list), "who has an account of their own may pay into ours")
	require.False(t, list[1].Certain || list[2].Certain)
	empty := match.Match(match.Seen{UTR: "", Amount: 1_18_000_00}, []match.Candidate{bill("1", func(c *match.Candidate) { c.ToldUTR = "" })})
	require.Equal(t, []string{"1 amount exact"}, bests(empty), "no number is not the same as no number")
}

// Deducted tax is recognised up to two rupees from its rate, to the paisa. A larger difference, or one that matches no tax, is not tax.
func TestMatch_DeductedTax_IsRecognisedWithinTwoRupees(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		amount money.Paise
		want   string
		tds    money.Paise
		off    money.Paise
	}{
		"2 % to the rupee":              {1_16_000_00, "tds 200", 2_000_00, 0},
		"two rupees more deducted":      {1_15_998_00, "tds 200", 2_002_00, 2_00},
		"a paisa above that":            {1_15_997_99, "", 0, 0},
		"two rupees less deducted":      {1_16_002_00, "tds 200", 1_998_00, -2_00},
		"a paisa below that":            {1_16_002_01, "", 0, 0},
		"1 %":                           {1_17_000_00, "tds 100", 1_000_00, 0},
		"10 %":                          {1_08_000_00, "tds 1000", 10_000_00, 0},
		"both at 2 %":                   {1_14_000_00, "tds_and_gst_tds 200", 2_000_00, 0},
		"both, with 1 %":                {1_15_000_00, "tds_and_gst_tds 100", 1_000_00, 0},
		"a rupee less than due":         {1_17_999_00, "", 0, 0},
		"a rupee more than due":         {1_18_001_00, "", 0, 0},
		"5 %, which the law has not":    {1_13_000_00, "", 0, 0},
		"20 %, which is never proposed": {98_000_00, "", 0, 0},
	} {
		list := match.Match(match.Seen{Amount: tc.amount}, []match.Candidate{bill("1", nil)})
		if tc.want == "" {
			require.Empty(t, list, name)
			continue
		}
		require.Len(t, list, 1, name)
		p := list[0]
		got := string(p.Fit) + " " + map[int64]string{100: "100", 200: "200", 1000: "1000"}[p.RateBps]
		require.Equal(t, tc.want, got, name)
		require.Equal(t, []money.Paise{tc.tds, tc.off}, []money.Paise{p.TDS, p.Off}, name)
		require.Equal(t, p.Due, p.Amount+p.TDS+p.GSTTDS, name)
		require.False(t, p.Certain, "tax is confirmed by a person")
	}
	small := bill("1", func(c *match.Candidate) { c.Due, c.Taxable = 118_00, 100_00 })
	require.Empty(t, match.Match(match.Seen{Amount: 119_00}, []match.Candidate{small}), "a rupee too much is no tax of a rupee below zero")
	list := match.Match(match.Seen{Amount: 117_00}, []match.Candidate{small})
	require.Equal(t, money.Paise(1_00), list[0].TDS)
	// Of ₹1,020 both taxes are ₹20.40 at 2 %; income tax is deducted in whole rupees, so that ₹22.40 are GST alone.
	odd := bill("1", func(c *match.Candidate) { c.Due, c.Taxable = 1_203_60, 1_020_00 })
	list = match.Match(match.Seen{Amount: 1_181_20}, []match.Candidate{odd})
	require.Len(t, list, 1)
	require.Equal(t, []any{match.FitGSTTDS, int64(0), money.Paise(0), money.Paise(22_40), money.Paise(2_00)}, []any{list[0].Fit, list[0].RateBps, list[0].TDS, list[0].GSTTDS, list[0].Off})
	list = match.Match(match.Seen{Amount: 1_183_60}, []match.Candidate{odd})
	require.Equal(t, []any{match.FitTDS, money.Paise(20_00)}, []any{list[0].Fit, list[0].TDS})
}
