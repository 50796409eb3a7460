// Package gatewaytest tests what every payment gateway must have in common; each adapter runs it against a fake of its
// provider.
package gatewaytest

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// Provider is a fake that speaks the provider's wire format.
type Provider interface {
	// Gateway returns the adapter under test, pointed at the fake.
	Gateway() payment.Gateway
	// Complete ends the customer's session with the given status, capturing amount if paid, and returns what the
	// browser posts back.
	Complete(t *testing.T, s payment.Session, end payment.Status, amount money.Paise) payment.Incoming
	// Webhook returns the provider's own notice of the last Complete.
	Webhook(t *testing.T) payment.Incoming
	// Break makes every further API response bad: 500, html, endless or slow.
	Break(mode string)
	// Refunds counts the refunds that were actually made.
	Refunds() int
	// Wire describes how the provider's format differs from others.
	Wire() Wire
}

// Wire describes a provider's format as far as the tests depend on it.
type Wire struct {
	// Signed are the posted fields that a signature covers, and the signature itself.
	Signed []string
	// SilentReturn reports that the browser brings back neither the outcome nor the provider's name of the payment.
	SilentReturn bool
}

const amount money.Paise = 15_930_000

func charge() payment.Charge {
	return payment.Charge{
		TransactionID: "FP261102ABCDEF123456", Amount: amount, ProductInfo: "Start up Expansion", FirstName: "Asha",
		Email: "asha@example.in", Mobile: "9876543210", ReturnURL: "https://site.example/api/franchise/payments/callback",
	}
}

// Run tests the provider's adapter against the requirements for every gateway.
func Run(t *testing.T, start func(t *testing.T) Provider) {
	t.Helper()
	for name, test := range map[string]func(t *testing.T, p Provider){
		"the same charge gives an equal session":                   sameSession,
		"a transaction that nobody paid is not paid":               nothingPaid,
		"a payment is verified with its exact amount":              paid,
		"an amount off by a paisa is reported as it is":            wrongAmount,
		"a failure is verified as one":                             failed,
		"a changed, foreign or absent signature is refused":        forged,
		"nothing that is kept holds contact or card data":          nothingPersonal,
		"a provider that is down or talks nonsense is unavailable": broken,
		"a refund asked for twice is made once":                    refundedOnce,
		"fields beside the signature change nothing":               besides,
		"numbers of payments are references, words are none":       references,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start(t))
		})
	}
}

func begin(t *testing.T, p Provider) payment.Session {
	t.Helper()
	s, err := p.Gateway().Begin(t.Context(), charge())
	require.NoError(t, err)
	require.NotEmpty(t, s.URL)
	return s
}

func verify(t *testing.T, p Provider, s payment.Session) payment.Outcome {
	t.Helper()
	o, err := p.Gateway().Verify(t.Context(), charge().TransactionID, s.Reference)
	require.NoError(t, err)
	return o
}

func sameSession(t *testing.T, p Provider) {
	t.Helper()
	first := begin(t, p)
	c := charge()
	c.Reference = first.Reference
	second, err := p.Gateway().Begin(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, first, second)
	require.Equal(t, first, begin(t, p), "also where the answer to the first was lost")
}

func nothingPaid(t *testing.T, p Provider) {
	t.Helper()
	o := verify(t, p, begin(t, p))
	require.NotEqual(t, payment.StatusPaid, o.Status)
	require.NotEqual(t, payment.StatusFailed, o.Status, "the customer may still be on the way")
}

func paid(t *testing.T, p Provider) {
	t.Helper()
	s := begin(t, p)
	back := p.Complete(t, s, payment.StatusPaid, amount)
	for i, posted := range []payment.Incoming{back, p.Webhook(t)} {
		n, err := p.Gateway().Read(posted)
		require.NoError(t, err)
		require.Equal(t, payment.NoticePayment, n.Kind)
		require.True(t, n.Signed)
		require.NotEmpty(t, n.Key)
		want := payment.StatusPaid
		if i == 0 && p.Wire().SilentReturn {
			want = payment.StatusPending
		}
		require.Equal(t, want, n.Status)
		require.True(t, n.TransactionID == charge().TransactionID || n.Reference != "" && n.Reference == s.Reference)
	}
	o := verify(t, p, s)
	require.Equal(t, payment.StatusPaid, o.Status)
	require.Equal(t, amount, o.Amount)
	require.Equal(t, payment.Currency, o.Currency)
	require.NotEmpty(t, o.GatewayPaymentID)
	require.Equal(t, "upi", o.Slug)
}

func wrongAmount(t *testing.T, p Provider) {
	t.Helper()
	s := begin(t, p)
	p.Complete(t, s, payment.StatusPaid, amount-1)
	o := verify(t, p, s)
	require.Equal(t, payment.StatusPaid, o.Status)
	require.Equal(t, amount-1, o.Amount)
}

func failed(t *testing.T, p Provider) {
	t.Helper()
	s := begin(t, p)
	posted := p.Complete(t, s, payment.StatusFailed, 0)
	if p.Wire().SilentReturn {
		n, err := p.Gateway().Read(posted)
		require.NoError(t, err)
		require.Equal(t, payment.StatusPending, n.Status)
		posted = p.Webhook(t)
	}
	n, err := p.Gateway().Read(posted)
	require.NoError(t, err)
	require.Equal(t, payment.StatusFailed, n.Status)
	o := verify(t, p, s)
	require.Equal(t, payment.StatusFailed, o.Status)
	require.Zero(t, o.Amount)
	require.NotEmpty(t, o.Reason)
}

func forged(t *testing.T, p Provider) {
	t.Helper()
	s := begin(t, p)
	for _, posted := range []payment.Incoming{p.Complete(t, s, payment.StatusPaid, amount), p.Webhook(t)} {
		changed := 0
		for name := range posted.Form {
			forged := payment.Incoming{Form: map[string]string{}}
			maps.Copy(forged.Form, posted.Form)
			if !slices.Contains(p.Wire().Signed, name) {
				continue
			}
			changed++
			forged.Form[name] += "0"
			_, err := p.Gateway().Read(forged)
			require.ErrorIs(t, err, payment.ErrSignature, name)
		}
		if len(posted.Headers) > 0 {
			changed++
			_, err := p.Gateway().Read(payment.Incoming{Body: append(posted.Body, ' '), Headers: posted.Headers})
			require.ErrorIs(t, err, payment.ErrSignature)
		}
		require.Positive(t, changed, "the stand-in signs nothing that this test knows")
	}
	_, err := p.Gateway().Read(payment.Incoming{Form: map[string]string{}})
	require.ErrorIs(t, err, payment.ErrSignature)
}

func nothingPersonal(t *testing.T, p Provider) {
	t.Helper()
	s := begin(t, p)
	back := p.Complete(t, s, payment.StatusPaid, amount)
	n, err := p.Gateway().Read(back)
	require.NoError(t, err)
	o := verify(t, p, s)
	for _, fields := range []map[string]string{n.Fields, o.Fields} {
		for name, value := range fields {
			for _, secret := range []string{charge().Email, charge().Mobile, charge().FirstName, "4111"} {
				require.NotContains(t, value, secret, name)
			}
		}
	}
}

func broken(t *testing.T, p Provider) {
	t.Helper()
	s := begin(t, p)
	for _, mode := range []string{"500", "html"} {
		p.Break(mode)
		_, err := p.Gateway().Verify(t.Context(), charge().TransactionID, s.Reference)
		require.Error(t, err, mode)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), mode)
	}
	p.Break("endless")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	_, err := p.Gateway().Verify(ctx, charge().TransactionID, s.Reference)
	require.Error(t, err)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.NoError(t, ctx.Err(), "nobody reads on until the time-out")

	p.Break("slow")
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	_, err = p.Gateway().Verify(ctx, charge().TransactionID, s.Reference)
	require.Error(t, err)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
}

// Misbehave answers in a mode that Break sets, in the same way at every provider: html, endless or slow. It reports whether it answered. A
// slow answer ends with stop or the request.
func Misbehave(w http.ResponseWriter, r *http.Request, mode string, stop <-chan struct{}) bool {
	switch mode {
	case "html":
		_, _ = io.WriteString(w, "<html>maintenance</html>")
	case "endless":
		endless(w)
	case "slow":
		select {
		case <-stop:
		case <-r.Context().Done():
		}
	default:
		return false
	}
	return true
}

// endless writes JSON that does not end until the caller disconnects.
func endless(w http.ResponseWriter) {
	chunk := bytes.Repeat([]byte(" "), 64<<10)
	for {
		if _, err := w.Write(chunk); err != nil {
			return
		}
	}
}

func refundedOnce(t *testing.T, p Provider) {
	t.Helper()
	s := begin(t, p)
	p.Complete(t, s, payment.StatusPaid, amount)
	o := verify(t, p, s)
	r := payment.RefundRequest{
		TransactionID: charge().TransactionID, GatewayPaymentID: o.GatewayPaymentID, Amount: amount, Token: strings.Repeat("0a", 11),
	}
	first, err := p.Gateway().Refund(t.Context(), r)
	require.NoError(t, err)
	again, err := p.Gateway().Refund(t.Context(), r)
	require.NoError(t, err)
	require.False(t, again.Failed, "the first is on its way")
	require.True(t, again.Waiting || again.RefundID == first.RefundID)
	require.Equal(t, 1, p.Refunds())
	listed, err := p.Gateway().Refunds(t.Context(), r.TransactionID, r.GatewayPaymentID)
	require.NoError(t, err)
	require.Len(t, listed, 1)
	require.Equal(t, r.Token, listed[0].Token, "by which it is found again where the answer was lost")
	require.Equal(t, first.RefundID, listed[0].RefundID)
	require.Equal(t, amount, listed[0].Amount)
	done, err := p.Gateway().RefundStatus(t.Context(), r, first.RefundID)
	require.NoError(t, err)
	require.True(t, done.Done)
}

// besides adds arbitrary fields to what the browser posts back: they must not be taken for a refund, a dispute or a
// status, nor be stored.
func besides(t *testing.T, p Provider) {
	t.Helper()
	back := p.Complete(t, begin(t, p), payment.StatusPaid, amount)
	want, err := p.Gateway().Read(back)
	require.NoError(t, err)
	for _, name := range []string{"action", "event", "type", "zz"} {
		for _, value := range []string{"refund", "chargeback", "dispute", strings.Repeat("x", 50_000)} {
			form := maps.Clone(back.Form)
			form[name], form["request_id"], form["cb_id"] = value, "1001", "1001"
			got, err := p.Gateway().Read(payment.Incoming{Form: form})
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	}
}

// The provider's references for the payment or the charge may look like a card number; text that people wrote must not
// hide one.
func references(t *testing.T, p Provider) {
	t.Helper()
	s := begin(t, p)
	posted := p.Complete(t, s, payment.StatusPaid, amount)
	o := verify(t, p, s)
	found := 0
	for name, value := range posted.Form {
		if value == o.GatewayPaymentID || value == s.Reference && value != "" {
			found++
			require.True(t, p.Gateway().IsReference(name), name)
		}
	}
	require.True(t, found > 0 || p.Wire().SilentReturn, "the provider posts a name of the payment")
	for _, name := range []string{"", "firstname", "email", "phone", "note", "description", "error[description]", "field9", "field", "field10", "card_no"} {
		require.False(t, p.Gateway().IsReference(name), name)
	}
}
