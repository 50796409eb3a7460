package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/irp"
	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

type bundle struct {
	clock  *clock.Fake
	server *server
	site   *httptest.Server
	client *irp.Client
	state  string
	key    string
}

const gstin = "27AAPFU0939F1ZV"

func setup(t *testing.T) *bundle {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, keyBits)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	require.NoError(t, err)
	b := &bundle{
		clock: clock.NewFake(time.Date(2027, 4, 1, 9, 0, 0, 0, clock.IST)), state: filepath.Join(t.TempDir(), "journal"),
		key: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
	}
	b.open(t)
	b.client, err = irp.New(config.EInvoice{
		From: b.clock.Now(), URL: b.site.URL, ClientID: "client", ClientSecret: "client-secret", Username: "user", Password: "password",
		PublicKey: string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: public})),
	}, gstin, b.clock)
	require.NoError(t, err)
	return b
}

func (b *bundle) open(t *testing.T) {
	t.Helper()
	var err error
	b.server, err = newServer(func(name string) string {
		return map[string]string{
			"SUPPLIER_GSTIN": gstin, "EINVOICE_CLIENT_ID": "client", "EINVOICE_CLIENT_SECRET": "client-secret", "EINVOICE_USERNAME": "user",
			"EINVOICE_PASSWORD": "password", "SANDBOX_KEY": b.key, "SANDBOX_STATE": b.state,
		}[name]
	})
	require.NoError(t, err)
	b.server.now = b.clock.Now
	b.site = httptest.NewServer(b.server.routes())
	t.Cleanup(b.site.Close)
}

func (b *bundle) mode(t *testing.T, m mode) {
	t.Helper()
	body, err := json.Marshal(m)
	require.NoError(t, err)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.site.URL+"/sandbox/mode", bytes.NewReader(body))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusNoContent, resp.StatusCode)
}

func (b *bundle) invoice(t *testing.T, number string) invoice.Invoice {
	t.Helper()
	regime := invoice.RegimeOf("27", "29", false)
	lines, totals, err := invoice.Compute(regime, []invoice.LineInput{
		{Description: "Growth · Apex, annual", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: 1_50_000_00, Discount: 15_000_00},
		{Description: "Users extension", SAC: invoice.SACSetUp, RateBps: 1800, Quantity: 3, Amount: 9_999_99},
	})
	require.NoError(t, err)
	return invoice.Invoice{
		Kind: invoice.KindInvoice, Number: number, FinancialYear: "27-28", IssuedAt: b.clock.Now(), PlaceOfSupply: "29", Regime: regime,
		Supplier: invoice.Supplier{
			Name: "Franchise 360 Private Limited", GSTIN: gstin, StateCode: "27",
			Address: []string{"4th Floor, Trade Centre", "Bandra Kurla Complex", "Mumbai 400051, Maharashtra"},
		},
		Recipient: invoice.Recipient{Name: "Asha Sweets LLP", GSTIN: "29AAPFU0939F1ZR", StateCode: "29", Address: []string{"12/4, MG Road", "Bengaluru, Karnataka 560001"}},
		Lines:     lines, Totals: totals,
	}
}

func documentOf(t *testing.T, i invoice.Invoice) einvoice.Document {
	t.Helper()
	d, err := einvoice.DocumentOf(i)
	require.NoError(t, err)
	return d
}

func codeOf(t *testing.T, err error) string {
	t.Helper()
	var refusal *einvoice.RefusalError
	require.ErrorAs(t, err, &refusal)
	return refusal.Code
}

func TestRegister_SameDocumentTwice_IsADuplicate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i := b.invoice(t, "FP/27-28/000001")
	first, err := b.client.Register(t.Context(), documentOf(t, i))
	require.NoError(t, err)
	require.Equal(t, einvoice.IRNOf(i), first.IRN)
	require.Equal(t, "112010036563310", first.AckNo)
	require.Equal(t, b.clock.Now().Truncate(time.Second).UTC(), first.AckAt)
	require.False(t, first.Cancelled)

	_, err = b.client.Register(t.Context(), documentOf(t, i))
	require.Equal(t, "2150", codeOf(t, err))
	var refusal *einvoice.RefusalError
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, first.IRN, refusal.IRN)
	found, err := b.client.ByIRN(t.Context(), refusal.IRN)
	require.NoError(t, err)
	require.Equal(t, first, found)
}

// What a lost answer registered is found by the next try, and still after the portal was started again.
func TestRegister_ResponseLost_IsFoundAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	i := b.invoice(t, "FP/27-28/000002")
	b.mode(t, mode{Mode: modeLost})
	_, err := b.client.Register(t.Context(), documentOf(t, i))
	require.ErrorContains(t, err, "status 504")
	b.mode(t, mode{Mode: modeOK})
	_, err = b.client.Register(t.Context(), documentOf(t, i))
	require.Equal(t, "2150", codeOf(t, err))
	again, err := openBook(b.state)
	require.NoError(t, err)
	kept, ok := again.find(einvoice.IRNOf(i))
	require.True(t, ok)
	require.NotEmpty(t, kept.SignedQR)
}

func TestRegistration_CancellableForADayAndShownForThree(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kept, gone := b.invoice(t, "FP/27-28/000003"), b.invoice(t, "FP/27-28/000004")
	for _, i := range []invoice.Invoice{kept, gone} {
		_, err := b.client.Register(t.Context(), documentOf(t, i))
		require.NoError(t, err)
	}
	_, p := b.server.cancelOf(einvoice.IRNOf(gone))
	require.Nil(t, p)
	found, err := b.client.ByIRN(t.Context(), einvoice.IRNOf(gone))
	require.NoError(t, err)
	require.True(t, found.Cancelled)
	_, err = b.client.Register(t.Context(), documentOf(t, gone))
	require.Equal(t, "2278", codeOf(t, err), "a number is never used again")

	b.clock.Advance(25 * time.Hour)
	_, p = b.server.cancelOf(einvoice.IRNOf(kept))
	require.Equal(t, "2270", p.Code)
	b.clock.Advance(48 * time.Hour)
	_, err = b.client.ByIRN(t.Context(), einvoice.IRNOf(kept))
	require.ErrorIs(t, err, einvoice.ErrUnknown)
	_, err = b.client.ByIRN(t.Context(), "unknown")
	require.ErrorIs(t, err, einvoice.ErrUnknown)
}

// A token that has ended, or that the portal has forgotten, is replaced within the call.
func TestToken_ExpiredOrForgotten_IsReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n, before := range []func(){func() {}, func() { b.mode(t, mode{Mode: modeToken}) }, func() { b.clock.Advance(55 * time.Minute) }, func() { b.clock.Advance(8 * time.Hour) }} {
		before()
		_, err := b.client.Register(t.Context(), documentOf(t, b.invoice(t, "FP/27-28/00001"+string(rune('0'+n)))))
		require.NoError(t, err, n)
	}
}

func TestRegister_PortalDown_IsNotFinal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.mode(t, mode{Mode: modeDown})
	_, err := b.client.Register(t.Context(), documentOf(t, b.invoice(t, "FP/27-28/000005")))
	require.ErrorContains(t, err, "status 503")
	require.False(t, einvoice.Final(err))
	b.site.Close()
	_, err = b.client.Register(t.Context(), documentOf(t, b.invoice(t, "FP/27-28/000005")))
	require.ErrorContains(t, err, "not reached")
	done, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err = b.client.Register(done, documentOf(t, b.invoice(t, "FP/27-28/000005")))
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestRegister_InvalidDocument_HasItsCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		change func(*einvoice.Document)
		code   string
	}{
		"another supplier":     {func(d *einvoice.Document) { d.Seller.GSTIN = "29AAPFU0939F1ZR" }, "2163"},
		"a number from 0":      {func(d *einvoice.Document) { d.Doc.Number = "0001" }, "5002"},
		"a later day":          {func(d *einvoice.Document) { d.Doc.Date = "02/04/2027" }, "2266"},
		"an old document":      {func(d *einvoice.Document) { d.Doc.Date = "01/02/2027" }, "2305"},
		"another State":        {func(d *einvoice.Document) { d.Buyer.State = "27" }, "3074"},
		"no PIN":               {func(d *einvoice.Document) { d.Buyer.Pin = 0 }, "3039"},
		"a GSTIN that is none": {func(d *einvoice.Document) { d.Buyer.GSTIN = "29" }, "3028"},
		"taxes of one State":   {func(d *einvoice.Document) { d.Buyer.Place = "27" }, "2172"},
		"a wrong total":        {func(d *einvoice.Document) { d.Values.Total += 200 }, "2189"},
		"a wrong rate":         {func(d *einvoice.Document) { d.Items[0].Rate = 1300 }, "2240"},
		"a code of goods":      {func(d *einvoice.Document) { d.Items[0].Code = "1001" }, "2176"},
	} {
		d := documentOf(t, b.invoice(t, "FP/27-28/000006"))
		c.change(&d)
		_, err := b.client.Register(t.Context(), d)
		require.Equal(t, c.code, codeOf(t, err), name)
	}
	b.mode(t, mode{Mode: modeRefuse, Code: "3029"})
	_, err := b.client.Register(t.Context(), documentOf(t, b.invoice(t, "FP/27-28/000006")))
	require.Equal(t, "3029", codeOf(t, err))
	require.False(t, einvoice.Final(err), "the portal may know the GSTIN later")
}

func TestRegister_WrongCredentials_IsNotFinal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.password = "another"
	_, err := b.client.Register(t.Context(), documentOf(t, b.invoice(t, "FP/27-28/000007")))
	require.ErrorContains(t, err, "sign-in refused with 1006")
	require.False(t, einvoice.Final(err))
}
