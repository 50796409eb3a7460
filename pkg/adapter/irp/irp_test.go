package irp_test

import (
	"bytes"
	"crypto/aes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/irp"
	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/config"
)

const (
	gstin  = "27AAPFU0939F1ZV"
	secret = "the-clients-secret"
	word   = "Monsoon#2026"
	number = "35054cc24d97033afc24f49ec4444dbab81f542c555f9d30359dc75794e06bbe"
)

// portalKey is the portal's pair of keys.
var portalKey = sync.OnceValue(func() *rsa.PrivateKey { //nolint:gochecknoglobals // takes long to make, and is only read
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// said is an answer of the portal to a call about an invoice.
type said struct {
	status int
	body   string
}

// portal signs in as NIC documents it, and gives the answers in their order, the last one again and again.
type portal struct {
	mu      sync.Mutex
	sek     []byte
	expiry  string
	auth    string // the answer to a sign-in instead of a session
	answers []said

	credentials []map[string]any
	raw         []string // the bodies of the sign-ins
	calls       []*http.Request
	bodies      []string // those of the calls, opened
}

func begin(t *testing.T, answers ...said) (*portal, *irp.Client, *clock.Fake) {
	t.Helper()
	clk := clock.NewFake(time.Date(2026, 11, 26, 9, 0, 0, 0, clock.IST))
	p := &portal{sek: bytes.Repeat([]byte{7}, 32), expiry: clk.Now().Add(6 * time.Hour).In(clock.IST).Format(time.DateTime), answers: answers}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	public, err := x509.MarshalPKIXPublicKey(portalKey().Public())
	require.NoError(t, err)
	c, err := irp.New(settings(server.URL, pemOf("PUBLIC KEY", public)), gstin, clk)
	require.NoError(t, err)
	return p, c, clk
}

func settings(url, key string) config.EInvoice {
	return config.EInvoice{
		From: time.Date(2026, 4, 1, 0, 0, 0, 0, clock.IST), URL: url, ClientID: "client", ClientSecret: secret, Username: "user", Password: word,
		PublicKey: key,
	}
}

func pemOf(kind string, der []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// ServeHTTP answers one call.
func (p *portal) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	raw, _ := io.ReadAll(r.Body)
	if r.URL.Path == "/eivital/v1.04/auth" {
		p.raw = append(p.raw, string(raw))
		p.signIn(w, raw)
		return
	}
	p.calls = append(p.calls, r)
	p.bodies = append(p.bodies, string(p.opened(raw)))
	next := p.answers[0]
	if len(p.answers) > 1 {
		p.answers = p.answers[1:]
	}
	w.Header().Set("Location", "https://elsewhere.example/")
	w.WriteHeader(next.status)
	_, _ = io.WriteString(w, next.body)
}

func (p *portal) signIn(w http.ResponseWriter, raw []byte) {
	var in struct{ Data string }
	_ = json.Unmarshal(raw, &in)
	sealed, _ := base64.StdEncoding.DecodeString(in.Data)
	//nolint:staticcheck // what the portal prescribes
	encoded, err := rsa.DecryptPKCS1v15(rand.Reader, portalKey(), sealed)
	if err != nil {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	plain, _ := base64.StdEncoding.DecodeString(string(encoded))
	var who map[string]any
	_ = json.Unmarshal(plain, &who)
	p.credentials = append(p.credentials, who)
	if p.auth != "" {
		_, _ = io.WriteString(w, p.auth)
		return
	}
	app, _ := base64.StdEncoding.DecodeString(fmt.Sprint(who["AppKey"]))
	_ = json.NewEncoder(w).Encode(map[string]any{"Status": 1, "Data": map[string]any{
		"ClientId": "client", "UserName": "user", "AuthToken": fmt.Sprint("token-", len(p.credentials)), "Sek": seal(app, p.sek), "TokenExpiry": p.expiry,
	}, "ErrorDetails": nil, "InfoDtls": nil})
}

// opened decrypts a call's payload with the session's key.
func (p *portal) opened(raw []byte) []byte {
	var in struct{ Data string }
	if json.Unmarshal(raw, &in) != nil {
		return nil
	}
	data, _ := base64.StdEncoding.DecodeString(in.Data)
	block, _ := aes.NewCipher(p.sek)
	for at := 0; at < len(data); at += aes.BlockSize {
		block.Decrypt(data[at:], data[at:])
	}
	return data[:len(data)-int(data[len(data)-1])]
}

// seal is AES-256 in ECB with PKCS #7, as base64.
func seal(key, plain []byte) string {
	fill := aes.BlockSize - len(plain)%aes.BlockSize
	return base64.StdEncoding.EncodeToString(blocks(key, append(bytes.Clone(plain), bytes.Repeat([]byte{byte(fill)}, fill)...)))
}

func blocks(key, filled []byte) []byte {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil
	}
	out := make([]byte, len(filled))
	for at := 0; at < len(filled); at += aes.BlockSize {
		block.Encrypt(out[at:], filled[at:])
	}
	return out
}

// registered is the answer to a registration whose data the change has been made to.
func (p *portal) registered(change func(map[string]any)) said {
	data := map[string]any{
		"AckNo": json.Number("112010036563310"), "AckDt": "2026-11-27 00:10:05", "Irn": number, "SignedInvoice": "eyJ.a.b", "SignedQRCode": "eyJ.c.d",
		"Status": "ACT", "EwbNo": nil, "Remarks": nil,
	}
	change(data)
	text, _ := json.Marshal(data)
	return said{200, `{"Status":1,"ErrorDetails":null,"InfoDtls":null,"Data":"` + seal(p.sek, text) + `"}`}
}

func unchanged(map[string]any) {}

func refused(code, info string) said {
	return said{200, `{"Status":0,"Data":null,"ErrorDetails":[{"ErrorCode":` + code + `,"ErrorMessage":"As the portal says it"}],"InfoDtls":` + info + `}`}
}

func document() einvoice.Document {
	return einvoice.Document{
		Version: "1.1", Doc: einvoice.Doc{Type: "INV", Number: "FP/26-27/000001", Date: "26/11/2026"},
		Values: einvoice.Values{Assessed: 1_35_000_00, IGST: 24_300_00, Total: 1_59_300_00},
	}
}

// The interface is NIC's, authentication 1.04 and invoices 1.03: the headers identify the caller, the credentials are encrypted with the
// portal's key, and the document with the session's key.
func TestRegister_SendsTheDocumentAsPrescribed(t *testing.T) {
	t.Parallel()
	p, c, _ := begin(t)
	p.answers = []said{p.registered(unchanged)}
	r, err := c.Register(t.Context(), document())
	require.NoError(t, err)
	require.Equal(t, einvoice.Registration{
		IRN: number, AckNo: "112010036563310", AckAt: time.Date(2026, 11, 26, 18, 40, 5, 0, time.UTC), SignedInvoice: "eyJ.a.b", SignedQR: "eyJ.c.d",
	}, r, "ten past midnight in India is the evening before in UTC")

	require.Len(t, p.credentials, 1)
	who := p.credentials[0]
	require.Equal(t, []any{"user", word, false}, []any{who["UserName"], who["Password"], who["ForceRefreshAccessToken"]})
	app, err := base64.StdEncoding.DecodeString(fmt.Sprint(who["AppKey"]))
	require.NoError(t, err)
	require.Len(t, app, 32)
	for _, plain := range []string{word, base64.StdEncoding.EncodeToString([]byte(word)), "AppKey"} {
		require.NotContains(t, p.raw[0], plain)
	}
	call := p.calls[0]
	require.Equal(t, "POST /eicore/v1.03/Invoice", call.Method+" "+call.URL.Path)
	for name, want := range map[string]string{"client-id": "client", "client-secret": secret, "gstin": gstin, "user_name": "user", "AuthToken": "token-1"} {
		require.Equal(t, want, call.Header.Get(name), name)
	}
	var sent struct {
		Version string
		DocDtls map[string]string
		ValDtls map[string]json.Number
	}
	require.NoError(t, json.Unmarshal([]byte(p.bodies[0]), &sent), p.bodies[0])
	require.Equal(t, map[string]string{"Typ": "INV", "No": "FP/26-27/000001", "Dt": "26/11/2026"}, sent.DocDtls)
	require.Equal(t, json.Number("159300.00"), sent.ValDtls["TotInvVal"])

	p.answers = []said{p.registered(func(d map[string]any) { d["Status"], d["AckNo"] = "CNL", "112010036563311" })}
	r, err = c.ByIRN(t.Context(), "a/b?c")
	require.NoError(t, err)
	require.True(t, r.Cancelled)
	require.Equal(t, "112010036563311", r.AckNo, "a number or a text")
	require.Equal(t, "GET /eicore/v1.03/Invoice/irn/a%2Fb%3Fc", p.calls[1].Method+" "+p.calls[1].URL.EscapedPath())
	require.Empty(t, p.bodies[1])
	require.Len(t, p.credentials, 1, "the session is kept")
}

func TestSession_TenMinutesBeforeItsEnd_IsReplaced(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		expiry string
		life   time.Duration
	}{
		"as the portal says":       {"", 6 * time.Hour},
		"an hour, where it cannot": {"26/11/2026 15:00", time.Hour},
	} {
		p, client, clk := begin(t)
		p.answers = []said{p.registered(unchanged)}
		if c.expiry != "" {
			p.expiry = c.expiry
		}
		ask := func() int {
			_, err := client.Register(t.Context(), document())
			require.NoError(t, err, name)
			return len(p.credentials)
		}
		require.Equal(t, 1, ask(), name)
		clk.Advance(c.life - 10*time.Minute - time.Second)
		require.Equal(t, 1, ask(), name)
		p.expiry = clk.Now().Add(6 * time.Hour).In(clock.IST).Format(time.DateTime)
		clk.Advance(time.Second)
		require.Equal(t, 2, ask(), name)
		require.Equal(t, false, p.credentials[1]["ForceRefreshAccessToken"], "%s: the portal may still give the same one", name)
		require.NotEqual(t, p.credentials[0]["AppKey"], p.credentials[1]["AppKey"], name)
		require.Equal(t, "token-2", p.calls[len(p.calls)-1].Header.Get("AuthToken"), name)
	}
}

// A token that the portal does not take is replaced once within the call. What it still refuses for its own tokens is no fault of the
// document's, whichever of the two codes it gives.
func TestToken_Refused_IsReplacedOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		codes          []string
		signIns, calls int
		want           string
		later          bool
	}{
		"an old token":           {[]string{"1005", ""}, 2, 2, "", false},
		"an old session":         {[]string{"1004", ""}, 2, 2, "", false},
		"a token never taken":    {[]string{"1005"}, 2, 2, "1005", true},
		"a session never taken":  {[]string{"1004"}, 2, 2, "1004", true},
		"one and then the other": {[]string{"1005", "1004"}, 2, 2, "1004", true},
		"the other and the one":  {[]string{"1004", "1005"}, 2, 2, "1005", true},
		"then the document":      {[]string{"1005", "2240"}, 2, 2, "2240", false},
		"the document":           {[]string{"2240"}, 1, 1, "2240", false},
		"then a GSTIN":           {[]string{"1005", "3028"}, 2, 2, "3028", true},
	} {
		p, client, _ := begin(t)
		for _, code := range c.codes {
			if code == "" {
				p.answers = append(p.answers, p.registered(unchanged))
				continue
			}
			p.answers = append(p.answers, refused(`"`+code+`"`, "null"))
		}
		_, err := client.Register(t.Context(), document())
		require.Len(t, p.credentials, c.signIns, name)
		require.Len(t, p.calls, c.calls, name)
		if c.calls == 2 {
			require.Equal(t, true, p.credentials[1]["ForceRefreshAccessToken"], name)
			require.Equal(t, []string{"token-1", "token-2"}, []string{p.calls[0].Header.Get("AuthToken"), p.calls[1].Header.Get("AuthToken")}, name)
			require.Equal(t, p.bodies[0], p.bodies[1], name)
		}
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		var refusal *einvoice.RefusalError
		require.ErrorAs(t, err, &refusal, name)
		require.Equal(t, c.want, refusal.Code, name)
		require.Equal(t, c.later, refusal.Later, name)
		require.Equal(t, !c.later, einvoice.Final(err), name)
	}
}

// The codes are those of the portal's list: 2150 a duplicate, whose IRN is in DUPIRN, and 3001, 3028 and 3029 a GSTIN that the portal may
// know later.
func TestRegister_Refusal_IsReadByItsCode(t *testing.T) {
	t.Parallel()
	const duplicate = `[{"InfCd":"DUPIRN","Desc":{"AckNo":112010036563310,"AckDt":"2026-11-26 10:00:00","Irn":"` + number + `"}}]`
	for name, c := range map[string]struct {
		code, info string
		want       einvoice.RefusalError
	}{
		"a duplicate":                     {`"2150"`, duplicate, einvoice.RefusalError{Code: "2150", IRN: number, AckNo: "112010036563310", AckAt: time.Date(2026, 11, 26, 10, 0, 0, 0, clock.IST)}},
		"a code as a number":              {`2150`, duplicate, einvoice.RefusalError{Code: "2150", IRN: number, AckNo: "112010036563310", AckAt: time.Date(2026, 11, 26, 10, 0, 0, 0, clock.IST)}},
		"a duplicate without details":     {`"2150"`, `null`, einvoice.RefusalError{Code: "2150"}},
		"information in words":            {`"2150"`, `[{"InfCd":"DUPIRN","Desc":"registered already"}]`, einvoice.RefusalError{Code: "2150"}},
		"other information":               {`"2150"`, `[{"InfCd":"EWBERR","Desc":{"Irn":"x"}}]`, einvoice.RefusalError{Code: "2150"}},
		"another code with a duplicate's": {`"2278"`, duplicate, einvoice.RefusalError{Code: "2278"}},
		"a GSTIN that is not known":       {`"3001"`, `null`, einvoice.RefusalError{Code: "3001", Later: true}},
		"a GSTIN that is not valid":       {`"3028"`, `null`, einvoice.RefusalError{Code: "3028", Later: true}},
		"a GSTIN that is not active":      {`"3029"`, `null`, einvoice.RefusalError{Code: "3029", Later: true}},
		"a document of two months ago":    {`"2305"`, `null`, einvoice.RefusalError{Code: "2305"}},
	} {
		_, client, _ := begin(t, refused(c.code, c.info))
		_, err := client.Register(t.Context(), document())
		var refusal *einvoice.RefusalError
		require.ErrorAs(t, err, &refusal, name)
		c.want.Message = "As the portal says it"
		require.Equal(t, c.want, *refusal, name)
	}
	for code, unknown := range map[string]bool{"2148": true, "2154": true, "2283": true, "2150": false, "3028": false, "9999": false} {
		_, client, _ := begin(t, refused(code, "null"))
		_, err := client.ByIRN(t.Context(), number)
		require.Error(t, err, code)
		if unknown {
			require.ErrorIs(t, err, einvoice.ErrUnknown, code)
			continue
		}
		require.NotErrorIs(t, err, einvoice.ErrUnknown, code)
	}
	_, client, _ := begin(t, refused("2154", "null"))
	_, err := client.Register(t.Context(), document())
	require.NotErrorIs(t, err, einvoice.ErrUnknown, "who registers does not ask")
}

// An answer that cannot be read says nothing about the document: it is neither refused nor registered, and the job comes again.
func TestRegister_UnreadableAnswer_DecidesNothing(t *testing.T) {
	t.Parallel()
	p, _, _ := begin(t)
	wrap := func(data string) said { return said{200, `{"Status":1,"Data":` + data + `}`} }
	filled := func(last ...byte) said { // a block whose filling is not as agreed
		block := append(bytes.Repeat([]byte{' '}, aes.BlockSize-len(last)), last...)
		return wrap(`"` + base64.StdEncoding.EncodeToString(blocks(p.sek, block)) + `"`)
	}
	for name, answer := range map[string]said{
		"a fault":               {500, `{"Status":1}`},
		"a page":                {200, `<html>Service Unavailable</html>`},
		"nothing":               {200, ``},
		"null":                  {200, `null`},
		"no status":             {200, `{}`},
		"a status in words":     {200, `{"Status":"ok"}`},
		"no reason":             {200, `{"Status":0,"ErrorDetails":[]}`},
		"a redirect":            {302, `{"Status":1}`},
		"a refusal that failed": {400, `{"Status":0,"ErrorDetails":[{"ErrorCode":"2240","ErrorMessage":"x"}]}`},
		"more than is read":     {200, `{"Status":1,"Data":"` + strings.Repeat("A", 1<<20) + `"}`},
		"no data":               {200, `{"Status":1}`},
		"data as a number":      wrap(`7`),
		"data as an object":     wrap(`{"Irn":"x"}`),
		"data in another form":  wrap(`"not base64!"`),
		"empty data":            wrap(`""`),
		"half a block":          wrap(`"` + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{1}, 24)) + `"`),
		"under another key":     wrap(`"` + seal(bytes.Repeat([]byte{8}, 32), []byte(`{"Irn":"x","AckDt":"2026-11-26 10:00:00"}`)) + `"`),
		"filled with 0":         filled(0),
		"filled with too much":  filled(17),
		"filled unevenly":       filled(2, 3, 3),
		"no JSON inside":        wrap(`"` + seal(p.sek, []byte(`<Irn>`)) + `"`),
		"a list inside":         wrap(`"` + seal(p.sek, []byte(`[]`)) + `"`),
		"a day as people write": p.registered(func(d map[string]any) { d["AckDt"] = "26/11/2026 10:00:00" }),
		"no day":                p.registered(func(d map[string]any) { delete(d, "AckDt") }),
	} {
		_, client, _ := begin(t, answer)
		_, err := client.Register(t.Context(), document())
		require.Error(t, err, name)
		var refusal *einvoice.RefusalError
		require.NotErrorAs(t, err, &refusal, name)
		require.False(t, einvoice.Final(err), name)
		for _, kept := range []string{word, secret, "token-1"} {
			require.NotContains(t, err.Error(), kept, name)
		}
	}
}

func TestSignIn_Fails_IsRetriedAtTheNextCall(t *testing.T) {
	t.Parallel()
	for name, auth := range map[string]string{
		"refused":           `{"Status":0,"ErrorDetails":[{"ErrorCode":"1006","ErrorMessage":"Invalid User Id or Password"}]}`,
		"no reason":         `{"Status":0}`,
		"no session":        `{"Status":1}`,
		"a session in text": `{"Status":1,"Data":"token"}`,
		"no key":            `{"Status":1,"Data":{"AuthToken":"t","TokenExpiry":"2026-11-26 15:00:00"}}`,
		"a key in clear":    `{"Status":1,"Data":{"AuthToken":"t","Sek":"` + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{7}, 32)) + `"}}`,
		"a page":            `<html>`,
	} {
		p, client, _ := begin(t)
		p.answers, p.auth = []said{p.registered(unchanged)}, auth
		_, err := client.Register(t.Context(), document())
		require.Error(t, err, name)
		require.False(t, einvoice.Final(err), "%s: no fault of the document's", name)
		require.Empty(t, p.calls, "%s: without a session no document is sent", name)
		if name == "refused" {
			require.ErrorContains(t, err, "1006")
			require.NotContains(t, err.Error(), "user")
		}
		p.auth = ""
		_, err = client.Register(t.Context(), document())
		require.NoError(t, err, "%s: nothing of it is kept", name)
	}
}

func TestSession_ConcurrentCalls_ShareIt(t *testing.T) {
	t.Parallel()
	p, client, _ := begin(t)
	p.answers = []said{p.registered(unchanged)}
	failed := make([]error, 8)
	var all sync.WaitGroup
	for i := range failed {
		all.Go(func() { _, failed[i] = client.Register(t.Context(), document()) })
	}
	all.Wait()
	for _, err := range failed {
		require.NoError(t, err)
	}
	require.Len(t, p.credentials, 1)
	require.Len(t, p.calls, len(failed))
}

func TestNew_InvalidPortalKey_IsRefused(t *testing.T) {
	t.Parallel()
	clk := clock.NewFake(time.Date(2026, 11, 26, 9, 0, 0, 0, clock.IST))
	none, err := irp.New(config.EInvoice{PublicKey: "no key"}, gstin, clk)
	require.NoError(t, err)
	require.Nil(t, none, "where no document is registered, no key is asked for")

	public, err := x509.MarshalPKIXPublicKey(portalKey().Public())
	require.NoError(t, err)
	of := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: clk.Now(), NotAfter: clk.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, of, of, portalKey().Public(), portalKey())
	require.NoError(t, err)
	curve, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	curved, err := x509.MarshalPKIXPublicKey(curve.Public())
	require.NoError(t, err)
	for name, key := range map[string]string{
		"nothing": "", "no PEM": base64.StdEncoding.EncodeToString(public), "nothing inside": pemOf("PUBLIC KEY", nil),
		"half of it": pemOf("PUBLIC KEY", public[:len(public)/2]), "another kind": pemOf("PUBLIC KEY", curved),
	} {
		_, err := irp.New(settings("https://portal.example", key), gstin, clk)
		require.ErrorContains(t, err, "EINVOICE_PUBLIC_KEY", name)
	}
	p := &portal{sek: bytes.Repeat([]byte{7}, 32)}
	p.answers = []said{p.registered(unchanged)}
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	client, err := irp.New(settings(server.URL, pemOf("CERTIFICATE", certificate)), gstin, clk)
	require.NoError(t, err, "NIC hands its key out as a certificate too")
	_, err = client.Register(t.Context(), document())
	require.NoError(t, err)
}

// Given a provider whose codes are no numbers, then a refusal is understood.
func TestRegister_ProvidersOwnCode_IsARefusal(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{`"GSP752"`: "GSP752", `3028`: "3028", `"3028"`: "3028"} {
		p, c, _ := begin(t)
		p.answers = []said{refused(given, "null")}
		_, err := c.Register(t.Context(), document())
		refusal, ok := errors.AsType[*einvoice.RefusalError](err)
		require.True(t, ok, "%s: %v", given, err)
		require.Equal(t, want, refusal.Code)
	}
}
