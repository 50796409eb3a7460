package job_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/worker/job"
)

// renderer draws documents as the product does, those of a number with something added, as another release might.
type renderer struct {
	*pdf.Renderer

	other string
}

func (r *renderer) Render(i invoice.Invoice) ([]byte, error) {
	body, err := r.Renderer.Render(i)
	if i.Number == r.other {
		body = append(body, '\n')
	}
	return body, err
}

// found stores the latest result of a check.
type found struct{ lost int }

func (f *found) Checked(check string, n int, _ time.Time) {
	if check == "documents" {
		f.lost = n
	}
}

// lookout asks the store, until it has been asked so often; asked are the keys.
type lookout struct {
	invoice.Lookout

	most  int
	asked []string
}

func (l *lookout) Has(ctx context.Context, key string) (bool, error) {
	if len(l.asked) == l.most {
		return false, errors.New("the store is away")
	}
	l.asked = append(l.asked, key)
	return l.Lookout.Has(ctx, key)
}

// shelf is documents that were rendered, in an object store that can lose them.
type shelf struct {
	*documents

	render  *renderer
	printer *invoice.Printer
	keeper  *invoice.Keeper
	kept    []invoice.Document
	numbers []string
}

func setupShelf(t *testing.T, count int) *shelf {
	t.Helper()
	s := &shelf{documents: setupDocuments(t)}
	require.NoError(t, s.store.EnsureBucket(t.Context()))
	plain, err := pdf.New(pdf.Options{})
	require.NoError(t, err)
	s.render = &renderer{Renderer: plain}
	s.open()
	for range count {
		issued := s.issue(t)
		kept, err := s.printer.Print(t.Context(), issued.ID)
		require.NoError(t, err)
		s.kept, s.numbers = append(s.kept, kept), append(s.numbers, issued.Number)
	}
	return s
}

// lose goes over to a bucket that has everything but the keys, as after a restore that was not whole.
func (s *shelf) lose(t *testing.T, keys ...string) {
	t.Helper()
	before := s.store
	s.store = newStore(t)
	require.NoError(t, s.store.EnsureBucket(t.Context()))
	require.NoError(t, before.Each(t.Context(), func(o objectstore.Object) error {
		if slices.Contains(keys, o.Key) {
			return nil
		}
		return s.store.Put(t.Context(), o.Key, o.ContentType, o.Body)
	}))
	s.open()
}

// open builds what works on the store.
func (s *shelf) open() {
	s.printer = invoice.NewPrinter(invoice.PrinterOptions{
		DB: s.db.Worker, Clock: testkit.NewClock(), Renderer: s.render, Objects: s.store,
	})
	s.keeper = invoice.NewKeeper(s.db.Worker, testkit.NewClock(), s.printer, s.store)
}

func (s *shelf) losses(t *testing.T) invoice.Losses {
	t.Helper()
	lost, err := s.keeper.Losses(t.Context())
	require.NoError(t, err)
	return lost
}

func never() bool { return false }

// Given a store that lost two of three documents, one of which renders differently today, then the check counts both, once. Rendering again
// restores one with the same bytes as before, leaves the other lost with the reason, and a second run changes nothing.
func TestVerifyDocuments_LostDocuments_AreCountedAndRestored(t *testing.T) {
	t.Parallel()
	s := setupShelf(t, 3)
	told := &found{lost: -1}
	check := func() error {
		return job.NewVerifyDocuments(s.keeper, told, testkit.NewClock()).Work(t.Context(), &river.Job[invoice.VerifyDocumentsArgs]{})
	}
	require.NoError(t, check())
	require.Zero(t, told.lost)
	require.NotNil(t, s.losses(t).Checked)

	handedOut, err := s.store.Get(t.Context(), s.kept[0].ObjectKey)
	require.NoError(t, err)
	s.lose(t, s.kept[0].ObjectKey, s.kept[2].ObjectKey)
	for range 2 {
		require.NoError(t, check())
		require.Equal(t, 2, told.lost)
	}

	s.render.other = s.numbers[2]
	restore := job.NewRestoreDocuments(s.keeper, told, testkit.NewClock())
	asked := func(id int64) *river.Job[invoice.RestoreDocumentsArgs] {
		return &river.Job[invoice.RestoreDocumentsArgs]{JobRow: &rivertype.JobRow{ID: id}}
	}
	for range 2 {
		require.NoError(t, restore.Work(t.Context(), asked(1)))
		require.Equal(t, 1, told.lost)
		lost := s.losses(t)
		require.Equal(t, []int64{1, 1}, []int64{lost.Count, lost.Different})
	}
	back, err := s.store.Get(t.Context(), s.kept[0].ObjectKey)
	require.NoError(t, err)
	require.Equal(t, handedOut, back)
	there, err := s.store.Has(t.Context(), s.kept[2].ObjectKey)
	require.NoError(t, err)
	require.False(t, there, "no other bytes under the hash of those that were handed out")

	s.render.other = ""
	require.NoError(t, restore.Work(t.Context(), asked(2)))
	require.Zero(t, told.lost)
	require.Nil(t, s.losses(t).Since)
}

// Given a store that goes down in the middle, then no document counts as lost. The next run continues with the document at which the last
// run stopped, and a document that is found again is no longer lost.
func TestVerifyDocuments_StoreGoesDown_ContinuesWhereItStopped(t *testing.T) {
	t.Parallel()
	s := setupShelf(t, 3)
	looks := &lookout{Lookout: s.store, most: 1}
	keeper := invoice.NewKeeper(s.db.Worker, testkit.NewClock(), s.printer, looks)
	require.ErrorContains(t, keeper.Check(t.Context(), never), "the store is away")
	require.Zero(t, s.losses(t).Count)
	require.Nil(t, s.losses(t).Checked, "the round is not over")

	s.lose(t, s.kept[1].ObjectKey)
	looks.Lookout, looks.most = s.store, 3
	require.NoError(t, keeper.Check(t.Context(), never))
	require.Equal(t, []string{s.kept[0].ObjectKey, s.kept[1].ObjectKey, s.kept[2].ObjectKey}, looks.asked)
	require.EqualValues(t, 1, s.losses(t).Count)
	require.NotNil(t, s.losses(t).Checked)

	require.NoError(t, s.printer.PutBack(t.Context(), s.kept[1].InvoiceID))
	looks.most = 6
	require.NoError(t, keeper.Check(t.Context(), never))
	require.Zero(t, s.losses(t).Count)
	require.Len(t, looks.asked, 6)

	finished, err := keeper.Restore(t.Context(), 1, func() bool { return true })
	require.NoError(t, err)
	require.False(t, finished, "without time nothing is finished")
	require.ErrorIs(t, s.printer.PutBack(t.Context(), s.issueOnly(t)), invoice.ErrNotFound)
}

// issueOnly issues a document without rendering it.
func (s *shelf) issueOnly(t *testing.T) string {
	t.Helper()
	return s.issue(t).ID
}
