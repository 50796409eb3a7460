package worklist_test

import (
	"context"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/testkit/console"
	"github.com/franchise360/franchise360/pkg/testkit/member"
	"github.com/franchise360/franchise360/pkg/worklist"
)

func TestClaim_IsTakenOverAndReleased(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	member := func(name string) staff.Principal {
		p, err := member.Add(t.Context(), db.Owner, name, staff.RoleAdmin, clk.Now())
		require.NoError(t, err)
		return p
	}
	sunita, priya := member("Sunita"), member("Priya")
	source := worklist.Source{Kind: "test", Title: "Test", Read: func(context.Context, *sqlx.Tx, time.Time, int) ([]worklist.Item, int, error) {
		return []worklist.Item{{Key: "a", Title: "A", Since: clk.Now()}}, 7, nil
	}}
	s := worklist.NewService(db.API, clk, staff.NewRecorder(clk), support.Subjects{}, append([]worklist.Source{source}, app.WorkSources()...))
	by := func(p staff.Principal) (string, int) {
		groups, err := s.List(p.Sign(t.Context()), p)
		require.NoError(t, err)
		require.Len(t, groups, len(app.WorkSources())+1)
		for _, g := range groups[1:] {
			require.Zero(t, g.Count, g.Kind)
		}
		return groups[0].Rows[0].ClaimedBy, groups[0].Count
	}
	who, count := by(sunita)
	require.Empty(t, who)
	require.Equal(t, 7, count)
	require.Equal(t, errs.KindNotFound, errs.KindOf(s.Claim(sunita.Sign(t.Context()), sunita, "test", "b", false)))
	require.Equal(t, errs.KindNotFound, errs.KindOf(s.Claim(sunita.Sign(t.Context()), sunita, "x", "a", false)))
	require.NoError(t, s.Claim(sunita.Sign(t.Context()), sunita, "test", "a", false))
	require.NoError(t, s.Claim(sunita.Sign(t.Context()), sunita, "test", "a", false))
	require.Equal(t, errs.KindConflict, errs.KindOf(s.Claim(priya.Sign(t.Context()), priya, "test", "a", false)))
	require.NoError(t, s.Release(priya.Sign(t.Context()), priya, "test", "a"))
	who, _ = by(priya)
	require.Equal(t, "Sunita", who)
	require.NoError(t, s.Claim(priya.Sign(t.Context()), priya, "test", "a", true))
	who, _ = by(sunita)
	require.Equal(t, "Priya", who)
	require.NoError(t, s.Release(priya.Sign(t.Context()), priya, "test", "a"))
	who, _ = by(sunita)
	require.Empty(t, who)
}

func TestWorkList_EachRole_SeesItemsItCanActOn(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	s := worklist.NewService(db.API, clk, staff.NewRecorder(clk), support.Subjects{}, app.WorkSources())
	kinds := func(role staff.Role) (all []string) {
		p, err := member.Add(t.Context(), db.Owner, string(role), role, clk.Now())
		require.NoError(t, err)
		groups, err := s.List(p.Sign(t.Context()), p)
		require.NoError(t, err)
		for _, g := range groups {
			all = append(all, g.Kind)
		}
		return all
	}
	require.Equal(t, []string{
		"held_payment", "undecided_payment", "mandate_stop", "unheard_debit", "document_without_file", "failing_dependency", "own_request", "late_request",
		"unassigned_request", "own_delivery", "late_delivery", "provided_delivery", "unanswered_delivery",
	}, kinds(staff.RoleSupport))
	require.Equal(t, []string{
		"held_payment", "undecided_payment", "failed_refund", "dispute", "unconfirmed_dispute", "unheard_debit", "bank_credit", "bank_use",
		"late_tds", "settlement_difference", "document_without_file", "e_invoice", "own_request", "late_request", "unassigned_request",
	}, kinds(staff.RoleFinance))
	require.Len(t, kinds(staff.RoleAdmin), len(app.WorkSources()))
	require.Len(t, kinds(staff.RoleAuditor), len(app.WorkSources()))
}

func TestWorkList_Row_NamesItsCustomerAndIsClaimedByItsRoles(t *testing.T) {
	t.Parallel()
	db, clk := testkit.NewDatabase(t), testkit.NewClock()
	meera, err := member.Add(t.Context(), db.Owner, "Meera", staff.RoleFinance, clk.Now())
	require.NoError(t, err)
	asha := console.Customer(t, db, clk, "9876543210", "Asha", "Rao")
	read := func(context.Context, *sqlx.Tx, time.Time, int) ([]worklist.Item, int, error) {
		return []worklist.Item{{Key: "a", Title: "A", Since: clk.Now(), CustomerID: asha}, {Key: "b", Title: "B", Since: clk.Now()}}, 2, nil
	}
	s := worklist.NewService(db.API, clk, staff.NewRecorder(clk), support.Subjects{}, []worklist.Source{
		{Kind: "money", Roles: []staff.Role{staff.RoleFinance}, Read: read}, {Kind: "queues", Roles: []staff.Role{staff.RoleSupport}, Read: read},
	})
	groups, err := s.List(meera.Sign(t.Context()), meera)
	require.NoError(t, err)
	require.Len(t, groups, 1)
	require.Equal(t, "money", groups[0].Kind)
	require.Equal(t, []string{"Asha Rao", ""}, []string{groups[0].Rows[0].Customer, groups[0].Rows[1].Customer})
	require.NoError(t, s.Claim(meera.Sign(t.Context()), meera, "money", "a", false))
	require.Equal(t, errs.KindNotFound, errs.KindOf(s.Claim(meera.Sign(t.Context()), meera, "queues", "a", false)))
}
