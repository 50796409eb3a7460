package main

import (
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAmounts_AreParsedExactly(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"10.00": 1000, "10": 1000, "0.1": 10, "159300.00": 15930000, "9999999999.99": 999999999999} {
		got, err := paise(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "0", "0.00", "-1.00", "1.234", "1,000.00", "1e3", " 1", "NaN", "10000000000"} {
		_, err := paise(text)
		require.Error(t, err, text)
	}
	require.Equal(t, "159300.05", rupees(15930005))
	require.Equal(t, "-0.05", rupees(-5))
	require.Equal(t, "₹1,59,300.00", display("159300.00"))
	require.Equal(t, "₹999.50", display("999.5"))
	wrong, err := offByOnePaisa("10.00")
	require.NoError(t, err)
	require.Equal(t, "9.99", wrong)
	wrong, err = offByOnePaisa("0.01")
	require.NoError(t, err)
	require.Equal(t, "0.02", wrong)
}

func TestForm_Invalid_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, changes := range map[string]map[string]string{
		"wrong hash":         {"hash": "00"},
		"another key":        {"key": "other"},
		"amount changed":     {"amount": "10.01", "hash": form(nil).Get("hash")},
		"no name":            {"firstname": ""},
		"long txnid":         {"txnid": strings.Repeat("x", 26)},
		"long productinfo":   {"productinfo": strings.Repeat("x", 101)},
		"long firstname":     {"firstname": strings.Repeat("x", 61)},
		"long email":         {"email": strings.Repeat("x", 46) + "@x.in"},
		"long udf":           {"udf5": strings.Repeat("x", 256)},
		"separator in name":  {"firstname": "A|B"},
		"three decimals":     {"amount": "10.001"},
		"return not a URL":   {"surl": "javascript:alert(1)"},
		"amount of nothing":  {"amount": "0.00"},
		"script in the txn":  {"txnid": "<b>"},
		"missing everything": {"txnid": "", "amount": "", "email": ""},
	} {
		status, text, _ := b.post(t, "/_payment", form(changes))
		require.Contains(t, []int{http.StatusBadRequest, http.StatusForbidden}, status, name)
		require.Contains(t, text, "cannot go on", name)
	}
	require.Empty(t, b.book.all())
}

func TestPage_Payment_IsShownAndPaid(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.begin(t, map[string]string{"firstname": `<img src="http://x">`, "pg": "UPI", "amount": "159300.00"})
	status, text := b.get(t, page)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "₹1,59,300.00")
	require.Contains(t, text, "&lt;img src")
	require.Contains(t, text, `value="UPI" checked`)
	require.Equal(t, "pending", b.verified(t, "T1")["status"])

	status, text, _ = b.post(t, page, url.Values{"outcome": {"success"}, "method": {"NB"}})
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, `action="http://merchant.test/callback"`)
	require.Contains(t, text, "submit()")
	require.Equal(t, "success", b.verified(t, "T1")["status"])
	require.Equal(t, "NB", b.verified(t, "T1")["mode"])
	require.Equal(t, "159300.00", b.verified(t, "T1")["amt"])

	status, _, _ = b.post(t, page, url.Values{"outcome": {"failure"}})
	require.Equal(t, http.StatusConflict, status)
	status, text, _ = b.post(t, "/_payment", form(nil))
	require.Equal(t, http.StatusConflict, status, text)
	require.Equal(t, "success", b.verified(t, "T1")["status"])
}

func TestOutcome_EachOne_HasItsStatusAndReturn(t *testing.T) {
	t.Parallel()
	const success, failed, cancelled = "http://merchant.test/callback", "http://merchant.test/failed", "http://merchant.test/cancelled"
	for name, c := range map[string]struct {
		body, status, unmapped, amount, net, back string
		webhooks                                  int
	}{
		"success":       {`{"outcome":"success"}`, "success", "captured", "10.00", "10", success, 1},
		"auth":          {`{"outcome":"auth"}`, "success", "auth", "10.00", "10", success, 1},
		"failure":       {`{"outcome":"failure"}`, "failure", "failed", "10.00", "0.00", failed, 1},
		"cancelled":     {`{"outcome":"user_cancelled"}`, "failure", "userCancelled", "10.00", "0.00", cancelled, 1},
		"bounced":       {`{"outcome":"bounced"}`, "failure", "bounced", "10.00", "0.00", failed, 1},
		"dropped":       {`{"outcome":"dropped"}`, "failure", "dropped", "10.00", "0.00", failed, 1},
		"refunded":      {`{"outcome":"auto_refund"}`, "failure", "autoRefund", "10.00", "0.00", failed, 1},
		"pending":       {`{"outcome":"pending"}`, "pending", "pending", "10.00", "0.00", success, 0},
		"initiated":     {`{"outcome":"initiated"}`, "pending", "initiated", "10.00", "0.00", success, 0},
		"in progress":   {`{"outcome":"in_progress"}`, "pending", "in progress", "10.00", "0.00", success, 0},
		"wrong amount":  {`{"outcome":"wrong_amount"}`, "success", "captured", "9.99", "9.99", success, 1},
		"chosen amount": {`{"outcome":"wrong_amount","amount":"1.00"}`, "success", "captured", "1.00", "1", success, 1},
		"charges":       {`{"outcome":"success","additional_charges":"0.17"}`, "success", "captured", "10.00", "10.17", success, 1},
		"offer":         {`{"outcome":"success","discount":"0.50"}`, "success", "captured", "10.00", "9.5", success, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.begin(t, map[string]string{"udf1": "one", "udf5": "five", "udf6": "six", "curl": cancelled})
			status, answer := b.postJSON(t, "/sandbox/payments/T1/outcome", c.body)
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, c.back, answer["return_url"])
			fields := object(t, answer, "fields")
			require.Equal(t, c.status, fields["status"])
			require.Equal(t, c.unmapped, fields["unmappedstatus"])
			require.Equal(t, c.amount, fields["amount"])
			require.Equal(t, c.net, fields["net_amount_debit"])
			require.Equal(t, "six", fields["udf6"])
			charges, _ := fields["additionalCharges"].(string)
			o := order{TxnID: "T1", ProductInfo: "Plan", FirstName: "Asha", Email: "a@b.in", UDF: [10]string{0: "one", 4: "five"}}
			require.Equal(t, b.merchant.responseHash(c.status, c.amount, charges, o), fields["hash"])
			verified := b.verified(t, "T1")
			require.Equal(t, c.status, verified["status"])
			require.Equal(t, c.unmapped, verified["unmappedstatus"])
			require.Equal(t, c.amount, verified["transaction_amount"])
			require.Eventually(t, func() bool { return len(b.webhooks()) == c.webhooks }, time.Minute, 10*time.Millisecond)
			for _, webhook := range b.webhooks() {
				require.Equal(t, fields["hash"], webhook.Get("hash"))
			}
		})
	}
}

func TestPending_SendsAWebhookIfTheAccountWantsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"pending_notices":true,"multipart":true}`)
	b.begin(t, nil)
	b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"pending"}`)
	require.Eventually(t, func() bool { return len(b.notices()) == 1 }, time.Minute, 10*time.Millisecond)
	kind, params, err := mime.ParseMediaType(b.notices()[0].contentType)
	require.NoError(t, err)
	require.Equal(t, "multipart/form-data", kind)
	sent, err := multipart.NewReader(strings.NewReader(b.notices()[0].body), params["boundary"]).ReadForm(1 << 20)
	require.NoError(t, err)
	require.Equal(t, []string{"pending"}, sent.Value["status"])
}

func TestBankReference_OfACard_LooksLikeACardNumber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.begin(t, nil)
	_, answer := b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","method":"CC"}`)
	reference, ok := object(t, answer, "fields")["field3"].(string)
	require.True(t, ok)
	require.Regexp(t, `^5\d{15}$`, reference)
	sum := 0
	for i, digit := range reference {
		d := int(digit - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	require.Zero(t, sum%10)
}

func TestEnforcedMethods_AreTheOnlyOnes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.begin(t, map[string]string{"enforce_paymethod": "upi|netbanking"})
	_, text := b.get(t, page)
	require.Contains(t, text, `value="UPI" checked`)
	require.NotContains(t, text, `value="CC"`)
	status, _ := b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","method":"CC"}`)
	require.Equal(t, http.StatusBadRequest, status)
	status, _ = b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
	require.Equal(t, http.StatusOK, status)
}

func TestSecondCapture_HasItsOwnID(t *testing.T) {
	t.Parallel()
	t.Run("by a control call", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		first := b.captured(t, nil, `{"outcome":"success"}`)
		status, answer := b.postJSON(t, "/sandbox/payments/T1/second-capture", `{}`)
		require.Equal(t, http.StatusOK, status, answer)
		require.NotEqual(t, first, answer["mihpayid"])
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, time.Minute, 10*time.Millisecond)
		require.Equal(t, first, b.verified(t, "T1")["mihpayid"], "the first capture is the transaction's")
	})
	t.Run("by a late success of an earlier attempt", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"late_success","delay_seconds":3600}`)
		late := b.book.of("T1")[0]
		first := b.captured(t, nil, `{"outcome":"success"}`)
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, time.Minute, 10*time.Millisecond)
		b.due(t, late.MihpayID)
		require.Eventually(t, func() bool { return len(b.webhooks()) == 3 }, time.Minute, 10*time.Millisecond)
		require.Equal(t, "success", b.webhooks()[2].Get("status"))
		require.NotEqual(t, first, b.webhooks()[2].Get("mihpayid"))
	})
}

func TestOutcome_Invalid_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	status, _ := b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
	require.Equal(t, http.StatusNotFound, status)
	b.begin(t, nil)
	for _, body := range []string{`{`, `{}`, `{"outcome":"maybe"}`, `{"outcome":"success","webhook":"never"}`, `{"outcome":"success","x":1}`} {
		status, _ := b.postJSON(t, "/sandbox/payments/T1/outcome", body)
		require.Equal(t, http.StatusBadRequest, status, body)
	}
	status, answer := b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","return":"lost","webhook":"lost"}`)
	require.Equal(t, http.StatusOK, status)
	require.Empty(t, answer["return_url"])
	require.Empty(t, answer["fields"])
	status, _ = b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"failure"}`)
	require.Equal(t, http.StatusConflict, status)
}

func TestWebhooks_TwiceLateOrLost(t *testing.T) {
	t.Parallel()
	t.Run("twice", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","webhook":"twice"}`)
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, time.Minute, 10*time.Millisecond)
		require.Equal(t, b.webhooks()[0], b.webhooks()[1])
	})
	t.Run("late, and after a failure that succeeds later", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"late_success","webhook":"once","delay_seconds":3600}`)
		require.Equal(t, "failure", b.verified(t, "T1")["status"])
		require.Eventually(t, func() bool { return len(b.webhooks()) == 1 }, time.Minute, 10*time.Millisecond)
		b.due(t, b.book.of("T1")[0].MihpayID)
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, time.Minute, 10*time.Millisecond)
		require.Equal(t, "failure", b.webhooks()[0].Get("status"))
		require.Equal(t, "success", b.webhooks()[1].Get("status"))
		require.Equal(t, "success", b.verified(t, "T1")["status"])
	})
	t.Run("lost", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","webhook":"lost"}`)
		require.Never(t, func() bool { return len(b.webhooks()) > 0 }, 600*time.Millisecond, 50*time.Millisecond)
	})
	t.Run("repeated while the merchant fails", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.status = []int{http.StatusInternalServerError}
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, time.Minute, 20*time.Millisecond)
	})
	t.Run("only 200 is an answer, and after three tries PayU gives up", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.status = []int{http.StatusNoContent, http.StatusAccepted, http.StatusBadRequest}
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success"}`)
		require.Eventually(t, func() bool {
			p, _ := b.book.find("T1")
			return p.Deliveries[0].TimedOut
		}, time.Minute, 50*time.Millisecond)
		require.Len(t, b.webhooks(), 3)
		_, text := b.get(t, "/")
		require.Contains(t, text, "timed out")
	})
	t.Run("out of order", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.begin(t, nil)
		b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","webhook":"reordered"}`)
		require.Eventually(t, func() bool { return len(b.webhooks()) == 2 }, time.Minute, 20*time.Millisecond)
		require.Equal(t, "success", b.webhooks()[0].Get("status"))
		require.Equal(t, "pending", b.webhooks()[1].Get("status"))
	})
}

func TestRestart_KeepsPaymentsAndDueWebhooks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.begin(t, nil)
	b.postJSON(t, "/sandbox/payments/T1/outcome", `{"outcome":"success","webhook":"late","delay_seconds":3600}`)
	b.begin(t, map[string]string{"txnid": "T2"})
	b.close()
	torn, err := os.OpenFile(b.state, os.O_APPEND|os.O_WRONLY, 0o600)
	require.NoError(t, err)
	_, err = torn.WriteString(`{"txnid":"T2","sta`)
	require.NoError(t, err)
	require.NoError(t, torn.Close())

	again := start(t, b.state)
	require.Equal(t, "success", again.verified(t, "T1")["status"])
	require.Equal(t, "pending", again.verified(t, "T2")["status"])
	status, text := again.get(t, page)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "has been paid")
	require.Empty(t, again.webhooks())
	again.due(t, again.book.of("T1")[0].MihpayID)
	require.Eventually(t, func() bool { return len(again.webhooks()) == 1 }, time.Minute, 20*time.Millisecond)
}

// due makes a payment's future events happen now.
func (b *bundle) due(t *testing.T, mihpayID string) {
	t.Helper()
	_, err := b.book.change(mihpayID, func(p *payment) error {
		if !p.SucceedsAt.IsZero() {
			p.SucceedsAt = time.Now()
		}
		for i := range p.Deliveries {
			p.Deliveries[i].Due = time.Now()
		}
		return nil
	})
	require.NoError(t, err)
	b.wake()
}
