package delivery_test

import (
	"context"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/delivery"
	"github.com/franchise360/franchise360/pkg/payment/reversal"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/staff/approval"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/story"
)

func (b *bundle) desk() *delivery.Desk {
	return delivery.NewDesk(b.DB.API, b.Clock, staff.NewRecorder(b.Clock), plan.LateCredit{Week: 100, Most: 1000})
}

func TestDesk_Change_IsRecordedAndOldRevisionIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	manager := b.items(b.Buyer)["Dedicated account manager"]
	ravi := b.Ravi.StaffID
	require.NoError(t, desk.Assign(ctx, b.Asha, b.Buyer, manager.ID, 1, &ravi))
	require.ErrorContains(t, desk.Change(ctx, b.Asha, b.Buyer, manager.ID, 1, delivery.Change{State: delivery.StateInProgress, Reason: "begun"}), "changed meanwhile")
	nobody := id.New()
	require.Contains(t, errs.As(desk.Assign(ctx, b.Asha, b.Buyer, manager.ID, 2, &nobody)).Fields, "staff_id")
	require.Contains(t, errs.As(desk.Change(ctx, b.Asha, b.Buyer, manager.ID, 2, delivery.Change{State: delivery.StateInProgress})).Fields, "reason")
	require.NoError(t, desk.Change(ctx, b.Asha, b.Buyer, manager.ID, 2, delivery.Change{
		State: delivery.StateDelivered, Proof: "Ravi called on 3 November.", Reason: "first call",
	}))
	got := b.items(b.Buyer)["Dedicated account manager"]
	require.Equal(t, "delivered Ravi called on 3 November. ravi", string(got.State)+" "+got.Proof+" "+got.Staff)
	o, err := desk.Open(ctx, b.Buyer, manager.ID)
	require.NoError(t, err)
	kinds := []string{}
	for _, e := range o.Events {
		kinds = append(kinds, e.Kind+" "+e.Note)
	}
	require.Equal(t, []string{"moved first call", "assigned ravi", "begun "}, kinds)
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM staff_actions WHERE target = $1`, "delivery:"+manager.ID))
	_, err = desk.Open(ctx, b.Franchiser("27"), manager.ID)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestDesk_List_FiltersLateOpenAndAssigned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.Franchiser("27")
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	b.Pay(other, story.Buy(b.Tier(0, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	names := func(f delivery.Filter) []string {
		t.Helper()
		rows, total, err := desk.List(ctx, b.Asha, f, 100, 0)
		require.NoError(t, err)
		require.Len(t, rows, total)
		list := []string{}
		for _, r := range rows {
			require.NotEmpty(t, r.Customer)
			list = append(list, r.Name)
		}
		return list
	}
	require.Empty(t, names(delivery.Filter{State: delivery.FilterLate}))
	require.Len(t, names(delivery.Filter{State: delivery.FilterOpen, CustomerID: other}), 7)
	require.Len(t, names(delivery.Filter{CustomerID: other}), 8)
	b.Pass(5 * 24 * time.Hour)
	require.Equal(t, []string{"Priority support", "Dedicated account manager"}, names(delivery.Filter{State: delivery.FilterLate}),
		"what waits for the customer is not late")
	require.NoError(t, postgres.InTx(t.Context(), b.DB.Worker, func(tx *sqlx.Tx) error {
		late, err := delivery.CountLateTx(t.Context(), tx, b.Clock.Now())
		require.Equal(t, 2, late)
		return err
	}))
	manager := b.items(b.Buyer)["Dedicated account manager"]
	require.NoError(t, desk.Assign(ctx, b.Asha, b.Buyer, manager.ID, 1, &b.Asha.StaffID))
	require.Equal(t, []string{"Dedicated account manager"}, names(delivery.Filter{Owner: "me"}))
	require.NotContains(t, names(delivery.Filter{Owner: "nobody"}), "Dedicated account manager")
	require.Equal(t, []string{"Custom domain", "Custom domain"}, names(delivery.Filter{Search: "DOMAIN", How: "product"}))
	rows, total, err := desk.List(ctx, b.Asha, delivery.Filter{}, 3, 3)
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, 23, total)
	_, _, err = desk.List(t.Context(), b.Asha, delivery.Filter{}, 3, 0)
	require.Error(t, err, "only staff with a session see every customer")
}

func TestDesk_Check_RecordsDoneStepsAndRefusesOthers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	manager := b.items(b.Buyer)["Dedicated account manager"]
	require.Equal(t, []string{"Choose the colleague", "Make the first call"}, manager.Steps())
	require.Contains(t, errs.As(desk.Check(ctx, b.Asha, b.Buyer, manager.ID, 1, []string{"Sing"})).Fields, "steps")
	require.NoError(t, desk.Check(ctx, b.Asha, b.Buyer, manager.ID, 1, []string{"Make the first call"}))
	require.Equal(t, []string{"Make the first call"}, []string(b.items(b.Buyer)["Dedicated account manager"].DoneSteps))
	require.Equal(t, errs.KindConflict, errs.KindOf(desk.Check(ctx, b.Asha, b.Buyer, manager.ID, 1, nil)), "an old revision")
	require.Equal(t, "1 of 2 steps", b.Text(`SELECT note FROM delivery_events WHERE kind = 'checked'`))
}

func TestDesk_LateDelivery_HasCreditOncePerPromisedDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	credit := func(d *delivery.Desk, item string) *delivery.Credit {
		t.Helper()
		o, err := d.Open(ctx, b.Buyer, b.items(b.Buyer)[item].ID) //nolint:contextcheck // the helpers use the test's context
		require.NoError(t, err)
		return o.Credit
	}
	require.Nil(t, credit(desk, "Dedicated account manager"), "not late")
	b.Pass(10 * 24 * time.Hour)
	off := delivery.NewDesk(b.DB.API, b.Clock, staff.NewRecorder(b.Clock), plan.LateCreditOf())
	require.Nil(t, credit(off, "Dedicated account manager"), "the operator gives none")
	require.Nil(t, credit(desk, "Custom domain"), "it waits for the customer")
	c := credit(desk, "Dedicated account manager")
	require.Equal(t, 2, c.Weeks)
	require.Equal(t, "Late delivery: Dedicated account manager, promised for 4 Nov 2026, 2 weeks", c.Printed)
	paid := b.Count(`SELECT amount_paise FROM payments WHERE id = $1`, c.PaymentID)
	require.EqualValues(t, paid*200/10_000, c.Amount)
	require.Zero(t, c.Given)
	_, err := b.DB.Owner.Exec(`UPDATE deliveries SET state = 'delivered', proof = 'Called.', delivered_at = $1 WHERE item = 'Dedicated account manager'`, b.Clock.Now())
	require.NoError(t, err)
	b.Pass(30 * 24 * time.Hour)
	require.Equal(t, c.Amount, credit(desk, "Dedicated account manager").Amount, "the delivery ends the lateness")
}

// Given credits for lateness, then each further week adds to what can be requested, nothing is credited twice, and all features of the plan
// share the rule's limit.
func TestDesk_LateCredits_AddUpToTheLimitOfTheLine(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, ctx := b.desk(), b.Asha.Sign(t.Context())
	credit := func(item string) delivery.Credit {
		t.Helper()
		o, err := desk.Open(ctx, b.Buyer, b.items(b.Buyer)[item].ID) //nolint:contextcheck // the helpers use the test's context
		require.NoError(t, err)
		require.NotNil(t, o.Credit)
		return *o.Credit
	}
	request := func(c delivery.Credit) error {
		t.Helper()
		in := reversal.Input{
			FranchiserID: b.Buyer, PaymentID: c.PaymentID, Kind: reversal.KindRefund, Amount: c.Amount, KeepPlan: true,
			Reason: "it is late", PrintedReason: c.Printed, Key: id.New(),
		}
		asked, err := b.Reversals.Request(ctx, b.Asha, in)
		if err == nil && asked.State == approval.Waiting {
			_, err = b.Reversals.Approve(b.Ravi.Sign(t.Context()), b.Ravi, asked.ID, "it is late") //nolint:contextcheck // the helpers use the test's context
		}
		b.Work() //nolint:contextcheck // the helpers use the test's context
		return err
	}
	b.Pass(10 * 24 * time.Hour)
	first := credit("Dedicated account manager")
	require.NoError(t, request(first))
	after := credit("Dedicated account manager")
	require.Equal(t, []money.Paise{0, first.Amount}, []money.Paise{after.Amount, after.Given})
	require.Contains(t, errs.As(request(first)).Fields, "printed_reason", "a colleague asks for the same credit")
	b.Pass(7 * 24 * time.Hour)
	more := credit("Dedicated account manager")
	require.Equal(t, first.Amount/2, more.Amount, "the third week")
	require.NoError(t, request(more))
	b.Pass(300 * 24 * time.Hour)
	require.NoError(t, request(credit("Dedicated account manager")))
	require.Equal(t, r.Amount/10, credit("Dedicated account manager").Given, "the limit of the line")
	_, err := b.DB.Owner.Exec(`UPDATE deliveries SET state = 'in_progress', waiting_since = NULL WHERE item = 'Priority support'`)
	require.NoError(t, err)
	o, err := desk.Open(ctx, b.Buyer, b.items(b.Buyer)["Priority support"].ID)
	require.NoError(t, err)
	require.Nil(t, o.Credit, "nothing is left of the line's limit")
}

// requests lets staff request reversals with the credit for lateness of the test's desk.
func (b *bundle) requests() *reversal.Requests {
	b.T.Helper()
	jobs, err := queue.NewInserter(b.DB.API, testkit.NewLogger(b.T))
	require.NoError(b.T, err)
	return reversal.NewRequests(reversal.RequestsOptions{
		DB: b.DB.API, Jobs: jobs, Clock: b.Clock, Recorder: staff.NewRecorder(b.Clock), Gateways: b.API.Gateways, ApproveAbove: 1_000_000 * money.Rupee,
		OtherUnapproved: support.AloneTx, LateCredit: b.desk().CheckCreditTx,
	})
}

// Given a credit that is requested, approved or on its way at the gateway, then it counts as given, and no other wording of its reason gives
// more than the rule.
func TestDesk_LateCreditOnItsWay_CountsAsGiven(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, requests, ctx := b.desk(), b.requests(), b.Asha.Sign(t.Context())
	b.Pass(10 * 24 * time.Hour)
	credit := func(item string) delivery.Credit {
		t.Helper()
		o, err := desk.Open(ctx, b.Buyer, b.items(b.Buyer)[item].ID) //nolint:contextcheck // the helpers use the test's context
		require.NoError(t, err)
		require.NotNil(t, o.Credit)
		return *o.Credit
	}
	request := func(c delivery.Credit, printed string, amount money.Paise) error {
		_, err := requests.Request(ctx, b.Asha, reversal.Input{
			FranchiserID: b.Buyer, PaymentID: c.PaymentID, Kind: reversal.KindRefund, Amount: amount, All: amount == 0, KeepPlan: true,
			Reason: "it is late", PrintedReason: printed, Key: id.New(),
		})
		return err
	}
	const item = "Dedicated account manager"
	b.Gateway.AcceptsNoRefund = true
	first := credit(item)
	require.NoError(t, request(first, first.Printed, first.Amount))
	require.Equal(t, []money.Paise{0, first.Amount}, []money.Paise{credit(item).Amount, credit(item).Given}, "the request is unfinished")
	b.Work()
	require.Equal(t, "requested", b.Text(`SELECT state FROM refunds`), "the gateway makes it wait")
	require.Equal(t, []money.Paise{0, first.Amount}, []money.Paise{credit(item).Amount, credit(item).Given}, "it is on its way")
	for name, printed := range map[string]string{
		"the same": first.Printed, "a suffix": first.Printed + " (corrected)", "another day": strings.Replace(first.Printed, "4 Nov", "3 Nov", 1),
		"another delivery": "Late delivery: Something else", "capitals": strings.ToUpper(first.Printed), "no delivery": "late  delivery",
	} {
		for _, amount := range []money.Paise{first.Amount - 1, 0} {
			require.Equal(t, errs.KindInvalid, errs.KindOf(request(first, printed, amount)), "%s %d", name, amount)
		}
	}
	b.Pass(7 * 24 * time.Hour)
	more := credit(item)
	require.Equal(t, first.Amount/2, more.Amount, "the third week")
	require.Contains(t, errs.As(request(more, more.Printed, more.Amount+1)).Fields, "amount")

	var done atomic.Int32
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			if request(more, more.Printed+strings.Repeat("!", i), more.Amount) == nil {
				done.Add(1)
			}
			b.Work()
		})
	}
	all.Wait()
	require.EqualValues(t, 1, done.Load(), "colleagues at the same moment")
	require.NoError(t, request(more, "Goodwill of our team", 100), "other refunds have no such limit")
	b.Work()
	b.Gateway.AcceptsNoRefund = false
	b.Pass(24 * time.Hour)
	b.Work()
	require.EqualValues(t, first.Amount+more.Amount, b.Count(`SELECT sum(total_paise) FROM invoices WHERE reason LIKE 'Late delivery%'`))
	require.Equal(t, []money.Paise{0, first.Amount + more.Amount}, []money.Paise{credit(item).Amount, credit(item).Given})
	require.Less(t, credit(item).Given, r.Amount/10)
	b.Balanced()
}

// Given an upgrade after the lateness began, then the credit is the share of the line that promised the day, whose price the customer still has
// paid: the upgrade's set-off returned no money. It comes from the invoice of that line, or from the upgrade's if the set-off left too little.
func TestDesk_LateCreditAfterUpgrade_IsShareOfThePromisingLineAndRefundable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	desk, requests, ctx := b.desk(), b.requests(), b.Asha.Sign(t.Context())
	const item = "Dedicated account manager"
	credit := func() delivery.Credit {
		t.Helper()
		o, err := desk.Open(ctx, b.Buyer, b.items(b.Buyer)[item].ID) //nolint:contextcheck // the helpers use the test's context
		require.NoError(t, err)
		require.NotNil(t, o.Credit)
		return *o.Credit
	}
	request := func(c delivery.Credit) error {
		_, err := requests.Request(ctx, b.Asha, reversal.Input{
			FranchiserID: b.Buyer, PaymentID: c.PaymentID, Kind: reversal.KindRefund, Amount: c.Amount, KeepPlan: true,
			Reason: "it is late", PrintedReason: c.Printed, Key: id.New(),
		})
		b.Work() //nolint:contextcheck // the helpers use the test's context
		return err
	}
	week := first.Amount / 100
	b.Pass(10 * 24 * time.Hour)
	require.Equal(t, []any{b.PaymentOf(first), 2 * week}, []any{credit().PaymentID, credit().Amount})
	up := b.Pay(b.Buyer, story.Buy(b.Tier(3, 2), plan.TypeYearly))
	require.Equal(t, []any{b.PaymentOf(first), 2 * week}, []any{credit().PaymentID, credit().Amount}, "ten of 365 days are left of the invoice")
	require.NoError(t, request(credit()))
	require.Equal(t, []money.Paise{0, 2 * week}, []money.Paise{credit().Amount, credit().Given})

	b.Pass(14 * 24 * time.Hour)
	more := credit()
	require.Equal(t, []any{b.PaymentOf(up), 2 * week, 2 * week}, []any{more.PaymentID, more.Amount, more.Given}, "the invoice has less than that left")
	wrong := more
	wrong.PaymentID = b.PaymentOf(first)
	require.Error(t, request(wrong))
	require.NoError(t, request(more))
	require.Equal(t, []money.Paise{0, 4 * week}, []money.Paise{credit().Amount, credit().Given}, "nothing is credited twice")
	b.Pass(300 * 24 * time.Hour)
	require.NoError(t, request(credit()))
	require.Equal(t, []money.Paise{0, 10 * week}, []money.Paise{credit().Amount, credit().Given}, "the limit of the line")
	b.Balanced()
}

// Given other refunds, then the credit is no more than the gateway can still refund.
func TestDesk_LateCreditAfterOtherRefunds_IsWithinTheRest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	b.Pass(10 * 24 * time.Hour)
	b.KeepOrEnd(r, r.Amount-r.Amount/100, true)
	o, err := b.desk().Open(b.Asha.Sign(t.Context()), b.Buyer, b.items(b.Buyer)["Dedicated account manager"].ID)
	require.NoError(t, err)
	require.NotNil(t, o.Credit)
	require.Equal(t, r.Amount/100, o.Credit.Amount)
}

func TestDesk_LateCreditOfOneWeek_IsSingular(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	b.Pass(3 * 24 * time.Hour)
	o, err := b.desk().Open(b.Asha.Sign(t.Context()), b.Buyer, b.items(b.Buyer)["Dedicated account manager"].ID)
	require.NoError(t, err)
	require.NotNil(t, o.Credit)
	require.Equal(t, "Late delivery: Dedicated account manager, promised for 4 Nov 2026, 1 week", o.Credit.Printed)
}

// work returns the number of rows of that kind on the work list.
func (b *bundle) work(ctx context.Context, kind string) int {
	b.T.Helper()
	total := 0
	for _, s := range delivery.WorkSources() {
		if s.Kind != kind {
			continue
		}
		require.NoError(b.T, postgres.InTx(ctx, b.DB.API, func(tx *sqlx.Tx) error {
			items, n, err := s.Read(ctx, tx, b.Clock.Now(), 10)
			for _, item := range items {
				require.NotEmpty(b.T, item.Wrong+item.ToDo)
				require.Equal(b.T, item.Owner != "", item.OwnerID != "")
			}
			total = n
			return err
		}))
	}
	return total
}

func TestWork_ResponsibleColleague_SeesNextAndLateDeliveries(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.Pay(b.Buyer, story.Buy(b.Tier(2, 0), plan.TypeYearly))
	asha, ravi := b.Asha.Sign(t.Context()), b.Ravi.Sign(t.Context())
	manager := b.items(b.Buyer)["Dedicated account manager"]
	require.Equal(t, "nothing_needed", errs.As(b.ledger.Provide(t.Context(), b.Buyer, manager.ID, "Here.")).Code, "nothing was ever needed")
	require.Zero(t, manager.Provided())
	require.NoError(t, b.desk().Assign(asha, b.Asha, b.Buyer, manager.ID, 1, &b.Asha.StaffID))
	require.Equal(t, []int{1, 0}, []int{b.work(asha, "own_delivery"), b.work(ravi, "own_delivery")}, "it is promised within three days")
	b.Pass(5 * 24 * time.Hour)
	require.Equal(t, []int{0, 2}, []int{b.work(asha, "own_delivery"), b.work(asha, "late_delivery")})
}
