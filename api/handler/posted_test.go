package handler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// asking returns the context of a request, and the recorder of its answer.
func asking(t *testing.T, method, address, body string, header ...string) (*gin.Context, *httptest.ResponseRecorder) {
	t.Helper()
	w := httptest.NewRecorder()
	c, _ := gin.CreateTestContext(w)
	c.Request = httptest.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		c.Request.Header.Set(header[i], header[i+1])
	}
	return c, w
}

const urlencoded = "application/x-www-form-urlencoded"

// The signed bytes and the fields come from one body. Parameters in the URL never replace posted fields.
func TestReadPosted_ReadsTheBodyOnce(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method, address, kind, body string
		want                        map[string]string
	}{
		"a form":                          {"POST", "/", urlencoded, "txnid=T1&amount=10.00&udf1=", map[string]string{"txnid": "T1", "amount": "10.00", "udf1": ""}},
		"with its letters":                {"POST", "/", urlencoded + "; charset=UTF-8", "error_Message=No+Error%21", map[string]string{"error_Message": "No Error!"}},
		"an address adds":                 {"POST", "/?transaction=T1&proof=p", urlencoded, "status=x", map[string]string{"transaction": "T1", "proof": "p", "status": "x"}},
		"it does not replace":             {"POST", "/?status=success", urlencoded, "status=failure", map[string]string{"status": "failure"}},
		"nor a field left out":            {"POST", "/?status=success", urlencoded, "status=", map[string]string{"status": ""}},
		"ours are not kept":               {"POST", "/?link=secret&language=hi", urlencoded, "a=1", map[string]string{"a": "1"}},
		"a field twice is left out":       {"POST", "/", urlencoded, "status=success&status=failure&a=1", map[string]string{"a": "1"}},
		"twice with the same value":       {"POST", "/", urlencoded, "status=success&status=success", map[string]string{"status": "success"}},
		"twice in an address":             {"POST", "/?proof=a&proof=b", urlencoded, "a=1", map[string]string{"a": "1"}},
		"a dash of Windows-1252":          {"POST", "/", urlencoded, "bankmsg=Declined%20%96%20call&a=1", map[string]string{"a": "1"}},
		"a bare byte of Windows-1252":     {"POST", "/", urlencoded, "bankmsg=Declined \x96 call&a=1", map[string]string{"a": "1"}},
		"a soft hyphen":                   {"POST", "/", urlencoded, "note=a%C2%ADb&a=1", map[string]string{"a": "1"}},
		"NUL":                             {"POST", "/", urlencoded, "note=b%00&a%00=b&a=1", map[string]string{"a": "1"}},
		"UTF-16":                          {"POST", "/", urlencoded, "note=%FE%FF%00a&a=1", map[string]string{"a": "1"}},
		"half an escape":                  {"POST", "/", urlencoded, "note=%f&a=1&b=100%", map[string]string{"a": "1"}},
		"a semicolon":                     {"POST", "/", urlencoded, "note=x;y&a=1", map[string]string{"a": "1"}},
		"a charset of Windows":            {"POST", "/", urlencoded + "; charset=windows-1252", "bankmsg=%96&a=1", map[string]string{"a": "1"}},
		"a charset without a value":       {"POST", "/", urlencoded + "; charset", "a=1", map[string]string{"a": "1"}},
		"a charset in capitals, unquoted": {"POST", "/", "Application/X-WWW-Form-Urlencoded;Charset=UTF-8;;", "a=1", map[string]string{"a": "1"}},
		"a link":                          {"GET", "/?transaction=T1&proof=p&status=success&razorpay_payment_id=pay_1", "", "", map[string]string{"transaction": "T1", "proof": "p"}},
		"a link says no form":             {"GET", "/?transaction=T1", urlencoded, "proof=p", map[string]string{"transaction": "T1"}},
		"JSON":                            {"POST", "/?transaction=T1", "application/json", `{"a":1}`, map[string]string{}},
		"no kind":                         {"POST", "/", "", `{"a":1}`, map[string]string{}},
	} {
		g, _ := asking(t, c.method, c.address, c.body, "Content-Type", c.kind)
		got, err := readPosted(g)
		require.NoError(t, err, name)
		require.Equal(t, c.want, got.Form, name)
		require.Equal(t, c.body, string(got.Body), name)
	}
	many := func(n int) string {
		fields := make([]string, 0, n)
		for i := range n {
			fields = append(fields, fmt.Sprintf("f%d=x", i))
		}
		return strings.Join(fields, "&")
	}
	for name, c := range map[string]struct {
		address, kind, body string
		want                errs.Kind
	}{
		"200 fields":   {"/", urlencoded, many(200), ""},
		"a field more": {"/", urlencoded, many(201), errs.KindMalformed},
		"no boundary":  {"/", "multipart/form-data", "x", errs.KindMalformed},
		"64 KB":        {"/", "text/plain", strings.Repeat("x", 64<<10), ""},
		"a byte more":  {"/", "text/plain", strings.Repeat("x", 64<<10+1), errs.KindTooLarge},
	} {
		g, _ := asking(t, http.MethodPost, c.address, c.body, "Content-Type", c.kind)
		_, err := readPosted(g)
		if c.want == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Error(t, err, name)
		require.Equal(t, c.want, errs.KindOf(err), name)
	}
}

func TestReadPosted_MultipartForm_IsRead(t *testing.T) {
	t.Parallel()
	parts := func(file bool) (string, string) {
		var body bytes.Buffer
		w := multipart.NewWriter(&body)
		require.NoError(t, w.WriteField("txnid", "T1"))
		require.NoError(t, w.WriteField("status", "success"))
		if file {
			f, err := w.CreateFormFile("hash", "a.txt")
			require.NoError(t, err)
			_, err = f.Write([]byte("x"))
			require.NoError(t, err)
		}
		require.NoError(t, w.Close())
		return body.String(), w.FormDataContentType()
	}
	body, kind := parts(false)
	c, _ := asking(t, http.MethodPost, "/", body, "Content-Type", kind)
	got, err := readPosted(c)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"txnid": "T1", "status": "success"}, got.Form)
	require.Equal(t, body, string(got.Body))
	body, kind = parts(true)
	c, _ = asking(t, http.MethodPost, "/", body, "Content-Type", kind)
	got, err = readPosted(c)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"txnid": "T1", "status": "success"}, got.Form, "a file is left out")
	c, _ = asking(t, http.MethodPost, "/", body[:len(body)/2], "Content-Type", kind)
	_, err = readPosted(c)
	require.Equal(t, errs.KindMalformed, errs.KindOf(err))
}

// Only the extension headers are read, in lower case, and only up to the length of a signature.
func TestExtensions_KeepsOnlySignatureHeaders(t *testing.T) {
	t.Parallel()
	require.Equal(t, map[string]string{"x-razorpay-signature": "s", "x-empty": "", "x-long": strings.Repeat("a", 512)}, extensions(http.Header{
		"X-Razorpay-Signature": {"s", "second"}, "X-Empty": {""}, "X-Long": {strings.Repeat("a", 512)}, "X-Longer": {strings.Repeat("a", 513)},
		"Cookie": {"secret"}, "Authorization": {"secret"}, "Content-Type": {"x"},
	}))
}

// A payer by a pay link has no session and returns to the link. Other payers return to the page that shows the server's state.
func TestPaymentReturn_LeadsToTheResultPageOrThePayLink(t *testing.T) {
	t.Parallel()
	paid, failed := payment.Notice{TransactionID: "FP26&1", Status: payment.StatusPaid}, payment.Notice{TransactionID: "FP261", Status: payment.StatusFailed}
	require.Equal(t, "/checkout/result/success?transaction_id=FP26%261", resultPage("", paid))
	require.Equal(t, "/checkout/result/failed?transaction_id=FP261", resultPage("", failed))
	require.Equal(t, "/checkout/result/success?transaction_id=FP261", resultPage("", payment.Notice{TransactionID: "FP261", Status: payment.StatusPending}), "it says that it is confirming")
	require.Equal(t, "/checkout/result/failed?transaction_id=FP261", resultPage("", payment.Notice{TransactionID: "FP261", Status: payment.StatusOpened}), "nothing was paid")
	for _, forged := range []string{"//evil.example", "../dashboard", "a?b", "x", strings.Repeat("a", 500)} {
		require.True(t, strings.HasPrefix(resultPage(forged, paid), "/checkout/result/"), forged)
	}
	for state, want := range map[string]string{
		history.ResultPaid: "Payment received.", history.ResultConfirming: "We are confirming your payment.", history.ResultHeld: "Our staff are looking at your payment.",
		history.ResultFailed: "We have no confirmation of this payment.", history.ResultExpired: "We have no confirmation of this payment.", "": "We have no confirmation of this payment.",
	} {
		require.Equal(t, want, stateMessage(state), state)
	}
}

// RFC 6749: a form, each parameter once, and the secret either in it or in the header, where both parts are encoded as in a form.
func TestExchangeOf_FormAndHeader(t *testing.T) {
	t.Parallel()
	const form = "grant_type=authorization_code&code=c&redirect_uri=https%3A%2F%2Fpos.example%2Fback&code_verifier=v"
	want := connect.Exchange{ClientID: "pos:1", ClientSecret: "a b+", GrantType: "authorization_code", Code: "c", RedirectURI: "https://pos.example/back", Verifier: "v"}
	basic := func(user, password string) string {
		r, _ := http.NewRequest(http.MethodPost, "/", nil) //nolint:noctx // for its header only
		r.SetBasicAuth(user, password)
		return r.Header.Get("Authorization")
	}
	for name, c := range map[string]struct {
		kind, body, header, refusal string
	}{
		"in the form":            {urlencoded, form + "&client_id=pos%3A1&client_secret=a+b%2B", "", ""},
		"in the header":          {urlencoded, form, basic("pos%3A1", "a+b%2B"), ""},
		"the id in both":         {urlencoded, form + "&client_id=pos%3A1", basic("pos%3A1", "a+b%2B"), ""},
		"with its letters":       {urlencoded + ";charset=utf-8", form, basic("pos%3A1", "a+b%2B"), ""},
		"as JSON":                {"application/json", `{}`, "", "invalid_request"},
		"without a kind":         {"", form, "", "invalid_request"},
		"a parameter twice":      {urlencoded, form + "&code=d", "", "invalid_request"},
		"one without a name":     {urlencoded, form + "&=x", "", "invalid_request"},
		"half an escape":         {urlencoded, form + "&x=%f", "", "invalid_request"},
		"the secret twice":       {urlencoded, form + "&client_secret=x", basic("pos%3A1", "a+b%2B"), "invalid_request"},
		"two ids":                {urlencoded, form + "&client_id=other", basic("pos%3A1", "x"), "invalid_client"},
		"an id badly encoded":    {urlencoded, form, basic("pos%3", "x"), "invalid_client"},
		"a secret badly encoded": {urlencoded, form, basic("pos%3A1", "%zz"), "invalid_client"},
	} {
		g, _ := asking(t, http.MethodPost, "/", c.body, "Content-Type", c.kind, "Authorization", c.header)
		got, err := exchangeOf(g)
		if c.refusal == "" {
			require.NoError(t, err, name)
			require.Equal(t, want, got, name)
			continue
		}
		var refusal *connect.RefusalError
		require.ErrorAs(t, err, &refusal, name)
		require.Equal(t, c.refusal, refusal.Code, name)
	}
}

// A connected system's cached answer has an ETag of its content; a caller with that content gets 304.
func TestCached_ETag_IsThatOfTheContent(t *testing.T) {
	t.Parallel()
	ask := func(data any, tag string) *httptest.ResponseRecorder {
		c, w := asking(t, http.MethodGet, "/", "", "If-None-Match", tag)
		require.NoError(t, cached(c, data))
		return w
	}
	first := ask(gin.H{"plan": "Growth"}, "")
	tag := first.Header().Get("ETag")
	require.Equal(t, http.StatusOK, first.Code)
	require.JSONEq(t, `{"status":true,"message":"","data":{"plan":"Growth"}}`, first.Body.String())
	require.Equal(t, []string{"private, max-age=60, must-revalidate", "Authorization"}, []string{first.Header().Get("Cache-Control"), first.Header().Get("Vary")})
	for asked, want := range map[string]int{tag: 304, "W/" + tag: 304, `"x", ` + tag: 304, " * ": 304, `"x"`: 200, strings.Trim(tag, `"`): 200, "**": 200} {
		got := ask(gin.H{"plan": "Growth"}, asked)
		require.Equal(t, want, got.Code, asked)
		require.Equal(t, want == 304, got.Body.Len() == 0, asked)
		require.Equal(t, tag, got.Header().Get("ETag"))
	}
	require.NotEqual(t, tag, ask(gin.H{"plan": "Apex"}, tag).Header().Get("ETag"))
	c, _ := asking(t, http.MethodGet, "/", "")
	require.Error(t, cached(c, make(chan int)))
}

// The client sends exactly the page's language; a browser's default list says nothing.
func TestLanguageOf_SingleLanguage_IsThePages(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]i18n.Language{"hi": "hi", "en": "en", "hi-IN": "", "hi, en;q=0.5": "", "": "", "xx": "", "HI": ""} {
		c, _ := asking(t, http.MethodGet, "/", "", "Accept-Language", header)
		require.Equal(t, want, languageOf(c), header)
	}
}

// hosts answers for one host.
type hosts struct{ err error }

func (h hosts) TLSAllowed(ctx context.Context, host string) (bool, error) {
	if _, limited := ctx.Deadline(); !limited {
		return false, errors.New("it may take for ever")
	}
	return host == "shop.example.in", h.err
}

func TestTLSAsk_OnlyOurHosts_AreAllowed(t *testing.T) {
	t.Parallel()
	for domain, want := range map[string]int{
		"shop.example.in": 200, "evil.example": 404, "": 400, strings.Repeat("a", 253): 404, strings.Repeat("a", 254): 400, "a\x00b": 400, "\xff": 400,
	} {
		w := httptest.NewRecorder()
		TLSAsk(hosts{}, slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?domain="+url.QueryEscape(domain), nil))
		require.Equal(t, want, w.Code, "%q", domain)
		require.Zero(t, w.Body.Len())
	}
	for err, want := range map[error]int{errs.NotFound(): 404, errs.Unavailable(errors.New("EOF")): 503, errors.New("EOF"): 503} {
		w := httptest.NewRecorder()
		TLSAsk(hosts{err}, slog.New(slog.DiscardHandler)).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?domain=other.example", nil))
		require.Equal(t, want, w.Code, "%v", err)
	}
	// While all slots are taken, a caller is told to retry and takes none.
	busy, free := make(chan struct{}), make(chan struct{})
	h := TLSAsk(waiting{busy, free}, slog.New(slog.DiscardHandler))
	for range asksAtOnce {
		go h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/?domain=a.example", nil))
		<-busy
	}
	ctx, gone := context.WithTimeout(t.Context(), time.Millisecond)
	defer gone()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/?domain=a.example", nil))
	require.Equal(t, http.StatusServiceUnavailable, w.Code)
	close(free)
}

// waiting answers when free is closed.
type waiting struct{ busy, free chan struct{} }

func (w waiting) TLSAllowed(context.Context, string) (bool, error) {
	w.busy <- struct{}{}
	<-w.free
	return true, nil
}
