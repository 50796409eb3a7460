package job_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/s3"
	"github.com/franchise360/franchise360/worker/job"
)

// documents is the whole way of a document on real parts: Postgres, River, the renderer and an S3 server.
type documents struct {
	db           *testkit.Database
	pool         *pgxpool.Pool
	invoices     *invoice.Service
	store        *objectstore.Store
	franchiserID string
}

func setupDocuments(t *testing.T) *documents {
	t.Helper()
	d := &documents{db: testkit.NewDatabase(t), franchiserID: id.New()}
	clk := testkit.NewClock()
	var err error
	d.pool, err = pgxpool.New(t.Context(), d.db.DSN(testkit.RoleWorker))
	require.NoError(t, err)
	t.Cleanup(d.pool.Close)
	d.store = newStore(t)
	d.invoices = invoice.NewService(invoice.Options{
		DB: d.db.API, Jobs: testkit.NewInserter(t, d.db.API), Clock: clk, Objects: d.store, Payments: payment.Lookup{},
		Supplier: invoice.Supplier{
			Name: "Franchise 360 Private Limited", Address: []string{"Mumbai 400021"}, GSTIN: "27AAPFU0939F1ZV", StateCode: "27",
		},
	})
	_, err = d.db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, '9876543210', 'a@b.in', 'x', '1', $2, $2)`, d.franchiserID, clk.Now())
	require.NoError(t, err)
	return d
}

// newStore is a store with its own bucket, which does not exist yet.
func newStore(t *testing.T) *objectstore.Store {
	t.Helper()
	store, err := objectstore.New(objectstore.Options{
		Endpoint: s3.Endpoint(t), Region: s3.Region, AccessKey: s3.AccessKey, SecretKey: s3.SecretKey,
		Bucket: "b" + strings.ReplaceAll(id.New(), "-", ""),
	})
	require.NoError(t, err)
	return store
}

// work starts a worker of documents and returns its events.
func (d *documents) work(t *testing.T) <-chan *river.Event {
	t.Helper()
	renderer, err := pdf.New(pdf.Options{})
	require.NoError(t, err)
	workers := river.NewWorkers()
	river.AddWorker(workers, job.NewRenderInvoice(invoice.NewPrinter(invoice.PrinterOptions{
		DB: d.db.Worker, Clock: testkit.NewClock(), Renderer: renderer, Objects: d.store,
	})))
	client, err := river.NewClient(riverpgxv5.New(d.pool), &river.Config{
		Queues:        map[string]river.QueueConfig{queue.QueueDocuments: {MaxWorkers: 2}},
		Workers:       workers,
		FetchCooldown: queue.FetchCooldown,
		Logger:        testkit.NewLogger(t),
	})
	require.NoError(t, err)
	events, unsubscribe := client.Subscribe(river.EventKindJobCompleted, river.EventKindJobFailed, river.EventKindJobCancelled)
	t.Cleanup(unsubscribe)
	background := context.WithoutCancel(t.Context()) // the test's own ends before the clean-up begins
	require.NoError(t, client.Start(background))
	t.Cleanup(func() { require.NoError(t, client.Stop(background)) })
	return events
}

func (d *documents) issue(t *testing.T) invoice.Invoice {
	t.Helper()
	paymentID, err := testkit.PaidPayment(t.Context(), d.db.Owner, d.franchiserID, 1_59_300_00, false, testkit.Start())
	require.NoError(t, err)
	var issued invoice.Invoice
	err = postgres.InTenantTx(t.Context(), d.db.API, d.franchiserID, func(tx *sqlx.Tx) error {
		var err error
		issued, err = d.invoices.IssueTx(t.Context(), tx, invoice.IssueInput{
			FranchiserID: d.franchiserID, PaymentID: paymentID, Paid: 1_59_300_00,
			Recipient: invoice.Recipient{Name: "Asha Rao", StateCode: "27"},
			Lines: []invoice.LineInput{{
				Description: "Start up · Expansion, annual plan", SAC: invoice.SACSoftware, RateBps: 1800, Quantity: 1,
				Amount: 1_50_000_00, Discount: 15_000_00,
			}},
		})
		return err
	})
	require.NoError(t, err)
	return issued
}

func next(t *testing.T, events <-chan *river.Event) *river.Event {
	t.Helper()
	select {
	case event := <-events:
		return event
	case <-time.After(2 * time.Minute):
		require.FailNow(t, "no job ended")
		return nil
	}
}

// Given an issued invoice, when the worker runs, then the signed link downloads exactly the recorded bytes.
func TestRenderInvoice_LinkDownloadsTheRecordedBytes(t *testing.T) {
	t.Parallel()
	d := setupDocuments(t)
	require.NoError(t, d.store.EnsureBucket(t.Context()))
	events := d.work(t)
	issued := d.issue(t)
	require.Equal(t, river.EventKindJobCompleted, next(t, events).Kind)

	link, err := d.invoices.Link(t.Context(), d.franchiserID, issued.PaymentID)
	require.NoError(t, err)
	require.True(t, link.Ready())
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link.URL, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "application/pdf", response.Header.Get("Content-Type"))
	require.True(t, strings.HasPrefix(string(body), "%PDF-"))

	var recorded string
	require.NoError(t, d.db.Owner.Get(&recorded, `SELECT sha256 FROM invoice_documents WHERE invoice_id = $1`, issued.ID))
	sum := sha256.Sum256(body)
	require.Equal(t, recorded, hex.EncodeToString(sum[:]))

	again, err := pdf.New(pdf.Options{})
	require.NoError(t, err)
	read, err := d.invoices.Find(t.Context(), d.franchiserID, issued.ID)
	require.NoError(t, err)
	rendered, err := again.Render(read)
	require.NoError(t, err)
	require.Equal(t, body, rendered, "rendering the stored snapshot again gives the same bytes")
}

// Given an object store that is away, when a purchase is made, then it succeeds with its number, the job waits, and the
// document appears once the store is back.
func TestRenderInvoice_StoreDown_RendersLater(t *testing.T) {
	t.Parallel()
	d := setupDocuments(t) // no bucket yet
	events := d.work(t)
	issued := d.issue(t)
	failed := next(t, events)
	require.Equal(t, river.EventKindJobFailed, failed.Kind)
	require.Contains(t, []rivertype.JobState{rivertype.JobStateAvailable, rivertype.JobStateRetryable}, failed.Job.State)
	link, err := d.invoices.Link(t.Context(), d.franchiserID, issued.ID)
	require.NoError(t, err)
	require.False(t, link.Ready())
	require.Equal(t, "FP/26-27/000001", link.Number)

	require.NoError(t, d.store.EnsureBucket(t.Context()))
	require.Eventually(t, func() bool {
		link, err := d.invoices.Link(t.Context(), d.franchiserID, issued.ID)
		return err == nil && link.Ready() && link.Number == "FP/26-27/000001"
	}, 2*time.Minute, 100*time.Millisecond)
}

func TestRenderInvoice_UnknownInvoice_IsCancelled(t *testing.T) {
	t.Parallel()
	d := setupDocuments(t)
	events := d.work(t)
	err := postgres.InTx(t.Context(), d.db.Worker, func(tx *sqlx.Tx) error {
		_, err := testkit.NewInserter(t, d.db.Worker).InsertTx(t.Context(), tx, invoice.RenderArgs{InvoiceID: id.New()},
			queue.Options{Queue: queue.QueueDocuments})
		return err
	})
	require.NoError(t, err)
	require.Equal(t, river.EventKindJobCancelled, next(t, events).Kind)
}
