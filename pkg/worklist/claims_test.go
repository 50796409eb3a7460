package worklist_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/member"
	"github.com/franchise360/franchise360/pkg/worklist"
)

func TestClaim_ConcurrentClaims_OneWinsAndTheTrailNamesBoth(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	var people []staff.Principal
	for _, name := range []string{"Sunita", "Priya"} {
		p, err := member.Add(t.Context(), db.Owner, name, staff.RoleSupport, clk.Now())
		require.NoError(t, err)
		people = append(people, p)
	}
	broken := errors.New("the table is gone")
	waits := []worklist.Item{{Key: "a", Since: clk.Now(), ToDo: "Give it back.", ToDoOf: map[staff.Role]string{staff.RoleSupport: "Ask finance."}}, {Key: "b", Since: clk.Now(), ToDo: "Answer it."}}
	var failure error
	source := worklist.Source{Kind: "test", Roles: []staff.Role{staff.RoleSupport}, Read: func(_ context.Context, _ *sqlx.Tx, now time.Time, limit int) ([]worklist.Item, int, error) {
		if !now.Equal(clk.Now()) || limit != 200 {
			return nil, 0, errors.New("asked of another moment, or for another number")
		}
		return waits, len(waits), failure
	}}
	s := worklist.NewService(db.API, clk, staff.NewRecorder(clk), support.Subjects{}, []worklist.Source{source})
	claim := func(p staff.Principal, key string, takeOver bool) error {
		return s.Claim(p.Sign(t.Context()), p, "test", key, takeOver)
	}
	release := func(p staff.Principal, kind, key string) error { return s.Release(p.Sign(t.Context()), p, kind, key) }

	groups, err := s.List(people[0].Sign(t.Context()), people[0])
	require.NoError(t, err)
	require.Equal(t, []string{"Ask finance.", "Answer it."}, []string{groups[0].Rows[0].ToDo, groups[0].Rows[1].ToDo}, "what the role can do")

	var group sync.WaitGroup
	var lock sync.Mutex
	refused := map[string]int{}
	for range 4 {
		for _, p := range people {
			group.Go(func() {
				if err := claim(p, "a", false); err != nil {
					lock.Lock()
					refused[p.Name+" "+errs.As(err).Code]++
					lock.Unlock()
				}
			})
		}
	}
	group.Wait()
	require.Len(t, refused, 1, "one of the two is refused, and each time: %v", refused)
	owner, other := people[0], people[1]
	if refused[owner.Name+" claimed"] == 4 {
		owner, other = other, owner
	}
	require.Equal(t, 4, refused[other.Name+" claimed"])
	require.ErrorContains(t, claim(other, "a", false), owner.Name+" sees to this already.")
	clk.Advance(time.Minute)
	require.NoError(t, claim(other, "a", true))
	require.NoError(t, claim(other, "a", true), "it is theirs already")
	require.NoError(t, release(owner, "test", "a"), "nothing of theirs is left")
	require.NoError(t, claim(owner, "b", true), "nobody had it to take it from")

	waits = waits[1:]
	require.Equal(t, errs.KindNotFound, errs.KindOf(claim(owner, "a", true)), "it waits no more")
	require.NoError(t, release(other, "test", "a"), "but whoever had it gives it back")
	failure = broken
	require.ErrorIs(t, claim(owner, "b", false), broken)
	_, err = s.List(owner.Sign(t.Context()), owner)
	require.ErrorIs(t, err, broken)

	var trail []string
	require.NoError(t, db.Owner.Select(&trail, `SELECT action || ' ' || target || ' ' || before || ' ' || after FROM staff_actions ORDER BY sequence`))
	require.Equal(t, []string{
		`claim_work work:test:a {"claimed_by":""} {"claimed_by":"` + owner.Name + `"}`,
		`claim_work work:test:a {"claimed_by":"` + owner.Name + `"} {"claimed_by":"` + other.Name + `"}`,
		`claim_work work:test:b {"claimed_by":""} {"claimed_by":"` + owner.Name + `"}`,
		`release_work work:test:a {"claimed_by":"` + other.Name + `"} {"claimed_by":""}`,
	}, trail, "what changed nothing is not recorded")

	for field, c := range map[string][2]string{"kind": {"", "a"}, "key": {"test", ""}} {
		require.Contains(t, errs.As(release(owner, c[0], c[1])).Fields, field)
	}
	require.Len(t, errs.As(release(owner, strings.Repeat("k", 121), strings.Repeat("k", 121))).Fields, 2)
	require.NoError(t, release(owner, strings.Repeat("k", 120), strings.Repeat("k", 120)))

	// A claim that was not released is deleted after 31 days.
	left := func(after time.Duration) (n int) {
		require.NoError(t, worklist.Purge(t.Context(), db.Worker, clk.Now().Add(after)))
		require.NoError(t, db.Owner.Get(&n, `SELECT count(*) FROM work_claims`))
		return n
	}
	require.Equal(t, 1, left(31*24*time.Hour))
	require.Zero(t, left(31*24*time.Hour+time.Microsecond))
}
