package support_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
)

// shown are rows whose ids screens show, of a customer and of nobody; %[1]s stands for a new id, %[2]s for the customer.
func shown() []struct{ kind, table, values, finds string } {
	return []struct{ kind, table, values, finds string }{
		{
			"refund", "refunds (id, franchiser_id, payment_id, gateway_payment_id, amount_paise, reason, state, token, gateway_refund_id, created_at)",
			"'%[1]s', '%[2]s', '%[1]s', 'x', 100, 'staff', 'requested', '%[1]s', 'rfnd_QmAbC12', now()", "rfnd_QmAbC12",
		},
		{
			"dispute", "disputes (id, franchiser_id, payment_id, gateway_dispute_id, state, amount_paise, opened_at)",
			"'%[1]s', '%[2]s', '%[1]s', 'disp_XyZ9', 'open', 100, now()", "disp_XyZ9",
		},
		{
			"refund_request", "reversals (id, franchiser_ref, payment_id, kind, amount_paise, reason, state, needs_approval, key, requested_by, requested_at)",
			"'%[1]s', '%[2]s', '%[1]s', 'refund', 100, 'Asked', 'waiting', true, '%[1]s', '%[1]s', now()", "",
		},
		{
			"mandate", "mandates (id, franchiser_id, subscription_id, gateway, method, state, transaction_id, reference, provider_mandate_id, cap_paise, agreed_cap_paise, yearly, ends_on, agreed_ends_on, consent_version, consent_text, consented_at, created_at)",
			"'%[1]s', '%[2]s', '%[1]s', 'razorpay', 'upi', 'active', 'FPM0000000001', 'order_MaN1', 'token_KdUmN7', 100, 100, true, '2030-01-01', '2030-01-01', '1', 'Yes', now(), now()",
			"token_KdUmN7, order_MaN1, fpm0000000001",
		},
		{
			"mandate_debit", "mandate_debits (id, franchiser_id, mandate_id, subscription_id, renew_on, number, state, amount_paise, debit_at, notice_token, created_at)",
			"'%[1]s', '%[2]s', '%[1]s', '%[1]s', '2027-01-01', 1, 'planned', 100, now(), 'n1', now()", "",
		},
		{
			"proforma", "proformas (id, franchiser_id, order_id, number, state, amount_paise, taxable_paise, title, document, account, told_utr, told_at, valid_until, created_at)",
			"'%[1]s', '%[2]s', '%[1]s', 'PF/2627/000042', 'open', 100, 90, 'Growth', '{}', '{}', 'SBINR52026112600000001', now(), now(), now()", "pf/2627/000042, PF/2627/0000",
		},
		{
			"virtual_account", "virtual_accounts (id, franchiser_id, collector, external_id, number, ifsc, beneficiary, read_until, checked_at, created_at)",
			"'%[1]s', '%[2]s', 'razorpay', 'va_1', '2223330041234567', 'RAZR0000001', 'Us', now(), now(), now()", "2223330041234567, 2223 3300 4123 4567",
		},
		{
			"bank_credit", "bank_credits (id, source, franchiser_ref, utr, amount_paise, paid_at, state, created_at)",
			"'%[1]s', 'statement', '%[2]s', 'HDFCR52026112600000002', 100, now(), 'open', now()", "hdfcr52026112600000002, HDFC R5 2026-1126 0000 0002",
		},
		{
			"bank_return", "bank_credit_uses (id, credit_id, kind, franchiser_ref, amount_paise, utr, state, reason, key, requested_by, requested_at)",
			"'%[1]s', '%[1]s', 'return', '%[2]s', 100, 'ICICR52026112600000003', 'waiting', 'Sent twice', '%[1]s', '%[1]s', now()", "icicr52026112600000003 only",
		},
		{
			"bank_use", "bank_credit_uses (id, credit_id, kind, franchiser_ref, amount_paise, state, reason, key, requested_by, requested_at)",
			"'%[1]s', '%[1]s', 'dismissal', '%[2]s', 100, 'waiting', 'None of ours', '%[1]s', '%[1]s', now()", "",
		},
		{
			"act", "staff_acts (id, kind, franchiser_ref, subject, content, facts, reason, state, needs_approval, key, requested_by, requested_at)",
			"'%[1]s', 'cancel_plan', '%[2]s', 'plan:%[1]s', '{}', '[]', 'Leaves us', 'waiting', true, '%[1]s', '%[1]s', now()", "",
		},
		{
			"message", "customer_messages (id, franchiser_ref, template, about, created_at, expires_at)",
			"'%[1]s', '%[2]s', 'payment_received', '%[1]s', now(), now()", "",
		},
		{
			"message", "support_messages (id, franchiser_ref, kind, invoice_id, created_at, expires_at)",
			"'%[1]s', '%[2]s', 'invoice_link', '%[1]s', now(), now()", "",
		},
		{"webhook_event", "webhook_events (id, kind, franchiser_ref, data, at)", "'%[1]s', 'account.updated', '%[2]s', '{}', now()", ""},
		{
			"session", "sessions (id, franchiser_id, access_hash, access_expires_at, refreshed_at, expires_at, remember, created_at)",
			"'%[1]s', '%[2]s', decode(md5('%[1]s') || md5('x'), 'hex'), now(), now(), now(), false, now()", "",
		},
		{
			"team_member", "team_members (id, franchiser_id, name, mobile, role, state, person_id, invited_at, accepted_at)",
			"'%[1]s', '%[2]s', 'Ravi', '9000000001', 'manager', 'active', '%[1]s', now(), now()", "",
		},
		{"outlet", "franchises (id, franchiser_id, tenant_id, name, name_key, city, created_at)", "'%[1]s', '%[2]s', '%[1]s', 'Baner', 'baner', 'Pune', now()", ""},
		{
			"subscription", "subscriptions (id, franchiser_id, state, revision, catalogue_revision, plan_id, service_id, plan_type, anchor_day, starts_on, renew_on, paid_until, created_at, updated_at)",
			"'%[1]s', '%[2]s', 'active', 1, 1, '%[1]s', '%[1]s', 'monthly', 1, '2026-11-01', '2026-12-01', '2026-12-01', now(), now()", "",
		},
		{
			"credit_note", "invoices (id, franchiser_id, kind, payment_id, original_id, refund_id, series, financial_year, sequence, number, issued_at, supplier, recipient, receipt, place_of_supply, regime, amount_paise, discount_paise, taxable_paise, cgst_paise, sgst_paise, utgst_paise, igst_paise, total_paise, irn)",
			"'%[1]s', '%[2]s', 'credit_note', '%[1]s', '%[1]s', '%[1]s', 'CN', '2026-27', 7, 'CN/2627/000007', now(), '{}', '{}', '{}', '27', 'igst', 100, 0, 100, 0, 0, 0, 0, 100, repeat('ab', 32)", "cn/2627/000007",
		},
	}
}

// Given a row of each kind whose id or number a screen shows, then the search finds its customer by it, in any case and with the
// separators that people type.
func TestEveryIdThatAScreenShowsIsFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	keep := func(table, values string) {
		tx, err := b.DB.Owner.BeginTxx(t.Context(), nil)
		require.NoError(t, err)
		defer func() { _ = tx.Rollback() }()
		_, err = tx.ExecContext(t.Context(), `SET LOCAL session_replication_role = replica; INSERT INTO `+table+` VALUES (`+values+`)`)
		require.NoError(t, err, table)
		require.NoError(t, tx.Commit())
	}
	find := func(q, kind string, of *string) support.Hit {
		hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
		require.NoError(t, err, q)
		for _, h := range hits {
			if h.Kind == kind && (of == nil) == (h.FranchiserID == nil) && (of == nil || *h.FranchiserID == *of) {
				return h
			}
		}
		require.Fail(t, "not found", "%q should find a %s: %+v", q, kind, hits)
		return support.Hit{}
	}
	for _, one := range shown() {
		rowID := id.New()
		keep(one.table, fmt.Sprintf(strings.ReplaceAll(one.values, "%[2]s", asha), rowID))
		for q := range strings.SplitSeq(one.finds, ", ") {
			if q, only := strings.CutSuffix(q, " only"); q != "" {
				find(q, one.kind, &asha)
				if only { // the number of what went back, not the id of the row
					rowID = ""
				}
			}
		}
		if rowID != "" {
			find(strings.ToUpper(rowID), one.kind, &asha)
		}
	}
	find("SBINR5 20261126 00000001", "told_utr", &asha)
	find(strings.Repeat("AB", 32), "irn", &asha)

	event, delivery, request, paid := id.New(), id.New(), id.New(), ""
	keep("webhook_events (id, kind, franchiser_ref, data, at)", `'`+event+`', 'account.updated', '`+asha+`', '{}', now()`)
	keep("webhook_deliveries (id, event_id, endpoint_id, state)", `'`+delivery+`', '`+event+`', '`+event+`', 'failed'`)
	require.Equal(t, delivery, find(delivery, "webhook_delivery", &asha).Label)
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	_, err = b.DB.Owner.Exec(`UPDATE payments SET request_id = $2 WHERE id = $1`, paid, request)
	require.NoError(t, err)
	find(request, "request", &asha)
	noted := id.New()
	require.NoError(t, b.actions.Tag(id.WithRequest(b.Sunita.Sign(t.Context()), noted), b.Sunita, asha, "vip", true))
	find(noted, "request", &asha)
	console.ClaimDomain(t, b.DB, b.clock, asha)
	for kind, query := range map[string]string{"store": `SELECT id FROM tenants`, "domain": `SELECT id FROM custom_domains`} {
		var rowID string
		require.NoError(t, b.DB.Owner.Get(&rowID, query))
		find(rowID, kind, &asha)
	}

	system, contact := id.New(), id.New()
	keep("sign_in_systems (id, label, login_url, redirect_uris, dashboard, state, secret_hash, created_at, updated_at)",
		`'`+system+`', 'The POS', 'https://pos.example.in', '{https://pos.example.in/back}', false, 'enabled', decode(repeat('ab', 32), 'hex'), now(), now()`)
	require.Equal(t, "The POS", find(system, "connected_system", nil).Label)
	keep("contact_requests (id, name, email, topic, consent_version, consented_at, created_at, updated_at)",
		`'`+contact+`', 'Meera', 'meera@example.in', 'sales', '1', now(), now(), now()`)
	require.Equal(t, contact, find(contact, "contact_request", nil).Label)
	_, err = b.DB.Owner.Exec(`UPDATE bank_credits SET franchiser_ref = NULL`)
	require.NoError(t, err)
	find("HDFCR52026112600000002", "bank_credit", nil)
}

func TestSearch_NumberOfADocumentAsPeopleWriteIt_FindsIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	ravi := console.Customer(t, b.DB, b.clock, "9876543211", "Ravi", "Rao")
	keep := func(table, values string) {
		tx, err := b.DB.Owner.BeginTxx(t.Context(), nil)
		require.NoError(t, err)
		defer func() { _ = tx.Rollback() }()
		_, err = tx.ExecContext(t.Context(), `SET LOCAL session_replication_role = replica; INSERT INTO `+table+` VALUES (`+values+`)`)
		require.NoError(t, err, table)
		require.NoError(t, tx.Commit())
	}
	for _, one := range shown() {
		if one.kind == "credit_note" || one.kind == "proforma" {
			of := map[string]string{"credit_note": asha, "proforma": ravi}[one.kind]
			values := strings.NewReplacer("CN/2627/000007", "FP/26-27/000005", "PF/2627/000042", "PF/26-27/000005", "%[2]s", of).Replace(one.values)
			keep(one.table, fmt.Sprintf(values, id.New()))
		}
	}
	_, err := b.DB.Owner.Exec(`INSERT INTO river_job (id, kind, args, max_attempts) VALUES (5, 'x', '{}', 3)`)
	require.NoError(t, err)
	find := func(q string) (labels []string) {
		hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
		require.NoError(t, err, q)
		for _, h := range hits {
			labels = append(labels, h.Label)
		}
		return labels
	}
	for _, q := range []string{
		"fp/26-27/5", "FP 26-27 000005", "FP26-27000005", "FP/26-27/000005", "fp2627000005", "FP 5", "fp 000005",
		"FP/2026-27/000005", "fp / 2026-27 / 5", "FP 2026-2027 000005", "Invoice FP/26-27/000005", "invoice no. fp/2026-27/000005", "Tax invoice: FP/2026-27/5",
		"receipt FP/26-27/000005", "Order #fp/26-27/000005", "payment fp/26-27/5", "bill number FP 26-27 5",
		"FP/2026-27/…", "FP/26-27/", "fp/2026-27", "Fp 26-27", "fP / 2026 - 27 / ...", "invoice FP 2026-27", "FP26-27",
	} {
		require.Equal(t, []string{"FP/26-27/000005"}, find(q), q)
	}
	require.ElementsMatch(t, []string{"FP/26-27/000005", "PF/26-27/000005"}, find("000005"))
	require.ElementsMatch(t, []string{"FP/26-27/000005", "PF/26-27/000005"}, find("26-27/5"))
	require.ElementsMatch(t, []string{"FP/26-27/000005", "PF/26-27/000005"}, find("2026-27/5"))
	require.Equal(t, []string{"5"}, find("5"), "a short number is a job's")
	for _, q := range []string{"fp/25-26/5", "fp/2025-26", "fp/2026-28/5", "invoice fp/26-27/6", "xy/26-27/5", "fp/26-27/6", "000000", "0005000"} {
		require.Empty(t, find(q), q)
	}
}

// Given a customer whose invoice, credit note and mobile end with the same digits, then a search for the invoice names the invoice.
func TestSearch_InvoiceBesideCreditNoteAndMobile_FindsTheInvoice(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876000005", "Asha", "Rao")
	console.Customer(t, b.DB, b.clock, "9000000005", "Ravi", "Rao")
	for i, kind := range []string{"invoice", "credit_note"} {
		series := []string{"FP", "CN"}[i]
		_, err := b.DB.Owner.Exec(fmt.Sprintf(`SET session_replication_role = replica; INSERT INTO invoices (id, franchiser_id, kind, payment_id, original_id, refund_id, series,
				financial_year, sequence, number, issued_at, supplier, recipient, receipt, place_of_supply, regime, amount_paise, discount_paise, taxable_paise, cgst_paise,
				sgst_paise, utgst_paise, igst_paise, total_paise) VALUES (uuidv7(), '%[1]s', '%[2]s', uuidv7(), CASE '%[2]s' WHEN 'credit_note' THEN uuidv7() END,
				CASE '%[2]s' WHEN 'credit_note' THEN uuidv7() END, '%[3]s', '26-27', 5, '%[3]s/26-27/000005', now(), '{}', '{}', '{}', '27', 'igst', 100, 0, 100, 0, 0, 0, 0, 100);
			RESET session_replication_role`, asha, kind, series))
		require.NoError(t, err)
	}
	for q, want := range map[string]string{
		"inv FP/26-27/000005": "FP/26-27/000005", "Inv. No. FP/26-27/000005": "FP/26-27/000005", "invoice 000005": "FP/26-27/000005", "inv 000005": "FP/26-27/000005",
		"bill 000005": "FP/26-27/000005", "26-27/000005": "FP/26-27/000005", "2026-27/5": "FP/26-27/000005", "invoice 26-27/000005": "FP/26-27/000005",
		"credit note 000005": "CN/26-27/000005", "CN/26-27/000005": "CN/26-27/000005", "cn 000005": "CN/26-27/000005",
	} {
		hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
		require.NoError(t, err, q)
		labels := []string{}
		for _, h := range hits {
			if h.FranchiserID != nil && *h.FranchiserID == asha {
				labels = append(labels, h.Label)
			}
		}
		require.Equal(t, []string{want}, labels, q)
		require.Equal(t, want, hits[0].Label, q)
	}
}

func TestAMobileIsFoundByItsLastDigits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	console.Customer(t, b.DB, b.clock, "9876598765", "Ravi", "Rao")
	console.Customer(t, b.DB, b.clock, "9812340567", "Meera", "Rao")
	for q, found := range map[string]int{
		"3210": 1, "…3210": 1, "...3210": 1, "xxxxxx3210": 1, "98••••3210": 1, "+91 ...43210": 1, "…98765": 1, "98765": 2, "0567": 1, "40567": 1, "…0567": 1, "09812340567": 1,
		"📱 98765 43210": 1, "☎️+91 98765 43210": 1, "👩🏽 9876543210": 1,
		"97••••3210": 0, "…321": 0, "...1111": 0, "…3210x": 0,
	} {
		hits, _, err := b.customers.Search(b.Sunita.Sign(t.Context()), q, false)
		require.NoError(t, err, q)
		require.Len(t, hits, found, q)
		for _, h := range hits {
			require.Equal(t, "mobile", h.Kind, q)
		}
	}
}

// Given tables with many rows, then what the search asks of each reads an index and no whole table.
func TestTheSearchReadsNoWholeTable(t *testing.T) {
	t.Parallel()
	argument, nearness := regexp.MustCompile(`\bq\b`), regexp.MustCompile(`\bnear\b`)
	b := setup(t)
	var functions []string
	require.NoError(t, b.DB.Owner.Select(&functions, `SELECT p.prosrc FROM pg_proc p JOIN pg_roles r ON true
		WHERE r.rolname = 'franchise360_lookup' AND p.proname ~ '^search_' AND p.proargnames[1] = 'q' AND (p.pronargs = 1 OR p.proargnames[2] = 'near') ORDER BY p.proname`))
	require.GreaterOrEqual(t, len(functions), 17)
	tx, err := b.DB.Owner.BeginTxx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback() }()
	mustExec := func(statement string) {
		_, err := tx.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	mustExec(`SET LOCAL ROLE franchise360_lookup; SET LOCAL enable_seqscan = off`)
	for _, body := range functions {
		for _, q := range []string{`'rfnd_qmabc12'`, `'fp/26-27/'`, `'03r1zn'`, `'000005'`, `'fp/26-27/5'`, `'` + id.New() + `'`, `'` + strings.Repeat("ab", 32) + `'`, `'lakshmi rao'`} {
			for _, near := range []string{"true", "false"} {
				for _, line := range explain(t, tx, nearness.ReplaceAllString(argument.ReplaceAllString(body, q), near)) {
					require.NotContains(t, line, "Seq Scan", "%s\nfor %s", body, q)
				}
			}
		}
	}
}

func explain(t *testing.T, tx *sqlx.Tx, statement string) (lines []string) {
	t.Helper()
	require.NoError(t, tx.SelectContext(t.Context(), &lines, `EXPLAIN `+statement), statement)
	return lines
}

func TestSearch_EndOfATransactionID_FindsThePayment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	var transaction string
	require.NoError(t, b.DB.Owner.Get(&transaction, `SELECT transaction_id FROM payments WHERE id = $1`, paid))
	end := transaction[len(transaction)-6:]
	for _, q := range []string{end, strings.ToLower(end)} {
		hits := findBy(t, b, q)
		require.Len(t, hits, 1, q)
		require.Equal(t, "transaction", hits[0].Kind, q)
		require.Equal(t, transaction, hits[0].Label, q)
		require.False(t, hits[0].Exact, q)
	}
	require.Empty(t, findBy(t, b, end[1:]), "five characters")
}

func TestSearch_LabelBeforeAnIDOrNumber_IsIgnored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := console.Customer(t, b.DB, b.clock, "9876543210", "Asha", "Rao")
	order := console.Customer(t, b.DB, b.clock, "9876543211", "Order", "24 Foods")
	paid, err := testkit.PaidPayment(t.Context(), b.DB.Owner, asha, 100_00, false, b.clock.Now())
	require.NoError(t, err)
	var p struct {
		TransactionID string `db:"transaction_id"`
		OrderID       string `db:"order_id"`
	}
	require.NoError(t, b.DB.Owner.Get(&p, `SELECT transaction_id, order_id FROM payments WHERE id = $1`, paid))
	for q, kind := range map[string]string{
		"payment " + p.TransactionID: "transaction", "Transaction id: " + p.TransactionID: "transaction", "order " + p.OrderID: "order",
		"Order no. " + p.OrderID: "order", "payment " + paid: "payment", "customer " + asha: "customer", "Mobile: 98765 43210": "mobile",
	} {
		hits := findBy(t, b, q)
		require.Len(t, hits, 1, q)
		require.Equal(t, kind, hits[0].Kind, q)
		require.Equal(t, asha, *hits[0].FranchiserID, q)
	}
	hits := findBy(t, b, "order 24")
	require.Len(t, hits, 1, "a name that begins with the label")
	require.Equal(t, order, *hits[0].FranchiserID)
}
