package numbers

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/ledger"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/s3"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

type place struct {
	db    *testkit.Database
	store *objectstore.Store
	env   map[string]string
}

func setup(t *testing.T) place {
	t.Helper()
	p := place{db: testkit.NewDatabase(t), env: map[string]string{
		"S3_ENDPOINT": s3.Endpoint(t), "S3_BUCKET": strings.ToLower(id.New()), "S3_REGION": s3.Region,
		"S3_ACCESS_KEY": s3.AccessKey, "S3_SECRET_KEY": s3.SecretKey,
	}}
	p.env["DATABASE_OWNER_URL"] = p.db.DSN("")
	var err error
	p.store, err = objectstore.Open(p.getenv, "S3_")
	require.NoError(t, err)
	require.NoError(t, p.store.EnsureBucket(t.Context()))
	return p
}

func (p place) getenv(name string) string { return p.env[name] }

func (p place) numbers(ctx context.Context, arguments ...string) (string, error) {
	var out bytes.Buffer
	err := Command().Run(ctx, command.Call{Getenv: p.getenv, Out: &out, Clock: testkit.NewClock()}, arguments...)
	return out.String(), err
}

// print stores a document that no database knows.
func (p place) print(t *testing.T, number string) {
	t.Helper()
	renderer, err := pdf.New(pdf.Options{})
	require.NoError(t, err)
	lines, totals, err := invoice.Compute(invoice.RegimeOf("27", "27", false), []invoice.LineInput{
		{Description: "Start up", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1, Amount: 1_00_000},
	})
	require.NoError(t, err)
	body, err := renderer.Render(invoice.Invoice{
		ID: id.New(), Kind: invoice.KindInvoice, Number: number, FinancialYear: "26-27", IssuedAt: testkit.Start(), PlaceOfSupply: "27", Lines: lines, Totals: totals,
		Supplier:  invoice.Supplier{Name: "Franchise 360 Private Limited", StateCode: "27"},
		Recipient: invoice.Recipient{Name: "Asha Rao", StateCode: "27"},
	})
	require.NoError(t, err)
	require.NoError(t, p.store.Put(t.Context(), "invoices/26-27/"+id.New()+"/x.pdf", "application/pdf", body))
}

func (p place) take(t *testing.T, series string) (next int64, err error) {
	t.Helper()
	err = p.db.Worker.GetContext(t.Context(), &next, `INSERT INTO invoice_counters (series, financial_year, last, last_issued_at)
		VALUES ($1, '26-27', 1, now()) ON CONFLICT (series, financial_year) DO UPDATE SET last = invoice_counters.last + 1 RETURNING last`, series)
	return next, err
}

// After a restore nothing is numbered until an operator accounts for the gap, and afterwards no number is issued twice.
func TestResume_ContinuesAfterTheIssuedNumbers(t *testing.T) {
	t.Parallel()
	p := setup(t)
	said, err := p.numbers(t.Context(), "hold", "restored to 16:29")
	require.NoError(t, err)
	require.Regexp(t, `No document is numbered, since 2026-11-02 \d\d:\d\d:\d\d IST: `, said)
	require.Contains(t, said, "restored to 16:29")
	_, err = p.take(t, "FP")
	require.ErrorContains(t, err, "no document is numbered")
	require.ErrorContains(t, invoice.RequireNumbers(t.Context(), p.db.API), "restored to 16:29", "api and worker do not start")

	p.print(t, "FP/26-27/000003")
	p.print(t, "FP/26-27/000005")
	said, err = p.numbers(t.Context())
	require.NoError(t, err)
	require.Contains(t, said, "not in the database: FP/26-27/000003, invoices/26-27/")
	require.NotNil(t, held(t, p), "looking changes nothing")

	_, err = p.numbers(t.Context(), "resume", "FP/26-27/000004", "CN/26-27/12")
	require.ErrorContains(t, err, `"CN/26-27/12" is not the number of a document`)
	_, err = p.numbers(t.Context(), "resume", "XX/26-27/000012")
	require.ErrorContains(t, err, "is not the number of a document")
	require.NotNil(t, held(t, p))

	said, err = p.numbers(t.Context(), "resume", "FP/26-27/000004", "CN/26-27/000012")
	require.NoError(t, err)
	require.Contains(t, said, "Documents are numbered.\nCN/26-27/000012, lost in restores {[1,13)}\nFP/26-27/000005, lost in restores {[1,6)}")
	require.Nil(t, held(t, p))
	require.NoError(t, invoice.RequireNumbers(t.Context(), p.db.Worker))
	report, err := ledger.NewService(p.db.Worker, testkit.NewClock()).Verify(t.Context())
	require.NoError(t, err)
	require.True(t, report.Clean(), "the books know of the lost ones: %v", report.Findings)
	for series, want := range map[string]int64{"FP": 6, "CN": 13, "RV": 1} {
		next, err := p.take(t, series)
		require.NoError(t, err)
		require.Equal(t, want, next, series)
	}
	_, err = p.numbers(t.Context(), "resume", "none")
	require.ErrorContains(t, err, "are not held")
}

func held(t *testing.T, p place) *invoice.NumberHold {
	t.Helper()
	h, err := invoice.ReadNumberHold(t.Context(), p.db.Owner)
	require.NoError(t, err)
	return h
}

func TestResume_UnreadableDocument_IsRefused(t *testing.T) {
	t.Parallel()
	p := setup(t)
	require.NoError(t, p.store.Put(t.Context(), "invoices/26-27/"+id.New()+"/x.pdf", "application/pdf", []byte("%PDF- torn")))
	_, err := p.numbers(t.Context(), "hold", "restored")
	require.NoError(t, err)
	_, err = p.numbers(t.Context(), "resume", "none")
	require.ErrorContains(t, err, "its number cannot be read")
	require.NotNil(t, held(t, p))
	_, err = p.numbers(t.Context(), "-without-objects", "resume", "FP/26-27/000002")
	require.NoError(t, err)
	require.Nil(t, held(t, p))
}

func TestNumbers_WrongArguments_PrintUsage(t *testing.T) {
	t.Parallel()
	p := setup(t)
	for _, arguments := range [][]string{{"resume"}, {"hold"}, {"hold", ""}, {"undo"}, {"-x"}} {
		_, err := p.numbers(t.Context(), arguments...)
		require.ErrorContains(t, err, "want numbers, numbers hold REASON, numbers resume NUMBER…, -without-objects", "%v", arguments)
	}
	delete(p.env, "S3_ENDPOINT")
	_, err := p.numbers(t.Context())
	require.ErrorContains(t, err, "S3_ENDPOINT is not set")
	delete(p.env, "DATABASE_OWNER_URL")
	_, err = p.numbers(t.Context())
	require.ErrorContains(t, err, "DATABASE_OWNER_URL is not set")
}
