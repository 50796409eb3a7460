package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/payu"
	domain "github.com/franchise360/franchise360/pkg/mandate"
	gateway "github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/testkit/gatewaytest"
)

// rail drives the product's adapter against this sandbox.
type rail struct {
	*bundle
	front *httptest.Server
	lose  atomic.Bool
	seen  int
}

// ServeHTTP passes calls on to the sandbox, but may lose the answer to a debit.
func (r *rail) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.FormValue("command") == "si_transaction" && r.lose.CompareAndSwap(true, false) {
		r.routes().ServeHTTP(httptest.NewRecorder(), q)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	r.routes().ServeHTTP(w, q)
}

func (r *rail) LoseDebit() { r.lose.Store(true) }

func (r *rail) Debitor() gatewaytest.Debitor {
	return payu.New(payu.Config{Key: testKey, Salt: testSalt, BaseURL: r.url, APIURL: r.front.URL})
}

func (r *rail) Authorise(t *testing.T, s gateway.Session, reg domain.Registration, how gatewaytest.Authorisation) {
	t.Helper()
	form := url.Values{}
	for name, value := range s.Fields {
		form.Set(name, value)
	}
	status, text, _ := r.post(t, "/_payment", form)
	require.Equal(t, http.StatusSeeOther, status, text)
	chosen := decision{Outcome: "success", Webhook: "lost", Method: map[domain.Method]string{
		domain.MethodUPI: "UPI", domain.MethodCard: "CC", domain.MethodENACH: "NB",
	}[reg.Method]}
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
		chosen.Outcome, chosen.Mandate = "failure", despiteFailure
	}
	body, err := json.Marshal(chosen)
	require.NoError(t, err)
	status, answer := r.postJSON(t, "/sandbox/payments/"+s.Fields["txnid"]+"/outcome", string(body))
	require.Equal(t, http.StatusOK, status, answer)
}

func (r *rail) Change(t *testing.T, m domain.Reference, to domain.ProviderState, silent bool) []gateway.Incoming {
	t.Helper()
	body := `{"status":"` + string(to) + `"`
	if silent {
		body += `,"notice":"lost"`
	}
	status, answer := r.postJSON(t, "/sandbox/mandates/"+m.MandateID, body+`}`)
	require.Equal(t, http.StatusOK, status, answer)
	if silent {
		return nil
	}
	var posted []gateway.Incoming
	require.Eventually(t, func() bool { return len(r.notices()) > r.seen }, time.Minute, 10*time.Millisecond)
	for _, h := range r.notices()[r.seen:] {
		posted = append(posted, gateway.Incoming{Body: []byte(h.body)})
	}
	r.seen += len(posted)
	return posted
}

func (r *rail) FailNext(t *testing.T, m domain.Reference) {
	t.Helper()
	status, answer := r.postJSON(t, "/sandbox/mandates/"+m.MandateID, `{"next":"insufficient"}`)
	require.Equal(t, http.StatusOK, status, answer)
}

func (r *rail) LateNext(t *testing.T, m domain.Reference) {
	t.Helper()
	status, answer := r.postJSON(t, "/sandbox/mandates/"+m.MandateID, `{"next":"late"}`)
	require.Equal(t, http.StatusOK, status, answer)
}

func (r *rail) SettleAfter(t *testing.T, days int) {
	t.Helper()
	status, answer := r.postJSON(t, "/sandbox/settings", fmt.Sprintf(`{"enach_days":%d}`, days))
	require.Equal(t, http.StatusOK, status, answer)
}

func (r *rail) Now() time.Time { return r.now() }

func (r *rail) Pass(_ *testing.T, d time.Duration) { r.advance(d) }

func (r *rail) Debits() int {
	return len(r.book.list(func(p *payment) bool { return p.DebitOf != "" }))
}

func (r *rail) Break(t *testing.T, mode string) {
	t.Helper()
	require.NoError(t, r.mode.Set(mode, 0))
}

// The product's adapter passes the suite for mandates against this sandbox, which was written independently.
func TestAdapter_MandateSuite_Passes(t *testing.T) {
	t.Parallel()
	gatewaytest.RunMandates(t, func(t *testing.T) gatewaytest.MandateProvider {
		t.Helper()
		return startRail(t)
	})
}

func startRail(t *testing.T) *rail {
	t.Helper()
	b := setup(t)
	b.on(t, "2026-12-01 12:00:00")
	r := &rail{bundle: b}
	r.front = httptest.NewServer(r)
	t.Cleanup(r.front.Close)
	return r
}
