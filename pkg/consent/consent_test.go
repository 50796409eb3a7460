package consent_test

import (
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/consent"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// bundle is the fixture of most tests.
type bundle struct {
	console.People

	clock     *clock.Fake
	views     *consent.Service
	customers *support.Customers
}

func setup(t *testing.T) bundle {
	t.Helper()
	b := bundle{clock: testkit.NewClock()}
	b.People = console.Hire(t, testkit.NewDatabase(t), b.clock)
	b.views = consent.NewService(b.DB.API, testkit.NewInserter(t, b.DB.API), b.clock, testkit.NewKeyring(t), b.Service)
	b.customers = support.NewCustomers(b.DB.API, b.clock, b.Service, nil)
	return b
}

// consent requests a view of the account and returns it with the code that the customer got.
func (b bundle) consent(t *testing.T, p staff.Principal, franchiserID string) (consent.View, string) {
	t.Helper()
	v, err := b.views.Ask(p.Sign(t.Context()), p, franchiserID, "She cannot find her invoice")
	require.NoError(t, err)
	box := &console.Texts{}
	outbox := message.NewStaffOutbox(b.DB.Worker, b.clock,
		message.NewOutbox(message.OutboxOptions{
			SMS: box, Site: message.Site{URL: "https://franchise360.example"}, Clock: b.clock, Logger: testkit.NewLogger(t),
		}), app.StaffMessages(testkit.NewKeyring(t)))
	var messageID string
	require.NoError(t, b.DB.Owner.Get(&messageID, `SELECT id FROM support_messages WHERE view_id = $1`, v.ID))
	require.NoError(t, outbox.Send(t.Context(), messageID))
	require.Len(t, box.Sent, 1)
	require.Contains(t, box.Sent[0].Text, "without changing anything")
	code := regexp.MustCompile(`^\d{6}`).FindString(box.Sent[0].Text)
	require.NotEmpty(t, code)
	return v, code
}

func TestView_WithConsent_LastsHalfAnHour(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	v, code := b.consent(t, b.Sunita, asha)
	require.Zero(t, console.Count(t, b.DB, `SELECT count(*) FROM (SELECT to_jsonb(v)::text AS row FROM support_views v UNION ALL SELECT to_jsonb(m)::text FROM support_messages m
		UNION ALL SELECT to_jsonb(j)::text FROM river_job j UNION ALL SELECT to_jsonb(a)::text FROM staff_actions a) x
		WHERE row ~ ('(^|[^0-9a-f])' || $1 || '($|[^0-9a-f])')`, code), "the code is nowhere")

	_, _, err := b.views.Begin(b.Ravi.Sign(t.Context()), b.Ravi, v.ID, code)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err), "it was Sunita who asked")
	_, _, err = b.views.Begin(b.Sunita.Sign(t.Context()), b.Sunita, v.ID, "000000x")
	require.Equal(t, "wrong_code", errs.As(err).Code)
	begun, token, err := b.views.Begin(b.Sunita.Sign(t.Context()), b.Sunita, v.ID, code)
	require.NoError(t, err)
	require.Equal(t, b.clock.Now().Add(30*time.Minute), *begun.EndsAt)
	_, _, err = b.views.Begin(b.Sunita.Sign(t.Context()), b.Sunita, v.ID, code)
	require.Equal(t, errs.KindConflict, errs.KindOf(err), "a code opens one view")

	found, err := b.views.Find(t.Context(), token)
	require.NoError(t, err)
	require.Equal(t, asha, found.FranchiserID)
	b.clock.Advance(29 * time.Minute)
	_, err = b.views.Find(t.Context(), token)
	require.NoError(t, err)
	b.clock.Advance(time.Minute)
	_, err = b.views.Find(t.Context(), token)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err), "it ends by itself")
	require.Equal(t, []string{"ask_view", "begin_view"}, b.Actions(t))
}

func TestView_ConsentOrStaffAccessEnds_Ends(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, b bundle, v consent.View){
		"by staff": func(t *testing.T, b bundle, v consent.View) {
			t.Helper()
			require.Equal(t, errs.KindNotFound, errs.KindOf(b.views.End(b.Ravi.Sign(t.Context()), b.Ravi, v.ID)))
			require.NoError(t, b.views.End(b.Sunita.Sign(t.Context()), b.Sunita, v.ID))
			require.NoError(t, b.views.End(b.Sunita.Sign(t.Context()), b.Sunita, v.ID), "ended is ended")
			require.Equal(t, []string{"ask_view", "begin_view", "end_view"}, b.Actions(t))
		},
		"by the customer": func(t *testing.T, b bundle, v consent.View) {
			t.Helper()
			n, err := b.views.EndByCustomer(t.Context(), v.FranchiserID)
			require.NoError(t, err)
			require.Equal(t, 1, n)
		},
		"staff taken away": func(t *testing.T, b bundle, _ consent.View) {
			t.Helper()
			_, err := b.DB.Owner.Exec(`UPDATE staff SET disabled_at = created_at WHERE name = 'Sunita'`)
			require.NoError(t, err)
		},
		"staff signed out": func(t *testing.T, b bundle, _ consent.View) {
			t.Helper()
			require.NoError(t, b.Service.SignOut(b.Sunita.Sign(t.Context()), b.Sunita))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			v, code := b.consent(t, b.Sunita, console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao"))
			v, token, err := b.views.Begin(b.Sunita.Sign(t.Context()), b.Sunita, v.ID, code)
			require.NoError(t, err)
			end(t, b, v)
			_, err = b.views.Find(t.Context(), token)
			require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
		})
	}
}

func TestConsentCodes_GuessedOrRequestedOften_AreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	v, code := b.consent(t, b.Sunita, asha)
	wrong := "000000"
	if code == wrong {
		wrong = "000001"
	}
	var judged atomic.Int32
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if _, _, err := b.views.Begin(b.Sunita.Sign(t.Context()), b.Sunita, v.ID, wrong); errs.As(err).Code == "wrong_code" {
				judged.Add(1)
			}
		})
	}
	group.Wait()
	require.EqualValues(t, 5, judged.Load())
	_, _, err := b.views.Begin(b.Sunita.Sign(t.Context()), b.Sunita, v.ID, code)
	require.Equal(t, "no_tries_left", errs.As(err).Code)

	_, err = b.views.Ask(b.Ravi.Sign(t.Context()), b.Ravi, asha, "Me too")
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "one SMS a minute, whoever asks")
	for range 9 {
		b.clock.Advance(time.Minute)
		_, err = b.views.Ask(b.Ravi.Sign(t.Context()), b.Ravi, asha, "Once more")
		require.NoError(t, err)
	}
	b.clock.Advance(time.Minute)
	_, err = b.views.Ask(b.Ravi.Sign(t.Context()), b.Ravi, asha, "Once too often")
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "ten in a day")
	require.Equal(t, 24*time.Hour-10*time.Minute, errs.As(err).RetryAfter, "when the first of them is a day old")
	_, err = b.views.Ask(b.Ravi.Sign(t.Context()), b.Ravi, id.New(), "Nobody")
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	_, err = b.views.Ask(b.Ravi.Sign(t.Context()), b.Ravi, asha, "   ")
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))

	meera := console.Customer(t, b.DB, b.clock, "9876543211", "Meera", "Rao")
	late, code := b.consent(t, b.Sunita, meera)
	b.clock.Advance(10 * time.Minute)
	_, _, err = b.views.Begin(b.Sunita.Sign(t.Context()), b.Sunita, late.ID, code)
	require.Equal(t, "expired_code", errs.As(err).Code)
}

func TestAccessLog_ShowsActionsOfStaffToTheCustomer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	other := console.Customer(t, b.DB, b.clock, "9876543211", "Ravi", "Rao")
	for range 3 {
		_, err := b.customers.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
		require.NoError(t, err)
	}
	_, err := b.customers.Customer(b.Sunita.Sign(t.Context()), b.Sunita, other)
	require.NoError(t, err)
	v, code := b.consent(t, b.Sunita, asha)
	_, _, err = b.views.Begin(b.Sunita.Sign(t.Context()), b.Sunita, v.ID, code)
	require.NoError(t, err)

	list, err := b.views.AccessTo(t.Context(), asha, 10, 0)
	require.NoError(t, err)
	require.Len(t, list.Open, 1)
	require.Equal(t, "Sunita", list.Open[0].By)
	told := []string{}
	for _, a := range list.Entries {
		told = append(told, a.What)
	}
	require.Equal(t, []string{
		"Looked at your account with your consent", "Asked for your consent to look at your account", "Looked at your account's details",
	}, told, "three looks within half an hour are one visit")
	require.Equal(t, 3, list.Total)
	require.NotContains(t, strings.Join(told, " "), "invoice", "reasons are the staff's own")

	b.clock.Advance(31 * time.Minute)
	_, err = b.customers.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
	require.NoError(t, err)
	list, err = b.views.AccessTo(t.Context(), asha, 10, 0)
	require.NoError(t, err)
	require.Empty(t, list.Open)
	require.Equal(t, 4, list.Total)
}

// A view and the SMS with its code are deleted after two years; the record of the staff's actions stays.
func TestView_OlderThanTwoYears_IsDeleted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asked := b.clock.Now()
	b.consent(t, b.Sunita, console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao"))
	count := func(table string) (n int) {
		require.NoError(t, b.DB.Owner.Get(&n, `SELECT count(*) FROM `+table))
		return n
	}
	records := count("staff_actions")
	purge := func(now time.Time) {
		for _, p := range []erasure.Purge{message.PurgeStaffMessages, consent.Purge} {
			require.NoError(t, p(t.Context(), b.DB.Worker, now))
		}
	}
	purge(asked.AddDate(2, 0, 0))
	require.Equal(t, []int{1, 1}, []int{count("support_messages"), count("support_views")})
	purge(asked.AddDate(2, 0, 0).Add(time.Minute))
	require.Equal(t, []int{0, 1}, []int{count("support_messages"), count("support_views")}, "a view outlives its messages")
	purge(asked.AddDate(2, 0, 1).Add(time.Minute))
	require.Equal(t, []int{0, 0}, []int{count("support_messages"), count("support_views")})
	require.Equal(t, records, count("staff_actions"))
	require.ErrorContains(t, consent.Purge(t.Context(), b.DB.API, asked.AddDate(3, 0, 0)), "permission denied", "the api deletes none")
}
