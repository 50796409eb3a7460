package lifetest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// pricing changes prices as two admins do.
type pricing struct {
	*postman

	changes *plan.Changes
	applier *plan.Applier
}

func (b *bundle) pricing() *pricing {
	return &pricing{
		postman: b.reminding(), applier: plan.NewApplier(b.DB.Worker, b.Clock),
		changes: plan.NewChanges(b.DB.API, testkit.NewInserter(b.T, b.DB.API), b.Clock, staff.NewRecorder(b.Clock), b.Plans),
	}
}

// approve changes the first tier's prices from a day on, with a yearly discount of ₹15,000, and returns the change.
func (p *pricing) approve(month, year money.Paise, from subscription.Day) string {
	p.T.Helper()
	asha, ravi := p.Asha.Sign(p.T.Context()), p.Ravi.Sign(p.T.Context())
	r, err := p.changes.Draft(asha, p.Asha, "")
	require.NoError(p.T, err)
	d := r.Content.Document
	d.Version = "from " + from.String()
	d.Plans[0].Services[0].MonthlyPaise, d.Plans[0].Services[0].YearlyPaise = month, year
	r, err = p.changes.Save(asha, p.Asha, r.ID, r.Edit, d)
	require.NoError(p.T, err)
	at, err := time.ParseInLocation(time.DateOnly, from.String(), clock.IST)
	require.NoError(p.T, err)
	r, err = p.changes.Propose(asha, p.Asha, r.ID, plan.Proposal{Edit: r.Edit, EffectiveFrom: at, Reason: "Costs rose"})
	require.NoError(p.T, err)
	_, err = p.changes.Decide(ravi, p.Ravi, r.ID, plan.Approve, "Agreed")
	require.NoError(p.T, err)
	return r.ID
}

// tell runs the sweep twice, and returns how many notices that made.
func (p *pricing) tell() (told int) {
	p.T.Helper()
	for range 2 {
		n, err := p.WorkerSubs.TellPrices(p.T.Context())
		require.NoError(p.T, err)
		told += n
	}
	return told
}

// notices returns a customer's price notices, in order, in rupees.
func (p *pricing) notices(franchiser string) string {
	p.T.Helper()
	return p.Text(`SELECT coalesce(string_agg(concat_ws(' ', renew_on, before_paise / 100, after_paise / 100), ', ' ORDER BY created_at, id), '')
		FROM price_notices WHERE franchiser_id = '` + franchiser + `'`)
}

// mail sends the waiting messages, and returns the texts of the SMS.
func (p *pricing) mail() string {
	p.T.Helper()
	var ids []string
	require.NoError(p.T, p.DB.Owner.Select(&ids, `SELECT id FROM customer_messages WHERE template LIKE 'price_change%' AND sent_at IS NULL AND send_error IS NULL ORDER BY id`))
	p.sms.sent, p.email.sent = nil, nil
	for _, one := range ids {
		require.NoError(p.T, p.outbox.Send(p.T.Context(), one))
	}
	texts := make([]string, 0, len(p.sms.sent))
	for _, m := range p.sms.sent {
		texts = append(texts, m.Text)
	}
	return strings.Join(texts, "\n")
}

// Given plans that renew in December and in November of the next year, when a new price is approved for the middle of December, then only
// customers who renew at it get a notice, 45 days before the renewal or on approval.
func TestPriceNotice_ApprovedPrice_IsSentFortyFiveDaysBeforeTheRenewal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	yearly, other, trial := b.Franchiser("29"), b.Franchiser("29"), b.Franchiser("29")
	p := b.pricing()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly)) // on 2 November 2026
	b.Pay(yearly, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	b.Pay(other, story.Buy(b.Tier(0, 1), plan.TypeMonthly))
	require.NoError(t, b.Trial(trial))
	require.Zero(t, p.tell(), "nothing changes")

	p.approve(money.FromRupees(13_000), money.FromRupees(1_55_000), subscription.DayOf(testkit.Start())+43) // 15 December
	require.Zero(t, p.tell(), "the renewal of 2 January is two months away, that of 2 December at the old price")
	b.Clock.Advance(15 * story.Day)
	require.Zero(t, p.tell())
	b.Clock.Advance(story.Day) // 18 November
	require.Equal(t, 1, p.tell())
	require.Equal(t, "2027-01-02 12500 13000", p.notices(b.Buyer), "45 days before the renewal after the next")
	require.Equal(t, "The price of your Franchise 360 plan Start up changes: its renewal on 2 Jan 2027 costs Rs 13,000 before GST, instead of Rs 12,500. "+
		"See it: "+site+"/subscription_list", p.mail())
	require.Len(t, p.email.sent, 1)
	require.Equal(t, "The price of your plan Start up changes", p.email.sent[0].Subject)
	list, _, err := message.NewCentre(b.DB.API, b.Clock, subscription.Notes()).List(t.Context(), b.Buyer, i18n.English, nil, 10)
	require.NoError(t, err)
	require.Equal(t, message.Note{
		Title: "The price of your plan Start up changes", Text: "Its renewal on 2 Jan 2027 costs ₹13,000 before GST, instead of ₹12,500.", Link: "/subscription_list",
	}, list[0].Note)

	b.Clock.Advance(10 * story.Day)
	b.Pay(b.Buyer, b.Renewal(b.Buyer)) // of 2 December, still at ₹12,500
	b.Live(20)
	applied, err := p.applier.Apply(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, applied)
	require.Zero(t, p.tell(), "who was told hears it once")
	b.Live(273) // 17 September 2027
	require.Zero(t, p.tell())
	b.Live(1)
	require.Equal(t, 1, p.tell(), "a year's plan long after the change, 45 days before its renewal")
	require.Equal(t, "2027-11-02 135000 140000", p.notices(yearly))
	require.Empty(t, p.notices(other), "whose tier costs what it cost")
	require.Empty(t, p.notices(trial))
}

// Given customers with a price notice, when the change is withdrawn, then they get a correction, and waiting notices are not sent.
func TestPriceNotice_ChangeWithdrawn_IsCorrected(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.pricing()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	change := p.approve(money.FromRupees(13_000), money.FromRupees(1_55_000), subscription.DayOf(testkit.Start())+10)
	require.Equal(t, 1, p.tell(), "the renewal of 2 December is 30 days away")
	_, err := p.changes.Decide(p.Asha.Sign(t.Context()), p.Asha, change, plan.Withdraw, "Not now")
	require.NoError(t, err)
	require.Equal(t, 1, p.tell())
	require.Equal(t, "2026-12-02 12500 13000, 2026-12-02 13000 12500", p.notices(b.Buyer))
	require.Contains(t, p.mail(), "costs Rs 12,500 before GST, instead of Rs 13,000.")
	require.Len(t, p.sms.sent, 1, "the first one was overtaken")

	p.approve(money.FromRupees(13_000), money.FromRupees(1_55_000), subscription.DayOf(testkit.Start())+10)
	require.Equal(t, 1, p.tell(), "and told again")
	b.Clock.Advance(26 * story.Day)
	_, err = p.applier.Apply(t.Context())
	require.NoError(t, err)
	b.Pay(b.Buyer, b.Renewal(b.Buyer))
	require.Empty(t, p.mail(), "of what is paid nobody is told")
	require.Zero(t, p.tell())
}

func TestPriceNotice_ConcurrentWorkers_IsSentOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.pricing()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Pay(b.Franchiser("27"), story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	p.approve(money.FromRupees(13_000), money.FromRupees(1_55_000), subscription.DayOf(testkit.Start())+10)
	var workers errgroup.Group
	for range 5 {
		workers.Go(func() error {
			_, err := b.WorkerSubs.TellPrices(t.Context())
			return err
		})
	}
	require.NoError(t, workers.Wait())
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM price_notices`))
	require.Equal(t, 4, b.Count(`SELECT count(*) FROM customer_messages WHERE template LIKE 'price_change%'`))
}

// Given plans whose prices no change concerns, when prices are looked at, then no subscription is: the function that reads them all is gone.
func TestPriceNotice_NoPriceDiffers_ReadsNoSubscriptions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.pricing()
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.DB.Owner.MustExec(`DROP FUNCTION due_price_notices`)
	require.Zero(t, p.tell())

	p.approve(money.FromRupees(13_000), money.FromRupees(1_55_000), subscription.DayOf(testkit.Start())+10)
	_, err := p.WorkerSubs.TellPrices(t.Context())
	require.ErrorContains(t, err, "due_price_notices", "a price that differs is looked for")
}

// Given a price from 15 December and renewals on 18 December, when a mandate fixes the price of its renewal on the 14th, then its customer
// gets the notice for the renewal after that. A customer who pays manually gets it for this renewal.
func TestPriceNotice_RenewalWhoseDebitIsFixedBefore_NamesTheFirstRenewalAtThePrice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	p := b.pricing()
	b.Live(16) // to 18 November 2026
	manual := b.Franchiser("29")
	b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	b.Pay(manual, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
	mandate := func(by bool, tried string) {
		b.DB.Owner.MustExec(`INSERT INTO debited_renewals (subscription_id, franchiser_id, by_mandate, fixed_days, tried_on)
			SELECT id, franchiser_id, $2, 4, NULLIF($3, '')::date FROM subscriptions WHERE franchiser_id = $1
			ON CONFLICT (subscription_id) DO UPDATE SET by_mandate = excluded.by_mandate, tried_on = excluded.tried_on`, b.Buyer, by, tried)
	}
	mandate(true, "")
	change := p.approve(money.FromRupees(13_000), money.FromRupees(1_55_000), subscription.DayOf(b.Clock.Now())+27) // 15 December
	require.Equal(t, 1, p.tell())
	require.Empty(t, p.notices(b.Buyer), "the debit is fixed on 14 December, at the old price")
	require.Equal(t, "2026-12-18 12500 13000", p.notices(manual))

	mandate(false, "")
	require.Equal(t, 1, p.tell(), "the mandate is stopped")
	require.Equal(t, "2026-12-18 12500 13000", p.notices(b.Buyer))
	mandate(true, "")
	require.Equal(t, 1, p.tell(), "another one is set up: what was told is taken back")
	require.Equal(t, "2026-12-18 12500 13000, 2026-12-18 13000 12500", p.notices(b.Buyer))

	b.Clock.Advance(12 * story.Day) // 30 November, 45 days before 14 January, when the debit of 18 January is fixed
	require.Equal(t, 1, p.tell(), "who pays manually has until 4 December")
	require.Equal(t, "2026-12-18 12500 13000, 2026-12-18 13000 12500, 2027-01-18 12500 13000", p.notices(b.Buyer))
	_, err := p.changes.Decide(p.Asha.Sign(t.Context()), p.Asha, change, plan.Withdraw, "Not now")
	require.NoError(t, err)
	require.Equal(t, 1, p.tell(), "only the manual payer was told of the next renewal")
	p.approve(money.FromRupees(13_000), money.FromRupees(1_55_000), subscription.DayOf(b.Clock.Now())+14) // 14 December
	require.Equal(t, 2, p.tell(), "the day on which the debit is fixed has the new price")
	require.Equal(t, "2026-12-18 12500 13000, 2026-12-18 13000 12500, 2027-01-18 12500 13000, 2026-12-18 12500 13000", p.notices(b.Buyer))
}

// Given a customer who was told of the price from 29 November for 2 December, when automatic renewal is set up less than seven days before,
// then its debit fixes the old price at once, and the customer gets a correction. A later price does not change it.
func TestPriceNotice_MandateSetUpAfterItsPriceIsFixed_IsCorrected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		day   int
		order bool
	}{"not announced": {25, false}, "debit announced": {25, true}, "the day before the price changes": {26, true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			p := b.pricing()
			b.Pay(b.Buyer, story.Buy(b.Tier(0, 0), plan.TypeMonthly))
			p.approve(money.FromRupees(13_000), money.FromRupees(1_55_000), subscription.DayOf(testkit.Start())+27)
			require.Equal(t, 1, p.tell())
			b.Clock.Advance(time.Duration(c.day) * story.Day)
			live := ""
			if c.order {
				b.Ask(b.Buyer, b.Renewal(b.Buyer))
				live = "2026-12-02"
			}
			b.DB.Owner.MustExec(`INSERT INTO debited_renewals (subscription_id, franchiser_id, by_mandate, fixed_days, live_on)
				SELECT id, franchiser_id, true, 7, NULLIF($2, '')::date FROM subscriptions WHERE franchiser_id = $1`, b.Buyer, live)
			require.Equal(t, 2, p.tell())
			require.Equal(t, "2026-12-02 12500 13000, 2026-12-02 13000 12500, 2027-01-02 12500 13000", p.notices(b.Buyer))
			if !c.order {
				return
			}
			b.Clock.Advance(time.Duration(27-c.day) * story.Day)
			applied, err := p.applier.Apply(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, applied)
			require.Zero(t, p.tell(), "the announced debit keeps its price")
		})
	}
}
