package pdf_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/money"
)

func TestRender_CompanyWithCIN_NamesItAndItsRegisteredOffice(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]func() string{
		"invoice": func() string {
			d := simple(t)
			d.Supplier.CIN = "U72900MH2024PTC000360"
			body, err := setup(t).Render(d)
			require.NoError(t, err)
			return textOf(t, body)
		},
		"credit note": func() string {
			d := note(t)
			d.Supplier.CIN = "U72900MH2024PTC000360"
			body, err := setup(t).Render(d)
			require.NoError(t, err)
			return textOf(t, body)
		},
		"receipt voucher": func() string {
			d := received(t)
			d.Supplier.CIN = "U72900MH2024PTC000360"
			body, err := setup(t).Render(d)
			require.NoError(t, err)
			return textOf(t, body)
		},
		"proforma": func() string {
			p := proforma(t)
			p.Document.Supplier.CIN = "U72900MH2024PTC000360"
			body, err := setup(t).RenderProforma(p)
			require.NoError(t, err)
			return textOf(t, body)
		},
	} {
		require.Contains(t, d(), "CIN: U72900MH2024PTC000360 · Registered office as above", name)
	}
	body, err := setup(t).Render(simple(t))
	require.NoError(t, err)
	require.NotContains(t, textOf(t, body), "CIN:")
}

func TestRender_CreditNoteWithoutGST_IsTitledCommercial(t *testing.T) {
	t.Parallel()
	body, err := setup(t).Render(commercial(t))
	require.NoError(t, err)
	require.Contains(t, textOf(t, body), "Commercial credit note\n")
	body, err = setup(t).Render(note(t))
	require.NoError(t, err)
	require.NotContains(t, textOf(t, body), "Commercial credit note")
}

func TestRender_Proforma_SaysThatTheTermBeginsWithTheMoney(t *testing.T) {
	t.Parallel()
	body, err := setup(t).RenderProforma(proforma(t))
	require.NoError(t, err)
	require.Contains(t, strings.Join(strings.Fields(textOf(t, body)), " "), "its term begins, and the tax invoice is issued, when the money arrives")
}

func TestRender_CompanyInTwoLanguages_NamesItsRegisteredOfficeInHindi(t *testing.T) {
	t.Parallel()
	d := bilingual(simple(t))
	d.Supplier.CIN = "U72900MH2024PTC000360"
	body, err := setup(t).Render(d)
	require.NoError(t, err)
	require.Contains(t, textOf(t, body), "पंजीकृत कार्यालय")
}

func TestRender_TaxDeductedAtSource_IsNotPaidInFull(t *testing.T) {
	t.Parallel()
	d := simple(t)
	d.Receipt.Withheld, d.Receipt.PONumber, d.Receipt.Method = 13_500*money.Rupee, "PO 77", "bank transfer"
	body, err := setup(t).Render(d)
	require.NoError(t, err)
	text := textOf(t, body)
	require.Contains(t, strings.Join(strings.Fields(text), " "), "Received ₹1,45,800, TDS ₹13,500, on 2 Nov 2026 · bank transfer")
	require.NotContains(t, text, "Paid in full")
	require.Contains(t, text, "Purchase order")
	require.Contains(t, text, "PO 77")
}

func TestRender_RegisteredDocument_PrintsTheAcknowledgementsDayAndTheIRNOnOneLine(t *testing.T) {
	t.Parallel()
	d := registered(t)
	body, err := setup(t).Render(d)
	require.NoError(t, err)
	require.Contains(t, textOf(t, body), "112010036563310, 2 Nov 2026")
	for _, irn := range []string{d.IRN, strings.Repeat("d", 64), strings.Repeat("0a", 32)} {
		d.IRN = irn
		body, err := setup(t).Render(d)
		require.NoError(t, err)
		require.Regexp(t, `(?m)\b`+irn+`\b`, textOf(t, body))
	}
	d.AckAt = time.Time{}
	body, err = setup(t).Render(d)
	require.NoError(t, err)
	require.NotContains(t, textOf(t, body), "112010036563310,")
}
