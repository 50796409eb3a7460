package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	domain "github.com/franchise360/franchise360/pkg/mandate"
	gateway "github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/testkit/gatewaytest"
	"github.com/franchise360/franchise360/scripts/sandbox"
)

// rail drives the product's adapter against this sandbox.
type rail struct {
	*bundle
	front *httptest.Server
	lose  atomic.Bool
}

func startRail(t *testing.T) *rail {
	t.Helper()
	r := &rail{bundle: setup(t)}
	r.mu.Lock()
	r.clock = time.Date(2026, 12, 1, 12, 0, 0, 0, sandbox.India())
	r.mu.Unlock()
	r.front = httptest.NewServer(r)
	t.Cleanup(r.front.Close)
	return r
}

// ServeHTTP passes calls on to the sandbox, but may lose the answer to a debit.
func (r *rail) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if strings.HasSuffix(q.URL.Path, "/create/recurring") && r.lose.CompareAndSwap(true, false) {
		r.routes().ServeHTTP(httptest.NewRecorder(), q)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	r.routes().ServeHTTP(w, q)
}

func (r *rail) gateway() *razorpay.Gateway {
	return razorpay.New(razorpay.Config{KeyID: testKeyID, KeySecret: testSecret, WebhookSecret: "123456", BaseURL: r.front.URL})
}

func (r *rail) Debitor() gatewaytest.Debitor { return r.gateway() }

func (r *rail) LoseDebit() { r.lose.Store(true) }

func (r *rail) Authorise(t *testing.T, s gateway.Session, _ domain.Registration, how gatewaytest.Authorisation) {
	t.Helper()
	form := url.Values{}
	for name, value := range s.Fields {
		form.Set(name, value)
	}
	status, text, _ := r.post("/v1/checkout/embedded", form)
	require.Equal(t, http.StatusSeeOther, status, text)
	chosen := decision{Outcome: "success", Webhook: webhookLost}
	switch how {
	case gatewaytest.AuthoriseFully:
	case gatewaytest.AuthoriseLower:
		chosen.Mandate = "lower"
	case gatewaytest.AuthorisePending:
		chosen.Mandate = "pending"
	case gatewaytest.AuthorisePaidOnly:
		chosen.Mandate = "none"
	case gatewaytest.AuthoriseRefused:
		chosen.Outcome = "failure"
	case gatewaytest.AuthoriseConfirmedLate:
		chosen.Mandate = "confirmed_late"
	case gatewaytest.AuthoriseRejectedLate:
		chosen.Mandate = "rejected_late"
	case gatewaytest.AuthoriseDespiteFailure:
		chosen.Outcome = "dummy"
	}
	body, err := json.Marshal(chosen)
	require.NoError(t, err)
	r.ok("POST", "/sandbox/payments/"+s.Reference+"/outcome", string(body))
}

func (r *rail) Change(t *testing.T, m domain.Reference, to domain.ProviderState, silent bool) []gateway.Incoming {
	t.Helper()
	status := map[domain.ProviderState]string{
		domain.ProviderActive: tokenConfirmed, domain.ProviderPaused: tokenPaused, domain.ProviderRevoked: tokenCancelled,
	}[to]
	webhook := webhookOnce
	if silent {
		webhook = webhookLost
	}
	r.ok("POST", "/sandbox/tokens/"+m.MandateID, `{"status":"`+status+`","webhook":"`+webhook+`"}`)
	if silent {
		return nil
	}
	return []gateway.Incoming{incoming(r.named("token."+status, 1)[0])}
}

func incoming(e event) gateway.Incoming {
	return gateway.Incoming{Body: []byte(e.body), Headers: map[string]string{
		"x-razorpay-signature": e.signature, "x-razorpay-event-id": e.id,
	}}
}

func (r *rail) FailNext(t *testing.T, m domain.Reference) {
	t.Helper()
	r.ok("POST", "/sandbox/tokens/"+m.MandateID, `{"next":"insufficient_funds"}`)
}

func (r *rail) LateNext(t *testing.T, m domain.Reference) {
	t.Helper()
	r.ok("POST", "/sandbox/tokens/"+m.MandateID, `{"next":"late"}`)
}

func (r *rail) SettleAfter(t *testing.T, days int) {
	t.Helper()
	r.ok("POST", "/sandbox/settings", fmt.Sprintf(`{"emandate_days":%d}`, days))
}

func (r *rail) Now() time.Time { return r.now() }

func (r *rail) Pass(t *testing.T, d time.Duration) {
	t.Helper()
	r.pass(time.Minute) // what is due at once is done before the time passes
	r.pass(d - time.Minute)
}

func (r *rail) Debits() int {
	count := 0
	for _, o := range r.book.orders() {
		for _, p := range o.Payments {
			if p.Recurring {
				count++
			}
		}
	}
	return count
}

func (r *rail) Break(t *testing.T, mode string) {
	t.Helper()
	require.NoError(t, r.mode.Set(mode, 0))
}

// The product's adapter passes the suite for mandates against this sandbox, which was not written from it.
func TestAdapter_MandateSuite_Passes(t *testing.T) {
	t.Parallel()
	gatewaytest.RunMandates(t, func(t *testing.T) gatewaytest.MandateProvider {
		t.Helper()
		return startRail(t)
	})
}

// A mandate can arrive with a payment that failed: only its reason tells ("upi_dummy_payment").
func TestAdapter_MandateOfAFailedDummyPayment_IsFound(t *testing.T) {
	t.Parallel()
	r := startRail(t)
	g := r.gateway()
	reg := domain.Registration{
		Charge: gateway.Charge{
			TransactionID: "T1", Amount: 100, ProductInfo: "Silver plan", FirstName: "Asha", Email: "a@b.in", Mobile: "9876543210",
			ReturnURL: "http://merchant.test/back",
		},
		Method: domain.MethodUPI, Cap: 5_000_00, Start: r.now(), End: r.now().AddDate(5, 0, 0),
	}
	s, err := g.Register(t.Context(), reg)
	require.NoError(t, err)
	form := url.Values{}
	for name, value := range s.Fields {
		form.Set(name, value)
	}
	status, text, _ := r.post("/v1/checkout/embedded", form)
	require.Equal(t, http.StatusSeeOther, status, text)
	r.outcome("T1", `{"outcome":"dummy"}`)
	paid, err := g.Verify(t.Context(), "T1", s.Reference)
	require.NoError(t, err)
	require.Equal(t, gateway.StatusFailed, paid.Status)
	d, err := g.Registered(t.Context(), "T1", s.Reference)
	require.NoError(t, err)
	require.Equal(t, domain.ProviderActive, d.State)
	require.Equal(t, "@razorpay", d.Masked)

	again := reg
	again.CustomerReference, again.Charge.TransactionID = d.Reference.CustomerID, "T2"
	s, err = g.Register(t.Context(), again)
	require.NoError(t, err)
	require.Equal(t, d.Reference.CustomerID, s.Fields["customer_id"])
	again.Cap = 100_000_00
	_, err = g.Register(t.Context(), again)
	require.ErrorContains(t, err, "does not accept automatic payments of this amount")
}

func TestAdapter_SmartCollect_CollectsTransfers(t *testing.T) {
	t.Parallel()
	r := startRail(t)
	c := r.gateway().SmartCollect()
	require.Equal(t, "razorpay", c.Name())
	a, err := c.Open(t.Context(), "0192-customer", "Asha Foods", "")
	require.NoError(t, err)
	require.NotEmpty(t, a.Number)
	require.Equal(t, "RATN0VAAPIS", a.IFSC)
	require.Equal(t, "Franchise 360", a.Beneficiary)
	again, err := c.Open(t.Context(), "0192-customer", "Asha Foods", "")
	require.NoError(t, err)
	require.Equal(t, a, again, "also where the answer to the first was lost")
	other, err := c.Open(t.Context(), "0192-other", "Other", "")
	require.NoError(t, err)
	require.NotEqual(t, a.ID, other.ID)

	credit := "/sandbox/virtual_accounts/" + a.ID + "/credit"
	r.ok("POST", credit, `{"amount":"11800.00","utr":"AXISN12345678","payer":"Asha Foods Pvt Ltd"}`)
	notice, err := c.ReadCredit(incoming(r.named("virtual_account.credited", 1)[0]))
	require.NoError(t, err)
	require.Equal(t, a.ID, notice.AccountID)
	require.NotEmpty(t, notice.Key)
	since := r.now()
	r.pass(time.Hour)
	r.ok("POST", credit, `{"amount":"1.00","utr":"AXISN2"}`)
	all, err := c.Credits(t.Context(), a.ID, time.Time{})
	require.NoError(t, err)
	require.Len(t, all, 2)
	require.Empty(t, all[0].PayerName, "the bank need not tell the payer")
	require.Equal(t, razorpay.Credit{
		ID: notice.PaymentID, AccountID: a.ID, UTR: "AXISN12345678", Amount: 11_800_00, PaidAt: since.Truncate(time.Second).UTC(),
		PayerName: "Asha Foods Pvt Ltd", PayerAccountMasked: "XXXX6789",
	}, all[1])
	later, err := c.Credits(t.Context(), a.ID, since.Add(time.Minute))
	require.NoError(t, err)
	require.Len(t, later, 1)
	found, err := c.CreditsByUTR(t.Context(), "AXISN12345678")
	require.NoError(t, err)
	require.Equal(t, all[1:], found)
	n, err := r.gateway().Read(incoming(r.named("virtual_account.credited", 1)[0]))
	require.NoError(t, err)
	require.Equal(t, gateway.NoticeOther, n.Kind, "it is no payment of an order")

	for range 2 {
		require.NoError(t, c.Close(t.Context(), a.ID))
	}
	r.ok("POST", credit, `{"amount":"500.00","utr":"AXISN3"}`)
	all, err = c.Credits(t.Context(), a.ID, time.Time{})
	require.NoError(t, err)
	require.Len(t, all, 2, "what arrives in a closed account is given back")
	r.named("refund.created", 1)
	reopened, err := c.Open(t.Context(), "0192-customer", "Asha Foods", a.ID)
	require.NoError(t, err)
	require.NotEqual(t, a.ID, reopened.ID)
	require.NoError(t, r.mode.Set("error", 0))
	_, err = c.Credits(t.Context(), a.ID, time.Time{})
	require.Error(t, err)
}
