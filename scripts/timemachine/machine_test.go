package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/payment/checkout"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/world"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// fixture is a product with customers, and a machine.
type fixture struct {
	*machine

	db    *testkit.Database
	world *world.World
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	db := testkit.NewDatabase(t)
	w, err := world.New(t.Context(), world.Databases{Owner: db.Owner, API: db.API, Worker: db.Worker},
		time.Date(2026, time.April, 10, 11, 0, 0, 0, clock.IST), testkit.NewLogger(t))
	require.NoError(t, err)
	scratch, err := openServer(t.Context(), os.Getenv("TEST_DATABASE_URL"), strings.ReplaceAll(id.New(), "-", "")[20:])
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, scratch.close(context.WithoutCancel(t.Context()))) })
	return &fixture{db: db, world: w, machine: &machine{
		from: db.Owner, scratch: scratch, now: w.Clock.Now, logger: testkit.NewLogger(t),
		product: product{
			billing: app.BillingParts{
				Supplier:  invoice.Supplier{Name: "Franchise 360", Address: []string{"Mumbai"}, GSTIN: "27AAPFU0939F1ZV", StateCode: "27"},
				PublicURL: "https://shop.example", ApproveAbove: world.ApproveAbove, Providers: world.Providers(), Counts: payment.Uncounted{}, Email: true, Renewals: mandate.DefaultSettings(),
			},
			gateways: []string{world.GatewayName}, debiting: true, site: message.Site{Host: "shop.example", URL: "https://shop.example"},
		},
	}}
}

// customer buys the smallest plan for a month or a year, today.
func (f *fixture) customer(t *testing.T, typ plan.Type) string {
	t.Helper()
	who, err := f.world.Franchiser(t.Context(), "27")
	require.NoError(t, err)
	_, err = f.db.Owner.ExecContext(t.Context(), `UPDATE franchisers SET email_proved_at = created_at WHERE id = $1`, who)
	require.NoError(t, err)
	asked, err := f.world.API.Checkout.Request(t.Context(), who, checkout.Input{Intent: world.Buy(f.world.Catalogue.Plans[0].Tiers[0], typ), Key: "first-" + who})
	require.NoError(t, err)
	f.world.Gateway.Decide(asked.TransactionID, payment.StatusPaid, asked.Amount)
	_, err = f.world.API.Notices.Returned(t.Context(), f.world.Gateway.Notice(asked.TransactionID))
	require.NoError(t, err)
	require.NoError(t, f.world.Work(t.Context(), who))
	return who
}

func (f *fixture) look(t *testing.T, q timemachine.Question) []timemachine.Entry {
	t.Helper()
	a, err := f.live(t.Context(), q, func(int, int) {})
	require.NoError(t, err)
	require.Equal(t, timemachine.StateDone, a.State)
	for i := 1; i < len(a.Entries); i++ {
		require.False(t, a.Entries[i].At.Before(a.Entries[i-1].At), "in order of time")
	}
	return a.Entries
}

// days lists the days in India of the entries that are meant, with what each says.
func days(entries []timemachine.Entry, meant func(timemachine.Entry) string) (list []string) {
	for _, e := range entries {
		if what := meant(e); what != "" {
			list = append(list, e.At.In(clock.IST).Format(time.DateOnly)+" "+what)
		}
	}
	return list
}

func ofKind(kind timemachine.Kind) func(timemachine.Entry) string {
	return func(e timemachine.Entry) string {
		if e.Kind != kind {
			return ""
		}
		return e.Title
	}
}

// rowsOf returns a fingerprint of every row of a database.
func rowsOf(t *testing.T, db *testkit.Database) map[string]string {
	t.Helper()
	var tables []string
	require.NoError(t, db.Owner.Select(&tables, `SELECT quote_ident(relname) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`))
	all := map[string]string{}
	for _, table := range tables {
		var sum string
		require.NoError(t, db.Owner.Get(&sum, `SELECT count(*) || coalesce(md5(string_agg(t::text, ',' ORDER BY t::text)), '') FROM `+table+` t`))
		all[table] = sum
	}
	return all
}

func TestRun_YearlyCustomerOnTime_RemindsRenewsInvoices(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	who := f.customer(t, plan.TypeYearly)
	before := rowsOf(t, f.db)
	got := f.look(t, timemachine.Question{FranchiserID: who, Months: 13, Pays: timemachine.PaysOnTime})
	require.Equal(t, before, rowsOf(t, f.db), "no row of the real database changes")

	sms := days(got, func(e timemachine.Entry) string {
		if e.Channel != "sms" || !strings.Contains(e.Text, "/p/") {
			return ""
		}
		return "reminder"
	})
	// The term ends on 9 April 2027; reminders go 30, 15, 7, 3, 1 and 0 days before.
	require.Equal(t, []string{
		"2027-03-10 reminder", "2027-03-25 reminder", "2027-04-02 reminder", "2027-04-06 reminder", "2027-04-08 reminder", "2027-04-09 reminder",
	}, sms)
	mails := days(got, func(e timemachine.Entry) string {
		if e.Channel != "email" {
			return ""
		}
		return e.Title
	})
	require.GreaterOrEqual(t, len(mails), len(sms)+2, "e-mails remind too, and bring receipt and invoice: %v", mails)
	require.Equal(t, []string{"2027-04-09 Payment paid"}, days(got, ofKind(timemachine.KindPayment)))
	require.Equal(t, []string{"2027-04-09 Invoice"}, days(got, ofKind(timemachine.KindDocument)))
	require.Equal(t, []string{"2027-04-09 Order, renewal: " + f.title()}, days(got, ofKind(timemachine.KindOrder)))
	require.NotEmpty(t, days(got, ofKind(timemachine.KindState)))
	f.costs(t, got, timemachine.KindDocument, f.quote(t, who))
}

// title is the smallest plan, as orders name it.
func (f *fixture) title() string { return f.world.Catalogue.Plans[0].Tiers[0].Title() }

// quote is the real product's charge for the next term.
func (f *fixture) quote(t *testing.T, who string) money.Paise {
	t.Helper()
	bill, err := f.world.APISubs.NextBill(t.Context(), who)
	require.NoError(t, err)
	return bill.Payable()
}

func (f *fixture) costs(t *testing.T, got []timemachine.Entry, kind timemachine.Kind, want money.Paise) {
	t.Helper()
	for _, e := range got {
		if e.Kind == kind {
			require.NotNil(t, e.Amount)
			require.Equal(t, want, *e.Amount, e.Title)
		}
	}
}

func TestRun_MonthlyCustomerLate_RenewsInGrace(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	who := f.customer(t, plan.TypeMonthly)
	got := f.look(t, timemachine.Question{FranchiserID: who, Months: 13, Pays: timemachine.PaysLate})
	paid := days(got, ofKind(timemachine.KindPayment))
	require.Len(t, paid, 12)
	require.Equal(t, "2026-05-12 Payment paid", paid[0])
	require.Equal(t, "2027-04-12 Payment paid", paid[11])
	require.Len(t, days(got, ofKind(timemachine.KindDocument)), 12)
	grace := days(got, func(e timemachine.Entry) string {
		if e.Kind == timemachine.KindState && e.Status == string(subscription.StateGrace) {
			return "grace"
		}
		return ""
	})
	require.Equal(t, "2026-05-10 grace", grace[0])
	require.Len(t, grace, 13)
	f.costs(t, got, timemachine.KindDocument, f.quote(t, who))
}

func TestRun_CustomerNeverPays_LosesThePlan(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	who := f.customer(t, plan.TypeMonthly)
	got := f.look(t, timemachine.Question{FranchiserID: who, Months: 3, Pays: timemachine.PaysNever})
	require.Empty(t, days(got, ofKind(timemachine.KindPayment)))
	require.Empty(t, days(got, ofKind(timemachine.KindDocument)))
	var states []string
	for _, e := range got {
		if e.Kind == timemachine.KindState {
			states = append(states, e.Status)
		}
	}
	require.Equal(t, []string{"grace", "expired"}, states)
	texts := ""
	for _, e := range got {
		texts += e.Text
	}
	require.Contains(t, texts, "ended on 9 May 2026")
}

func TestRun_DraftPrices_ApplyFromTheirTime(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	who := f.customer(t, plan.TypeMonthly)
	now := f.quote(t, who)
	draft, err := plan.NewChanges(f.db.API, testkit.NewInserter(t, f.db.API), f.world.Clock, staff.NewRecorder(f.world.Clock), f.world.Plans).
		Draft(f.world.Asha.Sign(t.Context()), f.world.Asha, "")
	require.NoError(t, err)
	_, err = f.db.Owner.ExecContext(t.Context(), `UPDATE catalogue_changes SET content = regexp_replace(content::text, '"monthly_paise": [1-9]\d*', '"monthly_paise": 9900000', 'g')::jsonb
		WHERE id = $1`, draft.ID)
	require.NoError(t, err)
	q := timemachine.Question{FranchiserID: who, Months: 2, Pays: timemachine.PaysOnTime, ChangeID: draft.ID}
	got := f.look(t, q)
	require.Len(t, days(got, ofKind(timemachine.KindPrices)), 1)
	for _, e := range got {
		if e.Kind == timemachine.KindDocument {
			require.Greater(t, *e.Amount, now)
		}
	}
	require.Equal(t, []string{"2026-05-09 Invoice", "2026-06-09 Invoice"}, days(got, ofKind(timemachine.KindDocument)))
	require.Equal(t, now, f.quote(t, who), "the real prices stay")

	tx := f.db.Owner.MustBeginTx(t.Context(), nil)
	_, err = tx.ExecContext(t.Context(), `SET LOCAL session_replication_role = replica`)
	require.NoError(t, err)
	_, err = tx.ExecContext(t.Context(), `UPDATE catalogue_changes SET state = 'approved', effective_from = $2, reason = 'Costs rose', proposed_by = $3,
		proposed_at = drafted_at, approved_by = $4, approved_at = drafted_at, approval_reason = 'Agreed' WHERE id = $1`,
		draft.ID, time.Date(2026, time.May, 20, 0, 0, 0, 0, clock.IST), f.world.Asha.StaffID, f.world.Ravi.StaffID)
	require.NoError(t, err)
	require.NoError(t, tx.Commit())
	q.ChangeID = ""
	approved := f.look(t, q)
	require.Equal(t, []string{"2026-05-20 Other prices are sold"}, days(approved, ofKind(timemachine.KindPrices)), "what is approved is sold from its time on")
	var billed []bool
	for _, e := range approved {
		if e.Kind == timemachine.KindDocument {
			billed = append(billed, *e.Amount > now)
		}
	}
	require.Equal(t, []bool{false, true}, billed)

	q.ChangeID = id.New()
	_, err = f.live(t.Context(), q, func(int, int) {})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestRun_Mandate_IsDebitedAfterItsNotice(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	who := f.customer(t, plan.TypeMonthly)
	_, err := f.db.Owner.ExecContext(t.Context(), `INSERT INTO mandates (id, franchiser_id, subscription_id, gateway, method, state, transaction_id, provider_mandate_id,
			cap_paise, agreed_cap_paise, yearly, ends_on, agreed_ends_on, consent_version, consent_text, consented_at, plan_at, created_at, active_at)
		SELECT $1, s.franchiser_id, s.id, $2, 'upi', 'active', 'FPmandate1', 'M1', 100000000, 100000000, false, '2036-01-01', '2036-01-01', '1', 'I agree',
			s.created_at, s.created_at, s.created_at, s.created_at FROM subscriptions s WHERE s.franchiser_id = $3`, id.New(), world.GatewayName, who)
	require.NoError(t, err)
	got := f.look(t, timemachine.Question{FranchiserID: who, Months: 2, Pays: timemachine.PaysOnTime})
	debits := days(got, ofKind(timemachine.KindDebit))
	require.NotEmpty(t, debits)
	require.Contains(t, debits[0], "The bank announces a debit, attempt 1")
	require.Contains(t, debits[1], "Debit, attempt 1: paid")
	paid := days(got, ofKind(timemachine.KindPayment))
	require.NotEmpty(t, paid)
	for _, p := range paid {
		require.Contains(t, p, "Debit by mandate paid")
	}
	got = f.look(t, timemachine.Question{FranchiserID: who, Months: 2, Pays: timemachine.PaysNever})
	var told strings.Builder
	for _, e := range got {
		told.WriteString(e.Text + "\n")
	}
	require.Contains(t, told.String(), "there was not enough money", "the customer hears why, as at a real gateway")
}

// The copy's gateway does not know the real gateway's debits, so a copied debit ends and the story continues.
func TestUndecidedDebit_Copied_EndsAndTheCustomerPaysManually(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	who := f.customer(t, plan.TypeMonthly)
	f.world.Clock.Advance(25 * 24 * time.Hour)
	var subscriptionID string
	require.NoError(t, f.db.Owner.GetContext(t.Context(), &subscriptionID, `SELECT id FROM subscriptions WHERE franchiser_id = $1`, who))
	asked, err := f.world.API.Checkout.Request(t.Context(), who, checkout.Input{Intent: world.Renewal(subscriptionID)})
	require.NoError(t, err)
	now := f.world.Clock.Now()
	for _, q := range []string{
		`UPDATE payments SET by_mandate = true WHERE transaction_id = $1 AND $2::text <> '' AND $3::timestamptz IS NOT NULL AND $4::uuid IS NOT NULL`,
		`INSERT INTO mandates (id, franchiser_id, subscription_id, gateway, method, state, transaction_id, provider_mandate_id, cap_paise,
			agreed_cap_paise, yearly, ends_on, agreed_ends_on, consent_version, consent_text, consented_at, poll_at, plan_at, created_at, active_at)
			SELECT $4, p.franchiser_id, s.id, $2, 'upi', 'active', 'FPmandate2', 'M2', 100000000, 100000000, false, '2036-01-01', '2036-01-01', '1', 'I agree',
			$3, $3, $3, $3, $3 FROM payments p JOIN subscriptions s ON s.franchiser_id = p.franchiser_id WHERE p.transaction_id = $1`,
		`INSERT INTO mandate_debits (id, franchiser_id, mandate_id, subscription_id, renew_on, number, state, amount_paise, debit_at, next_at, order_id,
			notice_token, noticed_at, payment_id, asked_at, created_at)
			SELECT uuidv7(), p.franchiser_id, $4, s.id, s.renew_on, 1, 'asked', p.amount_paise, $3, $3, p.order_id, 'T2', $3::timestamptz - interval '2 days', p.id, $3, $3
			FROM payments p JOIN subscriptions s ON s.franchiser_id = p.franchiser_id WHERE p.transaction_id = $1 AND $2::text <> ''`,
	} {
		_, err := f.db.Owner.ExecContext(t.Context(), q, asked.TransactionID, world.GatewayName, now, "019ae0c2-9f00-7a11-8f00-4b1d2c3e50aa")
		require.NoError(t, err)
	}
	got := f.look(t, timemachine.Question{FranchiserID: who, Months: 2, Pays: timemachine.PaysOnTime})
	require.NotEmpty(t, days(got, ofKind(timemachine.KindDocument)), "the plan goes on")
	require.Equal(t, "asked", func() (state string) {
		require.NoError(t, f.db.Owner.GetContext(t.Context(), &state, `SELECT state FROM mandate_debits WHERE franchiser_id = $1`, who))
		return state
	}(), "the real one stays")
}

func TestRun_UnknownOrErasedCustomer_IsNotFound(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	_, err := f.live(t.Context(), timemachine.Question{FranchiserID: id.New(), Months: 1, Pays: timemachine.PaysNever}, func(int, int) {})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	f.leavesNothing(t)
}

// leavesNothing checks that the scratch databases are gone.
func (f *fixture) leavesNothing(t *testing.T) {
	t.Helper()
	var left []string
	require.NoError(t, f.scratch.admin.Select(&left, `SELECT datname FROM pg_database WHERE starts_with(datname, $1)`, f.scratch.owned))
	require.Equal(t, []string{f.scratch.template}, left)
}

func TestRun_TooLong_EndsAndDropsItsDatabase(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	q := timemachine.Question{FranchiserID: f.customer(t, plan.TypeMonthly), Months: 24, Pays: timemachine.PaysOnTime}
	require.NoError(t, f.scratch.prepare(t.Context()))
	all := newRuns(f.live, slog.New(slog.DiscardHandler))
	all.limit = 700 * time.Millisecond
	_, err := all.ask(t.Context(), t.Context(), q, time.Minute)
	require.ErrorIs(t, err, errTooLong)
	f.leavesNothing(t)
}

func TestRuns_TwoQuestions_RunInSequence(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	all := newRuns(f.live, slog.New(slog.DiscardHandler))
	const enough = 10 * time.Minute // for a busy machine
	all.limit = enough
	var both sync.WaitGroup
	for range 2 {
		who := f.customer(t, plan.TypeMonthly)
		both.Go(func() {
			a, err := all.ask(t.Context(), t.Context(), timemachine.Question{FranchiserID: who, Months: 1, Pays: timemachine.PaysOnTime}, enough)
			if err == nil && len(days(a.Entries, ofKind(timemachine.KindDocument))) != 1 {
				err = fmt.Errorf("one renewal is invoiced: %v", a.Entries)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	f.leavesNothing(t)
}
