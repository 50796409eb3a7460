package payu

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

// published returns a verbatim sample from docs.payu.in, Get Settlement Details API; settlement_details_v2_rows.json holds the
// rows of its version 2, a capture and a debit.
func published(t *testing.T, name string) json.RawMessage {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return text
}

func settled(t *testing.T, answer any) ([]settlement.Line, error) {
	t.Helper()
	g, _ := api(t, http.StatusOK, answer)
	return g.Settlements(t.Context(), "2021-08-11")
}

func dayStart(y int, m time.Month, d int) time.Time {
	return time.Date(y, m, d, 0, 0, 0, 0, clock.IST).UTC()
}

func TestSettlements_PublishedReport_IsRead(t *testing.T) {
	t.Parallel()
	lines, err := settled(t, published(t, "settlement_details.json"))
	require.NoError(t, err)
	require.Equal(t, []settlement.Line{{
		ID: "capture:9586840660", Kind: settlement.KindCapture, Action: "capture", TransactionID: "13818", GatewayPaymentID: "13799177287",
		Amount: 11979_88, Fee: 239_60, FeeTax: 43_13, Net: 11697_15, UTR: "N223211598444659", At: dayStart(2021, 8, 11),
	}}, lines)

	lines, err = settled(t, published(t, "settlement_details_none.json"))
	require.NoError(t, err)
	require.Empty(t, lines)

	_, err = settled(t, published(t, "settlement_details_refused.json"))
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err), "a refused question is no day without settlement")
}

func TestSettlements_PublishedDebit_IsAnAdjustment(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string]string{
		"array":  string(published(t, "settlement_details_v2_rows.json")),
		"object": object(t, published(t, "settlement_details_v2_rows.json")),
	} {
		lines, err := settled(t, json.RawMessage(`{"status": 1, "Txn_details": `+rows+`}`))
		require.NoError(t, err, name)
		require.Equal(t, []settlement.Line{
			{
				ID: "capture:13791685328", Kind: settlement.KindCapture, Action: "capture", TransactionID: "PZT2404062056KJOM701",
				GatewayPaymentID: "19588035480", Amount: 188_00, Net: 188_00, UTR: "UTIBR72024040800086935", At: dayStart(2021, 8, 11),
			},
			{ // 20,227.77 and 3,641.00 add up to 23,868.77: charged fees
				ID: "debit:ADJ_821142", Kind: settlement.KindAdjustment, Action: "debit", TransactionID: "ADJ_821142",
				GatewayPaymentID: "ADJ_821142", RefundID: "ADJ_821142", Fee: 20227_77, FeeTax: 3641_00, Net: -23868_77,
				UTR: "UTIBR72024040800086935", At: dayStart(2021, 8, 11),
			},
		}, lines, name)
	}
}

// object writes an array of rows as PayU does, keyed by number.
func object(t *testing.T, rows json.RawMessage) string {
	t.Helper()
	var list []json.RawMessage
	require.NoError(t, json.Unmarshal(rows, &list))
	byNumber := map[string]json.RawMessage{}
	for i, row := range list {
		byNumber[strconv.Itoa(i+1)] = row
	}
	text, err := json.Marshal(byNumber)
	require.NoError(t, err)
	return string(text)
}

func TestSettlements_EachAction_IsMapped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		action, amount, fee, tax, net string
		kind                          settlement.Kind
		wantAmount, wantFee, wantNet  money.Paise
	}{
		{"Capture", "218.00", "3.16000", "0.57000", "214.27", settlement.KindCapture, 218_00, 3_16, 214_27},
		{"refund", "100.00", "0.00", "0.00", "-100.00", settlement.KindRefund, 100_00, 0, -100_00},
		{"REFUND", "100.00", "0.00", "0.00", "100.00", settlement.KindRefund, 100_00, 0, -100_00},
		{"refund", "-100.00", "-5.00", "-0.90", "-105.90", settlement.KindRefund, 100_00, 5_00, -105_90},
		{"refund", "100.00", "5.00", "0.90", "-105.90", settlement.KindRefund, 100_00, 5_00, -105_90},
		{"cancel", "100.00", "", "", "-100.00", settlement.KindRefund, 100_00, 0, -100_00},
		{"chargeback", "100.00", "", "", "-100.00", settlement.KindChargeback, 100_00, 0, -100_00},
		{"Chargeback Reversal", "100.00", "", "", "100.00", settlement.KindChargebackReversal, 100_00, 0, 100_00},
		{"chargebackreversal", "100.00", "", "", "100.00", settlement.KindChargebackReversal, 100_00, 0, 100_00},
		{"refundReversal", "100.00", "", "", "100.00", settlement.KindRefundReversal, 100_00, 0, 100_00},
		{"debit", "-50.00", "", "", "-50.00", settlement.KindAdjustment, -50_00, 0, -50_00},
		{"credit", "50.00", "", "", "50.00", settlement.KindAdjustment, 50_00, 0, 50_00},
		{"something new", "50.00", "", "", "50.00", settlement.KindAdjustment, 50_00, 0, 50_00},
		{"capture", "218.00", "3.16500", "0.56970", "214.27", settlement.KindCapture, 218_00, 3_16, 214_27},
	} {
		lines, err := settled(t, map[string]any{"status": 1, "Txn_details": map[string]any{"1": map[string]any{
			"txnid": "T1", "payuid": "9", "requestid": "7", "requestaction": c.action, "requestamount": c.amount,
			"mer_service_fee": c.fee, "mer_service_tax": c.tax, "mer_net_amount": c.net,
		}}})
		require.NoError(t, err, c.action)
		l := lines[0]
		require.Equal(t, c.kind, l.Kind, c.action)
		require.Equal(t, []money.Paise{c.wantAmount, c.wantFee, c.wantNet}, []money.Paise{l.Amount, l.Fee, l.Net}, "%+v", c)
	}
	_, err := settled(t, map[string]any{"status": 1, "Txn_details": map[string]any{"1": map[string]any{"requestid": "7", "requestamount": "a lot"}}})
	require.Equal(t, errs.KindUnavailable, errs.KindOf(err))
}

func TestSettlements_SeveralPages_AreAllRead(t *testing.T) {
	t.Parallel()
	const all = 2*settlementPage + 3
	var pages []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		page, err := strconv.Atoi(r.FormValue("var2"))
		if err != nil || r.FormValue("var3") != strconv.Itoa(settlementPage) {
			http.Error(w, "no page", http.StatusBadRequest)
			return
		}
		pages = append(pages, r.FormValue("var2"))
		rows := map[string]any{}
		for n := (page - 1) * settlementPage; n < min(page*settlementPage, all); n++ {
			rows[strconv.Itoa(len(rows)+1)] = map[string]any{
				"txnid": "T" + strconv.Itoa(n), "payuid": "9", "requestid": strconv.Itoa(n), "requestaction": "capture",
				"requestamount": "1.00", "mer_net_amount": "1.00",
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"status": 1, "Txn_details": rows})
	}))
	t.Cleanup(server.Close)
	lines, err := vectorGateway(server.URL).Settlements(t.Context(), "2026-11-21")
	require.NoError(t, err)
	require.Len(t, lines, all)
	require.Equal(t, []string{"1", "2", "3"}, pages)
	require.Equal(t, "T0", lines[0].TransactionID)
	require.Equal(t, fmt.Sprintf("T%d", all-1), lines[all-1].TransactionID)
}

func TestSettlements_ServerIgnoresThePage_Ends(t *testing.T) {
	t.Parallel()
	rows := map[string]any{}
	for n := range settlementPage {
		rows[strconv.Itoa(n+1)] = map[string]any{
			"txnid": "T", "requestid": strconv.Itoa(n), "requestaction": "capture", "requestamount": "1.00", "mer_net_amount": "1.00",
		}
	}
	lines, err := settled(t, map[string]any{"status": 1, "Txn_details": rows})
	require.NoError(t, err)
	require.Len(t, lines, settlementPage, "each row once")
}

// PayU writes some numbers as numbers in its other answers: a payment's with all its digits, an amount without its zeros.
func TestSettlements_NumbersInARow_AreRead(t *testing.T) {
	t.Parallel()
	const row = `{"txnid":"T1","payuid":403993715527389777,"requestid":17265314530,"requestaction":"capture","requestamount":218,
		"mer_service_fee":3.160,"mer_service_tax":0.5688,"mer_net_amount":214.27,"mer_utr":null}`
	want := settlement.Line{
		ID: "capture:17265314530", Kind: settlement.KindCapture, Action: "capture", TransactionID: "T1", GatewayPaymentID: "403993715527389777",
		Amount: 218_00, Fee: 3_16, FeeTax: 57, Net: 214_27, At: dayStart(2021, 8, 11),
	}
	for name, rows := range map[string]string{"object": `{"1":` + row + `}`, "array": `[` + row + `]`} {
		lines, err := settled(t, json.RawMessage(`{"status":1,"Txn_details":`+rows+`}`))
		require.NoError(t, err, name)
		require.Equal(t, []settlement.Line{want}, lines, name)
	}
	for _, rows := range []string{`{"first":` + row + `}`, `{"1":7}`, `[7]`, `"none"`, `{"1":{"requestamount":1e3}}`, `{"1":{"requestamount":true,"mer_net_amount":"x"}}`} {
		_, err := settled(t, json.RawMessage(`{"status":1,"Txn_details":`+rows+`}`))
		require.Equal(t, errs.KindUnavailable, errs.KindOf(err), rows)
	}
}

// Two rows of one request are one line if they say the same, and two if they do not: nothing is lost, and nothing counts twice.
func TestSettlements_RowsOfOneRequest_AreKeptApart(t *testing.T) {
	t.Parallel()
	row := func(number, amount, on string) string {
		return `"` + number + `":{"txnid":"T1","requestid":"7","requestaction":"refund","requestamount":"` + amount + `","mer_net_amount":"-` + amount + `","settledon":"` + on + `"}`
	}
	lines, err := settled(t, json.RawMessage(`{"status":1,"Txn_details":{`+
		row("10", "30.00", "")+`,`+row("2", "20.00", "2021-08-11 23:59:59")+`,`+row("1", "10.00", "2021-08-12 00:00:00")+`,`+row("3", "20.00", "2021-08-11 23:59:59")+`}}`))
	require.NoError(t, err)
	require.Len(t, lines, 3)
	for i, want := range []settlement.Line{
		{ID: "refund:7", Amount: 10_00, Net: -10_00, At: time.Date(2021, 8, 11, 18, 30, 0, 0, time.UTC)},
		{ID: "refund:7#2", Amount: 20_00, Net: -20_00, At: time.Date(2021, 8, 11, 18, 29, 59, 0, time.UTC)},
		{ID: "refund:7#3", Amount: 30_00, Net: -30_00, At: dayStart(2021, 8, 11)},
	} {
		want.Kind, want.Action, want.TransactionID, want.RefundID = settlement.KindRefund, "refund", "T1", "7"
		require.Equal(t, want, lines[i], "the rows are in the order of their numbers")
	}
	_, err = vectorGateway("http://127.0.0.1:1").Settlements(t.Context(), "11-08-2021")
	require.Equal(t, errs.KindInternal, errs.KindOf(err))
}

// Half a paisa is rounded away from 0. If the three amounts were rounded separately, the fee takes the difference.
func TestSettlements_FractionsOfAPaisa_AreRounded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		value money.Paise
		finer bool
	}{
		"": {0, false}, " 1,59,300.00 ": {1_59_300_00, false}, "1": {1_00, false}, "1.5": {1_50, false}, "0.57000": {57, false}, "0.5649": {56, true},
		"0.565": {57, true}, "-0.565": {-57, true}, "-0.5649": {-56, true}, "0.004": {0, true}, "0.005": {1, true}, "-0.005": {-1, true}, "0.995": {1_00, true},
	} {
		value, finer, err := roundedAmount(text)
		require.NoError(t, err, text)
		require.Equal(t, want.value, value, text)
		require.Equal(t, want.finer, finer, text)
	}
	for _, text := range []string{"a", "1.", ".", "-", "1.2.3", "1.23x", "1.234x", "--1", "1e3", "+1", "99999999999999999999.00", "₹1"} {
		_, _, err := roundedAmount(text)
		require.Error(t, err, text)
	}
	for name, c := range map[string]struct {
		in   settledAmounts
		want settlement.Line
	}{
		"two paise, rounded":      {settledAmounts{amount: 100_00, fee: 2_00, tax: 36, net: 97_62, finer: true}, settlement.Line{Amount: 100_00, Fee: 2_02, FeeTax: 36, Net: 97_62}},
		"three paise, rounded":    {settledAmounts{amount: 100_00, fee: 2_00, tax: 36, net: 97_61, finer: true}, settlement.Line{Amount: 100_00, Fee: 2_00, FeeTax: 36, Net: 97_61}},
		"two paise, as they came": {settledAmounts{amount: 100_00, fee: 2_00, tax: 36, net: 97_62}, settlement.Line{Amount: 100_00, Fee: 2_00, FeeTax: 36, Net: 97_62}},
	} {
		line := settlement.Line{Kind: settlement.KindCapture}
		c.in.into(&line)
		c.want.Kind = settlement.KindCapture
		require.Equal(t, c.want, line, name)
	}
	returned := settlement.Line{Kind: settlement.KindAdjustment}
	settledAmounts{fee: 10_00, tax: 1_80, net: 11_80}.into(&returned)
	require.Equal(t, settlement.Line{Kind: settlement.KindAdjustment, Fee: -10_00, FeeTax: -1_80, Net: 11_80}, returned, "fees that came back")
}
