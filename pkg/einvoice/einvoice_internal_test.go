package einvoice

import (
	"encoding/base64"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// NIC's published example of the hash.
func TestIRN_PublishedExample_IsEqual(t *testing.T) {
	t.Parallel()
	require.Equal(t, "353c2677715ae97aa876a37262a38381a75c1d1184f6a803f703bb395971925f", IRN("01AAAAA9999A19N", "2019-20", "INV", "ABC01234"))
	require.Equal(t, IRN("01AAAAA9999A19N", "2019-20", "INV", "ABC01234"), IRN("01AAAAA9999A19N", "2019-20", "INV", "abc01234"), "capitals do not count")
}

func sample(t *testing.T) invoice.Invoice {
	t.Helper()
	lines, totals, err := invoice.Compute(invoice.RegimeOf("27", "27", false), []invoice.LineInput{{
		Description: "Start up · Expansion, annual", SAC: "997331", RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00,
	}})
	require.NoError(t, err)
	return invoice.Invoice{
		Kind: invoice.KindInvoice, Number: "FP/27-28/000042", FinancialYear: "27-28", IssuedAt: time.Date(2027, 4, 30, 20, 0, 0, 0, time.UTC),
		PlaceOfSupply: "27", Lines: lines, Totals: totals,
		Supplier: invoice.Supplier{Name: "Franchise 360 Private Limited", GSTIN: "27AAPFU0939F1ZV", StateCode: "27", Address: []string{"Trade Centre", "Mumbai 400051, Maharashtra"}},
		Recipient: invoice.Recipient{
			Name: "Q", GSTIN: "27AAQCA8719H1Z6", StateCode: "27", Address: []string{"7", "Pune, Maharashtra 411001"},
		},
	}
}

func TestDocument_HasTheFieldsOfTheSchema(t *testing.T) {
	t.Parallel()
	d, err := DocumentOf(sample(t))
	require.NoError(t, err)
	body, err := json.Marshal(d)
	require.NoError(t, err)
	require.JSONEq(t, `{"Version":"1.1","TranDtls":{"TaxSch":"GST","SupTyp":"B2B","RegRev":"N","IgstOnIntra":"N"},
		"DocDtls":{"Typ":"INV","No":"FP/27-28/000042","Dt":"01/05/2027"},
		"SellerDtls":{"Gstin":"27AAPFU0939F1ZV","LglNm":"Franchise 360 Private Limited","Addr1":"Trade Centre","Loc":"Mumbai","Pin":400051,"Stcd":"27"},
		"BuyerDtls":{"Gstin":"27AAQCA8719H1Z6","LglNm":"Q..","Pos":"27","Addr1":"7..","Loc":"Pune, Maharashtra","Pin":411001,"Stcd":"27"},
		"ItemList":[{"SlNo":"1","PrdDesc":"Start up · Expansion, annual","IsServc":"Y","HsnCd":"997331","Qty":1,"Unit":"OTH","UnitPrice":150000.00,
			"TotAmt":150000.00,"Discount":15000.00,"AssAmt":135000.00,"GstRt":18.00,"IgstAmt":0.00,"CgstAmt":12150.00,"SgstAmt":12150.00,"TotItemVal":159300.00}],
		"ValDtls":{"AssVal":135000.00,"CgstVal":12150.00,"SgstVal":12150.00,"IgstVal":0.00,"TotInvVal":159300.00}}`, string(body))

	note := sample(t)
	note.Kind, note.Number, note.OriginalNumber, note.OriginalDate = invoice.KindCreditNote, "CN/27-28/000001", "FP/27-28/000042", note.IssuedAt
	note.Recipient.SEZ = true
	d, err = DocumentOf(note)
	require.NoError(t, err)
	require.Equal(t, []any{"CRN", "SEZWP", &Reference{Preceding: []Preceding{{"FP/27-28/000042", "01/05/2027"}}}}, []any{d.Doc.Type, d.Tran.Supply, d.Original})
}

func TestAddress_LastLine_GivesTownAndPIN(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		town string
		pin  int
	}{
		"Mumbai 400 051": {"Mumbai", 400051}, "Leh, Ladakh 194101": {"Leh, Ladakh", 194101}, "560001 Bengaluru": {"Bengaluru", 560001},
		"Goa 403001": {"Goa", 403001}, "Om 403001": {"Om.", 403001},
	} {
		p, err := party("Name", "27AAQCA8719H1Z6", "27", []string{line})
		require.NoError(t, err)
		require.Equal(t, []any{want.town, want.pin}, []any{p.Location, p.Pin}, line)
	}
	_, err := party("Name", "27AAQCA8719H1Z6", "27", []string{"12, MG Road", "Pune"})
	require.ErrorIs(t, err, errNoPin)
}

func signedAs(t *testing.T, document any) string {
	t.Helper()
	inner, err := json.Marshal(document)
	require.NoError(t, err)
	body, err := json.Marshal(map[string]string{"data": string(inner)})
	require.NoError(t, err)
	return "e30." + base64.RawURLEncoding.EncodeToString(body) + ".c2ln"
}

func TestAnswer_AboutAnotherDocument_IsRefused(t *testing.T) {
	t.Parallel()
	i := sample(t)
	sound := func() (Registration, Document) {
		d, err := DocumentOf(i)
		require.NoError(t, err)
		return Registration{IRN: IRNOf(i), AckNo: "1", AckAt: time.Unix(1, 0), SignedQR: "qr"}, d
	}
	r, d := sound()
	r.SignedInvoice = signedAs(t, d)
	require.NoError(t, check(i, r))
	for name, change := range map[string]func(*Registration, *Document){
		"IRN":             func(r *Registration, _ *Document) { r.IRN = "353c" },
		"acknowledgement": func(r *Registration, _ *Document) { r.AckNo = "" },
		"QR code":         func(r *Registration, _ *Document) { r.SignedQR = "" },
		"number":          func(_ *Registration, d *Document) { d.Doc.Number = "FP/27-28/000043" },
		"recipient":       func(_ *Registration, d *Document) { d.Buyer.GSTIN = "29AAPFU0939F1ZR" },
		"amount":          func(_ *Registration, d *Document) { d.Values.Total++ },
	} {
		r, d := sound()
		change(&r, &d)
		r.SignedInvoice = signedAs(t, d)
		require.ErrorIs(t, check(i, r), errAnswer, name)
	}
	for _, token := range []string{"", "a.b", "a.!.c", "a.e30.c"} {
		r, _ := sound()
		r.SignedInvoice = token
		require.ErrorIs(t, check(i, r), errAnswer, token)
	}
	require.True(t, sameAmount("159300", "159300.00"))
	require.False(t, sameAmount("1593", "159300"))
}

func TestStates_DatabaseGuard_MatchesTheTable(t *testing.T) {
	t.Parallel()
	testkit.RequireDiagram(t, "README.md", "A registration", states())
	acknowledged := `CASE WHEN $2 IN ('registered', 'cancelled') THEN now() END`
	testkit.RequireGuard(t, testkit.NewDatabase(t), states(), testkit.Rows{
		Table: "einvoice_registrations", Key: "invoice_id",
		Insert: `WITH id AS (SELECT $1::uuid AS of)
			INSERT INTO einvoice_registrations (invoice_id, franchiser_id, state, irn, acknowledged_at, asked_at, changed_at)
			SELECT of, of, $2, 'irn', ` + acknowledged + `, now(), now() FROM id`,
		Set: "acknowledged_at = " + acknowledged,
	})
}
