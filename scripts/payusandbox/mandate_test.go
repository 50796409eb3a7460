package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const testTerms = `{"billingAmount":"5000.00","billingCurrency":"INR","billingCycle":"MONTHLY","billingInterval":1,` +
	`"paymentStartDate":"2026-12-01","paymentEndDate":"2031-11-30"}`

// mandated registers a mandate on 1 December 2026 at noon and returns its mihpayid.
func (b *bundle) mandated(t *testing.T, method, terms string) string {
	t.Helper()
	b.on(t, "2026-12-01 12:00:00")
	amount := "1.00"
	if method == "NB" {
		amount = "0.00"
	}
	return b.captured(t, map[string]string{"txnid": "M1", "amount": amount, "si": "1", "api_version": "7", "si_details": terms},
		`{"outcome":"success","webhook":"lost","method":"`+method+`"}`)
}

// command calls a command whose var1 is the JSON of name and value pairs.
func (b *bundle) command(t *testing.T, command string, pairs ...string) map[string]any {
	t.Helper()
	given := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		given[pairs[i]] = pairs[i+1]
	}
	text, err := json.Marshal(given)
	require.NoError(t, err)
	return b.call(t, command, string(text))
}

func (b *bundle) notify(t *testing.T, id, number, amount, day string) map[string]any {
	t.Helper()
	return b.command(t, "pre_debit_SI", "authPayuId", id, "requestId", "R"+number, "debitDate", day, "amount", amount, "invoiceDisplayNumber", number)
}

// debited requests a debit and returns its details.
func (b *bundle) debited(t *testing.T, id, txnID, number, amount string) map[string]any {
	t.Helper()
	answer := b.command(t, "si_transaction", "authpayuid", id, "txnid", txnID, "amount", amount, "invoiceDisplayNumber", number,
		"phone", "9999999999", "email", "a@b.in", "udf2", "", "udf3", "", "udf4", "", "udf5", "")
	require.Equal(t, json.Number("1"), answer["status"], "whatever became of the debit")
	return object(t, answer, "details", txnID)
}

func TestMandateStatus_EqualsThePublishedSample(t *testing.T) {
	t.Parallel()
	for method, c := range map[string]struct{ file, command string }{
		"CC": {"card", "check_mandate_status"}, "UPI": {"upi", "upi_mandate_status"}, "NB": {"enach", "NB_mandate_status"},
	} {
		b := setup(t)
		id := b.mandated(t, method, testTerms)
		want, got := published(t, "mandate_status_"+c.file+".json"), b.command(t, c.command, "authPayuId", id, "requestId", "R1")
		require.Equal(t, want["status"], got["status"])
		require.Equal(t, want["action"], got["action"])
		sameShape(t, want, got)
	}
	b := setup(t)
	b.set(t, `{"status_type":"number"}`)
	id := b.mandated(t, "CC", strings.Replace(testTerms, "MONTHLY", "ADHOC", 1))
	sameShape(t, published(t, "pre_debit_card.json"), b.notify(t, id, "1", "1.00", "2026-12-04"))
	b.advance(72 * time.Hour)
	want, got := published(t, "si_captured.json"), b.debited(t, id, "REC15113506209", "1", "1.00")
	theirs := object(t, want, "details", "REC15113506209")
	require.Equal(t, theirs["status"], got["status"])
	require.Equal(t, theirs["field9"], got["field9"])
	sameShape(t, theirs, got)
	failed := b.debited(t, "6611192559", "REC9812123123", "1", "1")
	for name, value := range object(t, published(t, "si_failed.json"), "details", "REC9812123123") {
		require.Contains(t, failed, name)
		if name == "field9" || name == "status" {
			require.Equal(t, value, failed[name])
		}
	}
	require.Equal(t, published(t, "revoked.json"), b.command(t, "mandate_revoke", "authPayuId", id, "requestId", "R2"))
	require.Equal(t, published(t, "revoke_refused.json"), b.command(t, "mandate_revoke", "authPayuId", id, "requestId", "R3"))

	b = setup(t)
	b.set(t, `{"status_type":"text"}`)
	id = b.mandated(t, "UPI", testTerms)
	require.Equal(t, published(t, "pre_debit_upi.json"), b.notify(t, id, "1", "100.00", "2026-12-04"))
	require.Equal(t, published(t, "pre_debit_repeated.json"), b.notify(t, id, "2", "100.00", "2026-12-05"))
	require.Equal(t, published(t, "pre_debit_too_far.json"), b.notify(t, id, "3", "100.00", "2027-01-01"))
	b.advance(72 * time.Hour)
	running := b.debited(t, id, "SITXN03", "1", "100.00")
	inProgress := object(t, published(t, "si_in_progress.json"), "details", "CLPOP-VNQKTR_2")
	require.Equal(t, inProgress["status"], running["status"])
	require.Equal(t, inProgress["field9"], running["field9"])
	sameShape(t, inProgress, running, "udf1")
	b.postJSON(t, "/sandbox/mandates/"+id, `{"bank_revoked":true}`)
	require.Equal(t, published(t, "pre_debit_revoked.json"), b.notify(t, id, "4", "100.00", "2026-12-08"))
	b.set(t, `{"status_type":"number"}`)
	b.postJSON(t, "/sandbox/mandates/"+id, `{"bank_revoked":false,"status":"paused","notice":"lost"}`)
	require.Equal(t, published(t, "pre_debit_inactive.json"), b.notify(t, id, "5", "100.00", "2026-12-08"))
}

func TestMandateWebhooks_EqualThePublishedSamples(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.mandated(t, "UPI", testTerms)
	for i, c := range []struct{ status, file string }{{"paused", "pause"}, {"active", "unpause"}, {"revoked", "revoke"}} {
		_, answer := b.postJSON(t, "/sandbox/mandates/"+id, `{"status":"`+c.status+`"}`)
		require.NotContains(t, answer, "error")
		notice := b.awaitNotices(t, i+1)[i]
		want := published(t, "notice_mandate_"+c.file+".json")
		require.Equal(t, want["action"], notice["action"])
		require.Equal(t, want["status"], notice["status"])
		sameShape(t, want, notice)
	}
	hit := b.told(t)[2]
	require.Equal(t, digest(testText(t, hit, "status", "action", "authpayuid", "dateTime", "amount", "endDate"), testSalt), hit["hash"])

	b = setup(t)
	id = b.mandated(t, "CC", testTerms)
	b.postJSON(t, "/sandbox/mandates/"+id, `{"status":"revoked"}`)
	want, notice := published(t, "notice_mandate_card.json"), b.awaitNotices(t, 1)[0]
	require.Equal(t, want["notificationType"], notice["notificationType"])
	sameShape(t, want, notice)

	b = setup(t)
	id = b.mandated(t, "NB", testTerms)
	b.postJSON(t, "/sandbox/mandates/"+id, `{"status":"revoked"}`)
	want, notice = published(t, "notice_mandate_enach.json"), b.awaitNotices(t, 1)[0]
	want["authPayuid"] = id
	require.Equal(t, want, notice, "without a hash")
}

// testText joins the values of a notice as its hash does.
func testText(t *testing.T, notice map[string]any, names ...string) string {
	t.Helper()
	values := []string{}
	for _, name := range names {
		if n, ok := notice[name].(json.Number); ok {
			values = append(values, n.String())
			continue
		}
		text, ok := notice[name].(string)
		require.True(t, ok, name)
		values = append(values, text)
	}
	return strings.Join(values, "|")
}

func TestMandateWebhook_OfUPI_IsSentOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"mandate_notices":"form"}`)
	id := b.mandated(t, "UPI", testTerms)
	b.mu.Lock()
	b.status = []int{http.StatusInternalServerError}
	b.mu.Unlock()
	b.postJSON(t, "/sandbox/mandates/"+id, `{"status":"paused"}`)
	require.Eventually(t, func() bool {
		p, _ := b.book.findByID(id)
		return len(p.Deliveries) == 1 && p.Deliveries[0].TimedOut
	}, time.Minute, 10*time.Millisecond)
	require.Equal(t, "application/x-www-form-urlencoded", b.notices()[0].contentType)
}

func TestRegistrationReturn_EqualsThePublishedSample(t *testing.T) {
	t.Parallel()
	b := setup(t)
	fields := map[string]string{"txnid": "oRWSUMU4XSQBZn", "amount": "0.00", "si": "1", "api_version": "7", "si_details": testTerms}
	b.begin(t, fields)
	_, answer := b.postJSON(t, "/sandbox/payments/oRWSUMU4XSQBZn/outcome", `{"outcome":"success","method":"NB"}`)
	want, got := published(t, "return_enach.txt"), object(t, answer, "fields")
	for _, name := range []string{"mode", "status", "payment_source", "PG_TYPE", "bankcode", "field9", "amount"} {
		require.Equal(t, want[name], got[name], name)
	}
	for name := range want {
		require.Contains(t, got, name)
	}
	// The published hash is that of any other answer, without the terms.
	o := order{TxnID: "oRWSUMU4XSQBZn", ProductInfo: "iPhone", FirstName: "Ashish", Email: "test@gmail.com", SI: testTerms}
	require.Equal(t, want["hash"], merchant{testKey, testSalt}.responseHash("success", "0.00", "", o))

	for name, changes := range map[string]map[string]string{
		"terms not under the hash": {"hash": form(map[string]string{"txnid": "T9"}).Get("hash")},
		"old version":              {"api_version": "1"},
		"no decimals":              {"si_details": strings.Replace(testTerms, "5000.00", "5000", 1)},
		"unknown cycle":            {"si_details": strings.Replace(testTerms, "MONTHLY", "SOMETIMES", 1)},
		"ends before it starts":    {"si_details": strings.Replace(testTerms, "2031-11-30", "2026-11-30", 1)},
		"no JSON":                  {"si_details": "monthly"},
	} {
		given := map[string]string{"txnid": "T9", "amount": "1.00", "si": "1", "api_version": "7", "si_details": testTerms}
		maps.Copy(given, changes)
		status, text, _ := b.post(t, "/_payment", form(given))
		require.Contains(t, []int{http.StatusBadRequest, http.StatusForbidden}, status, name)
		require.Contains(t, text, "cannot go on", name)
	}
}

func TestPage_Mandate_ShowsItsLimitAndChoices(t *testing.T) {
	t.Parallel()
	b := setup(t)
	page := b.begin(t, map[string]string{"amount": "1.00", "si": "1", "api_version": "7", "si_details": testTerms, "pg": "UPI"})
	_, text := b.get(t, page)
	require.Contains(t, text, "at most ₹5000.00 a debit")
	require.Contains(t, text, `name="mandate" value="lower"`)
	status, _, _ := b.post(t, page, url.Values{"outcome": {"success"}, "method": {"UPI"}, "mandate": {"lower"}})
	require.Equal(t, http.StatusOK, status)
	p, _ := b.book.find("T1")
	require.Equal(t, "2500.00", p.Mandate.Amount)
	require.Equal(t, "sist", b.verified(t, "T1")["payment_source"])
	_, text = b.get(t, "/")
	require.Contains(t, text, "/mandates/"+p.MihpayID)
	for _, act := range []string{"paused", "active", "next:insufficient"} {
		status, _, _ = b.post(t, "/mandates/"+p.MihpayID, url.Values{"act": {act}, "notice": {"lost"}})
		require.Equal(t, http.StatusSeeOther, status, act)
	}
	status, _, _ = b.post(t, "/mandates/"+p.MihpayID, url.Values{"act": {"approve"}})
	require.Equal(t, http.StatusBadRequest, status)
	p, _ = b.book.find("T1")
	require.Equal(t, "insufficient", p.Mandate.Next)
}

func TestDebit_BrokenRule_IsRefused(t *testing.T) {
	t.Parallel()
	adhoc := strings.Replace(testTerms, "MONTHLY", "ADHOC", 1)
	b := setup(t)
	id := b.mandated(t, "CC", adhoc)
	b.notify(t, id, "1", "100.00", "2026-12-04")
	require.Contains(t, b.debited(t, id, "D1", "1", "100.00")["field9"], "not sent in time")
	b.advance(72 * time.Hour)
	require.Contains(t, b.debited(t, id, "D2", "1", "99.00")["field9"], "differs")
	require.Contains(t, b.debited(t, id, "D3", "9", "100.00")["field9"], "was not sent")
	require.Contains(t, b.debited(t, id, "D4", "1", "5000.01")["field9"], "greater")
	require.Equal(t, "captured", b.debited(t, id, "D5", "1", "100.00")["status"])
	require.Equal(t, "failed", b.debited(t, id, "D5", "1", "100.00")["status"], "a transaction is made once")
	require.Equal(t, "success", b.verified(t, "D5")["status"])

	b = setup(t)
	id = b.mandated(t, "CC", strings.Replace(adhoc, "5000.00", "50000.00", 1))
	require.Equal(t, "pending", b.notify(t, id, "1", "15000.01", "2026-12-04")["approvedStatus"])
	b.advance(72 * time.Hour)
	require.Contains(t, b.debited(t, id, "D1", "1", "15000.01")["field9"], "AFA approval")
	status, _ := b.postJSON(t, "/sandbox/mandates/"+id+"/approve", `{}`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "captured", b.debited(t, id, "D2", "1", "15000.01")["status"])

	b = setup(t)
	id = b.mandated(t, "CC", testTerms)
	require.Contains(t, b.notify(t, id, "1", "100.00", "2026-12-04")["message"], "fixed plan")

	b = setup(t)
	id = b.mandated(t, "UPI", testTerms)
	b.notify(t, id, "1", "100.00", "2026-12-04")
	b.postJSON(t, "/sandbox/mandates/"+id, `{"status":"paused","for":"24h","notice":"lost"}`)
	b.advance(70*time.Hour + time.Minute) // 10:01 in closed hours; the pause has lapsed without a notice
	require.Equal(t, "active", b.command(t, "upi_mandate_status", "authPayuId", id, "requestId", "R")["status"])
	require.Equal(t, "in progress", b.debited(t, id, "D1", "1", "100.00")["status"])
	require.Contains(t, b.debited(t, id, "D2", "1", "100.00")["field9"], "in progress")
	b.advance(2 * time.Hour)
	require.Equal(t, "pending", b.verified(t, "D1")["status"])
	b.advance(time.Hour)
	require.Equal(t, "success", b.verified(t, "D1")["status"])
	require.Contains(t, b.debited(t, id, "D3", "1", "100.00")["field9"], "Execution already sent")
	require.Empty(t, b.told(t), "no notice of a mandate")

	b = setup(t)
	b.set(t, `{"peak_hours":"fail"}`)
	id = b.mandated(t, "UPI", testTerms)
	b.notify(t, id, "1", "100.00", "2026-12-04")
	b.postJSON(t, "/sandbox/mandates/"+id, `{"next_webhook":"lost"}`)
	b.advance(71 * time.Hour)
	b.debited(t, id, "D1", "1", "100.00")
	b.advance(time.Minute)
	require.Equal(t, "failure", b.verified(t, "D1")["status"])
	require.Empty(t, b.webhooks())

	b = setup(t)
	id = b.mandated(t, "CC", adhoc)
	b.notify(t, id, "1", "100.00", "2026-12-04")
	b.postJSON(t, "/sandbox/mandates/"+id, `{"next":"blank"}`)
	b.advance(72 * time.Hour)
	require.Empty(t, b.debited(t, id, "D1", "1", "100.00")["status"], "blank is a failure")
}

func TestPreDebitNotice_IsRetrievedAndDeleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"status_type":"text"}`)
	id := b.mandated(t, "UPI", testTerms)
	b.notify(t, id, "1", "100.00", "2026-12-04")
	got := b.command(t, "pre_debit_SI", "authPayuId", id, "action", "Retrieve", "invoiceDisplayNumber", "1")
	require.Equal(t, []any{"1", "unpaid", "100.00"}, []any{got["status"], got["invoiceStatus"], got["amount"]})
	require.Equal(t, "1", b.command(t, "pre_debit_SI", "authPayuId", id, "action", "Delete", "invoiceDisplayNumber", "1")["status"])
	require.Equal(t, "0", b.command(t, "pre_debit_SI", "authPayuId", id, "action", "Retrieve", "invoiceDisplayNumber", "1")["status"])
	require.Equal(t, "1", b.notify(t, id, "2", "200.00", "2026-12-04")["status"])
	require.Equal(t, "authPayuId is mandatory", b.command(t, "pre_debit_SI", "requestId", "R")["message"])
	require.Equal(t, "Mandate not found", b.command(t, "check_mandate_status", "authPayuId", id, "requestId", "R")["message"], "another method's command")
}

func TestRestart_KeepsMandates(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.mandated(t, "UPI", testTerms)
	b.notify(t, id, "1", "100.00", "2026-12-04")
	b.close()
	again := start(t, b.state)
	p, ok := again.book.findByID(id)
	require.True(t, ok)
	require.Equal(t, mandateActive, p.Mandate.Status)
	require.Len(t, p.Mandate.Invoices, 1)
	status, list := again.get(t, "/sandbox/mandates")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, list, id)
	status, answer := again.postJSON(t, "/sandbox/mandates/1", `{"status":"paused"}`)
	require.Equal(t, http.StatusNotFound, status, answer)
	for _, body := range []string{`{"status":"gone"}`, `{"next":"luck"}`, `{"for":"soon"}`, `{"limit":"much"}`} {
		status, _ = again.postJSON(t, "/sandbox/mandates/"+id, body)
		require.Equal(t, http.StatusBadRequest, status, body)
	}
}

func TestRefund_OfANetbankingDebit_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.mandated(t, "NB", testTerms)
	require.Equal(t, "pending", b.debited(t, id, "D1", "1", "100.00")["status"])
	b.advance(48 * time.Hour)
	paid := b.verified(t, "D1")
	require.Equal(t, []any{"success", "ENACH", "sist"}, []any{paid["status"], paid["mode"], paid["payment_source"]})
	refund := b.call(t, "cancel_refund_transaction", paid["mihpayid"].(string), "RefundToken1", "10.00")
	require.Equal(t, json.Number("232"), refund["error_code"])
}

// By the page, the registration's payment is the first of its calendar month, and each month has one notice.
func TestDebit_UPISequenceOfThePage_OneNoticeAndDebitAMonth(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.set(t, `{"upi_sequence":"page"}`)
	id := b.mandated(t, "UPI", testTerms)
	require.Equal(t, "E9256", b.notify(t, id, "1", "100.00", "2026-12-04")["status"])
	b.advance(10 * 24 * time.Hour)
	require.Equal(t, "1", fmt.Sprint(b.notify(t, id, "2", "100.00", "2027-01-04")["status"]))
	require.Equal(t, "E9254", b.notify(t, id, "3", "100.00", "2027-01-06")["status"])
}

func TestStuckDebit_OutcomeIsSetLater_IsDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.mandated(t, "UPI", testTerms)
	b.notify(t, id, "1", "100.00", "2026-12-04")
	b.advance(72 * time.Hour)
	b.postJSON(t, "/sandbox/mandates/"+id, `{"next":"stuck"}`)
	b.debited(t, id, "SITXN03", "1", "100.00")
	b.advance(6 * 24 * time.Hour)
	require.NotEqual(t, "success", b.verified(t, "SITXN03")["status"])
	status, answer := b.postJSON(t, "/sandbox/payments/SITXN03/outcome", `{"outcome":"success"}`)
	require.Equal(t, http.StatusOK, status, answer)
	require.Equal(t, "success", b.verified(t, "SITXN03")["status"])
}
