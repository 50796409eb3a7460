package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

// book runs the jobs of transfers with the worker's rights.
func (a *testApp) book(t *testing.T) {
	t.Helper()
	working, jobs := a.working(t, a.config), testkit.NewInserter(t, a.db.Worker)
	booker := transfer.NewBooker(transfer.BookerOptions{
		DB: a.db.Worker, Jobs: jobs, Clock: a.clock, Payments: working.Payments.Transfers, Ledger: working.Ledger,
		Messages: message.NewEnqueuer(message.EnqueuerOptions{Jobs: jobs, Email: true}), Logger: testkit.NewLogger(t),
	})
	for _, kind := range []string{"sweep_transfers", "receive_transfer", "use_transfer"} {
		var args []string
		require.NoError(t, a.db.Owner.Select(&args, `DELETE FROM river_job WHERE kind = $1 RETURNING args::text`, kind))
		for _, text := range args {
			var v struct {
				CreditID string `json:"credit_id"`
				UseID    string `json:"use_id"`
			}
			require.NoError(t, json.Unmarshal([]byte(text), &v))
			switch kind {
			case "receive_transfer":
				require.NoError(t, booker.Receive(t.Context(), v.CreditID))
			case "use_transfer":
				require.NoError(t, booker.Use(t.Context(), v.UseID))
			default:
				require.NoError(t, booker.Sweep(t.Context()))
			}
		}
	}
}

// waiting returns how much work of a kind the work list counts.
func (c staffClient) waiting(t *testing.T, kind string) int {
	t.Helper()
	for _, group := range c.call(t, http.MethodGet, "/work", nil).Data(t, "groups").([]any) {
		if g := group.(map[string]any); g["kind"] == kind {
			require.LessOrEqual(t, float64(len(g["rows"].([]any))), g["count"])
			return int(g["count"].(float64))
		}
	}
	t.Fatalf("no work of the kind %s", kind)
	return 0
}

// Given a customer who pays by transfer less 10 % income tax, then finance enters the statement and a colleague assigns it; the plan is active, the deducted
// tax is followed until it is matched, and each role does only its part.
func TestTransfer_PaidLessTDS_IsAssignedAndTracked(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500085")
	tier := app.catalogue(t).Plans[0].Tiers[0]
	require.Equal(t, []any{true, []any{}}, []any{c.get(t, "/transfers").Data(t, "offered"), c.get(t, "/transfers").Data(t, "transfers")})
	details := c.post(t, "/subscription/payments/details", choice(tier, "yearly"))
	require.Equal(t, true, details.Data(t, "by_transfer"), "%s", details.Raw)
	ask := choice(tier, "yearly", "expected_total", details.Data(t, "expected_total"), "po_number", "PO 4711")
	require.Equal(t, 422, c.do(t, http.MethodPost, "/transfers/plan", choice(tier, "yearly", "expected_total", -1), "Idempotency-Key", id.New()).Status)
	asked := c.do(t, http.MethodPost, "/transfers/plan", ask, "Idempotency-Key", id.New())
	require.Equal(t, 200, asked.Status, "%s", asked.Raw)
	again := c.do(t, http.MethodPost, "/transfers/plan", ask, "Idempotency-Key", id.New())
	require.Equal(t, asked.Data(t, "id"), again.Data(t, "id"), "asking again is the same bill")
	require.Equal(t, []any{"PF/26-27/000001", "PO 4711", "50200012345678", "open", false},
		[]any{asked.Data(t, "number"), asked.Data(t, "po_number"), asked.Data(t, "account_number"), asked.Data(t, "state"), asked.Data(t, "printed")})
	bill := "/transfers/" + asked.Data(t, "id").(string)
	require.Nil(t, c.get(t, bill+"/proforma").Data(t, "url"), "not printed yet")
	_, err := app.db.Owner.Exec(`UPDATE proformas SET object_key = 'proformas/1.pdf'`)
	require.NoError(t, err)
	require.Contains(t, c.get(t, bill+"/proforma").Data(t, "url"), "proformas/1.pdf")
	other := app.buyer(t, "9876500086")
	require.Equal(t, 404, other.get(t, bill).Status)
	require.Equal(t, 404, other.post(t, bill+"/utr", map[string]any{"utr": "ICICR42026112500000009"}).Status)
	require.Equal(t, 422, c.post(t, bill+"/utr", map[string]any{"utr": "x"}).Status)
	told := c.post(t, bill+"/utr", map[string]any{"utr": "icicr4 2026112500000009"})
	require.Equal(t, []any{200, "ICICR42026112500000009"}, []any{told.Status, told.Data(t, "told_utr")}, "%s", told.Raw)

	finance, colleague := app.signedInAs(t, "meera@example.in", staff.RoleFinance), app.signedInAs(t, "kiran@example.in", staff.RoleFinance)
	support := app.signedInAs(t, "sunita@example.in", staff.RoleSupport)
	var amount, taxable money.Paise
	require.NoError(t, app.db.Owner.QueryRow(`SELECT amount_paise, taxable_paise FROM proformas`).Scan(&amount, &taxable))
	tds := (taxable.MulBps(1000) + 50) / 100 * 100
	csv := "Date,Narration,UTR,Deposit\n" + app.clock.Now().Format("2006-01-02") + ",NEFT ASHA,ICICR42026112500000009," + (amount - tds).Decimal() + "\n"
	statement := []byte(csv)
	require.Equal(t, 403, support.call(t, http.MethodPost, "/bank-statements", statement).Status)
	read := finance.call(t, http.MethodPost, "/bank-statements", statement)
	require.Equal(t, 200, read.Status, "%s", read.Raw)
	row := read.Data(t, "credits").([]any)[0].(map[string]any)
	require.Equal(t, []any{"", false, "tds"}, []any{row["problem"], row["known"], row["proposals"].([]any)[0].(map[string]any)["fit"]})
	entry := map[string]any{"reason": "Statement of today", "credits": []any{map[string]any{
		"utr": row["utr"], "amount_paise": row["amount_paise"], "paid_at": row["paid_at"], "narration": row["narration"],
	}}}
	require.Equal(t, 403, support.call(t, http.MethodPost, "/bank-credits", entry).Status)
	entered := finance.call(t, http.MethodPost, "/bank-credits", entry)
	require.Equal(t, 200, entered.Status, "%s", entered.Raw)
	twice := finance.call(t, http.MethodPost, "/bank-credits", entry)
	require.Equal(t, []any{409, "utr_known"}, []any{twice.Status, twice.Body["code"]})
	app.book(t)
	require.Equal(t, "open", c.get(t, bill).Data(t, "state"), "a person confirms what was deducted")

	listed := support.call(t, http.MethodGet, "/bank-credits?state=open&search=icicr", nil)
	require.Equal(t, 200, listed.Status, "%s", listed.Raw)
	credit := listed.Body["data"].([]any)[0].(map[string]any)
	proposal := credit["proposals"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"utr", "tds", float64(tds)}, []any{proposal["basis"], proposal["fit"], proposal["tds_paise"]})
	require.Equal(t, 1, finance.waiting(t, "bank_credit"))
	require.Equal(t, 0, finance.waiting(t, "bank_use"))
	path := "/bank-credits/" + credit["id"].(string) + "/uses"
	use := map[string]any{
		"kind": "order", "proforma_id": proposal["proforma_id"], "tds_paise": tds, "tds_rate_bps": 1000, "reason": "Confirmed by phone",
	}
	require.Equal(t, 403, support.act(t, path, use).Status)
	require.Equal(t, 404, finance.act(t, "/bank-credits/"+id.New()+"/uses", use).Status)
	waits := finance.act(t, path, use)
	require.Equal(t, []any{200, "waiting"}, []any{waits.Status, waits.Data(t, "state")}, "who entered it does not also assign it: %s", waits.Raw)
	require.Equal(t, 0, finance.waiting(t, "bank_credit"))
	require.Equal(t, 1, finance.waiting(t, "bank_use"))
	decision := "/bank-credit-uses/" + waits.Data(t, "id").(string) + "/decision"
	approval := map[string]any{"approve": true, "reason": "Seen in the statement"}
	own := finance.call(t, http.MethodPost, decision, approval)
	require.Equal(t, []any{403, "own_request"}, []any{own.Status, own.Body["code"]})
	require.Equal(t, 403, support.call(t, http.MethodPost, decision, approval).Status)
	approved := colleague.call(t, http.MethodPost, decision, approval)
	require.Equal(t, 200, approved.Status, "%s", approved.Raw)
	app.book(t)

	paid := c.get(t, bill)
	require.Equal(t, []any{"paid", "₹0"}, []any{paid.Data(t, "state"), paid.Data(t, "rest")})
	done := support.call(t, http.MethodGet, "/transfers?state=paid", nil)
	require.InDelta(t, 1, done.Body["total"], 0, "%s", done.Raw)
	require.Equal(t, 1, app.count(t, `SELECT count(*) FROM invoices WHERE kind = 'invoice'`))

	tax := finance.call(t, http.MethodGet, "/tds?state=claimed&kind=income_tax&tax_year=2026-27", nil)
	require.Equal(t, 200, tax.Status, "%s", tax.Raw)
	record := tax.Body["data"].([]any)[0].(map[string]any)
	require.Equal(t, []any{"1027", float64(tds)}, []any{record["code"], record["amount_paise"]})
	require.Empty(t, finance.call(t, http.MethodGet, "/tds?late=true", nil).Body["data"])
	note := "/tds/" + record["id"].(string)
	shown := map[string]any{"state": "in_form_168", "shown_paise": tds, "tan": "MUMA12345B", "reason": "Seen in Form 168"}
	require.Equal(t, 403, support.call(t, http.MethodPost, note, shown).Status)
	require.Equal(t, 200, finance.call(t, http.MethodPost, note, shown).Status)
	require.Equal(t, 422, finance.call(t, http.MethodPost, note, map[string]any{"state": "certificate", "reason": "Received"}).Status)
	file := finance.call(t, http.MethodGet, "/tds/export?state=in_form_168", nil)
	require.Equal(t, 200, file.Status)
	require.Contains(t, string(file.Raw), "MUMA12345B")

	app.clock.Advance(350 * 24 * time.Hour)
	c = app.client(t)
	require.Equal(t, 200, c.login(t, "9876500085", goodPassword).Status)
	renewal := c.do(t, http.MethodPost, "/transfers/renewal", map[string]any{"subscription_id": app.text(t, `SELECT id::text FROM subscriptions LIMIT 1`)}, "Idempotency-Key", id.New())
	require.Equal(t, []any{200, "PF/27-28/000001"}, []any{renewal.Status, renewal.Data(t, "number")}, "%s", renewal.Raw)

	finance, support = app.signedInAs(t, "leela@example.in", staff.RoleFinance), app.signedInAs(t, "anil@example.in", staff.RoleSupport)
	cancel := "/transfers/" + renewal.Data(t, "id").(string) + "/cancel"
	reason := map[string]any{"reason": "The customer wrote to us"}
	require.Equal(t, 403, support.call(t, http.MethodPost, cancel, reason).Status)
	cancelled := finance.call(t, http.MethodPost, cancel, reason)
	require.Equal(t, 200, cancelled.Status, "%s", cancelled.Raw)
	require.NotEqual(t, "open", c.get(t, "/transfers/"+renewal.Data(t, "id").(string)).Data(t, "state"))
	closed := finance.call(t, http.MethodPost, cancel, reason)
	require.Equal(t, []any{409, "proforma_closed"}, []any{closed.Status, closed.Body["code"]})
	require.Equal(t, 409, finance.call(t, http.MethodPost, "/transfers/"+asked.Data(t, "id").(string)+"/cancel", reason).Status, "what was paid")
}

// Given an unpaid proforma, when its customer cancels it, then it is closed and the customer can request another.
func TestTransfer_CustomerCancelsAProforma(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500087")
	tier := app.catalogue(t).Plans[0].Tiers[0]
	total := c.post(t, "/subscription/payments/details", choice(tier, "yearly")).Data(t, "expected_total")
	ask := func() answer {
		return c.do(t, http.MethodPost, "/transfers/plan", choice(tier, "yearly", "expected_total", total), "Idempotency-Key", id.New())
	}
	asked := ask()
	require.Equal(t, 200, asked.Status, "%s", asked.Raw)
	cancel := "/transfers/" + asked.Data(t, "id").(string) + "/cancel"
	require.Equal(t, 404, app.buyer(t, "9876500088").post(t, cancel, nil).Status)
	cancelled := c.post(t, cancel, nil)
	require.Equal(t, 200, cancelled.Status, "%s", cancelled.Raw)
	require.NotEqual(t, "open", cancelled.Data(t, "state"))
	again := c.post(t, cancel, nil)
	require.Equal(t, []any{409, "proforma_closed"}, []any{again.Status, again.Body["code"]})
	anew := ask()
	require.Equal(t, 200, anew.Status, "%s", anew.Raw)
	require.NotEqual(t, asked.Data(t, "id"), anew.Data(t, "id"))
}

// Without an account for transfers, transfers are neither offered nor accepted. A total below the minimum is paid online.
func TestTransfer_NotConfigured_IsNotOffered(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	c := app.buyer(t, "9876500087")
	ask := choice(app.catalogue(t).Plans[0].Tiers[0], "yearly")
	app.config.Bank.Minimum = money.FromRupees(1_000_000)
	app.start(t)
	require.Equal(t, false, c.post(t, "/subscription/payments/details", ask).Data(t, "by_transfer"))
	small := c.do(t, http.MethodPost, "/transfers/plan", ask, "Idempotency-Key", id.New())
	require.Equal(t, []any{409, "below_transfer_minimum"}, []any{small.Status, small.Body["code"]})
	app.config.Bank.AccountNumber = ""
	app.start(t)
	require.Equal(t, false, c.get(t, "/transfers").Data(t, "offered"))
	none := c.do(t, http.MethodPost, "/transfers/plan", ask, "Idempotency-Key", id.New())
	require.Equal(t, []any{409, "transfer_not_offered"}, []any{none.Status, none.Body["code"]})
}

func TestBankStatement_FileOfAnyHeadings_IsReadAfterAPersonChoseTheColumns(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	finance, colleague := app.signedInAs(t, "meera@example.in", staff.RoleFinance), app.signedInAs(t, "kiran@example.in", staff.RoleFinance)
	day := app.clock.Now().AddDate(0, 0, -1).Format("02-Jan-2006")
	file := []byte("When,Story,Plus,Minus\n" + day + ",NEFT SBIN326324123456 ASHA,500.00,\n" + day + ",RENT,,50.00\n")
	asked := finance.call(t, http.MethodPost, "/bank-statements", file)
	require.Equal(t, []any{200, "columns"}, []any{asked.Status, asked.Data(t, "asks")}, "%s", asked.Raw)
	require.Len(t, asked.Data(t, "sample"), 3)
	wrong := finance.call(t, http.MethodPost, "/bank-statements?line=1&columns=day,narration,ignored,debit", file)
	require.Equal(t, 422, wrong.Status, "no column of money in: %s", wrong.Raw)
	require.Equal(t, 422, finance.call(t, http.MethodPost, "/bank-statements?line=1&columns=day,narration,gain,debit", file).Status)
	require.Equal(t, 422, finance.call(t, http.MethodPost, "/bank-statements?day_order=year_first", file).Status)
	read := finance.call(t, http.MethodPost, "/bank-statements?line=1&columns=day,narration,credit,debit", file)
	require.Equal(t, []any{200, "", float64(2), float64(1)}, []any{read.Status, read.Data(t, "asks"), read.Data(t, "lines"), read.Data(t, "debits")}, "%s", read.Raw)
	require.Equal(t, "columns", colleague.call(t, http.MethodPost, "/bank-statements", file).Data(t, "asks"), "a preview is not remembered")
	enter := func(read answer) {
		t.Helper()
		credit := maps.Clone(read.Data(t, "credits").([]any)[0].(map[string]any))
		maps.DeleteFunc(credit, func(name string, _ any) bool {
			return !slices.Contains([]string{"utr", "amount_paise", "paid_at", "payer_name", "narration"}, name)
		})
		entered := finance.call(t, http.MethodPost, "/bank-credits", map[string]any{
			"credits": []any{credit}, "reason": "Seen in the statement", "choice": read.Data(t, "choice"),
		})
		require.Equal(t, 200, entered.Status, "%s", entered.Raw)
	}
	enter(read)
	again := colleague.call(t, http.MethodPost, "/bank-statements", file)
	require.Equal(t, []any{"", true}, []any{again.Data(t, "asks"), again.Data(t, "remembered")})
	require.Equal(t, "SBIN326324123456", again.Data(t, "credits").([]any)[0].(map[string]any)["utr"])
	audit := finance.call(t, http.MethodGet, "/audit?kind=choose_statement_columns", nil)
	require.Equal(t, 403, audit.Status, "the trail is an admin's to read")

	unordered := []byte("Date,UTR,Deposit\n05/10/2026,SBIN326324123457,500.00\n")
	require.Equal(t, "day_order", finance.call(t, http.MethodPost, "/bank-statements", unordered).Data(t, "asks"))
	ordered := finance.call(t, http.MethodPost, "/bank-statements?day_order=day_first", unordered)
	require.Empty(t, ordered.Data(t, "asks"))
	require.Equal(t, "day_order", finance.call(t, http.MethodPost, "/bank-statements", unordered).Data(t, "asks"))
	enter(ordered)
	require.Empty(t, finance.call(t, http.MethodPost, "/bank-statements", unordered).Data(t, "asks"), "remembered with the headings")
}

func TestBankStatement_OfAMonth_IsReadBeyondTheLimitOfJSON(t *testing.T) {
	t.Parallel()
	app := newTestApp(t)
	finance := app.signedInAs(t, "meera@example.in", staff.RoleFinance)
	day := app.clock.Now().AddDate(0, 0, -1).Format("02-Jan-2006")
	var b strings.Builder
	b.WriteString("Date,Narration,Ref No,Withdrawal,Deposit\n")
	for i := range 19_000 {
		if i%100 == 0 {
			fmt.Fprintf(&b, "%s,NEFT,SBIN3263%08d,,500.00\n", day, i)
		} else {
			fmt.Fprintf(&b, "%s,%s,%d,10.00,\n", day, strings.Repeat("UPI-SUPPLIER-", 20), i)
		}
	}
	read := finance.call(t, http.MethodPost, "/bank-statements", []byte(b.String()))
	require.Equal(t, 200, read.Status, "%.500s", read.Raw)
	require.Equal(t, []any{float64(19_000), float64(18_810)}, []any{read.Data(t, "lines"), read.Data(t, "debits")})
	require.Len(t, read.Data(t, "credits"), 190)
	require.Equal(t, 413, finance.call(t, http.MethodPost, "/bank-statements", make([]byte, statement.MaxStatementBytes+1)).Status)
	require.Equal(t, 400, finance.call(t, http.MethodPost, "/bank-statements", map[string]any{"csv": "x"}).Status)
	require.Equal(t, 422, finance.call(t, http.MethodPost, "/bank-statements", []byte("PK\x03\x04")).Status)
}
