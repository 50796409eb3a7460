package payu

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
)

// verified returns what Verify makes of one transaction of an answer.
func verified(t *testing.T, transaction string) (payment.Outcome, error) {
	t.Helper()
	g, _ := api(t, 200, `{"status":1,"transaction_details":{"T1":`+transaction+`}}`)
	return g.Verify(t.Context(), "T1", "")
}

// A customer who cancelled did not fail ("Payment State Explanations": userCancelled), and PayU's texts of a failure come in two fields.
func TestVerify_Failure_HasPayUsReason(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer    string
		cancelled bool
		reason    string
	}{
		"cancelled":            {`{"status":"failure","unmappedstatus":"userCancelled","error_Message":"NO ERROR","field9":"Cancelled by user"}`, true, "Cancelled by user."},
		"in other letters":     {`{"status":"failure","unmappedstatus":"USERCANCELLED"}`, true, ""},
		"bounced":              {`{"status":"failure","unmappedstatus":"bounced","error_Message":" Bank was unable to authenticate... "}`, false, "Bank was unable to authenticate."},
		"the first text wins":  {`{"status":"failure","unmappedstatus":"failed","error_Message":"Declined","field9":"Other"}`, false, "Declined."},
		"no error in no words": {`{"status":"failure","unmappedstatus":"failed","error_Message":"No Error","field9":"NO ERROR"}`, false, ""},
		"only a number":        {`{"status":"failure","unmappedstatus":"failed","field9":92}`, false, "92."},
	} {
		o, err := verified(t, c.answer)
		require.NoError(t, err, name)
		require.Equal(t, payment.StatusFailed, o.Status, name)
		require.Equal(t, c.cancelled, o.Cancelled, name)
		require.Equal(t, c.reason, o.Reason, name)
		require.Zero(t, o.Amount, "%s: nothing was taken", name)
	}
	o, err := verified(t, `{"status":"pending","unmappedstatus":"userCancelled-later","error_Message":"x"}`)
	require.NoError(t, err)
	require.Equal(t, payment.StatusPending, o.Status)
	require.Empty(t, o.Reason, "what is under way has not failed")
	require.False(t, o.Cancelled)
}

func TestVerify_Capture_IsReadWhole(t *testing.T) {
	t.Parallel()
	const paid = `"status":"success","unmappedstatus":"captured","mihpayid":403993715527389777`
	for name, c := range map[string]struct {
		answer    string
		amount    money.Paise
		reference string
	}{
		"the order's amount":        {`{` + paid + `,"txnid":"T1","transaction_amount":"6.00","amt":"6.17","bank_ref_num":"R1","bank_ref_no":"R0"}`, 6_00, "R1"},
		"without the newer amount":  {`{` + paid + `,"amt":"1,59,300.00","bank_ref_num":null,"bank_ref_no":618211478204}`, 1_59_300_00, "618211478204"},
		"as a number":               {`{` + paid + `,"transaction_amount":9900}`, 9_900_00, ""},
		"the smallest there can be": {`{` + paid + `,"transaction_amount":"0.01"}`, 1, ""},
	} {
		o, err := verified(t, c.answer)
		require.NoError(t, err, name)
		require.Equal(t, []any{payment.StatusPaid, c.amount, "INR", "403993715527389777", c.reference},
			[]any{o.Status, o.Amount, o.Currency, o.GatewayPaymentID, o.BankReference}, name)
	}
	for name, answer := range map[string]string{
		"another transaction":    `{` + paid + `,"txnid":"T2","transaction_amount":"6.00"}`,
		"no amount":              `{` + paid + `}`,
		"an amount in words":     `{` + paid + `,"transaction_amount":"six"}`,
		"a tenth of a paisa":     `{` + paid + `,"transaction_amount":"6.001"}`,
		"more than can be":       `{` + paid + `,"transaction_amount":"99999999999999999999.00"}`,
		"a list for an amount":   `{` + paid + `,"transaction_amount":[6]}`,
		"a text for the payment": `"success"`,
	} {
		_, err := verified(t, answer)
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), name)
	}
	for mode, want := range map[string]string{
		"CC": "card", "dc": "card", "CARD": "card", "UPI": "upi", "NB": "netbanking", "ENACH": "netbanking", "CASH": "wallet", "Wallet": "wallet", "EMI": "emi", "": "",
	} {
		o, err := verified(t, `{"status":"pending","mode":"`+mode+`"}`)
		require.NoError(t, err)
		require.Equal(t, want, o.Slug, mode)
	}
}

// Only the listed fields of PayU's answer about a payment are kept: nothing about the card, the customer or the signature.
func TestFields_OfAPayment_OnlyListedOnesAreKept(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", maxField-1)
	f := map[string]string{
		"txnid": " T1 ", "mode": long + "क", "bankcode": long + "bc", "status": "  ", "field9": "Card 4111 1111 1111 1111 was declined", "error_Message": "4111111111111111",
		"hash": "h", "cardnum": "4111XXXXXXXX1111", "card_no": "x", "email": "asha@example.in", "phone": "9876543210", "firstname": "Asha", "field1": "asha@okaxis", "udf1": "u",
	}
	require.Equal(t, map[string]string{"txnid": "T1", "mode": long, "bankcode": long + "b", "error_Message": "4111111111111111"}, kept(f),
		"cut between two letters")
	f["field9"] = "Transaction Completed Successfully"
	require.Equal(t, f["field9"], kept(f)["field9"])
}

// Refund and dispute notices carry no signature that covers them: they are hints, and name PayU's own numbers or are refused.
func TestRead_RefundOrDisputeWithoutPayUsNumbers_IsRefused(t *testing.T) {
	t.Parallel()
	g := New(Config{Key: "IahMJL", Salt: "s"})
	read := func(change map[string]any) (payment.Notice, error) {
		var n map[string]any
		require.NoError(t, decode(sample(t, "refund_notice.json"), &n))
		maps.Copy(n, change)
		body, err := json.Marshal(n)
		require.NoError(t, err)
		return g.Read(payment.Incoming{Body: body})
	}
	for name, change := range map[string]map[string]any{
		"no payment":             {"mihpayid": ""},
		"a payment in letters":   {"mihpayid": "40399371552738977x"},
		"a negative payment":     {"mihpayid": "-7"},
		"26 digits":              {"mihpayid": strings.Repeat("7", 26)},
		"no refund":              {"request_id": nil},
		"a refund in letters":    {"request_id": "'; DROP"},
		"a long transaction":     {"merchantTxnId": strings.Repeat("T", 201)},
		"no amount":              {"amt": ""},
		"nothing":                {"amt": "0.00"},
		"less than nothing":      {"amt": "-72.00"},
		"more than we ever take": {"amt": "100000000000.01"},
		"an amount in words":     {"amt": "all"},
		"another action":         {"action": "capture"},
		"another merchant":       {"key": "JPM7Fg"},
	} {
		_, err := read(change)
		require.ErrorIs(t, err, payment.ErrSignature, name)
	}
	for name, change := range map[string]map[string]any{
		"25 digits": {"mihpayid": strings.Repeat("7", 25)}, "no merchant": {"key": nil}, "a paisa": {"amt": "0.01"}, "the most": {"amt": "100000000000.00"},
		"action in capitals": {"action": "REFUND"}, "a transaction of 200": {"merchantTxnId": strings.Repeat("T", 200)}, "numbers": {"mihpayid": 23907365951, "amt": 72},
	} {
		n, err := read(change)
		require.NoError(t, err, name)
		require.False(t, n.Signed, name)
	}
	keys := map[string]bool{}
	for status, want := range map[string]payment.Status{
		"success": payment.StatusPaid, "SUCCESS": payment.StatusPaid, "failure": payment.StatusFailed, "Failed": payment.StatusFailed, "queued": payment.StatusPending, "": payment.StatusPending,
	} {
		n, err := read(map[string]any{"status": status})
		require.NoError(t, err, status)
		require.Equal(t, want, n.Status, status)
		require.False(t, keys[n.Key], "another status is another notice")
		keys[n.Key] = true
	}
	first, err := read(nil)
	require.NoError(t, err)
	again, err := read(map[string]any{"refund_mode": "Instant", "remark": "x"})
	require.NoError(t, err)
	require.Equal(t, first.Key, again.Key, "the same notice, whatever else it carries")
	number, err := read(map[string]any{"bank_arn": 308239782136})
	require.NoError(t, err)
	require.NotEqual(t, first.Key, number.Key, "the repeat with the bank's number")
	for _, body := range []string{``, `null`, `[]`, `7`, `{"action":"refund"`, `"refund"`} {
		_, err := g.Read(payment.Incoming{Body: []byte(body)})
		require.ErrorIs(t, err, payment.ErrSignature, body)
	}
}

// Only a webhook signed by PayU decides a dispute.
func TestRead_DisputeOutcome_IsTakenOnlyFromASignedWebhook(t *testing.T) {
	t.Parallel()
	g := New(Config{Key: "JBZaLc", Salt: "awdgfjrfjk"})
	for status, kept := range map[string]bool{
		"Closed in Merchant Favour": true, "Closed under Fraud Liability": true, "closed in merchant favour ": true, "Closed Customer Favour": false, "New": false,
		"Pending Response": false, "Submitted to Bank": false, "Insufficient Document": false, "": false,
	} {
		body, err := json.Marshal(map[string]any{
			"event": "dispute", "cb_id": 987, "txn_id": "403993715515239610", "cb_type": "Chargeback", "cb_amount": "1500.0", "cb_status": status,
		})
		require.NoError(t, err)
		// sha512(key|txn_id|cb_amount|cb_id|cb_type|cb_status without spaces|salt)
		signature := digest("JBZaLc|403993715515239610|1500.0|987|Chargeback|" + strings.Join(strings.Fields(status), "") + "|awdgfjrfjk")
		n, err := g.Read(payment.Incoming{Body: body, Headers: map[string]string{disputeSignature: strings.ToUpper(signature)}})
		require.NoError(t, err, status)
		require.True(t, n.Signed)
		require.Equal(t, kept, n.Status == payment.StatusPaid, status)
		require.NotEqual(t, payment.StatusFailed, n.Status, "%s: a loss is booked by what was taken", status)
		n, err = g.Read(payment.Incoming{Body: body})
		require.NoError(t, err, status)
		require.False(t, n.Signed)
		require.Equal(t, payment.StatusPending, n.Status, status)
	}
}

// The codes are those of "Error Codes for Refund Initiation" after which nothing will follow, and 232 of debits over netbanking.
func TestRefund_FinalErrorCodes_Fail(t *testing.T) {
	t.Parallel()
	r := payment.RefundRequest{TransactionID: "T1", GatewayPaymentID: "7", Amount: money.Rupee, Token: "tok"}
	for _, code := range []any{105, 110, 111, 113, "115", 116, 117, 119, 121, 124, 125, 128, 129, 230, "232"} {
		g, _ := api(t, 200, map[string]any{"status": 0, "msg": "Refund FAILURE", "error_code": code})
		o, err := g.Refund(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, payment.RefundOutcome{Failed: true, Reason: "Refund FAILURE"}, o, "%v", code)
	}
	g, _ := api(t, 200, map[string]any{"status": 1, "error_code": 105, "request_id": 9})
	o, err := g.Refund(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, payment.RefundOutcome{RefundID: "9"}, o, "a request that was taken is no refusal, whatever code stands beside it")
	g, _ = api(t, 200, map[string]any{"status": 1, "msg": "Refund Request Queued"})
	_, err = g.Refund(t.Context(), r)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "without its number nobody could follow it")
	for _, body := range []string{`null`, `{}`, `{"status":"","msg":"","error_code":null}`} {
		g, _ = api(t, 200, body)
		o, err = g.Refund(t.Context(), r)
		require.NoError(t, err, body)
		require.True(t, o.Waiting && !o.Failed, "%s: it may have been made", body)
	}
}

// PayU reports a refund's state next to the capture's, which is a success too.
func TestRefund_State_IsNotThatOfTheCapture(t *testing.T) {
	t.Parallel()
	r := payment.RefundRequest{TransactionID: "T1", GatewayPaymentID: "7", Amount: money.Rupee}
	for status, want := range map[string]payment.RefundOutcome{
		"success": {Done: true}, "SUCCESS": {Done: true}, "failure": {Failed: true, Reason: "No balance"}, "Failed": {Failed: true, Reason: "No balance"},
		"queued": {}, "in progress": {}, "requested": {}, "od_hit": {}, "": {},
	} {
		g, _ := api(t, 200, `{"status":1,"transaction_details":{"7":{
			"1":{"action":"capture","mihpayid":"7","status":"SUCCESS","amt":"1.00"},
			"2":{"action":"Refund","mihpayid":"7","status":"`+status+`","amt":"1.00","error_Message":"No balance","token":"tok"},
			"3":{"action":"refund","mihpayid":"8","status":"success","amt":"1.00"}}}}`)
		o, err := g.RefundStatus(t.Context(), r, "2")
		require.NoError(t, err, status)
		want.RefundID = "2"
		require.Equal(t, want, o, status)
		for _, other := range []string{"1", "3", "4"} {
			_, err := g.RefundStatus(t.Context(), r, other)
			require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "%s is no refund of this payment", other)
		}
	}
	g, _ := api(t, 200, `{"status":1,"transaction_details":{"7":{"2":{"action":"refund","mihpayid":"7","status":"success","amt":"one"}}}}`)
	_, err := g.Refunds(t.Context(), "T1", "7")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
}

func TestBegin_ChosenMethod_OpensItsPage(t *testing.T) {
	t.Parallel()
	for method, want := range map[payment.Method]string{
		payment.MethodAny: "", payment.MethodCard: "creditcard|debitcard", payment.MethodUPI: "upi", payment.MethodNetbanking: "netbanking", "cheque": "",
	} {
		s, err := docsGateway().Begin(t.Context(), payment.Charge{TransactionID: strings.Repeat("T", 25), Amount: 100, Method: method})
		require.NoError(t, err)
		require.Equal(t, want, s.Fields["enforce_paymethod"], string(method))
		require.Equal(t, want != "", s.Fields["enforce_paymethod"] != "")
	}
}

func TestInstrument_IsMasked(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"512345XXXXXX2346": "2346", " 411111XXXXXX1111 ": "1111", "2346": "2346", "346": "", "": "", "XXXX-XXXX-XXXX": "", "51234५XXXXXX23४6": "",
	} {
		require.Equal(t, want, last4(number), number)
	}
	for code, want := range map[string]string{
		"HDFCENCC": "HDFC Bank", "SBINENCR": "State Bank of India", " ICICENCC ": "ICICI Bank", "ABCDENCC": "ABCD", "TESTPGNB": "TESTPGNB", "ENCC": "ENCC", "HDENCC": "HDENCC", "": "",
	} {
		require.Equal(t, want, bankOf(code), code)
	}
	require.Equal(t, "26112612345678901234", requestID("FP26112612345678901234"), "the end of it, which differs")
	require.Equal(t, "12345678901234567890", requestID("12345678901234567890"))
	require.Empty(t, requestID(""))
	for mode, want := range map[string]mandate.Method{
		"ENACH": mandate.MethodENACH, "nb": mandate.MethodENACH, "UPI": mandate.MethodUPI, "CC": mandate.MethodCard, "DC": mandate.MethodCard, "": mandate.MethodCard,
	} {
		require.Equal(t, want, methodOf(mode), mode)
	}
}

// A mandate exists where the payment succeeded with the standing instruction as its source, and where the bank confirms it.
func TestRegistered_PaymentAndBank_GiveTheState(t *testing.T) {
	t.Parallel()
	const (
		card, upi, enach = `"mode":"CC","card_no":"512345XXXXXX2346"`, `"mode":"UPI"`, `"mode":"ENACH","bankcode":"HDFCENCC"`
		instructed       = `,"payment_source":"sist","mihpayid":"9"`
		paid             = `{"status":"success","unmappedstatus":"captured",`
		refused          = `{"status":"failure","unmappedstatus":"failed","error_Message":"Refused",`
	)
	active, gone := `{"status":"active","action":"x","authpayuid":9}`, `{"status":"failed","action":"x","message":"Rejected by the bank"}`
	for name, c := range map[string]struct {
		payment, state string
		want           mandate.Details
		asked          int
	}{
		"unknown":               {`{"status":"Not Found","mihpayid":"Not Found"}`, active, mandate.Details{State: mandate.ProviderUnknown}, 1},
		"under way":             {`{"status":"pending",` + upi + instructed + `}`, active, mandate.Details{State: mandate.ProviderPending}, 1},
		"only reserved":         {`{"status":"success","unmappedstatus":"auth",` + card + instructed + `}`, active, mandate.Details{State: mandate.ProviderPending}, 1},
		"paid without":          {paid + upi + `,"payment_source":"payu","mihpayid":"9"}`, active, mandate.Details{State: mandate.ProviderFailed, Reason: "Paid, but without a mandate."}, 1},
		"paid, but no number":   {paid + upi + `,"payment_source":"sist","mihpayid":"x"}`, active, mandate.Details{State: mandate.ProviderFailed, Reason: "Paid, but without a mandate."}, 1},
		"a card":                {paid + card + instructed + `}`, active, mandate.Details{State: mandate.ProviderActive, Masked: "2346"}, 2},
		"UPI":                   {paid + upi + instructed + `}`, active, mandate.Details{State: mandate.ProviderActive, Masked: "@okaxis"}, 3},
		"a bank's refusal":      {paid + upi + instructed + `}`, gone, mandate.Details{State: mandate.ProviderFailed, Reason: "Rejected by the bank", Masked: "@okaxis"}, 3},
		"UPI that failed":       {refused + upi + instructed + `}`, active, mandate.Details{State: mandate.ProviderFailed, Reason: "Refused."}, 1},
		"eNACH":                 {paid + enach + instructed + `}`, active, mandate.Details{State: mandate.ProviderActive, Masked: "HDFC Bank"}, 2},
		"eNACH of no payment":   {refused + enach + instructed + `}`, active, mandate.Details{State: mandate.ProviderActive, Masked: "HDFC Bank"}, 2},
		"eNACH that failed":     {refused + enach + instructed + `}`, gone, mandate.Details{State: mandate.ProviderFailed, Reason: "Refused."}, 2},
		"eNACH, not instructed": {refused + enach + `}`, active, mandate.Details{State: mandate.ProviderFailed, Reason: "Refused."}, 1},
	} {
		g, asked := answers(t, map[string]string{
			"verify_payment":       `{"status":1,"transaction_details":{"FP261126ABCDEFGHIJKLMN":` + c.payment + `}}`,
			"check_mandate_status": c.state, "upi_mandate_status": c.state, "NB_mandate_status": c.state,
			"check_payment": `{"status":1,"transaction_details":{"field1":" asha.rao@okaxis "}}`,
		})
		d, err := g.Registered(t.Context(), "FP261126ABCDEFGHIJKLMN", "")
		require.NoError(t, err, name)
		require.Len(t, *asked, c.asked, name)
		d.Reference = mandate.Reference{}
		require.Equal(t, c.want, d, name)
	}
	g, asked := answers(t, map[string]string{
		"verify_payment": `{"status":1,"transaction_details":{"FP261126ABCDEFGHIJKLMN":` + paid + card + instructed + `}}}`, "check_mandate_status": active,
	})
	d, err := g.Registered(t.Context(), "FP261126ABCDEFGHIJKLMN", "")
	require.NoError(t, err)
	require.Equal(t, mandate.Reference{MandateID: "9", Method: mandate.MethodCard, RequestID: "261126ABCDEFGHIJKLMN"}, d.Reference)
	require.JSONEq(t, `{"authPayuId":"9","requestId":"261126ABCDEFGHIJKLMN"}`, (*asked)[1].Get("var1"), "no longer than PayU takes")
	g, _ = answers(t, map[string]string{"verify_payment": `{"status":1,"transaction_details":{"T1":` + paid + upi + instructed + `}}}`, "upi_mandate_status": active, "check_payment": `<html>`})
	_, err = g.Registered(t.Context(), "T1", "")
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "asked again, rather than kept without its instrument")
}

func TestState_UnreadableLimitOrEnd_IsIgnored(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer string
		want   mandate.Details
	}{
		"all of it":            {`{"status":"active","amount":"5000.00","mandateEndDate":"2028-02-29 00:00:00"}`, mandate.Details{State: mandate.ProviderActive, Cap: 5_000_00, Until: lastDay(2028, 2, 29)}},
		"a number":             {`{"status":"active","amount":5000}`, mandate.Details{State: mandate.ProviderActive, Cap: 5_000_00}},
		"no limit":             {`{"status":"active","amount":"0.00"}`, mandate.Details{State: mandate.ProviderActive}},
		"no amount":            {`{"status":"active","amount":"-5"}`, mandate.Details{State: mandate.ProviderActive}},
		"no day of the year":   {`{"status":"active","mandateEndDate":"2027-02-29"}`, mandate.Details{State: mandate.ProviderActive}},
		"a short day":          {`{"status":"active","mandateEndDate":"2027-2-9"}`, mandate.Details{State: mandate.ProviderActive}},
		"as others read it":    {`{"status":"1","mandateStatus":"paused","authPayuid":"9"}`, mandate.Details{State: mandate.ProviderPaused}},
		"failed, with why":     {`{"status":"FAILED","message":"No such account"}`, mandate.Details{State: mandate.ProviderFailed, Reason: "No such account"}},
		"failed, without":      {`{"status":"FAILED"}`, mandate.Details{State: mandate.ProviderFailed, Reason: "The bank has rejected the mandate."}},
		"does not exist":       {`{"status":0,"message":"authPayuId does not exist"}`, mandate.Details{State: mandate.ProviderUnknown}},
		"is not valid":         {`{"status":"0","message":"Invalid authPayuId"}`, mandate.Details{State: mandate.ProviderUnknown}},
		"active, with a notes": {`{"status":"active","message":"not found in cache"}`, mandate.Details{State: mandate.ProviderActive}},
	} {
		answer := strings.Replace(c.answer, `{`, `{"action":"MANDATE_STATUS",`, 1)
		g, _ := answers(t, map[string]string{"upi_mandate_status": answer})
		m := mandate.Reference{MandateID: "9", Method: mandate.MethodUPI}
		d, err := g.State(t.Context(), m)
		require.NoError(t, err, name)
		c.want.Reference = m
		require.Equal(t, c.want, d, name)
	}
	_, err := docsGateway().State(t.Context(), mandate.Reference{MandateID: "9", Method: "cheque"})
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
}

// RBI's limit for a debit without the customer's approval includes ₹15,000 itself; only a higher debit waits, and only on a card.
func TestDebit_AmountAtTheApprovalLimit_NeedsNoApproval(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method mandate.Method
		amount money.Paise
		asked  int
	}{
		"a card at the limit":    {mandate.MethodCard, 15_000_00, 2},
		"a card above the limit": {mandate.MethodCard, 15_000_01, 2},
		"UPI above the limit":    {mandate.MethodUPI, 15_000_01, 2},
	} {
		g, asked := answers(t, map[string]string{
			"verify_payment":        `{"status":0,"transaction_details":{"T1":{"status":"Not Found"}}}`,
			"pre_debit_SI Retrieve": `{"status":"1","approvedStatus":"pending","action":"MANDATE_PRE_DEBIT"}`,
			"si_transaction":        `{"status":1,"details":{"T1":{"status":"captured","payuid":"8"}}}`,
		})
		o, err := g.Debit(t.Context(), mandate.Reference{MandateID: "9", Method: c.method}, mandate.Debit{Charge: payment.Charge{TransactionID: "T1", Amount: c.amount}})
		require.NoError(t, err, name)
		require.Len(t, *asked, c.asked, name)
		waits := c.method == mandate.MethodCard && c.amount > 15_000_00
		require.Equal(t, waits, o.Cause == mandate.CauseAuthenticate, name)
		require.Equal(t, !waits, o.Status == payment.StatusPaid, name)
	}
}

// A notice that PayU refuses temporarily is submitted again; a refusal by the bank or the mandate's terms is final.
func TestNotify_Refused_IsRetriedOnlyForATemporaryCause(t *testing.T) {
	t.Parallel()
	upi, n := mandate.Reference{MandateID: "9", Method: mandate.MethodUPI}, mandate.Notice{Token: "N1", Amount: 5_000_00, Document: "R1"}
	for message, c := range map[string]struct {
		later bool
		cause mandate.Cause
	}{
		"Technical error at NPCI":           {true, ""},
		"Notification could not be sent":    {true, ""},
		"Outside of the time window":        {true, ""},
		"Amount exceeds the mandate":        {false, mandate.CauseAboveCap},
		"Mandate is paused":                 {false, mandate.CausePaused},
		"Mandate was cancelled":             {false, mandate.CauseEnded},
		"Execution already done":            {false, mandate.CauseCycleUsed},
		"Declined by the bank":              {false, mandate.CauseDeclined},
		"Additional factor is needed":       {false, mandate.CauseAuthenticate},
		"Insufficient funds in the account": {false, mandate.CauseInsufficient},
	} {
		g, _ := answers(t, map[string]string{
			"pre_debit_SI":          `{"status":0,"action":"MANDATE_PRE_DEBIT","message":"` + message + `"}`,
			"pre_debit_SI Retrieve": `{"status":0,"action":"MANDATE_PRE_DEBIT","message":"Invoice not found"}`,
		})
		o, err := g.Notify(t.Context(), upi, n)
		require.NoError(t, err, message)
		require.Equal(t, mandate.NoticeOutcome{Later: c.later, Cause: c.cause, Reason: message + "."}, o)
	}
	for had, ours := range map[string]bool{
		`{"status":1,"amount":"5000.00","invoiceStatus":"active"}`:  true,
		`{"status":1,"amount":"5000","invoiceStatus":"created"}`:    true,
		`{"status":1,"amount":"5000.01","invoiceStatus":"active"}`:  false,
		`{"status":1,"amount":"5000.00","invoiceStatus":"DELETED"}`: false,
		`{"status":0,"amount":"5000.00","message":"no"}`:            false,
		`{"status":1,"invoiceStatus":"active"}`:                     false,
	} {
		g, _ := answers(t, map[string]string{
			"pre_debit_SI":          `{"status":"E9254","action":"MANDATE_PRE_DEBIT","message":"Predebit notification already sent"}`,
			"pre_debit_SI Retrieve": strings.Replace(had, `{`, `{"action":"MANDATE_PRE_DEBIT",`, 1),
		})
		o, err := g.Notify(t.Context(), upi, n)
		require.NoError(t, err, had)
		require.Equal(t, ours, o.Accepted, had)
	}
}
