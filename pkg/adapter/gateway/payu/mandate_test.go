package payu

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

var _ mandate.Gateway = (*Gateway)(nil)

// answers serves a published sample, or a text, by command.
func answers(t *testing.T, byCommand map[string]string) (*Gateway, *[]url.Values) {
	t.Helper()
	asked := &[]url.Values{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		command := r.FormValue("command")
		*asked = append(*asked, r.PostForm)
		if r.FormValue("hash") != digest(docsKey, command, r.FormValue("var1"), docsSalt) {
			http.Error(w, "hash", http.StatusForbidden)
			return
		}
		var var1 map[string]string
		if json.Unmarshal([]byte(r.FormValue("var1")), &var1) == nil && var1["action"] != "" {
			command += " " + var1["action"]
		}
		text, ok := byCommand[command]
		if !ok {
			text = `{"status":0,"msg":"not expected"}`
		} else if strings.HasSuffix(text, ".json") {
			text = string(sample(t, text))
		}
		_, _ = w.Write([]byte(text))
	}))
	t.Cleanup(server.Close)
	return New(Config{Key: docsKey, Salt: docsSalt, BaseURL: "https://test.payu.in", APIURL: server.URL}), asked
}

func lastDay(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, clock.IST) }

func registration(method mandate.Method) mandate.Registration {
	return mandate.Registration{
		Charge: payment.Charge{
			TransactionID: "T1", Amount: money.Rupee, ProductInfo: "Plan", FirstName: "Asha", Email: "a@b.in", Mobile: "9876543210",
			ReturnURL: "https://x.example/back",
		},
		Method: method, Cap: 5_000_00, Start: dayStart(2026, 11, 25), End: dayStart(2031, 11, 24),
	}
}

func TestRegister_IsSignedWithItsTerms(t *testing.T) {
	t.Parallel()
	for method, want := range map[mandate.Method]string{
		mandate.MethodUPI:   `{"billingAmount":"5000.00","billingCurrency":"INR","billingCycle":"MONTHLY","billingInterval":1,"paymentStartDate":"2026-11-25","paymentEndDate":"2031-11-24","billingRule":"MAX"}`,
		mandate.MethodCard:  `{"billingAmount":"5000.00","billingCurrency":"INR","billingCycle":"ADHOC","billingInterval":1,"paymentStartDate":"2026-11-25","paymentEndDate":"2031-11-24"}`,
		mandate.MethodENACH: `{"billingAmount":"5000.00","billingCurrency":"INR","billingCycle":"ADHOC","billingInterval":1,"paymentStartDate":"2026-11-25","paymentEndDate":"2031-11-24"}`,
	} {
		s, err := docsGateway().Register(t.Context(), registration(method))
		require.NoError(t, err)
		f := s.Fields
		require.Equal(t, want, f["si_details"], method)
		require.Equal(t, []string{"1", "7"}, []string{f["si"], f["api_version"]})
		// "Payment Consent Transaction": sha512(key|txnid|amount|productinfo|firstname|email|udf1|…|udf5||||||si_details|SALT)
		require.Equal(t, digest(docsKey+"|T1|1.00|Plan|Asha|a@b.in|||||||||||"+want+"|"+docsSalt), f["hash"])
	}
	r := registration(mandate.MethodUPI)
	r.Yearly = true
	s, err := docsGateway().Register(t.Context(), r)
	require.NoError(t, err)
	require.Contains(t, s.Fields["si_details"], `"billingCycle":"YEARLY"`)
	_, err = docsGateway().Register(t.Context(), registration("cheque"))
	require.Error(t, err)
}

// The published return of a registration over netbanking is hashed as any other return, without the terms.
func TestRead_PublishedReturnOfARegistration(t *testing.T) {
	t.Parallel()
	values, err := url.ParseQuery(strings.TrimSpace(string(sample(t, "return_enach.form"))))
	require.NoError(t, err)
	form := map[string]string{}
	for name := range values {
		form[name] = values.Get(name)
	}
	n, err := docsGateway().Read(payment.Incoming{Form: form})
	require.NoError(t, err)
	require.True(t, n.Signed)
	require.Equal(t, "oRWSUMU4XSQBZn", n.TransactionID)
	require.Equal(t, payment.StatusPaid, n.Status)
	require.Zero(t, n.Amount)
	require.Equal(t, "sist", n.Fields["payment_source"])
	form["status"] = "failure"
	_, err = docsGateway().Read(payment.Incoming{Form: form})
	require.ErrorIs(t, err, payment.ErrSignature)
}

func TestState_PublishedAnswers_AreRead(t *testing.T) {
	t.Parallel()
	g, asked := answers(t, map[string]string{
		"check_mandate_status": "mandate_status_card.json", "upi_mandate_status": "mandate_status_upi.json",
		"NB_mandate_status": "mandate_status_enach.json",
	})
	for method, want := range map[mandate.Method]struct {
		id    string
		limit money.Paise
		until time.Time
	}{
		mandate.MethodCard:  {"25599222315", 100, lastDay(2027, 12, 1)},
		mandate.MethodUPI:   {"25600438037", 100, lastDay(2027, 12, 1)},
		mandate.MethodENACH: {"10731087875", 100_00, lastDay(2023, 12, 20)},
	} {
		m := mandate.Reference{MandateID: want.id, Method: method, RequestID: "R1"}
		d, err := g.State(t.Context(), m)
		require.NoError(t, err)
		require.Equal(t, mandate.Details{Reference: m, State: mandate.ProviderActive, Cap: want.limit, Until: want.until}, d)
		m.MandateID = "1"
		_, err = g.State(t.Context(), m)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "another mandate's answer")
	}
	require.JSONEq(t, `{"authPayuId":"1","requestId":"R1"}`, (*asked)[len(*asked)-1].Get("var1"))
}

func TestState_EachWord_HasItsMeaning(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]mandate.ProviderState{
		"active": mandate.ProviderActive, "SUCCESS": mandate.ProviderActive, "CANCEL_FAILED": mandate.ProviderActive,
		"CANCEL_INITIATION_FAILED": mandate.ProviderActive, "pause": mandate.ProviderPaused, "paused": mandate.ProviderPaused,
		"cancelled": mandate.ProviderRevoked, "discarded": mandate.ProviderRevoked, "deleted": mandate.ProviderRevoked,
		"revoked": mandate.ProviderRevoked, "CANCEL_SUCCESS": mandate.ProviderRevoked, "CANCEL_PENDING": mandate.ProviderRevoked,
		"CANCEL_INITIATED": mandate.ProviderRevoked, "failed": mandate.ProviderFailed, "FAILED": mandate.ProviderFailed,
		"expired": mandate.ProviderExpired, "INITIATED": mandate.ProviderPending,
	} {
		got, ok := stateOf(status)
		require.True(t, ok, status)
		require.Equal(t, want, got, status)
	}
	for _, body := range []string{`{"status":"something new","action":"x"}`, `{"status":0,"msg":"Invalid Hash."}`, `{"status":"1","action":"x"}`} {
		g, _ := answers(t, map[string]string{"upi_mandate_status": body})
		_, err := g.State(t.Context(), mandate.Reference{MandateID: "1", Method: mandate.MethodUPI})
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), body)
	}
	g, _ := answers(t, map[string]string{"upi_mandate_status": `{"status":"0","action":"MANDATE_STATUS","message":"Mandate not found"}`})
	d, err := g.State(t.Context(), mandate.Reference{MandateID: "1", Method: mandate.MethodUPI})
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderUnknown, d.State)
	g, _ = answers(t, map[string]string{"check_mandate_status": `{"status":1,"mandate_status":"active"}`})
	d, err = g.State(t.Context(), mandate.Reference{MandateID: "1", Method: mandate.MethodCard})
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderActive, d.State, "as other clients read it")
}

func TestNotify_PublishedAnswers_AreRead(t *testing.T) {
	t.Parallel()
	n := mandate.Notice{Token: "N1", Amount: 1_00, DebitOn: time.Date(2026, 12, 4, 1, 0, 0, 0, time.UTC), Document: "R1"}
	card := mandate.Reference{MandateID: "9", Method: mandate.MethodCard}
	upi := mandate.Reference{MandateID: "9", Method: mandate.MethodUPI}
	g, asked := answers(t, map[string]string{"pre_debit_SI": "pre_debit_card.json"})
	o, err := g.Notify(t.Context(), card, n)
	require.NoError(t, err)
	require.Equal(t, mandate.NoticeOutcome{Reference: "76323425", Accepted: true}, o)
	require.JSONEq(t, `{"authPayuId":"9","requestId":"N1","debitDate":"2026-12-04","invoiceDisplayNumber":"R1","amount":"1.00"}`, (*asked)[0].Get("var1"))

	g, _ = answers(t, map[string]string{"pre_debit_SI": "pre_debit_upi.json"})
	o, err = g.Notify(t.Context(), upi, n)
	require.NoError(t, err)
	require.Equal(t, mandate.NoticeOutcome{Reference: "N1", Accepted: true}, o)

	g, _ = answers(t, map[string]string{"pre_debit_SI": "pre_debit_revoked.json"})
	o, err = g.Notify(t.Context(), upi, n)
	require.NoError(t, err)
	require.Equal(t, mandate.NoticeOutcome{Cause: mandate.CauseEnded, Reason: "MANDATE HAS BEEN REVOKED."}, o)

	for state, want := range map[string]mandate.Cause{"pause": mandate.CausePaused, "cancelled": mandate.CauseEnded} {
		g, _ = answers(t, map[string]string{
			"pre_debit_SI": "pre_debit_inactive.json", "upi_mandate_status": `{"status":"` + state + `","action":"MANDATE_STATUS","authpayuid":9}`,
		})
		o, err = g.Notify(t.Context(), upi, n)
		require.NoError(t, err)
		require.Equal(t, want, o.Cause)
	}

	for body, later := range map[string]bool{
		`{"status":0,"action":"MANDATE_PRE_DEBIT","message":"Something went wrong"}`:         true,
		`{"status":"0","action":"MANDATE_PRE_DEBIT","message":"Technical error, try again"}`: true,
		`{"status":"U30","action":"MANDATE_PRE_DEBIT","message":"Something went wrong"}`:     false,
		`{"status":0,"action":"MANDATE_PRE_DEBIT","message":"amount exceeds the limit"}`:     false,
	} {
		g, _ = answers(t, map[string]string{"pre_debit_SI": body, "pre_debit_SI Retrieve": `{"status":0,"action":"MANDATE_PRE_DEBIT","message":"not found"}`})
		o, err = g.Notify(t.Context(), upi, n)
		require.NoError(t, err)
		require.Equal(t, []bool{false, later}, []bool{o.Accepted, o.Later}, body)
	}

	// A notice that was sent before is ours if it says the same.
	for amount, want := range map[string]bool{"1.00": true, "2.00": false} {
		g, _ = answers(t, map[string]string{
			"pre_debit_SI":          "pre_debit_repeated.json",
			"pre_debit_SI Retrieve": strings.Replace(string(sample(t, "pre_debit_card.json")), "1.00", amount, 1),
		})
		o, err = g.Notify(t.Context(), upi, n)
		require.NoError(t, err)
		require.Equal(t, want, o.Accepted, amount)
	}
	o, err = g.Notify(t.Context(), mandate.Reference{MandateID: "9", Method: mandate.MethodENACH}, n)
	require.NoError(t, err)
	require.True(t, o.Accepted, "netbanking has no notice")
}

func TestDebit_PublishedAnswers_AreRead(t *testing.T) {
	t.Parallel()
	const unknown = `{"status":0,"transaction_details":{"REC15113506209":{"status":"Not Found"},"REC9812123123":{"status":"Not Found"},"SITXN03":{"status":"Not Found"}}}`
	m := mandate.Reference{MandateID: "9", Method: mandate.MethodUPI}
	for _, c := range []struct {
		transaction, file string
		want              mandate.DebitOutcome
	}{
		{"REC15113506209", "si_captured.json", mandate.DebitOutcome{Status: payment.StatusPaid}},
		{"REC9812123123", "si_failed.json", mandate.DebitOutcome{
			Status: payment.StatusFailed, Cause: mandate.CauseOther, Reason: "Basic authentication check failed.",
		}},
		{"SITXN03", "si_in_progress.json", mandate.DebitOutcome{Status: payment.StatusPending, GatewayPaymentID: "999000000000828"}},
	} {
		g, asked := answers(t, map[string]string{"verify_payment": unknown, "si_transaction": c.file})
		o, err := g.Debit(t.Context(), m, mandate.Debit{Charge: payment.Charge{TransactionID: c.transaction, Amount: 1_00}})
		require.NoError(t, err)
		require.Equal(t, c.want, o, c.file)
		require.Len(t, *asked, 2)
	}
	for _, body := range []string{`{"status":0,"msg":"Invalid Hash."}`, `{"status":1,"details":{}}`} {
		g, _ := answers(t, map[string]string{"verify_payment": unknown, "si_transaction": body})
		_, err := g.Debit(t.Context(), m, mandate.Debit{Charge: payment.Charge{TransactionID: "SITXN03", Amount: 1_00}})
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), body)
		require.Equal(t, strings.Contains(body, "Hash"), errors.Is(err, mandate.ErrNotAccepted), "an outer status 0 without details is no debit")
	}
	g, _ := answers(t, map[string]string{
		"verify_payment": unknown, "si_transaction": `{"status":0,"msg":"Mandate is not active"}`, "upi_mandate_status": `{"status":"cancelled","action":"MANDATE_STATUS","authpayuid":9}`,
	})
	o, err := g.Debit(t.Context(), m, mandate.Debit{Charge: payment.Charge{TransactionID: "SITXN03", Amount: 1_00}})
	require.NoError(t, err)
	require.Equal(t, []any{payment.StatusFailed, mandate.CauseEnded}, []any{o.Status, o.Cause})
	// A transaction that PayU calls a duplicate was requested before: its outcome is unknown.
	g, _ = answers(t, map[string]string{
		"verify_payment": unknown, "si_transaction": `{"status":1,"details":{"SITXN03":{"status":"failed","payuid":"","field9":"Duplicate transaction id"}}}`,
	})
	_, err = g.Debit(t.Context(), m, mandate.Debit{Charge: payment.Charge{TransactionID: "SITXN03", Amount: 1_00}})
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
	require.NotErrorIs(t, err, mandate.ErrNotAccepted)
	// A transaction that PayU knows already is not requested again.
	g, asked := answers(t, map[string]string{
		"verify_payment": `{"status":1,"transaction_details":{"T1":{"status":"pending","unmappedstatus":"in progress","mihpayid":"7"}}}`,
	})
	o, err = g.Debit(t.Context(), m, mandate.Debit{Charge: payment.Charge{TransactionID: "T1", Amount: 1_00}})
	require.NoError(t, err)
	require.Equal(t, mandate.DebitOutcome{Status: payment.StatusPending, GatewayPaymentID: "7"}, o)
	require.Len(t, *asked, 1)
}

func TestDebit_CardAboveTheApprovalLimit_WaitsForTheApproval(t *testing.T) {
	t.Parallel()
	const unknown = `{"status":0,"transaction_details":{"T1":{"status":"Not Found"}}}`
	m := mandate.Reference{MandateID: "9", Method: mandate.MethodCard}
	d := mandate.Debit{Charge: payment.Charge{TransactionID: "T1", Amount: 15_000_01}, Notice: mandate.Notice{Document: "R1"}}
	g, asked := answers(t, map[string]string{
		"verify_payment": unknown, "pre_debit_SI Retrieve": `{"status":"1","approvedStatus":"Pending","action":"MANDATE_PRE_DEBIT"}`,
	})
	o, err := g.Debit(t.Context(), m, d)
	require.NoError(t, err)
	require.Equal(t, mandate.CauseAuthenticate, o.Cause)
	require.Equal(t, payment.StatusFailed, o.Status)
	require.Len(t, *asked, 2, "no attempt is spent")
	g, _ = answers(t, map[string]string{
		"verify_payment": unknown, "pre_debit_SI Retrieve": `{"status":"1","approvedStatus":"Approved","action":"MANDATE_PRE_DEBIT"}`,
		"si_transaction": `{"status":1,"details":{"T1":{"status":"captured","payuid":"8"}}}`,
	})
	o, err = g.Debit(t.Context(), m, d)
	require.NoError(t, err)
	require.Equal(t, mandate.DebitOutcome{Status: payment.StatusPaid, GatewayPaymentID: "8"}, o)
}

func TestCause_FailureTexts_AreMapped(t *testing.T) {
	t.Parallel()
	g, _ := answers(t, nil)
	for words, want := range map[string]mandate.Cause{
		"Z9|INSUFFICIENT FUNDS IN CUSTOMER (REMITTER) ACCOUNT":                     mandate.CauseInsufficient,
		"QC|MANDATE HAS BEEN REVOKED":                                              mandate.CauseEnded,
		"Execution already sent for the mandate sequence no.:2":                    mandate.CauseCycleUsed,
		"Amount is greater than the mandate's maximum":                             mandate.CauseAboveCap,
		"Pre-debit notification was not sent in time":                              mandate.CauseNoNotice,
		"AFA approval of the customer is pending":                                  mandate.CauseAuthenticate,
		"Transaction declined by the remitter bank":                                mandate.CauseDeclined,
		"Transaction Failed at bank end.":                                          mandate.CauseTechnical,
		"Execution is not allowed in the peak time window":                         mandate.CauseOutOfHours,
		"Basic authentication check failed":                                        mandate.CauseOther,
		"Predebit notification already sent for the mandate sequence no. 2":        mandate.CauseOther,
		"Predebit notification can only be sent for a maximum 30 days in advance.": mandate.CauseOther,
		"": mandate.CauseOther,
	} {
		got, err := g.cause(t.Context(), mandate.Reference{}, "", words)
		require.NoError(t, err)
		require.Equal(t, want, got, words)
	}
}

func TestRevoke_PublishedAnswer_IsRead(t *testing.T) {
	t.Parallel()
	m := mandate.Reference{MandateID: "9", Method: mandate.MethodUPI}
	g, asked := answers(t, map[string]string{"upi_mandate_revoke": "revoked.json"})
	d, err := g.Revoke(t.Context(), m)
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderRevoked, d.State)
	require.Equal(t, "upi_mandate_revoke", (*asked)[0].Get("command"))
	for state, kind := range map[string]errs.Kind{"cancelled": "", "paused": errs.KindUnavailable} {
		g, _ = answers(t, map[string]string{
			"upi_mandate_revoke": "revoke_refused.json", "upi_mandate_status": `{"status":"` + state + `","action":"MANDATE_STATUS","authpayuid":9}`,
		})
		d, err = g.Revoke(t.Context(), m)
		if kind != errs.KindUnavailable {
			require.NoError(t, err, state)
			require.Equal(t, mandate.ProviderRevoked, d.State)
			continue
		}
		require.Equal(t, kind, errs.KindOf(err), "a paused mandate lives on")
	}
	g, _ = answers(t, map[string]string{"mandate_revoke": `{"statusCode":1,"action":"MANDATE_REVOKE"}`})
	d, err = g.Revoke(t.Context(), mandate.Reference{MandateID: "9", Method: mandate.MethodCard})
	require.NoError(t, err)
	require.Equal(t, mandate.ProviderRevoked, d.State)
}

// The published webhooks are of other accounts, whose salts are not known: the test signs them with the test account's.
func TestRead_PublishedMandateWebhooks(t *testing.T) {
	t.Parallel()
	g := docsGateway()
	read := func(name string, change func(m map[string]any)) (mandate.Hint, error) {
		var m map[string]any
		require.NoError(t, decode(sample(t, name), &m))
		if m["key"] != nil {
			m["key"] = docsKey
		}
		change(m)
		body, err := json.Marshal(m)
		require.NoError(t, err)
		return g.ReadMandate(payment.Incoming{Body: body})
	}
	upi := digest("pause", "MANDATE_PAUSE", "19188766234", "2024-02-15 16:41:16", "10.00", "2025-12-01 00:00:00", docsSalt)
	h, err := read("notice_mandate_pause.json", func(m map[string]any) { m["hash"] = upi })
	require.NoError(t, err)
	require.Equal(t, mandate.Hint{Signed: true, MandateID: "19188766234", Key: upi}, h)
	for name, value := range map[string]any{
		"status": "revoked", "amount": "11.00", "endDate": "2026-12-01", "authpayuid": "1", "hash": "00", "key": "other",
		"dateTime": "2024|02", "action": "REVOKE",
	} {
		_, err = read("notice_mandate_pause.json", func(m map[string]any) { m["hash"] = upi; m[name] = value })
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}
	form := map[string]string{
		"status": "pause", "authpayuid": "19188766234", "action": "MANDATE_PAUSE", "dateTime": "2024-02-15 16:41:16", "amount": "10.00",
		"endDate": "2025-12-01 00:00:00", "key": docsKey, "hash": upi,
	}
	asForm, err := g.ReadMandate(payment.Incoming{Form: form})
	require.NoError(t, err)
	require.Equal(t, h, asForm, "the page says a form, and shows JSON")
	_, err = g.Read(payment.Incoming{Form: form})
	require.ErrorIs(t, err, payment.ErrSignature, "it is no payment")

	card := digest("deleted", "16538344237", "MANDATE_DELETION", "101", "2023-01-06", "2030-01-03", "Mandate Deleted", "2023-01-24",
		docsKey, "", "", "", "", "", docsSalt)
	h, err = read("notice_mandate_card.json", func(m map[string]any) { m["hash"] = card })
	require.NoError(t, err)
	require.Equal(t, mandate.Hint{Signed: true, MandateID: "16538344237", Key: card}, h)
	_, err = read("notice_mandate_card.json", func(m map[string]any) { m["hash"] = card; m["status"] = "active" })
	require.ErrorIs(t, err, payment.ErrSignature)

	h, err = read("notice_mandate_enach.json", func(map[string]any) {})
	require.NoError(t, err)
	require.Equal(t, mandate.Hint{MandateID: "26108200310", Key: "enach/26108200310/CANCEL_SUCCESS"}, h, "nobody signed it")
	_, err = read("notice_mandate_enach.json", func(m map[string]any) { m["status"] = "ACTIVE" })
	require.ErrorIs(t, err, payment.ErrSignature)
}

func TestWithdrawNotice_DeletesTheNotice(t *testing.T) {
	t.Parallel()
	m := mandate.Reference{MandateID: "9", Method: mandate.MethodUPI}
	g, asked := answers(t, map[string]string{"pre_debit_SI Delete": `{"status":1,"action":"MANDATE_PRE_DEBIT","message":"Invoice deleted"}`})
	done, err := g.WithdrawNotice(t.Context(), m, mandate.Notice{Token: "N1", Document: "R1"})
	require.NoError(t, err)
	require.True(t, done)
	require.JSONEq(t, `{"authPayuId":"9","requestId":"N1","invoiceDisplayNumber":"R1","action":"Delete"}`, (*asked)[0].Get("var1"))
	g, _ = answers(t, map[string]string{"pre_debit_SI Delete": `{"status":"0","action":"MANDATE_PRE_DEBIT","message":"Invoice is already paid"}`})
	done, err = g.WithdrawNotice(t.Context(), m, mandate.Notice{Token: "N1", Document: "R1"})
	require.NoError(t, err)
	require.False(t, done)
}
