package subscription

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestDueOn_EachState_HasItsDay(t *testing.T) {
	t.Parallel()
	for state, want := range map[State]string{
		StateTrialing: "2026-12-02", StateActive: "2026-12-02", StateGrace: "2026-12-12", StateExpired: "2027-03-09", StateLapsed: "-",
	} {
		s := runs(t, state, "2026-11-02", "2026-12-02")
		s.GraceExtra = 3
		require.Equal(t, want, s.dueOn().String(), state)
		if due := s.dueOn(); due != 0 {
			require.False(t, s.overdue(due-1), "%s on the day before", state)
			require.True(t, s.overdue(due), "%s on its day", state)
			require.True(t, s.overdue(due+400), "%s a year later", state)
		}
	}
	require.False(t, runs(t, StateLapsed, "2026-11-02", "2026-12-02").overdue(on(t, "2099-01-01")), "nothing follows a lapse")
}

// An unrenewed plan's stages have their lengths by the calendar: between 23 February 2028 and the lapse lie a leap day, seven days of grace
// and ninety days.
func TestStages_UnrenewedPlan_LastTheirDays(t *testing.T) {
	t.Parallel()
	s := runs(t, StateActive, "2028-01-23", "2028-02-23")
	var stages []string
	for s.dueOn() != 0 {
		at := s.dueOn()
		next := afterTime()[s.State]
		require.NoError(t, states().Move(&s.State, next))
		if next == StateExpired {
			s.ExpiredOn = at
		}
		stages = append(stages, fmt.Sprintf("%s %s", at, next))
	}
	require.Equal(t, []string{"2028-02-23 grace", "2028-03-01 expired", "2028-05-30 lapsed"}, stages)
}

func TestRenewalOpen_EachDay(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		typ     plan.Type
		ahead   bool
		today   string
		isOpen  bool
		inGrace bool
	}{
		"a month, eight days before its last day":     {plan.TypeMonthly, false, "2026-11-23", false, false},
		"a month, seven days before its last day":     {plan.TypeMonthly, false, "2026-11-24", true, false},
		"a month, on its last day":                    {plan.TypeMonthly, false, "2026-12-01", true, false},
		"a year, 31 days before its last day":         {plan.TypeYearly, false, "2026-10-31", false, false},
		"a year, 30 days before its last day":         {plan.TypeYearly, false, "2026-11-01", true, false},
		"not twice for a month":                       {plan.TypeMonthly, true, "2026-12-01", false, false},
		"not twice for a year":                        {plan.TypeYearly, true, "2026-12-01", false, false},
		"over, and no sweep has seen it":              {plan.TypeMonthly, false, "2026-12-05", true, false},
		"in grace, however the plan was paid":         {plan.TypeYearly, false, "2026-12-03", true, true},
		"in grace on its last day, which is the 8th.": {plan.TypeMonthly, false, "2026-12-08", true, true},
	} {
		s := runs(t, StateActive, "2026-11-02", "2026-12-02")
		if tc.inGrace {
			s = runs(t, StateGrace, "2026-11-02", "2026-12-02")
		}
		s.Type = tc.typ
		if tc.ahead {
			s.PaidUntil += 31
		}
		require.Equal(t, tc.isOpen, s.CanRenew(on(t, tc.today)), name)
	}
	for _, state := range []State{StateExpired, StateLapsed} {
		require.True(t, runs(t, state, "2026-11-02", "2026-12-02").CanRenew(on(t, "2030-01-01")), state)
	}
}

// The text and the specification's number of each state.
func TestStateText_OfEachState(t *testing.T) {
	t.Parallel()
	ahead := runs(t, StateActive, "2026-11-02", "2026-12-02")
	ahead.PaidUntil = on(t, "2027-01-02")
	changing := runs(t, StateActive, "2026-11-02", "2026-12-02")
	changing.Next = &Change{ServiceID: "large", Type: plan.TypeMonthly}
	byTheYear := changing
	byTheYear.Next = &Change{ServiceID: "small", Type: plan.TypeYearly}
	same := changing
	same.Next = &Change{ServiceID: "small", Type: plan.TypeMonthly}
	later := ahead
	later.Next = changing.Next
	patient := runs(t, StateGrace, "2026-11-02", "2026-12-02")
	patient.GraceExtra = 20
	back := runs(t, StateExpired, "2026-11-02", "2026-11-20")
	back.Revoked = true
	for name, tc := range map[string]struct {
		sub     Subscription
		status  PaymentStatus
		expired string
		notice  string
		payBy   string
	}{
		"trial":             {runs(t, StateTrialing, "2026-11-02", "2026-11-16"), 4, "", "Your free trial ends on 15 Nov 2026.", "-"},
		"active":            {runs(t, StateActive, "2026-11-02", "2026-12-02"), 1, "", "", "2026-12-08"},
		"prepaid":           {ahead, 3, "", "", "2027-01-08"},
		"changing":          {changing, 1, "", "Your plan changes on 2 Dec 2026.", "2026-12-08"},
		"changing its type": {byTheYear, 1, "", "Your plan changes on 2 Dec 2026.", "2026-12-08"},
		"changing nothing":  {same, 1, "", "", "2026-12-08"},
		"changing later":    {later, 3, "", "Your plan changes on 2 Jan 2027.", "2027-01-08"},
		"grace":             {runs(t, StateGrace, "2026-11-02", "2026-12-02"), 2, "", "Your plan ended on 1 Dec 2026. Renew by 8 Dec 2026 to keep it.", "2026-12-08"},
		"more grace":        {patient, 2, "", "Your plan ended on 1 Dec 2026. Renew by 28 Dec 2026 to keep it.", "2026-12-28"},
		"expired":           {runs(t, StateExpired, "2026-11-02", "2026-12-02"), 5, "Plan Expired On: 1 Dec 2026", "", "-"},
		"lapsed":            {runs(t, StateLapsed, "2026-11-02", "2026-12-02"), 5, "Plan Expired On: 1 Dec 2026", "", "-"},
		"revoked":           {back, 5, "Your plan ended on 19 Nov 2026 with a refund", "", "-"},
	} {
		require.Equal(t, tc.status, tc.sub.PaymentStatus(), name)
		require.Equal(t, tc.expired, tc.sub.ExpiredMessage(), name)
		require.Equal(t, tc.notice, tc.sub.Notice(), name)
		require.Equal(t, tc.payBy, tc.sub.PayBy().String(), name)
		require.Equal(t, tc.sub.State.Ended(), !tc.sub.State.Usable(), "%s is either usable or over", name)
	}
}

// The pages about plans and the dashboard show the same end in the same colour.
func TestUrgency_OfEachState(t *testing.T) {
	t.Parallel()
	trial := runs(t, StateTrialing, "2026-11-02", "2026-11-16")
	for name, tc := range map[string]struct {
		sub   Subscription
		today string
		tone  Tone
	}{
		"trial":                  {trial, "2026-11-11", ToneInfo},
		"trial, three days left": {trial, "2026-11-12", ToneDanger},
		"trial, its last day":    {trial, "2026-11-15", ToneDanger},
		"active":                 {runs(t, StateActive, "2026-11-02", "2026-12-02"), "2026-12-01", ToneInfo},
		"grace":                  {runs(t, StateGrace, "2026-11-02", "2026-12-02"), "2026-12-03", ToneWarning},
		"expired":                {runs(t, StateExpired, "2026-11-02", "2026-12-02"), "2026-12-09", ToneDanger},
		"lapsed":                 {runs(t, StateLapsed, "2026-11-02", "2026-12-02"), "2027-12-09", ToneDanger},
	} {
		require.Equal(t, tc.tone, tc.sub.Tone(on(t, tc.today)), name)
	}
}

func TestBilled_OfEachType(t *testing.T) {
	t.Parallel()
	s := runs(t, StateActive, "2026-11-02", "2026-12-02")
	require.Equal(t, "monthly", s.Billed())
	s.Type = plan.TypeYearly
	require.Equal(t, "annually", s.Billed())
	require.Equal(t, "free trial", runs(t, StateTrialing, "2026-11-02", "2026-11-16").Billed())
}

func TestAddOnRefusal_OfEachState(t *testing.T) {
	t.Parallel()
	trialOver := runs(t, StateExpired, "2026-11-02", "2026-11-16")
	trialOver.Trial = true
	for name, tc := range map[string]struct {
		sub     Subscription
		code    string
		message string
	}{
		"active":    {runs(t, StateActive, "2026-11-02", "2026-12-02"), "", ""},
		"trial":     {runs(t, StateTrialing, "2026-11-02", "2026-11-16"), "plan_needed", ErrTrialAddOns.Message},
		"trialOver": {trialOver, "plan_needed", ErrTrialAddOns.Message},
		"grace":     {runs(t, StateGrace, "2026-11-02", "2026-12-02"), "plan_expired", "Your plan ended on 1 Dec 2026. Renew by 8 Dec 2026 to keep it. Please renew your plan."},
		"expired":   {runs(t, StateExpired, "2026-11-02", "2026-12-02"), "plan_expired", "Plan Expired On: 1 Dec 2026. Please renew your plan."},
		"lapsed":    {runs(t, StateLapsed, "2026-11-02", "2026-12-02"), "plan_expired", "Plan Expired On: 1 Dec 2026. Please renew your plan."},
	} {
		err := tc.sub.takesAddOns()
		if tc.code == "" {
			require.NoError(t, err, name)
			continue
		}
		require.Equal(t, tc.code, errs.As(err).Code, name)
		require.Equal(t, tc.message, errs.As(err).Message, name)
	}
	require.Equal(t, "Please renew your plan.", ErrPlanExpired.Message, "the shared failure is not written into")
}

// However late or early, a message goes out between nine and nine in India, and after less than half a day.
func TestUntilDaytime_AnyTime_IsWithinHalfADay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		now := time.Unix(rapid.Int64Range(1_700_000_000, 2_200_000_000).Draw(t, "now"), 0)
		wait := untilDaytime(now)
		sent := now.Add(wait).In(clock.IST)
		require.True(t, wait >= 0 && wait <= 12*time.Hour, "%s", wait)
		require.True(t, sent.Hour() >= 9 && sent.Hour() < 21, "%s", sent)
		if wait > 0 {
			require.Equal(t, "09:00:00", sent.Format(time.TimeOnly))
		}
	})
}

// Every text that a reminder can become fits one SMS, and names the last days of term and grace, not the days after them.
func TestReminderText_FitsOneSMSAndNamesTheLastDays(t *testing.T) {
	t.Parallel()
	code := strings.Repeat("c", payLinkLength)
	for name, tc := range map[string]struct {
		reminder reminder
		template string
		values   []string
	}{
		"before the end": {
			reminder{Days: 7, State: StateActive, PlanName: "Start up", RenewOn: on(t, "2028-03-01")},
			message.TemplateRenewalLink,
			[]string{"Start up", "29 Feb 2028", "Rs 1,59,300", code},
		},
		"on the last day": {
			reminder{State: StateActive, PlanName: "Growth", RenewOn: on(t, "2027-01-01")},
			message.TemplateRenewalLink,
			[]string{"Growth", "31 Dec 2026", "Rs 1,59,300", code},
		},
		"a trial": {
			reminder{Days: 1, Trial: true, State: StateTrialing, PlanName: "Start up", RenewOn: on(t, "2026-11-16")},
			message.TemplateTrialReminder,
			[]string{"15 Nov 2026"},
		},
		"a trial that ended": {
			reminder{Days: -1, Trial: true, State: StateExpired, PlanName: "Start up", RenewOn: on(t, "2026-11-16")},
			message.TemplateTrialEnded,
			[]string{"15 Nov 2026"},
		},
		"in grace": {
			reminder{Days: -1, State: StateGrace, PlanName: "Elite", RenewOn: on(t, "2026-12-02")},
			message.TemplateGraceLink,
			[]string{"Elite", "1 Dec 2026", "Rs 1,59,300", "8 Dec 2026", code},
		},
		"in grace that staff made longer": {
			reminder{Days: -12, State: StateGrace, PlanName: "Elite", RenewOn: on(t, "2026-12-02"), GraceExtra: 20},
			message.TemplateGraceLink,
			[]string{"Elite", "1 Dec 2026", "Rs 1,59,300", "28 Dec 2026", code},
		},
		"noted before the end and sent in grace": {
			reminder{Days: 0, State: StateGrace, PlanName: "Elite", RenewOn: on(t, "2026-12-02")},
			message.TemplateGraceLink,
			[]string{"Elite", "1 Dec 2026", "Rs 1,59,300", "8 Dec 2026", code},
		},
		"expired": {
			reminder{Days: -8, State: StateExpired, PlanName: "Pinnacle", RenewOn: on(t, "2026-12-02")},
			message.TemplateExpiredLink,
			[]string{"Pinnacle", "8 Dec 2026", "Rs 1,59,300", code},
		},
		"in grace already, while no sweep has run": {
			reminder{Days: -1, State: StateActive, PlanName: "Pinnacle", RenewOn: on(t, "2026-11-02")},
			message.TemplateGraceLink,
			[]string{"Pinnacle", "1 Nov 2026", "Rs 1,59,300", "8 Nov 2026", code},
		},
	} {
		m := told{reminder: tc.reminder, bill: &NextBill{Quote: Quote{Totals: invoice.Totals{Total: money.FromRupees(159_300)}}}, code: code}.sms(message.CustomerMessage{Template: message.TemplateRenewalReminder})
		require.Equal(t, tc.template, m.Template, name)
		require.Equal(t, tc.values, m.Values, name)
		m.ID, m.Mobile, m.ExpiresAt = "r", "9876543210", testkit.NewClock().Now().Add(time.Hour)
		sms := &oneText{}
		outbox := message.NewOutbox(message.OutboxOptions{
			SMS: sms, Site: message.Site{URL: "https://franchise360.example"}, Clock: testkit.NewClock(),
			Logger: testkit.NewSilentLogger(),
		})
		require.NoError(t, outbox.Send(t.Context(), justThis{&m}, "r"), name)
		require.LessOrEqual(t, len(sms.text), 160, "%s is one message: %s", name, sms.text)
		for _, v := range tc.values {
			require.Contains(t, sms.text, v, name)
		}
	}
}

type oneText struct{ text string }

func (o *oneText) Send(_ context.Context, m message.Message) error {
	o.text = m.Text
	return nil
}

// justThis is a source of one message.
type justThis struct{ m *message.Message }

func (j justThis) Waiting(context.Context, string) (*message.Message, error) { return j.m, nil }
func (justThis) MarkSent(context.Context, string) error                      { return nil }
func (justThis) MarkFailed(context.Context, string, string) error            { return nil }

func TestOrder_TitleAndDescription(t *testing.T) {
	t.Parallel()
	o := Order{PlanName: "Start up", ServiceName: "Expansion", Type: plan.TypeYearly, Total: 1_59_300_00, Credits: []Credit{{}}}
	require.Equal(t, "Start up · Expansion", o.Title())
	for kind, want := range map[Kind]string{
		KindNew: "Start up - Expansion yearly", KindUpgrade: "Start up - Expansion yearly upgrade",
		KindRenewal: "Start up - Expansion yearly renewal", KindAddOn: "Start up - Expansion yearly add-ons",
	} {
		o.Kind = kind
		require.Equal(t, want, o.ProductInfo())
		for _, r := range o.ProductInfo() {
			require.True(t, r == ' ' || r == '-' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z', "the gateways sign plain letters: %q", r)
		}
	}
	require.Equal(t, o.Total, o.Payable(), "a credit of nothing takes nothing off")
	require.Equal(t, "growth apex upgrade yearly users extension", searchText(Quote{
		Kind: KindUpgrade, Type: plan.TypeYearly, Tier: plan.Tier{PlanName: "Growth", Name: "Apex"}, AddOns: []plan.AddOn{{Name: "Users extension"}},
	}))
}

func TestDay_RoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := Day(rapid.Int32Range(-20_000, 60_000).Filter(func(n int32) bool { return n != 0 }).Draw(t, "day"))
		text, err := d.MarshalText()
		require.NoError(t, err)
		var read, scanned Day
		require.NoError(t, read.UnmarshalText(text))
		require.Equal(t, d, read)
		value, err := d.Value()
		require.NoError(t, err)
		require.Equal(t, string(text), value)
		require.NoError(t, scanned.Scan(d.date()))
		require.Equal(t, d, scanned)
		require.Equal(t, d, DayOf(d.Start()))
		require.Equal(t, d, DayOf(d.Start().Add(24*time.Hour-time.Nanosecond)), "up to its last moment")
		require.Equal(t, d-1, DayOf(d.Start().Add(-time.Nanosecond)))
	})
	for _, wrong := range []string{"2026-02-29", "2026-13-01", "29 Feb 2028", "2026-11-02T00:00:00Z", "x"} {
		var d Day
		require.Error(t, d.UnmarshalText([]byte(wrong)), wrong)
	}
	var none Day
	require.NoError(t, none.UnmarshalText(nil))
	require.NoError(t, none.UnmarshalText([]byte("-")))
	require.Zero(t, none)
	require.NoError(t, none.Scan(nil))
	require.Error(t, none.Scan("2026-11-02"), "a column of another type")
	value, err := none.Value()
	require.NoError(t, err)
	require.Nil(t, value)
}
