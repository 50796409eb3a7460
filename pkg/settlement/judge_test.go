package settlement

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/subscription"
)

func start() time.Time { return time.Date(2026, time.November, 2, 4, 30, 0, 0, time.UTC) }

// stored returns a line of the kind over ₹1,000 with the figures of Razorpay's published sample (fetch-recon: amount 100000, fee 2900,
// credit 97100), signed according to its kind.
func stored(kind Kind) StoredLine {
	l := StoredLine{
		Line:    Line{ID: "l1", Kind: kind, TransactionID: "FP1", Amount: 1000_00, Fee: 24_58, FeeTax: 4_42, At: start()},
		Gateway: "razorpay", Day: subscription.DayOf(start()), Listed: true,
	}
	l.Net = l.net()
	return l
}

func paid() *settled {
	return &settled{
		Settled: payment.Settled{
			PaymentID: "p1", FranchiserID: "f1", TransactionID: "FP1", State: payment.StatePaid, GatewayPaymentID: "pay_1", Captured: 1000_00,
			Others: map[string]money.Paise{"pay_2": 1000_00}, Disputes: map[string]payment.SettledDispute{},
		},
		Booked: map[string]string{},
	}
}

func kinds(v verdict) []DifferenceKind {
	var list []DifferenceKind
	for _, d := range v.Differences {
		list = append(list, d.Kind)
	}
	return list
}

func TestLineNet_IsAmountLessFeeAndTax(t *testing.T) {
	t.Parallel()
	require.Equal(t, money.Paise(971_00), stored(KindCapture).Net, "the provider's sample")
	require.Equal(t, money.Paise(-1029_00), stored(KindRefund).Net, "the fee is not given back with the amount")
	require.Equal(t, money.Paise(-1029_00), stored(KindChargeback).Net)
	require.Equal(t, money.Paise(971_00), stored(KindRefundReversal).Net)
	require.Equal(t, money.Paise(971_00), stored(KindChargebackReversal).Net)
	taken := Line{Kind: KindAdjustment, Amount: -10_12}
	require.Equal(t, money.Paise(-10_12), taken.net(), "an adjustment has its own sign")
	fee := Line{Kind: KindAdjustment, Fee: 3_16, FeeTax: 57}
	require.Equal(t, money.Paise(-3_73), fee.net())
}

func TestJudge_Capture(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		change func(l *StoredLine, p *settled)
		want   []DifferenceKind
	}{
		"agrees":                          {func(*StoredLine, *settled) {}, nil},
		"under the gateway's name":        {func(l *StoredLine, _ *settled) { l.GatewayPaymentID = "pay_1" }, nil},
		"of a refunded payment":           {func(_ *StoredLine, p *settled) { p.State = payment.StateRefunded }, nil},
		"of a payment that is held":       {func(_ *StoredLine, p *settled) { p.State = payment.StateHeld }, nil},
		"a second capture, refunded":      {func(l *StoredLine, _ *settled) { l.GatewayPaymentID = "pay_2" }, nil},
		"a third one, unheard of":         {func(l *StoredLine, _ *settled) { l.GatewayPaymentID = "pay_3" }, []DifferenceKind{DifferenceNotPaid}},
		"of a payment that is open":       {func(_ *StoredLine, p *settled) { p.State = payment.StatePending }, []DifferenceKind{DifferenceNotPaid}},
		"of a payment that failed":        {func(_ *StoredLine, p *settled) { p.State = payment.StateFailed }, []DifferenceKind{DifferenceNotPaid}},
		"a paisa more":                    {func(l *StoredLine, _ *settled) { l.Amount++; l.Net++ }, []DifferenceKind{DifferenceAmount}},
		"a paisa less":                    {func(l *StoredLine, _ *settled) { l.Amount--; l.Net-- }, []DifferenceKind{DifferenceAmount}},
		"nothing of it":                   {func(l *StoredLine, _ *settled) { l.Amount, l.Net = 0, -29_00 }, []DifferenceKind{DifferenceAmount}},
		"booked by this very line":        {func(_ *StoredLine, p *settled) { p.Booked[""] = "l1" }, nil},
		"booked by another line":          {func(_ *StoredLine, p *settled) { p.Booked[""] = "l0" }, []DifferenceKind{DifferenceTwice}},
		"another capture was booked":      {func(l *StoredLine, p *settled) { l.GatewayPaymentID = "pay_1"; p.Booked["pay_2"] = "l0" }, nil},
		"paid out a paisa less":           {func(l *StoredLine, _ *settled) { l.Net-- }, []DifferenceKind{DifferenceNet}},
		"less, and of an unknown capture": {func(l *StoredLine, _ *settled) { l.Net--; l.GatewayPaymentID = "pay_3" }, []DifferenceKind{DifferenceNet, DifferenceNotPaid}},
	} {
		l, p := stored(KindCapture), paid()
		tc.change(&l, p)
		v := judge(l, p, nil)
		require.Equal(t, tc.want, kinds(v), name)
		require.Equal(t, len(tc.want) == 0, v.Book, "%s: what differs is not booked", name)
		require.Empty(t, v.Waits, name)
		unheard := len(tc.want) > 0 && tc.want[len(tc.want)-1] == DifferenceNotPaid
		require.Equal(t, unheard, v.unheard(l), "%s: the gateway is asked of what nobody told us", name)
		for _, d := range v.Differences {
			require.Equal(t, []any{"razorpay", l.Day, "l1", "FP1"}, []any{d.Gateway, d.Day, d.LineID, d.TransactionID}, name)
		}
	}
}

func TestJudge_Refund(t *testing.T) {
	t.Parallel()
	refund := func(state payment.RefundState, amount money.Paise) *payment.SettledRefund {
		return &payment.SettledRefund{ID: "r1", PaymentID: "p1", GatewayRefundID: "rfnd_1", State: state, Amount: amount}
	}
	for name, tc := range map[string]struct {
		refund   *payment.SettledRefund
		returned []money.Paise
		want     []DifferenceKind
		waits    string
	}{
		"agrees":                        {refund(payment.RefundDone, 1000_00), nil, nil, ""},
		"on its way":                    {refund(payment.RefundSent, 1000_00), nil, nil, WaitsForRefund},
		"another amount":                {refund(payment.RefundDone, 999_99), nil, []DifferenceKind{DifferenceRefundAmount}, ""},
		"on its way, another amount":    {refund(payment.RefundSent, 1000_01), nil, []DifferenceKind{DifferenceRefundAmount}, ""},
		"never sent":                    {refund(payment.RefundRequested, 1000_00), nil, []DifferenceKind{DifferenceUnknownRefund}, ""},
		"unknown":                       {nil, nil, []DifferenceKind{DifferenceUnknownRefund}, ""},
		"failed":                        {refund(payment.RefundFailed, 1000_00), nil, []DifferenceKind{DifferenceUnknownRefund}, ""},
		"failed, paid out again":        {refund(payment.RefundFailed, 1000_00), []money.Paise{1000_00}, nil, ""},
		"failed, another one came back": {refund(payment.RefundFailed, 1000_00), []money.Paise{999_00}, []DifferenceKind{DifferenceUnknownRefund}, ""},
	} {
		p := paid()
		p.Returned = tc.returned
		v := judge(stored(KindRefund), p, tc.refund)
		require.Equal(t, tc.want, kinds(v), name)
		require.Equal(t, tc.waits, v.Waits, name)
		require.Equal(t, len(tc.want) == 0 && tc.waits == "", v.Book, name)
		require.False(t, v.unheard(stored(KindRefund)), name)
	}
	p := paid()
	require.Equal(t, []DifferenceKind{DifferenceRefundReturned}, kinds(judge(stored(KindRefundReversal), p, nil)), "a refund that is done here")
	p.Failed = []money.Paise{999_00, 1000_00}
	v := judge(stored(KindRefundReversal), p, nil)
	require.Empty(t, v.Differences)
	require.True(t, v.Book)
}

func TestJudge_Dispute(t *testing.T) {
	t.Parallel()
	type disputes map[string]payment.SettledDispute
	d := func(state payment.DisputeState, amount money.Paise) payment.SettledDispute {
		return payment.SettledDispute{State: state, Amount: amount}
	}
	for name, tc := range map[string]struct {
		disputes    disputes
		named       string
		taken, back []DifferenceKind // for money withheld, and for money paid back
	}{
		"no dispute known":         {nil, "", []DifferenceKind{DifferenceUnknownDispute}, []DifferenceKind{DifferenceUnknownDispute}},
		"open":                     {disputes{"d1": d(payment.DisputeOpen, 1000_00)}, "d1", []DifferenceKind{DifferenceDisputeTaken}, nil},
		"dismissed":                {disputes{"d1": d(payment.DisputeDismissed, 1000_00)}, "d1", []DifferenceKind{DifferenceDisputeTaken}, nil},
		"won":                      {disputes{"d1": d(payment.DisputeWon, 1000_00)}, "d1", nil, nil},
		"lost":                     {disputes{"d1": d(payment.DisputeLost, 1000_00)}, "d1", nil, []DifferenceKind{DifferenceDisputeReturned}},
		"lost, another amount":     {disputes{"d1": d(payment.DisputeLost, 999_99)}, "d1", []DifferenceKind{DifferenceDisputeAmount}, []DifferenceKind{DifferenceDisputeReturned}},
		"the only one, unnamed":    {disputes{"d1": d(payment.DisputeLost, 1000_00)}, "row-7", nil, []DifferenceKind{DifferenceDisputeReturned}},
		"of two open, unnamed":     {disputes{"d1": d(payment.DisputeOpen, 1), "d2": d(payment.DisputeDismissed, 2)}, "row-7", []DifferenceKind{DifferenceDisputeTaken}, nil},
		"one of two lost, unnamed": {disputes{"d1": d(payment.DisputeOpen, 1), "d2": d(payment.DisputeLost, 2)}, "row-7", nil, nil},
		"the open one of two":      {disputes{"d1": d(payment.DisputeOpen, 1), "d2": d(payment.DisputeLost, 2)}, "d1", []DifferenceKind{DifferenceDisputeTaken}, nil},
	} {
		for kind, want := range map[Kind][]DifferenceKind{KindChargeback: tc.taken, KindChargebackReversal: tc.back} {
			p, l := paid(), stored(kind)
			p.Disputes, l.RefundID = tc.disputes, tc.named
			v := judge(l, p, nil)
			require.Equal(t, want, kinds(v), "%s: %s", name, kind)
			require.True(t, v.Book, "%s: the money has moved, whatever we know", name)
		}
	}
}

func TestJudge_PendingOrUnlistedLine(t *testing.T) {
	t.Parallel()
	for _, kind := range []Kind{KindCapture, KindRefund, KindRefundReversal, KindChargeback, KindChargebackReversal, KindAdjustment} {
		l := stored(kind)
		l.Pending = true
		v := judge(l, nil, nil)
		require.Equal(t, verdict{Waits: WaitsForPayout}, v, "%s: what is announced is compared once it is paid out", kind)

		l = stored(kind)
		l.Listed, l.BookedNet = false, 5_00
		v = judge(l, paid(), nil)
		require.Equal(t, []DifferenceKind{DifferenceWithdrawn}, kinds(v), kind)
		require.Equal(t, money.Paise(5_00), v.Differences[0].Ours, "what is in the books of it")
		require.False(t, v.Book)

		l = stored(kind)
		if kind == KindAdjustment {
			require.True(t, judge(l, nil, nil).Book, "an adjustment concerns no payment")
			continue
		}
		v = judge(l, nil, nil)
		require.Equal(t, []DifferenceKind{DifferenceUnknown}, kinds(v), kind)
		require.False(t, v.Book, kind)
	}
	l := stored(KindAdjustment)
	l.BookedAt, l.BookedNet = new(start()), l.Net-1
	v := judge(l, nil, nil)
	require.Equal(t, []DifferenceKind{DifferenceChanged, DifferenceAdjustment}, kinds(v))
	require.Equal(t, []money.Paise{l.Net - 1, l.Net}, []money.Paise{v.Differences[0].Ours, v.Differences[0].Theirs}, "what was booked, and what is paid now")
	l.BookedNet = l.Net
	require.Equal(t, []DifferenceKind{DifferenceAdjustment}, kinds(judge(l, nil, nil)))
	l.Amount, l.Fee, l.FeeTax, l.Net, l.BookedNet = 0, 0, 0, 0, 0
	require.Empty(t, kinds(judge(l, nil, nil)), "a line that moves no money waits for nobody")
}

// No line is both booked and waiting, and no line is booked for money the gateway did not pay out.
func TestJudge_AnyLine_IsNeverBothBookedAndWaiting(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := stored(rapid.SampledFrom([]Kind{KindCapture, KindRefund, KindRefundReversal, KindChargeback, KindChargebackReversal, KindAdjustment}).Draw(t, "kind"))
		l.Amount += money.Paise(rapid.IntRange(0, 1).Draw(t, "more"))
		l.Net += money.Paise(rapid.IntRange(-1, 1).Draw(t, "net"))
		l.Pending, l.Listed = rapid.Bool().Draw(t, "pending"), rapid.Bool().Draw(t, "listed")
		l.GatewayPaymentID = rapid.SampledFrom([]string{"", "pay_1", "pay_2", "pay_3"}).Draw(t, "capture")
		p := paid()
		p.State = rapid.SampledFrom([]payment.State{payment.StatePending, payment.StatePaid, payment.StateFailed, payment.StateHeld, payment.StateRefunded}).Draw(t, "state")
		p.Booked[l.GatewayPaymentID] = rapid.SampledFrom([]string{"", "l0", "l1"}).Draw(t, "booked by")
		if rapid.Bool().Draw(t, "unknown") {
			p = nil
		}
		v := judge(l, p, nil)
		require.False(t, v.Book && v.Waits != "")
		if v.Book {
			require.True(t, l.Listed && !l.Pending)
			require.Equal(t, l.net(), l.Net)
			require.True(t, p != nil || l.Kind == KindAdjustment)
		} else {
			require.True(t, v.Waits != "" || len(v.Differences) > 0, "what stays open says why")
		}
		for _, d := range v.Differences {
			require.NotEmpty(t, d.Kind.Meaning())
		}
	})
}

func TestDifferenceKinds_EachOne_HasItsMeaning(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, k := range DifferenceKinds() {
		require.NotEmpty(t, k.Meaning(), k)
		require.False(t, seen[k.Meaning()], k)
		seen[k.Meaning()] = true
		require.Equal(t, k.Meaning(), WaitMeaning(string(k)))
	}
	require.Len(t, seen, 17)
	require.NotEmpty(t, WaitMeaning(WaitsForRefund))
	require.NotEmpty(t, WaitMeaning(WaitsForPayout))
	require.Empty(t, WaitMeaning(""), "what waits for nothing")
	require.Empty(t, DifferenceKind("gossip").Meaning())
	require.False(t, DifferenceKind("gossip").Clears(), "of what nobody knows, staff take note")
}

func TestComparedDay_Sums(t *testing.T) {
	t.Parallel()
	var day ComparedDay
	for _, kind := range []Kind{KindCapture, KindCapture, KindRefund, KindChargeback, KindRefundReversal, KindAdjustment} {
		day.add(stored(kind).Line)
	}
	pending := stored(KindCapture).Line
	pending.Pending = true
	day.add(pending)
	require.Equal(t, ComparedDay{
		Captured: 2000_00, Refunded: 1000_00, Fee: 6 * 24_58, Tax: 6 * 4_42, Net: 2*971_00 - 2*1029_00 + 971_00 + 971_00,
	}, day, "what is only announced does not count")
}

// The working days are counted by hand in the calendar of November 2026: the 1st is a Sunday.
func TestDue_CountsWorkingDays(t *testing.T) {
	t.Parallel()
	day := func(d int) subscription.Day { return subscription.NewDay(2026, time.November, d) }
	free := holidays{day(9): true, day(24): true} // a Monday, a Tuesday
	for captured, due := range map[int]int{
		2: 4, 3: 5, 4: 6, // Monday to Wednesday
		5:  10, // Thursday: Friday, then past the weekend and Monday's holiday to Tuesday
		6:  11, // Friday: Tuesday, Wednesday
		7:  11, // Saturday
		8:  11, // Sunday
		9:  11, // the holiday itself
		12: 16, 13: 17, 14: 17, 15: 17, 20: 25, 21: 25, 22: 25, 23: 26, 24: 26, 30: 32,
	} {
		require.Equal(t, day(due), free.due(day(captured)), "captured on the %d", captured)
	}
	for by, last := range map[int]int{4: 2, 5: 3, 6: 4, 7: 4, 8: 4, 9: 4, 10: 5, 11: 9, 17: 15} {
		require.Equal(t, day(last), free.overdue(day(by)), "by the end of the %d", by)
	}
	require.False(t, holidays(nil).working(day(7)) || holidays(nil).working(day(8)) || free.working(day(9)))
	require.True(t, free.working(day(10)))
}

// For any holidays, overdue is the last day whose captures are due, and due never decreases from one day to the next.
func TestOverdue_AnyHolidays_IsTheInverseOfDue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		first := subscription.NewDay(2026, time.November, 1)
		free := holidays{}
		for _, d := range rapid.SliceOfN(rapid.IntRange(0, 40), 0, 10).Draw(t, "holidays") {
			free[first+subscription.Day(d)] = true
		}
		by := first + subscription.Day(rapid.IntRange(0, 40).Draw(t, "by"))
		last := free.overdue(by)
		require.LessOrEqual(t, free.due(last), by)
		require.Greater(t, free.due(last+1), by)
		require.LessOrEqual(t, free.due(by), free.due(by+1))
		require.True(t, free.working(free.due(by)))
	})
}

// A line is matched by our transaction first, then by the gateway's payment, then by the dispute, and never to another payment's refund.
func TestSettledKnown_Line_IsMatchedByTransactionPaymentThenDispute(t *testing.T) {
	t.Parallel()
	one, two, three := &settled{}, &settled{}, &settled{}
	one.PaymentID, two.PaymentID, three.PaymentID = "p1", "p2", "p3"
	refund := &payment.SettledRefund{PaymentID: "p1"}
	k := settledKnown{
		byTransaction: map[string]*settled{"FP1": one}, byGateway: map[string]*settled{"pay_2": two}, byDispute: map[string]*settled{"disp_3": three},
		byRefund: map[string]*payment.SettledRefund{"rfnd_1": refund},
	}
	for name, tc := range map[string]struct {
		line   Line
		want   *settled
		refund *payment.SettledRefund
	}{
		"nothing":                    {Line{}, nil, nil},
		"unknown names":              {Line{TransactionID: "x", GatewayPaymentID: "y", RefundID: "z"}, nil, nil},
		"our transaction":            {Line{TransactionID: "FP1", GatewayPaymentID: "pay_2", RefundID: "disp_3"}, one, nil},
		"the gateway's payment":      {Line{TransactionID: "x", GatewayPaymentID: "pay_2", RefundID: "disp_3"}, two, nil},
		"the dispute":                {Line{RefundID: "disp_3"}, three, nil},
		"our refund":                 {Line{TransactionID: "FP1", RefundID: "rfnd_1"}, one, refund},
		"another's refund":           {Line{GatewayPaymentID: "pay_2", RefundID: "rfnd_1"}, two, nil},
		"a refund without a payment": {Line{RefundID: "rfnd_1"}, nil, nil},
	} {
		p, r := k.of(StoredLine{Line: tc.line})
		require.Same(t, tc.want, p, name)
		require.Same(t, tc.refund, r, name)
	}
}
