package invoice

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// asha is a recipient in Pune with a GSTIN, as staff may type it.
func asha() Recipient {
	return Recipient{Name: "Asha Traders LLP", Address: []string{"12/4, MG Road", "Pune 411001"}, StateCode: "27", GSTIN: "27AAQCA8719H1Z6"}
}

// Staff's input for another recipient is trimmed before printing, or refused with the invalid field, exact to the character at a limit.
func TestRecipient_EachInvalidField_IsRefused(t *testing.T) {
	t.Parallel()
	s := &Service{supplier: Supplier{GSTIN: "27AAPFU0939F1ZV", StateCode: "27"}}
	for name, tc := range map[string]struct {
		change func(r *Recipient)
		fields []string
	}{
		"as it is":                        {func(*Recipient) {}, nil},
		"two letters":                     {func(r *Recipient) { r.Name = "Li" }, nil},
		"one letter":                      {func(r *Recipient) { r.Name = "L" }, []string{"name"}},
		"a hundred letters":               {func(r *Recipient) { r.Name = strings.Repeat("म", 100) }, nil},
		"a hundred and one":               {func(r *Recipient) { r.Name = strings.Repeat("म", 101) }, []string{"name"}},
		"nobody":                          {func(r *Recipient) { r.Name = " \t " }, []string{"name"}},
		"an e-mail address":               {func(r *Recipient) { r.Name = "asha@example.in" }, []string{"name"}},
		"a sign that no printer has":      {func(r *Recipient) { r.Name = "Asha <b>" }, []string{"name"}},
		"a name in Hindi, with its signs": {func(r *Recipient) { r.Name = "आशा (मिठाई) & Co." }, nil},
		"no address":                      {func(r *Recipient) { r.Address, r.GSTIN = []string{"", " "}, "" }, []string{"address"}},
		"six lines":                       {func(r *Recipient) { r.Address = []string{"1", "2", "3", "4", "5", "Pune 411001"} }, nil},
		"six lines and blanks":            {func(r *Recipient) { r.Address = []string{"1", "", "2", "3", "4", " ", "5", "Pune 411001"} }, nil},
		"seven lines":                     {func(r *Recipient) { r.Address = []string{"1", "2", "3", "4", "5", "6", "Pune 411001"} }, []string{"address"}},
		"a line of 120":                   {func(r *Recipient) { r.Address[0] = strings.Repeat("x", 120) }, nil},
		"a line of 121":                   {func(r *Recipient) { r.Address[0] = strings.Repeat("x", 121) }, []string{"address"}},
		"a line with a line break":        {func(r *Recipient) { r.Address[0] = "12\nMG Road" }, []string{"address"}},
		"a GSTIN, and no PIN code":        {func(r *Recipient) { r.Address = []string{"Pune"} }, []string{"address"}},
		"no GSTIN, and no PIN code":       {func(r *Recipient) { r.Address, r.GSTIN = []string{"Pune"}, "" }, nil},
		"no State":                        {func(r *Recipient) { r.StateCode = "" }, []string{"state_code"}},
		"a former State":                  {func(r *Recipient) { r.StateCode = "25" }, []string{"state_code"}},
		"another State's GSTIN":           {func(r *Recipient) { r.StateCode = "29" }, []string{"gstin"}},
		"a misread GSTIN":                 {func(r *Recipient) { r.GSTIN = "27AAQCA8719H1Z7" }, []string{"gstin"}},
		"our own GSTIN":                   {func(r *Recipient) { r.GSTIN = "27aapfu0939f1zv" }, []string{"gstin"}},
		"a GSTIN in small letters":        {func(r *Recipient) { r.GSTIN = " 27aaqca8719h1z6 " }, nil},
		"nothing":                         {func(r *Recipient) { *r = Recipient{} }, []string{"address", "name", "state_code"}},
		"several at once":                 {func(r *Recipient) { r.Name, r.GSTIN, r.Address = "x", "27", []string{"Pune"} }, []string{"address", "gstin", "name"}},
	} {
		r := asha()
		tc.change(&r)
		got, err := s.CheckedRecipient(r)
		if len(tc.fields) == 0 {
			require.NoError(t, err, name)
			require.NotContains(t, got.GSTIN, " ", name)
			require.Equal(t, strings.ToUpper(got.GSTIN), got.GSTIN, name)
			for _, line := range got.Address {
				require.NotEmpty(t, line, name)
				require.Equal(t, strings.TrimSpace(line), line, name)
			}
			continue
		}
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		var fields []string
		for field := range errs.As(err).Fields {
			fields = append(fields, field)
		}
		require.ElementsMatch(t, tc.fields, fields, name)
	}
	got, err := s.CheckedRecipient(Recipient{Name: "  Asha \t Traders ", Address: []string{" Pune 411001 ", ""}, StateCode: "27", GSTIN: " 27aaqca8719h1z6"})
	require.NoError(t, err)
	require.Equal(t, Recipient{Name: "Asha Traders", Address: []string{"Pune 411001"}, StateCode: "27", GSTIN: "27AAQCA8719H1Z6"}, got)
	_, err = s.CheckedRecipient(Recipient{Name: "Asha", Address: []string{"Pune 411001"}, StateCode: "29", GSTIN: "27AAQCA8719H1Z6"})
	require.Equal(t, []string{"This GSTIN belongs to Maharashtra (27), not to Karnataka (29)."}, errs.As(err).Fields["gstin"], "the words name both States")
}

// A correction has to change a printed part; each printed part counts.
func TestSameRecipient_EachPrintedPart_Counts(t *testing.T) {
	t.Parallel()
	require.True(t, same(asha(), asha()))
	for name, change := range map[string]func(r *Recipient){
		"the name":           func(r *Recipient) { r.Name = "Asha Traders" },
		"the State":          func(r *Recipient) { r.StateCode = "29" },
		"the GSTIN":          func(r *Recipient) { r.GSTIN = "" },
		"a line":             func(r *Recipient) { r.Address = []string{"12/5, MG Road", "Pune 411001"} },
		"the lines' breaks":  func(r *Recipient) { r.Address = []string{"12/4, MG Road Pune 411001"} },
		"the lines' order":   func(r *Recipient) { r.Address = []string{"Pune 411001", "12/4, MG Road"} },
		"a line that is new": func(r *Recipient) { r.Address = append(r.Address, "India") },
	} {
		other := asha()
		change(&other)
		require.False(t, same(asha(), other), name)
		require.False(t, same(other, asha()), name)
	}
	language := asha()
	language.Also, language.SEZ = i18n.Language("hi"), true
	require.True(t, same(asha(), language), "the language and the zone are the order's, and stay")
}

// Section 34(2) CGST Act: a note changes the tax until the end of 30 November after the invoice's financial year, in India, or until the
// annual return of that year, whichever is earlier; the return of another year does not matter.
func TestCreditNote_TimeLimit_EndsOn30NovemberOrWithTheAnnualReturn(t *testing.T) {
	t.Parallel()
	ist := func(y int, m time.Month, d, h, min int) time.Time { return time.Date(y, m, d, h, min, 0, 0, clock.IST) }
	for name, tc := range map[string]struct {
		issued, at time.Time
		returns    map[string]time.Time
		want       bool
	}{
		"the last minute":                      {ist(2026, 11, 2, 10, 0), ist(2027, 11, 30, 23, 59), nil, true},
		"the first of December":                {ist(2026, 11, 2, 10, 0), ist(2027, 12, 1, 0, 0), nil, false},
		"issued on 31 March":                   {ist(2027, 3, 31, 23, 59), ist(2027, 11, 30, 12, 0), nil, true},
		"issued on 31 March, a year later":     {ist(2027, 3, 31, 23, 59), ist(2028, 4, 1, 0, 0), nil, false},
		"issued on 1 April":                    {ist(2027, 4, 1, 0, 0), ist(2028, 11, 30, 23, 59), nil, true},
		"issued on 1 April, too late":          {ist(2027, 4, 1, 0, 0), ist(2028, 12, 1, 0, 0), nil, false},
		"before the annual return":             {ist(2026, 11, 2, 10, 0), ist(2027, 8, 1, 9, 59), map[string]time.Time{"26-27": ist(2027, 8, 1, 10, 0)}, true},
		"at the annual return":                 {ist(2026, 11, 2, 10, 0), ist(2027, 8, 1, 10, 0), map[string]time.Time{"26-27": ist(2027, 8, 1, 10, 0)}, false},
		"another year's return":                {ist(2026, 11, 2, 10, 0), ist(2027, 8, 1, 10, 0), map[string]time.Time{"25-26": ist(2026, 8, 1, 10, 0)}, true},
		"a return that is filed after the end": {ist(2026, 11, 2, 10, 0), ist(2027, 12, 1, 0, 0), map[string]time.Time{"26-27": ist(2027, 12, 31, 0, 0)}, false},
	} {
		i := Invoice{IssuedAt: tc.issued.UTC(), FinancialYear: FinancialYear(tc.issued)}
		require.Equal(t, tc.want, (&Service{returns: tc.returns}).taxAdjustable(i, tc.at.UTC()), name)
	}
}

// Which documents are registered at the portal: invoices and credit notes with GST to recipients with a GSTIN, from the day on.
func TestMustRegister_InvoicesAndGSTNotesToGSTINs(t *testing.T) {
	t.Parallel()
	from := time.Date(2027, time.April, 1, 0, 0, 0, 0, clock.IST)
	sound := Invoice{Kind: KindInvoice, IssuedAt: from, Recipient: asha()}
	require.True(t, sound.MustRegister(from), "from its first moment")
	require.False(t, sound.MustRegister(time.Time{}), "none is registered")
	require.False(t, sound.MustRegister(from.Add(time.Microsecond)))
	for name, tc := range map[string]struct {
		change func(i *Invoice)
		want   bool
	}{
		"a credit note":          {func(i *Invoice) { i.Kind = KindCreditNote }, true},
		"a note without GST":     {func(i *Invoice) { i.Kind, i.Commercial = KindCreditNote, true }, false},
		"a receipt voucher":      {func(i *Invoice) { i.Kind = KindReceiptVoucher }, false},
		"a refund voucher":       {func(i *Invoice) { i.Kind = KindRefundVoucher }, false},
		"to a consumer":          {func(i *Invoice) { i.Recipient.GSTIN = "" }, false},
		"to a zone":              {func(i *Invoice) { i.Recipient.SEZ = true }, true},
		"of the moment before":   {func(i *Invoice) { i.IssuedAt = from.Add(-time.Microsecond) }, false},
		"registered by now, too": {func(i *Invoice) { i.IRN = "x" }, true},
	} {
		i := sound
		tc.change(&i)
		require.Equal(t, tc.want, i.MustRegister(from), name)
	}
}

// Each kind of document has its own series and word. A credit note without GST has a separate series, because no return contains it.
func TestKinds_EachOne_HasItsSeriesAndWord(t *testing.T) {
	t.Parallel()
	for kind, want := range map[Kind][3]string{
		KindInvoice: {"FP", "invoice", ""}, KindCreditNote: {"CN", "credit note", ""}, KindReceiptVoucher: {"RV", "receipt voucher", "voucher"},
		KindRefundVoucher: {"FV", "refund voucher", "voucher"},
	} {
		require.Equal(t, want[0], kind.Series())
		require.Equal(t, want[0], Invoice{Kind: kind}.series())
		require.Equal(t, want[1], kind.In(i18n.English))
		require.NotEqual(t, want[1], kind.In(i18n.Language("hi")))
		require.Equal(t, want[2] != "", kind.Voucher(), kind)
	}
	require.Equal(t, "CC", Invoice{Kind: KindCreditNote, Commercial: true}.series())
	require.Len(t, allSeries(), 5)
	for number, want := range map[string]Series{
		"FP/26-27/000042": {Name: "FP", FinancialYear: "26-27", Last: 42}, "CC/27-28/1234567": {Name: "CC", FinancialYear: "27-28", Last: 1_234_567},
	} {
		got, err := ParseNumber(number)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	for name, number := range map[string]string{
		"nothing": "", "an unknown series": "PF/26-27/000042", "five digits": "FP/26-27/00042", "number zero": "FP/26-27/000000", "small letters": "fp/26-27/000042",
		"seventeen characters": "FP/26-27/12345678", "no year": "FP/2627/000042", "something behind it": "FP/26-27/000042 ", "two numbers": "FP/26-27/000042\nFP/26-27/000043",
	} {
		_, err := ParseNumber(number)
		require.Error(t, err, name)
	}
}

// The included tax and the remaining value of a voucher add up to the received amount; each head is rounded half up. Checked by hand
// against amount × rate / (100 + rate).
func TestIncluded_Advance_EqualsTheHandComputedTax(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		regime Regime
		amount money.Paise
		rate   int64
		want   Tax
	}{
		{RegimeInterState, 118_00, 1800, Tax{IGST: 18_00}},
		{RegimeState, 118_00, 1800, Tax{CGST: 9_00, SGST: 9_00}},
		{RegimeUnionTerritory, 118_00, 1800, Tax{CGST: 9_00, UTGST: 9_00}},
		{RegimeInterState, 100_00, 1800, Tax{IGST: 15_25}},          // 15.254…
		{RegimeState, 100_00, 1800, Tax{CGST: 7_63, SGST: 7_63}},    // 7.627…
		{RegimeInterState, 1, 1800, Tax{}},                          // 0.15 paise
		{RegimeInterState, 105_00, 500, Tax{IGST: 5_00}},            //
		{RegimeState, 105_01, 500, Tax{CGST: 2_50, SGST: 2_50}},     // 2.50023…
		{RegimeInterState, 1_000_00, 0, Tax{}},                      // nothing
		{RegimeInterState, 1_59_300_00, 1800, Tax{IGST: 24_300_00}}, //
		{RegimeState, 1_59_300_01, 1800, Tax{CGST: 12_150_00, SGST: 12_150_00}},
	} {
		require.Equal(t, tc.want, tc.regime.Included(tc.amount, tc.rate), "%s of %s at %d", tc.regime, tc.amount, tc.rate)
	}
}

// The rates of GST on services: those of notification 11/2017, and since 22 September 2025 those of 15/2025.
func TestLawfulRates_EachDay_AreThoseOfTheNotifications(t *testing.T) {
	t.Parallel()
	for day, want := range map[Date][]int64{
		"2017-07-01": {0, 500, 1200, 1800, 2800}, "2025-09-21": {0, 500, 1200, 1800, 2800}, "2025-09-22": {0, 500, 1800, 4000}, "2030-01-01": {0, 500, 1800, 4000},
	} {
		require.Equal(t, want, LawfulRates(day), day)
		for _, bps := range []int64{0, 500, 1200, 1700, 1800, 1801, 2800, 4000} {
			lawful := false
			for _, known := range want {
				lawful = lawful || known == bps
			}
			require.Equal(t, lawful, Rate{From: day, RateBps: bps}.Lawful(), "%d from %s", bps, day)
		}
	}
}

// The State code of a GSTIN has to exist, even if the check character fits: 25 was merged into 26, and 28 became 37.
func TestParseGSTIN_StateThatNoLongerExists_IsRefused(t *testing.T) {
	t.Parallel()
	for number, known := range map[string]bool{
		"25AAPFU0939F1ZZ": false, "28AAPFU0939F1ZT": false, "00AAPFU0939F1ZB": false, "39AAPFU0939F1ZQ": false, "99AAPFU0939F1ZK": false,
		"97AAPFU0939F1ZO": true, "26AAPFU0939F1ZX": true, "38AAPFU0939F1ZS": true, "01AAPFU0939F1Z9": true,
	} {
		_, err := ParseGSTIN(number)
		require.Equal(t, known, err == nil, number)
	}
}

// A credit note without GST of the whole remainder leaves zero in every head. A line without a remainder loses nothing, and a position
// beyond the invoice's lines is refused.
func TestCreditNoteWithoutGST_OfTheWholeRemainder_LeavesNothing(t *testing.T) {
	t.Parallel()
	i := sold(t, RegimeState)
	all, totals, err := share(i.Lines, i.Totals.Total)
	require.NoError(t, err)
	require.Equal(t, i.Totals.Total, totals.Total)
	all, _, err = withoutTax(all)
	require.NoError(t, err)
	note := Invoice{Lines: all, Commercial: true}
	for _, l := range left(i, []Invoice{note}) {
		require.Zero(t, l.Taxable)
		require.Equal(t, Tax{}, l.Tax)
	}
	nothing := Invoice{Lines: []Line{{Position: 1}, {Position: 2}}, Commercial: true}
	require.Zero(t, totalOf(left(i, []Invoice{note, nothing})), "nothing of nothing")
	require.Equal(t, i.Lines, left(i, []Invoice{{Lines: []Line{{Position: 3, Taxable: 1}}}}), "one beyond the last")
}

// The least that is credited is a paisa: of a part of a line, and of the whole invoice.
func TestCreditNote_OnePaisa_IsPossible(t *testing.T) {
	t.Parallel()
	i := sold(t, RegimeInterState)
	lines, totals, err := cut(i.Lines, []CreditedPart{{Position: 1, Taxable: 1}})
	require.NoError(t, err)
	require.Equal(t, []money.Paise{1, 1}, []money.Paise{totals.Total, lines[0].Amount})
	lines, totals, err = share(i.Lines, 1)
	require.NoError(t, err)
	require.Equal(t, money.Paise(1), totals.Total)
	require.Len(t, lines, 1, "a line that gives nothing is none of the note's")
	first, err := ParseNumber("CN/26-27/000001")
	require.NoError(t, err)
	require.Equal(t, int64(1), first.Last)
}
