package handler

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/account/team"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/history"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/transfer"
)

// One row holds an accountant's entry: the counting invoice, on its day in India, and its credit notes. An invoice to a wrong recipient and
// its cancelling note are in no row, because the corrected invoice replaces them.
func TestTaxCells_CountingInvoiceAndItsNotes_AreInOneRow(t *testing.T) {
	t.Parallel()
	midnight := time.Date(2026, 3, 31, 18, 30, 0, 0, time.UTC)
	replaced := history.Document{Kind: invoice.KindInvoice, Number: "FP/25-26/000009", ReplacedBy: "FP/26-27/000001", Taxable: 9, Total: 9}
	taken := history.Document{Kind: invoice.KindCreditNote, Number: "CN/26-27/000001", Correction: true, Taxable: 1_35_000_00, Tax: 24_300_00}
	bill := history.Document{
		Kind: invoice.KindInvoice, Number: "FP/26-27/000001", At: midnight, Name: "=Asha", GSTIN: "27AAPFU0939F1ZV", PlaceOfSupply: "27",
		Taxable: 1_35_000_00, Total: 1_59_300_00, Heads: invoice.Tax{CGST: 12_150_00, SGST: 12_150_00},
	}
	part := history.Document{Kind: invoice.KindCreditNote, Number: "CN/26-27/000002", Taxable: 10_000_00, Tax: 1_800_00}
	other := history.Document{Kind: invoice.KindCreditNote, Number: "CC/26-27/000001", Taxable: 500_00}
	voucher := history.Document{Kind: invoice.KindRefundVoucher, Number: "FV/26-27/000001", Taxable: 7, Tax: 7}
	b := history.Returned{Documents: []history.Document{replaced, taken, bill, part, other, voucher}}
	cells := taxCells(b)
	require.Len(t, cells, len(taxHeader()))
	require.Equal(t, []string{
		"FP/26-27/000001", "2026-04-01", "=Asha", "27AAPFU0939F1ZV", "27", "135000.00", "12150.00", "12150.00", "0.00", "0.00", "159300.00", "10500.00", "1800.00",
	}, cells, "midnight in India begins another financial year")
	require.Equal(t, "CN/26-27/000001; CN/26-27/000002; CC/26-27/000001; FV/26-27/000001", notesOf(b))
	require.Equal(t, []string{"", "", "", "", "", "0.00", "0.00", "0.00", "0.00", "0.00", "0.00", "0.00", "0.00"}, taxCells(history.Returned{}))
	require.Empty(t, notesOf(history.Returned{}))

	twice, returned, on := takenAgain(history.Returned{SecondCaptures: []history.SecondCapture{
		{Amount: 100, State: history.SecondCaptureReturned, DoneAt: midnight.Add(-time.Second)},
		{Amount: 20, State: history.SecondCaptureOnItsWay},
		{Amount: 3, State: history.SecondCaptureLookedAt},
		{Amount: 4000, State: history.SecondCaptureReturned, DoneAt: midnight},
	}})
	require.Equal(t, []any{money.Paise(4123), money.Paise(4100), "2026-03-31 23:59:59; 2026-04-01 00:00:00"}, []any{twice, returned, on})
}

// The words and the nulls of a row say the same as the page.
func TestPaymentRow_HasTheWordsOfThePage(t *testing.T) {
	t.Parallel()
	row := history.Row{Payment: payment.Payment{State: payment.StateFailed, Reason: "You cancelled the payment."}}
	require.Equal(t, row.Cancelled(), stateOf(row) == "cancelled")
	row.Reason = "Declined."
	require.Equal(t, "failed", stateOf(row))
	row.State = payment.StatePaid
	require.Equal(t, "paid", stateOf(row))
	words := map[string]bool{}
	for status := subscription.PaymentUnpaid; status <= subscription.PaymentExpired; status++ {
		word := paymentStatusWord(status)
		require.NotEmpty(t, word, int(status))
		require.False(t, words[word], word)
		words[word] = true
	}
	require.Equal(t, []string{"unpaid", "paid", "free trial"}, []string{paymentStatusWord(0), paymentStatusWord(1), paymentStatusWord(4)})

	a := paymentOf(row)
	require.Equal(t, "-", a.Slug)
	require.Nil(t, a.InvoiceTotal)
	require.Nil(t, a.CreditUsed)
	row.Returned = history.Returned{Applied: 1, Documents: []history.Document{{Kind: invoice.KindInvoice, Total: 1_59_300_00}}}
	a = paymentOf(row)
	require.Equal(t, []string{"₹1,59,300", "₹0.01"}, []string{*a.InvoiceTotal, *a.CreditUsed})
	require.Equal(t, []string{"a", "b"}, distinct([]string{"a", "b", "a", "a"}))
	require.Equal(t, []string{}, distinct(nil), "an empty list, not none")
	require.Equal(t, []string{}, listOf(nil))
}

// The refunded amount is the amount that the bank returned; the tax that the customer deducted was never received.
func TestPaymentRow_Refund_ExcludesDeductedTax(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	a := backOf(history.Returned{Captured: 1_45_800_00, Done: 1_59_300_00, Withheld: 13_500_00, Going: 1, Owed: 2, DoneAt: at, Channel: "gateway", Arrives: "5 to 7 days"})
	require.Equal(t, []string{"₹1,45,800", "145800", "₹0.01", "₹0.02"}, []string{a.Refunded, a.RefundedValue.String(), a.Refunding, a.Owed})
	require.Equal(t, history.BackFully, a.RefundState)
	require.Equal(t, &at, a.RefundedAt)
	require.Equal(t, []string{"₹1,45,800", "gateway", "5 to 7 days"}, []string{*a.Captured, *a.RefundChannel, string(*a.RefundArrives)})
	none := backOf(history.Returned{})
	require.Nil(t, none.Captured)
	require.Nil(t, none.RefundedAt)
	require.Nil(t, none.RefundChannel)
	require.NotNil(t, none.Documents)
	require.NotNil(t, none.TakenAgain)
	again := backOf(history.Returned{SecondCaptures: []history.SecondCapture{{Amount: 150, At: at}, {Amount: 100, At: at, DoneAt: at.Add(time.Hour)}}}).TakenAgain
	require.Nil(t, again[0].ReturnedAt)
	require.Equal(t, at.Add(time.Hour), *again[1].ReturnedAt)
	require.Equal(t, "1.5", again[0].AmountValue.String())
}

// Income tax is deducted from the value before GST: 1%, 2% and 10% of 1,35,000 are 1,350, 2,700 and 13,500. Only what leaves something to
// transfer is offered, and nothing of a bill that is paid.
func TestProformaView_TransferAmount_AtEachTDSRate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state     transfer.State
		received  money.Paise
		rest      string
		transfers []string
	}{
		"open":                    {transfer.StateOpen, 0, "159300.00", []string{"₹1,57,950", "₹1,56,600", "₹1,45,800"}},
		"in part":                 {transfer.StateOpen, 1_50_000_00, "9300.00", []string{"₹7,950", "₹6,600"}},
		"the rest is a deduction": {transfer.StateOpen, 1_57_950_00, "1350.00", nil},
		"a paisa more":            {transfer.StateOpen, 1_57_949_99, "1350.01", []string{"₹0.01"}},
		"expired":                 {transfer.StateExpired, 0, "159300.00", []string{"₹1,57,950", "₹1,56,600", "₹1,45,800"}},
		"paid, tax deducted":      {transfer.StatePaid, 1_57_950_00, "0.00", nil},
	} {
		p := transfer.Proforma{State: c.state, Amount: 1_59_300_00, Taxable: 1_35_000_00, Received: c.received}
		v := transferViewOf(p)
		require.Equal(t, c.rest, v.ExactRest, name)
		var transfers []string
		for _, d := range v.Deductibles {
			transfers = append(transfers, d.Transfer)
		}
		require.Equal(t, c.transfers, transfers, name)
		require.NotNil(t, v.Deductibles, name)
		require.Nil(t, v.PaidAt)
		require.Equal(t, c.state != transfer.StatePaid && c.received == 0, v.Cancellable, name)
	}
	at := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	v := transferViewOf(transfer.Proforma{State: transfer.StatePaid, PaidAt: at, VirtualID: "va_1", ObjectKey: "proformas/1.pdf"})
	require.Equal(t, &at, v.PaidAt)
	require.True(t, v.Virtual && v.Printed)
}

// An invitation is over at the moment at which it expires, whatever became of its SMS.
func TestInvitationState_FollowsItsSMSUntilItExpires(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 26, 10, 0, 0, 0, time.UTC)
	h := &Teams{clock: clock.NewFake(now)}
	later, sent := now.Add(time.Nanosecond), now.Add(-time.Hour)
	for name, c := range map[string]struct {
		m    team.Member
		want string
	}{
		"waiting":               {team.Member{State: team.MemberInvited, ExpiresAt: &later}, "waiting"},
		"sent":                  {team.Member{State: team.MemberInvited, ExpiresAt: &later, SentAt: &sent}, "sent"},
		"sent after a failure":  {team.Member{State: team.MemberInvited, ExpiresAt: &later, SentAt: &sent, SendError: "x"}, "sent"},
		"failed":                {team.Member{State: team.MemberInvited, ExpiresAt: &later, SendError: "x"}, "failed"},
		"expires now":           {team.Member{State: team.MemberInvited, ExpiresAt: &now, SentAt: &sent}, "expired"},
		"accepted":              {team.Member{State: team.MemberActive, ExpiresAt: &now}, ""},
		"without an invitation": {team.Member{State: team.MemberInvited}, ""},
	} {
		a := h.memberOf(c.m)
		if c.want == "" {
			require.Nil(t, a.Invitation, name)
			continue
		}
		require.Equal(t, c.want, a.Invitation.State, name)
	}
}

func TestDashboardViews_AddOnAndErasure(t *testing.T) {
	t.Parallel()
	day := subscription.DayOf(time.Date(2028, 2, 29, 19, 0, 0, 0, time.UTC)) // 1 March in India
	rows := ownedOf([]subscription.AddOn{
		{ID: "1", Key: plan.KeyFranchiseExtension, Name: "Franchise extension", Limit: 10, Term: 1_08_000_00, PaidUntil: day, Renews: true}, {ID: "2", Key: "own", Name: "Loyalty", PaidUntil: day},
	})
	require.Equal(t, "2028-02-29", rows[0].EndsOn.String(), "the last day that is paid for")
	require.Equal(t, []any{1, i18n.Sentence("10 more franchises"), "₹1,08,000", 10}, []any{rows[0].Status, rows[0].Desc, rows[0].Amount, rows[0].Count})
	require.Equal(t, []any{0, i18n.Sentence("Loyalty")}, []any{rows[1].Status, rows[1].Desc})
	require.NotNil(t, ownedOf(nil))

	none := erasureOf(erasure.Status{})
	require.Equal(t, []any{"none", 7}, []any{none.State, none.DelayDays})
	require.Nil(t, none.Owed)
	require.Nil(t, none.EraseOn)
	require.NotEmpty(t, none.Kept)
	asked := time.Date(2026, 11, 26, 20, 0, 0, 0, time.UTC)
	pending := erasureOf(erasure.Status{Pending: &account.Erasure{RequestedAt: asked.In(clock.IST), On: asked.AddDate(0, 0, 7).In(clock.IST)}, Owed: 1})
	require.Equal(t, []any{"scheduled", "2026-12-04", "₹0.01", asked}, []any{pending.State, *pending.EraseOn, *pending.Owed, *pending.RequestedAt}, "the day in India")
	require.Equal(t, "2026-11", monthText(subscription.DayOf(asked)))
}

func TestPlaceOf_HasTheSpecificationsForm(t *testing.T) {
	t.Parallel()
	a := placeOf(address.FoundPlace{
		Place:   address.Place{Formatted: "Camp", PostalCode: "411001", Locality: "Pune", State: "Maharashtra", Country: "India", Latitude: 18.5, Longitude: 73.8},
		StateID: "27",
	})
	require.Equal(t, []componentAnswer{
		{[]string{"postal_code"}, "411001"}, {[]string{"locality"}, "Pune"}, {[]string{"administrative_area_level_1"}, "Maharashtra"}, {[]string{"country"}, "India"},
	}, a.Components, "what is not known is left out")
	require.Equal(t, []float64{18.5, 73.8}, []float64{a.Geometry.Location.Lat, a.Geometry.Location.Lng})
	require.Equal(t, "27", *a.StateID)
	require.Nil(t, a.CityID)
	require.NotNil(t, placeOf(address.FoundPlace{}).Components)

	byHand := addressOf(address.Address{City: "Lonavala", GSTIN: ""})
	require.Equal(t, []string{"Lonavala", "Lonavala"}, []string{byHand.CityID, byHand.City}, "as it was sent")
	require.Nil(t, byHand.GSTIN)
	require.Equal(t, "7", addressOf(address.Address{CityID: "7", City: "Pune"}).CityID)
	gstin := typedGSTIN("27AAPFU0939F1ZV")
	in := addressFields{Address: "a", Street: "b", Landmark: "c", CountryID: "d", StateID: "e", CityID: "f", Zipcode: "g", Location: "h", GSTIN: &gstin}.input()
	require.Equal(t, address.SaveInput{Address: "a", Street: "b", Landmark: "c", CountryID: "d", StateID: "e", CityID: "f", Zipcode: "g", Location: "h", GSTIN: string(gstin)}, in)
}

func TestPlanSelection_MissingField_IsRefused(t *testing.T) {
	t.Parallel()
	text, none, some := "yearly", []string{}, []string{"a"}
	for name, c := range map[string]struct {
		in      planSelection
		missing []string
	}{
		"whole":          {planSelection{&text, &text, &some}, nil},
		"without extras": {planSelection{&text, &text, &none}, nil},
		"no list":        {planSelection{&text, &text, nil}, []string{"add_ons_service_id"}},
		"nothing":        {planSelection{}, []string{"plan_type", "plan_services_id", "add_ons_service_id"}},
	} {
		_, err := c.in.intent()
		if c.missing == nil {
			require.NoError(t, err, name)
			continue
		}
		for _, field := range c.missing {
			require.Contains(t, errs.As(err).Fields, field, name)
		}
		require.Len(t, errs.As(err).Fields, len(c.missing), name)
	}
	_, err := addOnSelection{}.intent()
	require.Len(t, errs.As(err).Fields, 2)
	intent, err := addOnSelection{SubscriptionID: "s", AddOnIDs: some}.intent()
	require.NoError(t, err)
	require.False(t, intent.Renew)
	_, err = renewSelection{}.intent()
	require.Contains(t, errs.As(err).Fields, "subscription_id")
	intent, err = renewSelection{SubscriptionID: "s"}.intent()
	require.NoError(t, err)
	require.True(t, intent.Renew)
	for total, refused := range map[money.Paise]bool{-1: true, 0: false, 1: false} {
		require.Equal(t, refused, checkTotal(&total) != nil, total)
	}
	require.NoError(t, checkTotal(nil), "who sends none takes the price as it is")
}

// The days of a filter are days in India, both of them within it.
func TestConsoleFilters_Days_AreInclusiveInIndia(t *testing.T) {
	t.Parallel()
	query := func(address string) *gin.Context {
		c, _ := asking(t, http.MethodGet, "/?"+address, "")
		return c
	}
	f, err := auditFilter(query("from=2026-11-26&to=2026-11-26&before=7&staff_id=s&action=a&customer_id=c"))
	require.NoError(t, err)
	require.Equal(t, staff.AuditFilter{
		StaffID: "s", Action: "a", FranchiserID: "c", Before: 7, From: time.Date(2026, 11, 26, 0, 0, 0, 0, clock.IST), To: time.Date(2026, 11, 27, 0, 0, 0, 0, clock.IST),
	}, f)
	_, err = auditFilter(query("from=26-11-2026&to=2026-02-29&before=0"))
	require.Len(t, errs.As(err).Fields, 3)
	for _, before := range []string{"-1", "x", "9223372036854775808", "1.5"} {
		_, err = auditFilter(query("before=" + before))
		require.Contains(t, errs.As(err).Fields, "before", before)
	}

	jobs, err := jobFilter(query("from=2026-11-26T05:30:00%2B05:30&seen=1700000000000000-7&state=discarded"))
	require.NoError(t, err)
	require.True(t, jobs.From.Equal(time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC)))
	require.Nil(t, jobs.To)
	require.Equal(t, int64(7), jobs.Seen.ID)
	_, err = jobFilter(query("from=2026-11-26&to=now"))
	require.Len(t, errs.As(err).Fields, 2)
	_, err = jobFilter(query("seen=x"))
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	for n, want := range map[int64]time.Duration{-5: -time.Second, 0: 0, 60: time.Minute, 1 << 62: 100 * 365 * 24 * time.Hour} {
		require.Equal(t, want, snooze(n))
	}

	for limit, want := range map[string]int{"": 30, "1": 1, "100": 100, "0": 0, "101": 0, "-1": 0, "x": 0} {
		q, err := timelineQuery(query("limit=" + limit + "&kind=code,payment&before=b"))
		require.Equal(t, want == 0, err != nil, limit)
		if err == nil {
			require.Equal(t, want, q.Limit)
			require.Len(t, q.Kinds, 2)
			require.Equal(t, "b", q.Before)
		}
	}
	today := subscription.DayOf(time.Date(2026, 11, 26, 0, 0, 0, 0, time.UTC))
	for text, want := range map[string]string{"": "2026-11-26", "2028-02-29": "2028-02-29", "2027-02-29": "", "-": "", "26.11.2026": "", "2026-11-26T00:00": ""} {
		day, ok := dayQuery(query("day="+text), "day", today)
		require.Equal(t, want != "", ok, text)
		if ok {
			require.Equal(t, want, day.String())
		}
	}
	for text, want := range map[string]any{"": false, "true": true, "false": false, "1": nil, "TRUE": nil, "yes": nil} {
		is, err := flag(query("mine="+text), "mine")
		require.Equal(t, want == nil, err != nil, text)
		if want != nil {
			require.Equal(t, want, is, text)
		}
	}
	tds, err := tdsQuery(query("quarter=4&late=true&state=claimed&tax_year=2026-27&kind=income"))
	require.NoError(t, err)
	require.Equal(t, transfer.TDSQuery{State: "claimed", TaxYear: "2026-27", Kind: "income", Quarter: 4, Late: true}, tds)
	for _, wrong := range []string{"quarter=0", "quarter=x", "quarter=-1", "late=1"} {
		_, err = tdsQuery(query(wrong))
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), wrong)
	}
	for address, field := range map[string]string{
		"table=b2b": "", "table=hsn_b2b&sac=997331&rate_bps=1800": "", "table=hsn_b2b": "table", "table=b2b&sac=997331": "table", "table=b2b&rate_bps=1800": "table", "table=x": "table", "": "table",
		"table=hsn_b2b&sac=997331&rate_bps=18%25": "rate_bps", "table=hsn_b2b&sac=997331&rate_bps=9999999999": "rate_bps",
	} {
		_, err := figure(query(address))
		if field == "" {
			require.NoError(t, err, address)
			continue
		}
		require.Contains(t, errs.As(err).Fields, field, address)
	}
	require.Contains(t, gstreturn.Tables(), gstreturn.Table("b2b"))
}

// A path names a thing of ours or nothing: what cannot be an id, a mobile or a month is not found.
func TestPathParameter_Invalid_IsNotFound(t *testing.T) {
	t.Parallel()
	with := func(name, value string) *gin.Context {
		c, _ := asking(t, http.MethodGet, "/", "")
		c.Params = gin.Params{{Key: name, Value: value}}
		return c
	}
	const one = "019AE0C2-9F00-7A11-8F00-4B1D2C3E4F50"
	id, err := ParamID(with("id", one), "id")
	require.NoError(t, err)
	require.Equal(t, strings.ToLower(one), id)
	for _, wrong := range []string{"", "1", one[:35], one + "0", strings.Replace(one, "-", "", 1), "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f5g", "../x"} {
		_, err := ParamID(with("id", wrong), "id")
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), wrong)
	}
	for mobile, want := range map[string]bool{"9876543210": true, "6000000000": true, "5999999999": false, "987654321": false, "98765432100": false, "+919876543210": false, "98765४३२१०": false, "": false} {
		_, err := paramMobile(with("mobile", mobile))
		require.Equal(t, want, err == nil, mobile)
	}
	for month, want := range map[string]bool{"2026-11": true, "2026-13": false, "2026-1": false, "11-2026": false, "": false, "2026-11-26": false} {
		_, err := monthOfPath(with("month", month))
		require.Equal(t, want, err == nil, month)
	}
}

// A line of the trail is a row of a sheet, without formulas, or an object; what cannot be written ends the file.
func TestAuditExport_CSVAndJSONLines(t *testing.T) {
	t.Parallel()
	customer := "c"
	record := viewOfRecord(staff.Record{
		Action:   staff.Action{ID: "1", At: time.Date(2026, 11, 26, 5, 30, 0, 0, clock.IST), StaffID: "s", StaffName: "@asha", Action: "unlock", Target: "-x", Reason: "=1+1", FranchiserRef: &customer},
		Sequence: 7, Previous: []byte{0xab}, Hash: []byte{0x01, 0xff},
	})
	var sheet, lines strings.Builder
	for format, out := range map[string]*strings.Builder{"csv": &sheet, "jsonl": &lines} {
		write, flush := recordWriter(out, format)
		for range 2 {
			require.NoError(t, write(record))
		}
		require.NoError(t, flush())
	}
	rows := strings.Split(strings.TrimSpace(sheet.String()), "\n")
	require.Len(t, rows, 3, "one head")
	require.Equal(t, "7,1,2026-11-26T00:00:00Z,s,'@asha,unlock,'-x,c,'=1+1,,,,ab,01ff", rows[1])
	require.Len(t, strings.Split(strings.TrimSpace(lines.String()), "\n"), 2)
	require.Contains(t, lines.String(), `"hash":"01ff"`)
	write, flush := recordWriter(broken{}, "csv")
	_ = write(record)
	require.Error(t, flush())
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

// The list of plans is cached compressed. A client that refuses an encoding gets another, or none.
func TestPlanPage_RefusedEncoding_IsNotSent(t *testing.T) {
	t.Parallel()
	p := &planPage{plain: []byte("plain"), gzip: []byte("in gzip"), zstd: []byte("in zstd")}
	for accepted, want := range map[string][2]string{
		"": {"plain", ""}, "identity": {"plain", ""}, "br": {"plain", ""}, "gzip": {"in gzip", "gzip"}, "gzip, deflate, br, zstd": {"in zstd", "zstd"},
		"zstd;q=0, gzip": {"in gzip", "gzip"}, "gzip;q=0, zstd;q=0": {"plain", ""}, "GZIP;q=0.5": {"in gzip", "gzip"}, "x-gzip": {"plain", ""},
	} {
		body, encoding := p.encoded(accepted)
		require.Equal(t, want, [2]string{string(body), encoding}, accepted)
	}
}

func TestAddressFields_EveryText_ReachesServiceAndAnswer(t *testing.T) {
	t.Parallel()
	var fields addressFields
	filled := reflect.ValueOf(&fields).Elem()
	for i := range filled.NumField() {
		field := filled.Field(i)
		if field.Kind() == reflect.Pointer && field.Type().Elem().Kind() == reflect.String {
			field.Set(reflect.New(field.Type().Elem()))
			field = field.Elem()
		}
		if field.Kind() == reflect.String {
			field.SetString(filled.Type().Field(i).Name)
		}
	}
	in := fields.input()
	stored := address.Address{}
	for i := range filled.NumField() {
		name := filled.Type().Field(i).Name
		if text := reflect.ValueOf(in).FieldByName(name); text.Kind() == reflect.String {
			require.Equal(t, name, text.String(), "the input's %s", name)
			reflect.ValueOf(&stored).Elem().FieldByName(name).SetString(name)
		}
	}
	require.Equal(t, fields, addressOf(stored).addressFields)
}
