package payu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/settlement"
)

const (
	// settlementPage is the rows per page, PayU's default.
	settlementPage = 2000
	// maxSettlementPages limits the pages of one day.
	maxSettlementPages = 250
)

// Settlements queries get_settlement_details until a page is short (docs.payu.in, Get Settlement Details API).
func (g *Gateway) Settlements(ctx context.Context, day string) ([]settlement.Line, error) {
	at, err := time.ParseInLocation(time.DateOnly, day, clock.IST)
	if err != nil {
		return nil, errs.Internal(fmt.Errorf("settlement day: %w", err))
	}
	var lines []settlement.Line
	seen := map[string]settlement.Line{}
	for page := 1; page <= maxSettlementPages; page++ {
		rows, err := g.settlementPage(ctx, day, page)
		if err != nil {
			return nil, err
		}
		before := len(lines)
		for _, row := range rows {
			line, err := settlementLine(row, at.UTC())
			if err != nil {
				return nil, errs.Unavailable(fmt.Errorf("get_settlement_details: %w", err))
			}
			if fresh(seen, &line) {
				lines = append(lines, line)
			}
		}
		// A page without a new row means that the page number is ignored.
		if len(rows) < settlementPage || len(lines) == before {
			return lines, nil
		}
	}
	return nil, errs.Unavailable(errors.New("get_settlement_details: more pages than a day can have"))
}

// fresh records a line, and reports whether it is new. Two differing rows with the same id are two lines.
func fresh(seen map[string]settlement.Line, line *settlement.Line) bool {
	name := line.ID
	for nth := 2; ; nth++ {
		before, ok := seen[line.ID]
		if !ok {
			seen[line.ID] = *line
			return true
		}
		if before == *line {
			return false
		}
		line.ID = name + "#" + strconv.Itoa(nth)
	}
}

func (g *Gateway) settlementPage(ctx context.Context, day string, page int) ([]details, error) {
	var answer struct {
		Status  json.Number    `json:"status"`
		Message string         `json:"msg"`
		Rows    settlementRows `json:"Txn_details"`
	}
	more := map[string]string{"var2": strconv.Itoa(page), "var3": strconv.Itoa(settlementPage)}
	if err := g.call(ctx, &answer, "get_settlement_details", day, more); err != nil {
		return nil, err
	}
	if answer.Status == "0" {
		return nil, errs.Unavailable(fmt.Errorf("get_settlement_details: %s", answer.Message))
	}
	return answer.Rows, nil
}

// settlementRows is an object with the keys "1", "2" and so on, empty on a day without settlement. Some versions of PHP
// write an empty or gapless one as an array, so that is accepted too.
type settlementRows []details

// UnmarshalJSON accepts either form, and orders the rows by number. It uses a new decoder, because the caller's setting for numbers does
// not reach it.
func (r *settlementRows) UnmarshalJSON(text []byte) error {
	if len(text) > 0 && text[0] != '{' {
		return decode(text, (*[]details)(r))
	}
	var byNumber map[string]details
	if err := decode(text, &byNumber); err != nil {
		return err
	}
	numbers := make([]int, 0, len(byNumber))
	for name := range byNumber {
		n, err := strconv.Atoi(name)
		if err != nil {
			return fmt.Errorf("row %q has no number", name)
		}
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		*r = append(*r, byNumber[strconv.Itoa(n)])
	}
	return nil
}

// settlementKind maps a requestaction; undocumented ones become adjustments for staff to see.
func settlementKind(action string) settlement.Kind {
	switch strings.ReplaceAll(strings.ToLower(action), " ", "") {
	case "capture":
		return settlement.KindCapture
	case "refund", "cancel":
		return settlement.KindRefund
	case "refundreversal":
		return settlement.KindRefundReversal
	case "chargeback":
		return settlement.KindChargeback
	case "chargebackreversal":
		return settlement.KindChargebackReversal
	default:
		return settlement.KindAdjustment
	}
}

// settlementLine parses one row. It is dated on the requested day, that of the settlement: the row's own dates are those of the
// transaction and of the request.
func settlementLine(d details, day time.Time) (settlement.Line, error) {
	line := settlement.Line{
		Kind: settlementKind(d.text("requestaction")), Action: d.text("requestaction"), TransactionID: d.first("txnid", "txnId"),
		GatewayPaymentID: d.text("payuid"), UTR: d.text("mer_utr"), At: day,
	}
	line.ID = strings.ToLower(line.Action) + ":" + d.first("requestid", "payuid", "txnid", "txnId")
	if line.Kind != settlement.KindCapture {
		line.RefundID = d.text("requestid")
	}
	if at, err := time.ParseInLocation(time.DateTime, d.text("settledon"), clock.IST); err == nil {
		line.At = at.UTC()
	}
	var a settledAmounts
	for _, part := range []struct {
		text string
		into *money.Paise
	}{
		{d.first("requestamount", "amount"), &a.amount},
		{d.text("mer_service_fee"), &a.fee},
		{d.text("mer_service_tax"), &a.tax},
		{d.first("mer_net_amount", "requestamount", "amount"), &a.net},
	} {
		value, finer, err := roundedAmount(part.text)
		if err != nil {
			return line, fmt.Errorf("row %s: %w", line.ID, err)
		}
		*part.into, a.finer = value, a.finer || finer
	}
	a.into(&line)
	return line, nil
}

// first returns the first non-empty value among the names.
func (d details) first(names ...string) string {
	for _, name := range names {
		if text := d.text(name); text != "" {
			return text
		}
	}
	return ""
}

// settledAmounts are a row's amounts as written; finer reports that one of them had more than two significant decimals.
type settledAmounts struct {
	amount, fee, tax, net money.Paise
	finer                 bool
}

// into sets the amounts with our signs. PayU documents those of captures (all positive, net is the amount less fee and tax)
// and of debits (all negative, fee and tax within the amount); a refund's net is accepted with either sign.
func (a settledAmounts) into(line *settlement.Line) {
	line.Net = a.net
	if line.Kind == settlement.KindAdjustment {
		line.Fee, line.FeeTax = a.fee.Abs(), a.tax.Abs()
		if a.net > 0 { // returned fees
			line.Fee, line.FeeTax = -line.Fee, -line.FeeTax
		}
		line.Amount = a.net + line.Fee + line.FeeTax
		return
	}
	line.Amount, line.Fee, line.FeeTax = a.amount.Abs(), a.fee, a.tax
	gross := line.Amount
	if line.Kind == settlement.KindRefund || line.Kind == settlement.KindChargeback {
		gross, line.Net = -gross, -a.net.Abs()
	}
	if gross-a.fee-a.tax != line.Net && gross+a.fee+a.tax == line.Net {
		line.Fee, line.FeeTax = -a.fee, -a.tax
	}
	// Each of the three amounts may have been rounded by half a paisa: the fee absorbs the difference.
	if off := gross - line.Fee - line.FeeTax - line.Net; a.finer && off.Abs() <= 2 {
		line.Fee += off
	}
}

// roundedAmount parses rupees with any number of decimals, rounding half a paisa away from 0; an empty text is 0.
func roundedAmount(text string) (value money.Paise, finer bool, err error) {
	text = strings.ReplaceAll(strings.TrimSpace(text), ",", "")
	if text == "" {
		return 0, false, nil
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) <= 2 {
		value, err = parseAmount(text)
		return value, false, err
	}
	rest := fraction[2:]
	if strings.Trim(rest, "0123456789") != "" {
		return 0, false, money.ErrSyntax
	}
	if value, err = money.Parse(whole + "." + fraction[:2]); err != nil {
		return 0, false, err
	}
	if rest[0] >= '5' {
		step := money.Paise(1)
		if strings.HasPrefix(whole, "-") {
			step = -1
		}
		value += step
	}
	return value, strings.Trim(rest, "0") != "", nil
}
