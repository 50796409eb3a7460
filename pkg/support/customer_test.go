package support_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/timeline"
)

func TestSearch_ManyCustomers_ListsEachOnceAndSaysWhenItIsCutOff(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 30 {
		of := console.Customer(t, b.DB, b.clock, fmt.Sprintf("98700000%02d", n), "Salon", "Rao")
		_, err := b.DB.Owner.Exec(`INSERT INTO tenants (id, franchiser_id, store_name, store_type_id, store_username, store_password_hash, slug, created_at, updated_at)
			VALUES (gen_random_uuid(), $1, 'Salon ' || $2, 1, $1::uuid::text, 'x', 'salon-' || $2, now(), now())`, of, fmt.Sprint(n))
		require.NoError(t, err)
	}
	find := func(q string, all bool) (customers int, more bool) {
		hits, more, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, all)
		require.NoError(t, err)
		seen := map[string]bool{}
		for _, h := range hits {
			require.False(t, seen[*h.FranchiserID], "a customer is listed once: %+v", h)
			seen[*h.FranchiserID] = true
		}
		return len(hits), more
	}
	customers, more := find("salon", false)
	require.LessOrEqual(t, customers, 20)
	require.True(t, more)
	customers, more = find("salon", true)
	require.Equal(t, 30, customers)
	require.False(t, more)
	customers, more = find("salon-7", false)
	require.Equal(t, 1, customers)
	require.False(t, more)
}

func TestSearch_EachKindOfTerm_FindsTheCustomer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "van Dyk")
	for n := range 12 {
		console.Customer(t, b.DB, b.clock, fmt.Sprintf("98700000%02d", n), "Ashok", "Rao")
	}
	console.ClaimDomain(t, b.DB, b.clock, asha)
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`UPDATE payments SET gateway_payment_id = 'pay_Qm3xYz', gateway_reference = 'order_AbC1', bank_reference = 'hdfcn12345678'`)
	require.NoError(t, err)
	var transaction string
	require.NoError(t, b.DB.Owner.Get(&transaction, `SELECT transaction_id FROM payments WHERE id = $1`, paid))
	var order string
	require.NoError(t, b.DB.Owner.Get(&order, `SELECT order_id FROM payments WHERE id = $1`, paid))
	var own, nobodys int64
	insert := `INSERT INTO river_job (kind, args, max_attempts, metadata) VALUES ('x', '{}', 3, $1::jsonb) RETURNING id`
	require.NoError(t, b.DB.Owner.Get(&own, insert, `{"franchiser_id":"`+asha+`"}`))
	require.NoError(t, b.DB.Owner.Get(&nobodys, insert, `{}`))
	console.Note(t, b.DB, b.clock, "9123456789", "")

	for q, kind := range map[string]string{
		"9876543210": "mobile", "98765": "mobile", " +91 98765-43210 ": "mobile", "09876543210": "mobile", "919876543210": "mobile",
		"ASHA9876543210@example.in": "email", "asha98": "email", "Asha van": "name", "van  DYK": "name", "royal sw": "store", "sweets": "store",
		"royal-sweets.franchise360.in": "domain", "royal-sw": "domain", "https://shop.example.in": "domain",
		strings.ToUpper(transaction): "transaction", transaction[:12]: "transaction", "pay_qm3xyz": "gateway_payment", "PAY_Qm3": "gateway_payment",
		"order_abc1": "gateway_payment", asha: "customer", paid: "payment", "3210": "mobile", "543210": "mobile",
		"HDFC-N12345678": "bank_reference", "hdfcn12345678": "bank_reference", order: "order", fmt.Sprint(own): "job", fmt.Sprintf("#%d", own): "job",
	} {
		hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
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
	hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), "9876543210", false)
	require.NoError(t, err)
	require.Equal(t, "Royal Sweets LLP", hits[0].Name, "as on every other page: by its legal name first")
	hits, _, err = b.customers.Search(b.Sunita.Sign(t.Context()), "9123456789", false)
	require.NoError(t, err)
	require.Equal(t, []support.Hit{{Kind: "sign_up", Label: "9123456789", Exact: true}}, hits, "a sign-up that was never finished")
	hits, _, err = b.customers.Search(b.Sunita.Sign(t.Context()), fmt.Sprint(nobodys), false)
	require.NoError(t, err)
	require.Equal(t, []support.Hit{{Kind: "job", Label: fmt.Sprint(nobodys), Exact: true}}, hits)
	hits, _, err = b.customers.Search(b.Sunita.Sign(t.Context()), "asho", false)
	require.NoError(t, err)
	require.LessOrEqual(t, len(hits), 20)
	hits, _, err = b.customers.Search(b.Sunita.Sign(t.Context()), "9876543210", false)
	require.NoError(t, err)
	require.True(t, hits[0].Exact, "whole matches first")

	for _, nothing := range []string{"", "  ", "as", "%%%", `a\_b`, "'; DROP TABLE staff; --", "zzz"} {
		hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), nothing, false)
		require.NoError(t, err)
		require.Empty(t, hits, nothing)
	}
	for _, bad := range []string{"\x00abc", "\xff\xfe\xfd", strings.Repeat("x", 101)} {
		_, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), bad, false)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	}
	_, err = b.DB.Owner.Exec(`UPDATE franchisers SET erased_at = created_at, mobile = 'gone' WHERE id = $1`, asha)
	require.NoError(t, err)
	hits, _, err = b.customers.Search(b.Sunita.Sign(t.Context()), "van dyk", false)
	require.NoError(t, err)
	require.Empty(t, hits, "who was erased is found by no name")
}

func TestMobile_WithoutAnAccount_HasATimeline(t *testing.T) {
	t.Parallel()
	b := setup(t)
	codeID := console.Note(t, b.DB, b.clock, "9123456789", "")
	_, err := b.DB.Owner.Exec(`INSERT INTO river_job (kind, args, max_attempts) VALUES ('send_otp', jsonb_build_object('code_id', $1::text), 3)`, codeID)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`INSERT INTO code_attempts (mobile, purpose, tries, last_try_at) VALUES ('9123456789', 'sign_up', 5, $1)`, b.clock.Now())
	require.NoError(t, err)
	m, err := b.customers.Mobile(t.Context(), "9123456789")
	require.NoError(t, err)
	require.True(t, b.customers.Locked(m))
	b.clock.Advance(16 * time.Minute)
	require.False(t, b.customers.Locked(m))
	page, err := b.timeline.Read(t.Context(), timeline.Query{Mobile: "9123456789"})
	require.NoError(t, err)
	require.Len(t, page.Entries, 2)
	_, err = b.customers.Mobile(t.Context(), "9123456780")
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
}

func TestHealth_EachProblem_IsNamed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	c, err := b.customers.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
	require.NoError(t, err)
	require.Empty(t, b.customers.Health(staff.RoleSupport, c))

	_, err = b.DB.Owner.Exec(`INSERT INTO river_job (kind, args, max_attempts, state, finalized_at, metadata) VALUES ('x', '{}', 3, 'discarded', now(), jsonb_build_object('franchiser_id', $1::text))`, asha)
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`INSERT INTO code_attempts (mobile, purpose, tries, last_try_at) VALUES ('9876543210', 'sign_up', 5, $1)`, b.clock.Now())
	require.NoError(t, err)
	console.ClaimDomain(t, b.DB, b.clock, asha)
	_, err = b.DB.Owner.Exec(`UPDATE custom_domains SET state = 'broken', reason = 'The TXT record is gone.'`)
	require.NoError(t, err)
	c, err = b.customers.Customer(b.Sunita.Sign(t.Context()), b.Sunita, asha)
	require.NoError(t, err)
	require.Equal(t, []support.Health{
		{Level: "bad", Kind: "job", Text: "1 job has failed"},
		{Level: "bad", Kind: "code", Text: "Too many wrong codes in one browser, which can try again at 10:15 IST. Others can now; “Unlock sign-in” lets all try at once."},
		{Level: "bad", Kind: "domain", Text: "The domain shop.example.in is broken: The TXT record is gone."},
	}, b.customers.Health(staff.RoleSupport, c))
}
