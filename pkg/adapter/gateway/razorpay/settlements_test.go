package razorpay_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/gateway/razorpay"
	"github.com/franchise360/franchise360/pkg/settlement"
)

func settlements(t *testing.T, body string) ([]settlement.Line, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if q := r.URL.Query(); q.Get("year") != "2022" || q.Get("month") != "06" || q.Get("day") != "11" {
			http.Error(w, "{}", http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return razorpay.New(razorpay.Config{BaseURL: server.URL}).Settlements(t.Context(), "2022-06-11")
}

// recon_combined.json is the verbatim sample of razorpay/markdown-docs, api/settlements/fetch-recon.md.
func TestSettlements_PublishedReport_IsRead(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("testdata", "recon_combined.json"))
	require.NoError(t, err)
	lines, err := settlements(t, string(body))
	require.NoError(t, err)
	at := time.Unix(1568176960, 0).UTC()
	const payout, utr = "setl_DGlQ1Rj8os78Ec", "1568176960vxp0rj"
	require.Equal(t, []settlement.Line{
		{
			ID: "pay_DEXrnipqTmWVGE", Kind: settlement.KindCapture, Action: "payment", GatewayPaymentID: "pay_DEXrnipqTmWVGE",
			Amount: 100000, Fee: 2900, Net: 97100, SettlementID: payout, UTR: utr, At: at,
		},
		{
			ID: "rfnd_DGRcGzZSLyEdg1", Kind: settlement.KindRefund, Action: "refund", GatewayPaymentID: "pay_DEXq1pACSqFxtS",
			RefundID: "rfnd_DGRcGzZSLyEdg1", Amount: 242500, Net: -242500, SettlementID: payout, UTR: utr, At: at,
		},
		{
			ID: "trf_DEUoCEtdsJgvl7", Kind: settlement.KindAdjustment, Action: "transfer", GatewayPaymentID: "pay_DEApNNTR6xmqJy",
			Amount: -100000, Fee: 250, FeeTax: 46, Net: -100296, SettlementID: payout, UTR: utr, At: at,
		},
		{
			ID: "adj_EhcHONhX4ChgNC", Kind: settlement.KindAdjustment, Action: "adjustment", Amount: 1012, Net: 1012,
			SettlementID: payout, At: at,
		},
	}, lines)
}

func TestSettlements_DisputesAndUnsettledLines_AreMapped(t *testing.T) {
	t.Parallel()
	lines, err := settlements(t, `{"items": [
		{"entity_id": "adj_1", "type": "adjustment", "debit": 5000, "amount": 5000, "dispute_id": "disp_1", "settled": true, "payment_id": null},
		{"entity_id": "adj_2", "type": "adjustment", "credit": 5000, "amount": 5000, "dispute_id": "disp_1", "settled": true},
		{"entity_id": "rfnd_1", "type": "refund", "credit": 700, "amount": 700, "payment_id": "pay_1", "settled": true},
		{"entity_id": "pay_1", "type": "payment", "credit": 98, "amount": 100, "fee": 2, "settled": false, "settled_at": null, "settlement_utr": null},
		{"entity_id": "pay_2", "type": "payment", "credit": 98, "amount": 100, "fee": 2, "settled": true, "on_hold": true}]}`)
	require.NoError(t, err)
	require.Len(t, lines, 5)
	for i, want := range []struct {
		kind     settlement.Kind
		refundID string
		pending  bool
	}{
		{settlement.KindChargeback, "disp_1", false},
		{settlement.KindChargebackReversal, "disp_1", false},
		{settlement.KindRefundReversal, "rfnd_1", false},
		{settlement.KindCapture, "", true},
		{settlement.KindCapture, "", true},
	} {
		require.Equal(t, want.kind, lines[i].Kind, lines[i].ID)
		require.Equal(t, want.refundID, lines[i].RefundID, lines[i].ID)
		require.Equal(t, want.pending, lines[i].Pending, lines[i].ID)
	}
	_, err = razorpay.New(razorpay.Config{}).Settlements(t.Context(), "yesterday")
	require.Error(t, err)
}
