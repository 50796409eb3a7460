package timemachine_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

func TestQuestion_InvalidField_IsRefused(t *testing.T) {
	t.Parallel()
	good := timemachine.Question{FranchiserID: id.New(), Months: 12, Pays: timemachine.PaysOnTime}
	for name, c := range map[string]struct {
		change func(*timemachine.Question)
		fields []string
	}{
		"as it is":            {func(*timemachine.Question) {}, nil},
		"a month":             {func(q *timemachine.Question) { q.Months = 1 }, nil},
		"two years":           {func(q *timemachine.Question) { q.Months = timemachine.MostMonths }, nil},
		"no month":            {func(q *timemachine.Question) { q.Months = 0 }, []string{"months"}},
		"back":                {func(q *timemachine.Question) { q.Months = -1 }, []string{"months"}},
		"beyond two years":    {func(q *timemachine.Question) { q.Months = 25 }, []string{"months"}},
		"late":                {func(q *timemachine.Question) { q.Pays = timemachine.PaysLate }, nil},
		"never":               {func(q *timemachine.Question) { q.Pays = timemachine.PaysNever }, nil},
		"no choice":           {func(q *timemachine.Question) { q.Pays = "" }, []string{"pays"}},
		"another spelling":    {func(q *timemachine.Question) { q.Pays = "On_Time" }, []string{"pays"}},
		"a change":            {func(q *timemachine.Question) { q.ChangeID = id.New() }, nil},
		"a change without id": {func(q *timemachine.Question) { q.ChangeID = "x" }, []string{"change_id"}},
		"everything is wrong": {func(q *timemachine.Question) { q.Months, q.Pays, q.ChangeID = 99, "x", "x" }, []string{"change_id", "months", "pays"}},
	} {
		q := good
		c.change(&q)
		err := q.Validate()
		if c.fields == nil {
			require.NoError(t, err, name)
			continue
		}
		var fields []string
		for field := range errs.As(err).Fields {
			fields = append(fields, field)
		}
		slices.Sort(fields)
		require.Equal(t, c.fields, fields, name)
	}
	for _, nobody := range []string{"", "x", strings.Repeat("0", 36), good.FranchiserID + " "} {
		require.ErrorIs(t, timemachine.Question{FranchiserID: nobody, Months: 99}.Validate(), errs.NotFound(), "whose id is none, of that one nothing is told")
	}
}

// failing is a machine that answers with an error.
type failing struct{ err error }

func (f failing) Ask(context.Context, timemachine.Question) (timemachine.Answer, error) {
	return timemachine.Answer{}, f.err
}

// A run is recorded once per half-hour and member of staff. An invalid question is not recorded; a question that the machine refuses is.
func TestAsk_ValidQuestion_IsRecordedOncePerHalfHourAndPerson(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), clock.NewFake(testkit.Start())
	people := console.Hire(t, db, clk)
	asha, usha := console.Customer(t, db, clk, "9876543210", "Asha", "Rao"), console.Customer(t, db, clk, "9876543211", "Usha", "Rao")
	m := &machine{}
	s := timemachine.NewService(timemachine.Options{DB: db.API, Clock: clk, Recorder: people.Service, Machine: m})
	ask := func(by string, q timemachine.Question) error {
		p := people.Sunita
		if by == "Ravi" {
			p = people.Ravi
		}
		_, err := s.Ask(p.Sign(t.Context()), p, q)
		return err
	}
	q := timemachine.Question{FranchiserID: asha, Months: 1, Pays: timemachine.PaysNever}
	wrong := q
	wrong.Months = 0
	require.Equal(t, errs.KindInvalid, errs.KindOf(ask("Sunita", wrong)))
	require.Empty(t, m.asked)
	require.Empty(t, people.Actions(t))

	require.NoError(t, ask("Sunita", q))
	clk.Advance(30*time.Minute - time.Second)
	require.NoError(t, ask("Sunita", q))
	require.Len(t, people.Actions(t), 1)
	require.NoError(t, ask("Ravi", q))
	require.Len(t, people.Actions(t), 2, "a colleague's look is another one")
	q.FranchiserID = usha
	require.NoError(t, ask("Sunita", q))
	require.Len(t, people.Actions(t), 3, "and so is one at another customer")
	q.FranchiserID = asha
	clk.Advance(2 * time.Second)
	require.NoError(t, ask("Sunita", q))
	require.Len(t, people.Actions(t), 4, "half an hour later")

	clk.Advance(31 * time.Minute)
	for n, refusal := range []error{timemachine.ErrBusy, timemachine.ErrFailed} {
		s = timemachine.NewService(timemachine.Options{DB: db.API, Clock: clk, Recorder: people.Service, Machine: failing{refusal}})
		require.ErrorIs(t, ask("Sunita", q), refusal)
		require.Len(t, people.Actions(t), 5, n)
	}
	require.True(t, errs.IsFault(timemachine.ErrBusy), "nothing that the member of staff did wrong")
}
