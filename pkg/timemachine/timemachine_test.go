package timemachine_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/timemachine"
)

// machine answers at once.
type machine struct{ asked []timemachine.Question }

func (m *machine) Ask(_ context.Context, q timemachine.Question) (timemachine.Answer, error) {
	m.asked = append(m.asked, q)
	return timemachine.Answer{State: timemachine.StateRunning}, nil
}

func TestAsk_IsRecordedAsAViewOfTheCustomer(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), clock.NewFake(testkit.Start())
	people := console.Hire(t, db, clk)
	who := id.New()
	_, err := db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, '9876543210', 'asha@example.in', 'x', '1', $2, $2)`, who, clk.Now())
	require.NoError(t, err)
	m := &machine{}
	s := timemachine.NewService(timemachine.Options{DB: db.API, Clock: clk, Recorder: people.Service, Machine: m})
	q := timemachine.Question{FranchiserID: who, Months: 13, Pays: timemachine.PaysOnTime}
	ctx := people.Sunita.Sign(t.Context())
	for range 3 { // as often as the console polls until the run is done
		_, err = s.Ask(ctx, people.Sunita, q)
		require.NoError(t, err)
	}
	require.Len(t, m.asked, 3)
	require.Equal(t, []string{"open_customer"}, people.Actions(t))
	var reason string
	require.NoError(t, db.Owner.Get(&reason, `SELECT reason FROM staff_actions WHERE franchiser_ref = $1`, who))
	require.Equal(t, "Looked 13 months ahead", reason)

	q.FranchiserID = id.New()
	_, err = s.Ask(ctx, people.Sunita, q)
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))
	require.Len(t, m.asked, 3, "nobody is asked about")
}

func TestAsk_WithoutAMachine_IsOff(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), clock.NewFake(testkit.Start())
	people := console.Hire(t, db, clk)
	s := timemachine.NewService(timemachine.Options{DB: db.API, Clock: clk, Recorder: people.Service})
	require.False(t, s.On())
	_, err := s.Ask(t.Context(), people.Sunita, timemachine.Question{FranchiserID: id.New(), Months: 1, Pays: timemachine.PaysNever})
	require.ErrorIs(t, err, timemachine.ErrOff)
	require.Empty(t, people.Actions(t))
}

func TestQuestion_EachField_IsValidated(t *testing.T) {
	t.Parallel()
	good := timemachine.Question{FranchiserID: id.New(), Months: 24, Pays: timemachine.PaysLate, ChangeID: id.New()}
	require.NoError(t, good.Validate())
	for field, spoil := range map[string]func(*timemachine.Question){
		"months":    func(q *timemachine.Question) { q.Months = 25 },
		"pays":      func(q *timemachine.Question) { q.Pays = "sometimes" },
		"change_id": func(q *timemachine.Question) { q.ChangeID = "draft" },
	} {
		q := good
		spoil(&q)
		err := q.Validate()
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), field)
		require.Contains(t, errs.As(err).Fields, field)
	}
	good.Months = 0
	require.Contains(t, errs.As(good.Validate()).Fields, "months")
}
