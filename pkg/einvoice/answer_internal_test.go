package einvoice

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
)

// The portal writes amounts as JSON numbers, whose form is its own: with and without decimals.
func TestSameAmount_OtherNotation_IsEqual(t *testing.T) {
	t.Parallel()
	for _, same := range [][2]string{{"159300", "159300.00"}, {"159300.0", "159300.00"}, {"159300.5", "159300.50"}, {"0.07", "0.07"}, {"0", "0.00"}, {"100.10", "100.1"}} {
		require.True(t, sameAmount(same[0], same[1]), same)
		require.True(t, sameAmount(same[1], same[0]), same)
	}
	for _, other := range [][2]string{{"1593", "159300.00"}, {"159300", "159300.01"}, {"159300.05", "159300.50"}, {"", "0.00"}, {"-159300", "159300.00"}, {"10", "100"}} {
		require.False(t, sameAmount(other[0], other[1]), other)
		require.False(t, sameAmount(other[1], other[0]), other)
	}
}

// Amounts and rates have two decimals from a paisa to ten thousand crore rupees.
func TestAmounts_HaveTwoDecimals(t *testing.T) {
	t.Parallel()
	for hundredths, want := range map[int64]string{
		0: "0.00", 7: "0.07", 99: "0.99", 100: "1.00", 12_345: "123.45", 1_59_300_00: "159300.00", 10_000_000_000_000: "100000000000.00",
	} {
		amount, err := json.Marshal(rupees(hundredths))
		require.NoError(t, err)
		require.Equal(t, want, string(amount))
		rate, err := json.Marshal(percent(hundredths))
		require.NoError(t, err)
		require.Equal(t, want, string(rate))
	}
}

// answered returns the registration of the document whose signed invoice is the given token.
func answered(i invoice.Invoice, token string) Registration {
	return Registration{IRN: IRNOf(i), AckNo: "112010036563310", AckAt: time.Unix(1, 0), SignedQR: "qr", SignedInvoice: token}
}

// An answer in another case is about the same document: document numbers are case-insensitive (since 1 June 2025), and a token may be
// padded.
func TestAnswer_SameDocumentInOtherCase_IsAccepted(t *testing.T) {
	t.Parallel()
	i := sample(t)
	i.Number = "FP/27-28/00A042"
	for name, change := range map[string]func(r *Registration, d *Document){
		"as it was sent":             func(*Registration, *Document) {},
		"an IRN in capitals":         func(r *Registration, _ *Document) { r.IRN = strings.ToUpper(r.IRN) },
		"a number in small letters":  func(_ *Registration, d *Document) { d.Doc.Number = strings.ToLower(d.Doc.Number) },
		"a GSTIN in small letters":   func(_ *Registration, d *Document) { d.Buyer.GSTIN = strings.ToLower(d.Buyer.GSTIN) },
		"another name, same numbers": func(_ *Registration, d *Document) { d.Buyer.Name = "Asha Traders, as the portal knows it" },
	} {
		d, err := DocumentOf(i)
		require.NoError(t, err)
		r := answered(i, "")
		change(&r, &d)
		r.SignedInvoice = signedAs(t, d)
		require.NoError(t, check(i, r), name)
	}
	inner := `{"DocDtls":{"No":"FP/27-28/00A042"},"ValDtls":{"TotInvVal":159300},"BuyerDtls":{"Gstin":"27AAQCA8719H1Z6"},"More":[1,{}]}`
	body, err := json.Marshal(map[string]any{"data": inner, "iss": "NIC"})
	require.NoError(t, err)
	require.NoError(t, check(i, answered(i, "e30."+base64.URLEncoding.EncodeToString(body)+".c2ln")), "padded, and with fields that nobody knows")
}

// A token is accepted only if its number, recipient and amount are the document's.
func TestAnswer_TokenOfAnotherDocument_IsRefused(t *testing.T) {
	t.Parallel()
	i := sample(t)
	token := func(body string) string { return "e30." + base64.RawURLEncoding.EncodeToString([]byte(body)) + ".c2ln" }
	data := func(inner string) string {
		body, err := json.Marshal(map[string]string{"data": inner})
		require.NoError(t, err)
		return token(string(body))
	}
	const number, buyer = `"DocDtls":{"No":"FP/27-28/000042"}`, `"BuyerDtls":{"Gstin":"27AAQCA8719H1Z6"}`
	for name, signed := range map[string]string{
		"two parts":                 "e30.e30",
		"four parts":                "e30.e30.c2ln.c2ln",
		"no base64":                 "e30.***.c2ln",
		"no JSON":                   token("<html>Gateway Timeout</html>"),
		"a list":                    token("[]"),
		"data that is no text":      token(`{"data":{"DocDtls":{}}}`),
		"data that is no JSON":      data("signed"),
		"half of it":                data(`{"DocDtls":{"No":"FP/27-28/0000`),
		"nothing in it":             data(`{}`),
		"no data":                   token(`{}`),
		"no amount":                 data(`{` + number + `,` + buyer + `}`),
		"an amount in words":        data(`{` + number + `,` + buyer + `,"ValDtls":{"TotInvVal":"1,59,300"}}`),
		"a paisa more":              data(`{` + number + `,` + buyer + `,"ValDtls":{"TotInvVal":159300.01}}`),
		"a hundredth of the amount": data(`{` + number + `,` + buyer + `,"ValDtls":{"TotInvVal":1593.00}}`),
		"no recipient":              data(`{` + number + `,"ValDtls":{"TotInvVal":159300}}`),
		"a longer number":           data(`{"DocDtls":{"No":"FP/27-28/0000420"},` + buyer + `,"ValDtls":{"TotInvVal":159300}}`),
		"a number that is a number": data(`{"DocDtls":{"No":42},` + buyer + `,"ValDtls":{"TotInvVal":159300}}`),
		"a megabyte of nothing":     token(`{"data":"` + strings.Repeat(" ", 1<<20) + `"}`),
	} {
		require.ErrorIs(t, check(i, answered(i, signed)), errAnswer, name)
	}
	require.NoError(t, check(i, answered(i, data(`{`+number+`,`+buyer+`,"ValDtls":{"TotInvVal":159300}}`))))
	r := answered(i, data(`{`+number+`,`+buyer+`,"ValDtls":{"TotInvVal":159300}}`))
	r.AckAt = time.Time{}
	require.ErrorIs(t, check(i, r), errAnswer, "a registration without its time")
}

// The reference number depends on each of the four, and on the year by its four digits.
func TestIRN_EachPartOfTheDocumentsName_ChangesIt(t *testing.T) {
	t.Parallel()
	i := sample(t)
	require.Equal(t, IRN("27AAPFU0939F1ZV", "2027-28", "INV", "FP/27-28/000042"), IRNOf(i))
	note := i
	note.Kind = invoice.KindCreditNote
	require.Equal(t, IRN("27AAPFU0939F1ZV", "2027-28", "CRN", "FP/27-28/000042"), IRNOf(note))
	seen := map[string]bool{IRNOf(i): true, IRNOf(note): true}
	for _, other := range []string{
		IRN("29AAPFU0939F1ZR", "2027-28", "INV", "FP/27-28/000042"), IRN("27AAPFU0939F1ZV", "2026-27", "INV", "FP/27-28/000042"),
		IRN("27AAPFU0939F1ZV", "2027-28", "DBN", "FP/27-28/000042"), IRN("27AAPFU0939F1ZV", "2027-28", "INV", "FP/27-28/000043"),
	} {
		require.Len(t, other, 64)
		require.False(t, seen[other])
		seen[other] = true
	}
}

// A refusal is final unless it may pass later; so is another document under the number. A failure on the way is retried, however it is
// wrapped.
func TestFinal_RefusalOrOtherDocument_IsNotRetried(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		err  error
		want bool
	}{
		"a refusal":                      {&RefusalError{Code: "3074"}, true},
		"a refusal that may pass later":  {&RefusalError{Code: "3028", Later: true}, false},
		"a refusal and its record":       {errors.Join(&RefusalError{Code: "3074"}, nil), true},
		"a refusal that is not recorded": {errors.Join(&RefusalError{Code: "3028", Later: true}, errors.New("no database")), false},
		"another document":               {fmt.Errorf("register: %w", errAnswer), true},
		"a time-out":                     {errors.New("deadline exceeded"), false},
		"unknown at the portal":          {ErrUnknown, false},
		"nothing":                        {nil, false},
	} {
		require.Equal(t, tc.want, Final(tc.err), name)
	}
	require.Equal(t, "einvoice: refused with 3074", (&RefusalError{Code: "3074", Message: "27AAQCA8719H1Z6 is not active"}).Error(),
		"the portal's text may name the customer")
}

// Texts are cut to the schema's lengths, counted in characters, and padded to at least three.
func TestDocument_LongTexts_AreCutToTheSchema(t *testing.T) {
	t.Parallel()
	hindi := strings.Repeat("मिठाई ", 30) // 180 characters of three bytes
	p, err := party(hindi, "27AAQCA8719H1Z6", "27", []string{"  ", strings.Repeat("x", 120), "MG Road", "Near the old mill", strings.Repeat("Pune ", 20) + "411001"})
	require.NoError(t, err)
	require.LessOrEqual(t, utf8.RuneCountInString(p.Name), 100)
	require.Greater(t, utf8.RuneCountInString(p.Name), 90)
	require.True(t, utf8.ValidString(p.Name))
	require.Equal(t, "...", p.Address1, "a line of blanks is lengthened")
	require.Equal(t, strings.Repeat("x", 100), p.Address2)
	require.LessOrEqual(t, len(p.Location), 50)
	require.Equal(t, strings.TrimSpace(p.Location), p.Location)
	require.Equal(t, []any{411001, "27", "27AAQCA8719H1Z6", ""}, []any{p.Pin, p.State, p.GSTIN, p.Place})

	i := sample(t)
	i.Lines[0].Description = strings.Repeat("é", 301)
	d, err := DocumentOf(i)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("é", 300), d.Items[0].Product)
}

// The lines of an address become two fields, the town and the PIN code; the first PIN code counts, and a second line of it stays text.
func TestDocument_AddressLines_BecomeTheSchemasFields(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		lines              []string
		one, two, location string
		pin                int
	}{
		"four lines":                     {[]string{"Flat 7", "MG Road", "Camp", "Pune 411001"}, "Flat 7", "MG Road, Camp", "Pune", 411001},
		"town and PIN code alone":        {[]string{"Pune 411001"}, "Pune", "", "Pune", 411001},
		"PIN code alone":                 {[]string{"MG Road", "411001"}, "MG Road", "", "...", 411001},
		"two PIN codes":                  {[]string{"Pune 411001", "or Mumbai 400051"}, "or Mumbai 400051", "", "Pune", 411001},
		"two in one line":                {[]string{"Pune 411001 or 411002"}, "Pune", "", "Pune", 411001},
		"a second field that is short":   {[]string{"MG Road", "7B", "Pune 411001"}, "MG Road", "", "Pune", 411001},
		"a second field of three":        {[]string{"MG Road", "7BC", "Pune 411001"}, "MG Road", "7BC", "Pune", 411001},
		"a hyphen before the PIN code":   {[]string{"MG Road", "Pune - 411 001, India"}, "MG Road", "", "Pune", 411001},
		"a telephone is no PIN code":     {[]string{"Ring 9876543210", "Pune 411001"}, "Ring 9876543210", "", "Pune", 411001},
		"the PIN code before everything": {[]string{"411001 Pune", "MG Road"}, "MG Road", "", "Pune", 411001},
	} {
		p, err := party("Asha", "", "27", tc.lines)
		require.NoError(t, err, name)
		require.Equal(t, []any{tc.one, tc.two, tc.location, tc.pin}, []any{p.Address1, p.Address2, p.Location, p.Pin}, name)
	}
	for name, lines := range map[string][]string{"none": nil, "no PIN code": {"Pune"}, "a PIN code with a leading zero": {"Pune 011001"}, "five digits": {"Pune 41100"}} {
		_, err := party("Asha", "", "27", lines)
		require.ErrorIs(t, err, errNoPin, name)
	}
	for _, change := range []func(i *invoice.Invoice){
		func(i *invoice.Invoice) { i.Supplier.Address = []string{"Mumbai"} }, func(i *invoice.Invoice) { i.Recipient.Address = nil },
	} {
		i := sample(t)
		change(&i)
		_, err := DocumentOf(i)
		require.ErrorIs(t, err, errNoPin, "the portal asks for both")
	}
}

// The State's column has the tax of a union territory, too, a discount its own field, and each line its number.
func TestDocument_Items_AddUpToTheTotals(t *testing.T) {
	t.Parallel()
	i := sample(t)
	lines, totals, err := invoice.Compute(invoice.RegimeUnionTerritory, []invoice.LineInput{
		{Description: "Plan", SAC: "997331", RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00},
		{Description: "Set-up", SAC: "998314", RateBps: 500, Quantity: 1, Amount: 333_33},
	})
	require.NoError(t, err)
	i.Lines, i.Totals, i.PlaceOfSupply, i.Recipient.StateCode = lines, totals, "31", "31"
	d, err := DocumentOf(i)
	require.NoError(t, err)
	require.Equal(t, []string{"31", "31"}, []string{d.Buyer.Place, d.Buyer.State})
	require.Empty(t, d.Seller.Place)
	require.Nil(t, d.Original)
	var assessed, cgst, sgst, value rupees
	for n, item := range d.Items {
		require.Equal(t, []string{"1", "2"}[n], item.Position)
		require.Equal(t, item.Assessed, item.Total-item.Discount)
		require.Equal(t, item.Value, item.Assessed+item.CGST+item.SGST+item.IGST)
		assessed, cgst, sgst, value = assessed+item.Assessed, cgst+item.CGST, sgst+item.SGST, value+item.Value
	}
	require.Equal(t, Values{Assessed: assessed, CGST: cgst, SGST: sgst, Total: value}, d.Values)
	require.Equal(t, Values{Assessed: 1_35_333_33, CGST: 12_158_33, SGST: 12_158_33, Total: 1_59_649_99}, d.Values, "8.33 of 333.33 at 2.5 % each")
	require.Equal(t, percent(500), d.Items[1].Rate)
}
