package support_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/timeline"
)

// toldBundle is the fixture of most tests.
type toldBundle struct {
	console.People

	clock     *clock.Fake
	timeline  *timeline.Service
	customers *support.Customers
}

func setUpTold(t *testing.T) toldBundle {
	t.Helper()
	b := toldBundle{clock: testkit.NewClock()}
	b.People = console.Hire(t, testkit.NewDatabase(t), b.clock)
	b.timeline, b.customers = app.NewTimeline(b.DB.API), support.NewCustomers(b.DB.API, b.clock, b.Service, nil)
	return b
}

// Links to entries contain the sources' names.
func TestTimelineSources_HaveUniqueNamesAndKnownKinds(t *testing.T) {
	t.Parallel()
	names, kinds := map[string]bool{}, map[timeline.Kind]bool{}
	for _, one := range app.TimelineSources() {
		require.False(t, names[one.Name], "%s stands twice", one.Name)
		require.NotContains(t, one.Name, ".")
		require.Contains(t, timeline.Kinds(), one.Kind)
		names[one.Name], kinds[one.Kind] = true, true
	}
	require.Len(t, kinds, len(timeline.Kinds()), "and nothing is offered that no source tells of")
}

func TestTimeline_AllSources_AreInOrderPageByPage(t *testing.T) {
	t.Parallel()
	b := setUpTold(t)
	codeID := console.Note(t, b.DB, b.clock, "9876543210", "")
	_, err := b.DB.Owner.Exec(`INSERT INTO river_job (kind, args, max_attempts, state, finalized_at, errors, created_at) VALUES ('send_otp', jsonb_build_object('code_id', $1::text), 3,
		'discarded', $2::timestamptz, ARRAY[jsonb_build_object('at', $2::timestamptz, 'attempt', 1, 'error', 'provider said: 123456 is your code, password=hunter22')], $2::timestamptz)`, codeID, b.clock.Now())
	require.NoError(t, err)
	b.clock.Advance(time.Minute)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	other := console.Customer(t, b.DB, b.clock, "9876543211", "Ravi", "Rao")
	b.clock.Advance(time.Minute)
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`INSERT INTO payment_events (id, franchiser_id, payment_id, source, kind, status, digest, fields, received_at) VALUES ($1, $2, $3, 'webhook',
		'payment', 'paid', sha256('x'), '{"status":"success","hash":"abcdef0123","key":"gtKFFx","cardnum":"512345XXXXXX2346","mihpayid":"4039937155099","note":"card 4111 1111 1111 1111","name_on_card":"A RAO"}', $4)`,
		id.New(), asha, paid, b.clock.Now())
	require.NoError(t, err)
	console.ClaimDomain(t, b.DB, b.clock, asha)
	for n := range 3 {
		b.clock.Advance(time.Minute)
		state := "pending"
		if n == 2 {
			state = "broken"
		}
		_, err = b.DB.Worker.Exec(`UPDATE custom_domains SET checked_at = $1, state = $2, reason = 'No TXT record yet.'`, b.clock.Now(), state)
		require.NoError(t, err)
	}
	_, err = b.customers.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`INSERT INTO failed_sign_ins (id, franchiser_id, at, reason) VALUES ($1, $2, $4, 'wrong_password'), ($3, $2, $4, 'too_many_tries')`,
		id.New(), asha, id.New(), b.clock.Now())
	require.NoError(t, err)

	whole, err := b.timeline.Read(t.Context(), timeline.Query{FranchiserID: asha, Limit: 100})
	require.NoError(t, err)
	kinds, ids := map[timeline.Kind]int{}, map[string]bool{}
	for n, e := range whole.Entries {
		kinds[e.Kind]++
		require.False(t, ids[e.ID], "%s stands twice", e.ID)
		ids[e.ID] = true
		require.True(t, n == 0 || !e.At.After(whole.Entries[n-1].At), "newest first")
	}
	require.Equal(t, map[timeline.Kind]int{"account": 1, "code": 1, "order": 1, "payment": 2, "gateway": 1, "domain": 3, "job": 1, "staff": 1, "session": 2}, kinds,
		"three looks at the domain, the second of which found the same, and what was sent before there was an account")
	said := fmt.Sprint(whole.Entries)
	for _, secret := range []string{"123456", "hunter22", "abcdef0123", "gtKFFx", "4111 1111", "A RAO", "512345"} {
		require.NotContains(t, said, secret)
	}
	require.Contains(t, said, "4039937155099", "the gateway's own number is no card")
	require.NotContains(t, said, other)
	require.Contains(t, said, "Sign-in failed: wrong password")
	require.Contains(t, said, "Sign-in refused: too many tries")

	var paged []timeline.Entry
	for before := ""; ; {
		page, err := b.timeline.Read(t.Context(), timeline.Query{FranchiserID: asha, Limit: 2, Before: before})
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Entries), 2)
		paged = append(paged, page.Entries...)
		if before = page.Next; before == "" {
			break
		}
	}
	require.Equal(t, whole.Entries, paged)
	for _, e := range whole.Entries {
		found, err := b.timeline.Entry(t.Context(), asha, e.ID)
		require.NoError(t, err, e.ID)
		require.Equal(t, e, found)
		if e.Kind != "code" && e.Kind != "job" {
			_, err = b.timeline.Entry(t.Context(), other, e.ID)
			require.Equal(t, errs.KindNotFound, errs.KindOf(err), "%s is not the other's", e.ID)
		}
	}
	payment, err := b.timeline.Entry(t.Context(), asha, "payment."+paid)
	require.NoError(t, err)
	events, _ := payment.Details["gateway_events"].([]any)
	require.Len(t, events, 1, "a payment tells what its gateway said, as it said it")
	require.Equal(t, "webhook", events[0].(map[string]any)["source"])
	require.Equal(t, "4039937155099", events[0].(map[string]any)["fields"].(map[string]any)["mihpayid"])
	insert := `INSERT INTO river_job (kind, args, max_attempts, state, finalized_at, metadata) VALUES ('x', '{}', 3, 'completed', now(), jsonb_build_object('franchiser_id', $1::text)) RETURNING id`
	var jobID int64
	require.NoError(t, b.DB.Owner.Get(&jobID, insert, asha))
	_, err = b.DB.Worker.Exec(`DELETE FROM river_job WHERE id = $1`, jobID)
	require.NoError(t, err)
	kept, err := b.timeline.Entry(t.Context(), asha, fmt.Sprintf("job.%d", jobID))
	require.NoError(t, err, "a job that River has deleted keeps its place and its link")
	require.Equal(t, "completed", kept.Status)
	kinds["job"]++
	for _, kind := range timeline.Kinds() {
		page, err := b.timeline.Read(t.Context(), timeline.Query{FranchiserID: asha, Kinds: []timeline.Kind{kind}})
		require.NoError(t, err, kind)
		require.Len(t, page.Entries, kinds[kind], kind)
	}
	for _, bad := range []timeline.Query{{Kinds: []timeline.Kind{"gossip"}}, {Before: "x"}, {Before: "MTIz"}, {Before: strings.Repeat("A", 400)}} {
		bad.FranchiserID = asha
		_, err := b.timeline.Read(t.Context(), bad)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), "%+v", bad)
	}
	_, err = b.timeline.Read(t.Context(), timeline.Query{FranchiserID: id.New()})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestTimeline_Refund_NamesTheRequestingStaff(t *testing.T) {
	t.Parallel()
	b := setUpTold(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	refund, err := testkit.DoneRefund(t.Context(), b.DB.Owner, asha, paid, 100_00, b.clock.Now())
	require.NoError(t, err)
	actor := func() string {
		found, err := b.timeline.Entry(t.Context(), asha, "refund."+refund)
		require.NoError(t, err)
		require.Empty(t, found.RequestID, "a worker made it")
		return found.Actor
	}
	require.Equal(t, "staff", actor(), "nobody's name was kept")
	_, err = b.DB.Owner.Exec(`INSERT INTO reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key, requested_by, requested_at, refund_id, finished_at)
		VALUES ($1, $2, $3, 'refund', 10000, 'Bought twice', 'done', false, 'key-00001', $4, $5, $6, $5)`, id.New(), asha, paid, b.Ravi.StaffID, b.clock.Now(), refund)
	require.NoError(t, err)
	require.Equal(t, "Ravi", actor())
	_, err = b.DB.Owner.Exec(`UPDATE refunds SET reason = 'surplus'`)
	require.NoError(t, err)
	require.Equal(t, "system", actor())
}
