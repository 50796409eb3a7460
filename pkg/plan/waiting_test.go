package plan_test

import (
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/worklist"
)

// A proposed change is a work item for the second admin only. Its job previews no effect before approval, no effect before its time, and
// one effect afterwards. The coming catalogue is the approved one until it is sold.
func TestChange_AtEachStage_HasItsWorkItemAndJobPreview(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	waiting := func() (items []worklist.Item) {
		require.NoError(t, postgres.InTx(o.byRavi, o.db.API, func(tx *sqlx.Tx) (err error) {
			items, _, err = plan.WorkSources()[0].Read(t.Context(), tx, o.clock.Now(), 10)
			return err
		}))
		return items
	}
	foretold := func() (p queue.JobPreview) {
		require.NoError(t, postgres.InTx(t.Context(), o.db.Worker, func(tx *sqlx.Tx) (err error) {
			p, err = plan.JobPreviews()[plan.ApplyArgs{}.Kind()](t.Context(), tx, []byte(`{}`), o.clock.Now())
			return err
		}))
		return p
	}
	coming := func() (c *plan.Coming) {
		require.NoError(t, postgres.InTx(t.Context(), o.db.Worker, func(tx *sqlx.Tx) (err error) {
			c, err = o.plans.ComingTx(t.Context(), tx)
			return err
		}))
		return c
	}
	r := o.dearer()
	require.Empty(t, waiting(), "a draft waits for nobody")
	r, err := o.propose(r)
	require.NoError(t, err)
	at := o.midnight.In(clock.IST).Format("2 Jan 2006, 15:04 IST")
	require.Len(t, waiting(), 1)
	require.Equal(t, "Catalogue dearer", waiting()[0].Title)
	require.Equal(t, "asha proposed it for "+at+"; nobody has decided.", waiting()[0].Wrong)
	require.Equal(t, "Would look for an approved change of the catalogue: there is none → nothing.", foretold().Summary)
	require.Nil(t, coming())
	_, err = o.changes.Decide(o.byRavi, o.ravi, r.ID, plan.Approve, "Agreed")
	require.NoError(t, err)
	require.Empty(t, waiting())
	require.True(t, foretold().Nothing)
	require.Contains(t, foretold().Summary, "it holds from "+at+" on → nothing yet")
	require.True(t, coming().From.Equal(o.midnight))
	require.EqualValues(t, 13_000_00, coming().Catalogue.Plans[0].Tiers[0].Monthly)
	o.at(o.midnight.Add(-time.Second))
	require.True(t, foretold().Nothing)
	o.at(o.midnight)
	require.False(t, foretold().Nothing, "from its very moment on")
	_, err = o.applier.Apply(t.Context())
	require.NoError(t, err)
	require.True(t, foretold().Nothing, "it is sold")
	require.Nil(t, coming())
}
