package invoice_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

// While numbers are held after a restore, no document gets a number and the first reason stays. Resuming names the last numbers given: the
// numbers between are recorded as lost, a lower number than the series has reached changes nothing, and the next document follows. Only one
// person can resume after a restore, and only the owner of the tables holds or resumes.
func TestNumberHold_AfterARestore_StopsNumberingUntilResumed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	none, err := invoice.ReadNumberHold(t.Context(), b.db.API)
	require.NoError(t, err)
	require.Nil(t, none)
	require.NoError(t, invoice.RequireNumbers(t.Context(), b.db.API))
	require.ErrorContains(t, invoice.ResumeNumbers(t.Context(), b.db.Owner, nil, b.clock.Now()), "are not held")
	require.Error(t, invoice.HoldNumbers(t.Context(), b.db.Worker, "not mine to hold", b.clock.Now()))

	since := b.clock.Now().UTC().Truncate(time.Microsecond)
	require.NoError(t, invoice.HoldNumbers(t.Context(), b.db.Owner, "restored to 16:29", since))
	require.NoError(t, invoice.HoldNumbers(t.Context(), b.db.Owner, "another reason", since.Add(time.Hour)))
	held, err := invoice.ReadNumberHold(t.Context(), b.db.API)
	require.NoError(t, err)
	require.Equal(t, "restored to 16:29", held.Reason, "an earlier hold keeps its reason")
	require.True(t, held.Since.Equal(since))
	err = invoice.RequireNumbers(t.Context(), b.db.Worker)
	require.ErrorContains(t, err, "restored to 16:29")
	require.ErrorContains(t, err, "`docker compose run --rm admin numbers resume …` (rehearsal: `make admin-alone RUN=\"numbers resume …\"`)")
	require.ErrorContains(t, err, "scripts/admin/backup/README.md")
	_, err = b.issue(t, b.plan(t, b.asha))
	require.Error(t, err, "no sale is invoiced meanwhile")
	require.Error(t, invoice.ResumeNumbers(t.Context(), b.db.API, nil, since), "not by a process that sells")

	given := []invoice.Series{
		{Name: "FP", FinancialYear: "26-27", Last: 7}, {Name: "CN", FinancialYear: "26-27", Last: 2}, {Name: "FP", FinancialYear: "25-26", Last: 3},
	}
	var all sync.WaitGroup
	failures := make([]error, 3)
	for i := range failures {
		all.Go(func() { failures[i] = invoice.ResumeNumbers(t.Context(), b.db.Owner, given, since) })
	}
	all.Wait()
	done := 0
	for _, err := range failures {
		if err == nil {
			done++
		} else {
			require.ErrorContains(t, err, "are not held")
		}
	}
	require.Equal(t, 1, done, "%v", errors.Join(failures...))
	require.NoError(t, invoice.RequireNumbers(t.Context(), b.db.API))
	series := func() map[string]invoice.Series {
		list, err := invoice.ReadSeries(t.Context(), b.db.Owner)
		require.NoError(t, err)
		of := map[string]invoice.Series{}
		for _, s := range list {
			of[s.Name+"/"+s.FinancialYear] = s
		}
		return of
	}
	require.Equal(t, map[string]invoice.Series{
		"FP/26-27": {Name: "FP", FinancialYear: "26-27", Last: 7, Lost: "{[2,8)}"}, "CN/26-27": {Name: "CN", FinancialYear: "26-27", Last: 2, Lost: "{[1,3)}"},
		"FP/25-26": {Name: "FP", FinancialYear: "25-26", Last: 3, Lost: "{[1,4)}"},
	}, series())
	next, err := b.issue(t, b.plan(t, b.asha))
	require.NoError(t, err)
	require.Equal(t, []string{"FP/26-27/000001", "FP/26-27/000008"}, []string{first.Number, next.Number})

	// A second restore, after which less was given than is here, or as much: nothing is lost by it.
	require.NoError(t, invoice.HoldNumbers(t.Context(), b.db.Owner, "restored again", since))
	require.NoError(t, invoice.ResumeNumbers(t.Context(), b.db.Owner, []invoice.Series{{Name: "FP", FinancialYear: "26-27", Last: 8}, {Name: "CN", FinancialYear: "26-27", Last: 1}}, since))
	require.Equal(t, []any{int64(8), "{[2,8)}", int64(2)}, []any{series()["FP/26-27"].Last, series()["FP/26-27"].Lost, series()["CN/26-27"].Last})
	require.NoError(t, invoice.HoldNumbers(t.Context(), b.db.Owner, "and again", since))
	require.NoError(t, invoice.ResumeNumbers(t.Context(), b.db.Owner, []invoice.Series{{Name: "FP", FinancialYear: "26-27", Last: 10}}, since))
	require.Equal(t, "{[2,8),[9,11)}", series()["FP/26-27"].Lost, "the number between the two stays given")

	lost := id.New()
	unknown, err := invoice.Unknown(t.Context(), b.db.Owner, []string{first.ID, lost, next.ID})
	require.NoError(t, err)
	require.Equal(t, []string{lost}, unknown)
	unknown, err = invoice.Unknown(t.Context(), b.db.Owner, nil)
	require.NoError(t, err)
	require.Empty(t, unknown)
}
