package support_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/log"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// note writes a one-time code as the account domain does; an empty franchiserID is the time before the account.
func (b bundle) note(t *testing.T, mobile, franchiserID string) string {
	t.Helper()
	codeID := id.New()
	_, err := b.DB.Owner.Exec(`INSERT INTO one_time_codes (id, mobile, purpose, message, franchiser_ref, created_at, expires_at, sent_at)
		VALUES ($1, $2, 'sign_up', 'code', nullif($3, '')::uuid, $4, $4, $4)`, codeID, mobile, franchiserID, b.clock.Now())
	require.NoError(t, err)
	return codeID
}

func TestOneBoxFindsACustomerByAnything(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "van Dyk")
	for n := range 12 {
		console.Customer(t, b.DB, b.clock, fmt.Sprintf("98700000%02d", n), "Ashok", "Rao")
	}
	console.ClaimDomain(t, b.DB, b.clock, asha)
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`UPDATE payments SET gateway_payment_id = 'pay_Qm3xYz', gateway_reference = 'order_AbC1'`)
	require.NoError(t, err)
	var transaction string
	require.NoError(t, b.DB.Owner.Get(&transaction, `SELECT transaction_id FROM payments WHERE id = $1`, paid))
	var own, nobodys int64
	insert := `INSERT INTO river_job (kind, args, max_attempts, metadata) VALUES ('x', '{}', 3, $1::jsonb) RETURNING id`
	require.NoError(t, b.DB.Owner.Get(&own, insert, `{"franchiser_id":"`+asha+`"}`))
	require.NoError(t, b.DB.Owner.Get(&nobodys, insert, `{}`))
	b.note(t, "9123456789", "")

	for q, kind := range map[string]string{
		"9876543210": "mobile", "98765": "mobile", " +91 98765-43210 ": "mobile", "09876543210": "mobile", "919876543210": "mobile",
		"ASHA9876543210@example.in": "email", "asha98": "email", "Asha van": "name", "van  DYK": "name", "royal sw": "store", "sweets": "store",
		"royal-sweets.franchise360.in": "domain", "royal-sw": "domain", "https://shop.example.in": "domain",
		strings.ToUpper(transaction): "transaction", transaction[:12]: "transaction", "pay_qm3xyz": "gateway_payment", "PAY_Qm3": "gateway_payment",
		"order_abc1": "gateway_payment", fmt.Sprint(own): "job", fmt.Sprintf("#%d", own): "job",
	} {
		hits, err := b.desk.Search(b.Sunita.Sign(t.Context()), q)
		require.NoError(t, err, q)
		found := false
		for _, h := range hits {
			found = found || h.Kind == kind && h.FranchiserID != nil && *h.FranchiserID == asha && h.Name == "Asha van Dyk" && h.Mobile == "9876543210"
		}
		require.True(t, found, "%q should find a %s: %+v", q, kind, hits)
	}
	_, err = b.DB.Owner.Exec(`INSERT INTO business_addresses (id, franchiser_id, address, street, landmark, country_id, state_id,
		city, zipcode, location, legal_name, created_at, updated_at)
		SELECT gen_random_uuid(), $1, '12', 'MG Road', 'Park', 'IN', '27', 'Pune', '411001', 'Pune', 'Royal Sweets LLP', now(), now()`, asha)
	require.NoError(t, err)
	hits, err := b.desk.Search(b.Sunita.Sign(t.Context()), "9876543210")
	require.NoError(t, err)
	require.Equal(t, "Royal Sweets LLP", hits[0].Name, "as on every other page: by its legal name first")
	hits, err = b.desk.Search(b.Sunita.Sign(t.Context()), "9123456789")
	require.NoError(t, err)
	require.Equal(t, []support.Hit{{Kind: "sign_up", Label: "9123456789", Exact: true}}, hits, "a sign-up that was never finished")
	hits, err = b.desk.Search(b.Sunita.Sign(t.Context()), fmt.Sprint(nobodys))
	require.NoError(t, err)
	require.Equal(t, []support.Hit{{Kind: "job", Label: fmt.Sprint(nobodys), Exact: true}}, hits)
	hits, err = b.desk.Search(b.Sunita.Sign(t.Context()), "asho")
	require.NoError(t, err)
	require.LessOrEqual(t, len(hits), 20)
	hits, err = b.desk.Search(b.Sunita.Sign(t.Context()), "9876543210")
	require.NoError(t, err)
	require.True(t, hits[0].Exact, "whole matches first")

	for _, nothing := range []string{"", "  ", "as", "%%%", `a\_b`, "'; DROP TABLE staff; --", "zzz"} {
		hits, err := b.desk.Search(b.Sunita.Sign(t.Context()), nothing)
		require.NoError(t, err)
		require.Empty(t, hits, nothing)
	}
	for _, bad := range []string{"\x00abc", "\xff\xfe\xfd", strings.Repeat("x", 101)} {
		_, err := b.desk.Search(b.Sunita.Sign(t.Context()), bad)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	}
	_, err = b.DB.Owner.Exec(`UPDATE franchisers SET erased_at = created_at, mobile = 'gone' WHERE id = $1`, asha)
	require.NoError(t, err)
	hits, err = b.desk.Search(b.Sunita.Sign(t.Context()), "van dyk")
	require.NoError(t, err)
	require.Empty(t, hits, "who was erased is found by no name")
}

func TestTheTimelineTellsEverythingInOrderAPageAtATime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	codeID := b.note(t, "9876543210", "")
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
	_, err = b.desk.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`INSERT INTO failed_sign_ins (id, franchiser_id, at, reason) VALUES ($1, $2, $4, 'wrong_password'), ($3, $2, $4, 'too_many_tries')`,
		id.New(), asha, id.New(), b.clock.Now())
	require.NoError(t, err)

	whole, err := b.desk.Timeline(t.Context(), support.TimelineQuery{FranchiserID: asha, Limit: 100})
	require.NoError(t, err)
	kinds, ids := map[string]int{}, map[string]bool{}
	for n, e := range whole.Entries {
		kinds[e.Kind]++
		require.False(t, ids[e.ID], "%s stands twice", e.ID)
		ids[e.ID] = true
		require.True(t, n == 0 || !e.At.After(whole.Entries[n-1].At), "newest first")
	}
	require.Equal(t, map[string]int{"account": 1, "code": 1, "order": 1, "payment": 2, "gateway": 1, "domain": 3, "job": 1, "staff": 1, "session": 2}, kinds,
		"three looks at the domain, the second of which found the same, and what was sent before there was an account")
	said := fmt.Sprint(whole.Entries)
	for _, secret := range []string{"123456", "hunter22", "abcdef0123", "gtKFFx", "4111 1111", "A RAO", "512345"} {
		require.NotContains(t, said, secret)
	}
	require.Contains(t, said, "4039937155099", "the gateway's own number is no card")
	require.NotContains(t, said, other)
	require.Contains(t, said, "Sign-in failed: wrong password")
	require.Contains(t, said, "Sign-in refused: too many tries")

	var paged []support.Entry
	for before := ""; ; {
		page, err := b.desk.Timeline(t.Context(), support.TimelineQuery{FranchiserID: asha, Limit: 2, Before: before})
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Entries), 2)
		paged = append(paged, page.Entries...)
		if before = page.Next; before == "" {
			break
		}
	}
	require.Equal(t, whole.Entries, paged)
	for _, e := range whole.Entries {
		found, err := b.desk.Entry(t.Context(), asha, e.ID)
		require.NoError(t, err, e.ID)
		require.Equal(t, e, found)
		if e.Kind != "code" && e.Kind != "job" {
			_, err = b.desk.Entry(t.Context(), other, e.ID)
			require.Equal(t, errs.KindNotFound, errs.KindOf(err), "%s is not the other's", e.ID)
		}
	}
	payment, err := b.desk.Entry(t.Context(), asha, "payment."+paid)
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
	kept, err := b.desk.Entry(t.Context(), asha, fmt.Sprintf("job.%d", jobID))
	require.NoError(t, err, "a job that River has deleted keeps its place and its link")
	require.Equal(t, "completed", kept.Status)
	kinds["job"]++
	for _, kind := range support.Kinds() {
		page, err := b.desk.Timeline(t.Context(), support.TimelineQuery{FranchiserID: asha, Kinds: []string{kind}})
		require.NoError(t, err, kind)
		require.Len(t, page.Entries, kinds[kind], kind)
	}
	for _, bad := range []support.TimelineQuery{{Kinds: []string{"gossip"}}, {Before: "x"}, {Before: "MTIz"}, {Before: strings.Repeat("A", 400)}} {
		bad.FranchiserID = asha
		_, err := b.desk.Timeline(t.Context(), bad)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), "%+v", bad)
	}
	_, err = b.desk.Timeline(t.Context(), support.TimelineQuery{FranchiserID: id.New()})
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestARefundTellsWhoOfTheStaffAskedForIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	refund, err := testkit.DoneRefund(t.Context(), b.DB.Owner, asha, paid, 100_00, b.clock.Now())
	require.NoError(t, err)
	actor := func() string {
		found, err := b.desk.Entry(t.Context(), asha, "refund."+refund)
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

func TestANumberWithoutAnAccountHasATimelineToo(t *testing.T) {
	t.Parallel()
	b := setup(t)
	codeID := b.note(t, "9123456789", "")
	_, err := b.DB.Owner.Exec(`INSERT INTO river_job (kind, args, max_attempts) VALUES ('send_otp', jsonb_build_object('code_id', $1::text), 3)`, codeID)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`INSERT INTO code_attempts (mobile, purpose, tries, last_try_at) VALUES ('9123456789', 'sign_up', 5, $1)`, b.clock.Now())
	require.NoError(t, err)
	m, err := b.desk.Mobile(t.Context(), "9123456789")
	require.NoError(t, err)
	require.True(t, b.desk.Locked(m))
	b.clock.Advance(16 * time.Minute)
	require.False(t, b.desk.Locked(m))
	page, err := b.desk.Timeline(t.Context(), support.TimelineQuery{Mobile: "9123456789"})
	require.NoError(t, err)
	require.Len(t, page.Entries, 2)
	_, err = b.desk.Mobile(t.Context(), "9123456780")
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestHealthNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	c, err := b.desk.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
	require.NoError(t, err)
	require.Empty(t, b.desk.Health(c))

	_, err = b.DB.Owner.Exec(`INSERT INTO river_job (kind, args, max_attempts, state, finalized_at, metadata) VALUES ('x', '{}', 3, 'discarded', now(), jsonb_build_object('franchiser_id', $1::text))`, asha)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`INSERT INTO code_attempts (mobile, purpose, tries, last_try_at) VALUES ('9876543210', 'sign_up', 5, $1)`, b.clock.Now())
	require.NoError(t, err)
	console.ClaimDomain(t, b.DB, b.clock, asha)
	_, err = b.DB.Owner.Exec(`UPDATE custom_domains SET state = 'broken', reason = 'The TXT record is gone.'`)
	require.NoError(t, err)
	c, err = b.desk.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
	require.NoError(t, err)
	require.Equal(t, []support.Health{
		{Level: "bad", Kind: "job", Text: "1 job has failed"},
		{Level: "bad", Kind: "code", Text: "Too many wrong codes in one browser, which can try again at 10:15 IST. Others can now; “Unlock sign-in” lets all try at once."},
		{Level: "bad", Kind: "domain", Text: "The domain shop.example.in is broken: The TXT record is gone."},
	}, b.desk.Health(c))
}

func TestSecretsAreMaskedWhereverTheyStand(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"Authorization: Bearer abcdefghijk": "Authorization: Bearer ••••••",
		"https://user:pass@sms.example/x":   "https://••••••@sms.example/x",
		"otp=482913 sent":                   "otp=•••••• sent",
		"your code is 482913.":              "your code is ••••••.",
		"482913 is your Franchise 360 code": "•••••• is your Franchise 360 code",
		"@localhost #482913":                "@localhost #••••••",
		"card 4111-1111-1111-1111 declined": "card ••••••1111 declined",
		"order 4111111111111112 unknown":    "order 4111111111111112 unknown",
		"job 482913 failed after 3 tries":   "job 482913 failed after 3 tries",
	} {
		require.Equal(t, want, log.Mask(given))
	}
	masked := log.MaskValue(map[string]any{
		"password": "x1", "nested": map[string]any{"access_token": "abc", "list": []any{"cvv=123"}}, "amount": 12.5, "payment_id": "4111111111111111", "empty": "",
	})
	require.Equal(t, map[string]any{
		"password": "••••••", "nested": map[string]any{"access_token": "••••••", "list": []any{"cvv=••••••"}}, "amount": 12.5, "payment_id": "4111111111111111", "empty": "",
	}, masked)
}
