package staff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

// apart is how long an account and the admin who opened it cannot decide for each other.
const apart = 7 * 24 * time.Hour

// decides returns the error when p decides about a request of askedBy.
func (o *office) decides(t *testing.T, p staff.Principal, askedBy string) error {
	t.Helper()
	ctx := p.Sign(t.Context())
	return postgres.InTx(ctx, o.db.API, func(tx *sqlx.Tx) error { return staff.SecondPersonTx(ctx, tx, askedBy, o.clock.Now()) })
}

func (o *office) requireTied(t *testing.T, p, q staff.Principal, why string) {
	t.Helper()
	require.ErrorIs(t, o.decides(t, p, q.StaffID), staff.ErrOnePerson, why)
	require.ErrorIs(t, o.decides(t, q, p.StaffID), staff.ErrOnePerson, why)
}

func (o *office) requireApart(t *testing.T, p, q staff.Principal, why string) {
	t.Helper()
	require.NoError(t, o.decides(t, p, q.StaffID), why)
	require.NoError(t, o.decides(t, q, p.StaffID), why)
}

// joined has the admin invite a person, who accepts and signs in.
func (o *office) joined(t *testing.T, by staff.Principal, email string, role staff.Role) staff.Principal {
	t.Helper()
	l, err := o.accounts.Invite(by.Sign(t.Context()), by, staff.InvitationInput{Email: email, Name: email, Role: role}, o.proofOf(by), "They join")
	require.NoError(t, err)
	return o.enrolled(t, l, email)
}

func (o *office) enrolled(t *testing.T, l staff.Link, email string) staff.Principal {
	t.Helper()
	key := o.enrol(t, l.URL[len(prefix):])
	o.enrolledKeys[email] = key
	o.clock.Advance(time.Minute)
	tokens, err := o.service.SignIn(t.Context(), staff.SignInInput{Email: email, Password: "Guava#2027#Tree", Code: totp.Code(key, totp.StepAt(o.clock.Now()))}, guard.Visitor{Address: "203.0.113.7"})
	require.NoError(t, err)
	p, err := o.service.Authenticate(t.Context(), tokens.Token)
	require.NoError(t, err)
	return p
}

// Given an admin who opens an account or its sign-in in any way, then neither decides for the other until the time is over. The error gives
// the time and no name, and colleagues decide as before.
func TestSecondPerson_OpenerOfAnAccount_CannotDecideForIt(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(*testing.T, *office, staff.Principal) staff.Principal{
		"an invitation": func(t *testing.T, o *office, _ staff.Principal) staff.Principal {
			t.Helper()
			return o.joined(t, o.ravi, "priya@example.in", staff.RoleAdmin)
		},
		"an invitation that another admin sent first": func(t *testing.T, o *office, meera staff.Principal) staff.Principal {
			t.Helper()
			_, err := o.accounts.Invite(meera.Sign(t.Context()), meera, staff.InvitationInput{Email: "priya@example.in", Name: "P", Role: staff.RoleAdmin}, o.proofOf(meera), "She joins")
			require.NoError(t, err)
			l, err := o.accounts.Renew(o.ravi.Sign(t.Context()), o.ravi, o.directory(t, o.ravi).Invitations[0].ID, o.proofOf(o.ravi), "It was lost")
			require.NoError(t, err)
			return o.enrolled(t, l, "priya@example.in")
		},
		"another role": func(t *testing.T, o *office, _ staff.Principal) staff.Principal {
			t.Helper()
			require.NoError(t, o.accounts.SetRole(o.ravi.Sign(t.Context()), o.ravi, o.sunita.StaffID, staff.RoleAdmin, o.proofOf(o.ravi), "Second admin"))
			return o.principal(t, "sunita@example.in")
		},
		"enabling it": func(t *testing.T, o *office, _ staff.Principal) staff.Principal {
			t.Helper()
			ctx := o.ravi.Sign(t.Context())
			require.NoError(t, o.accounts.Disable(ctx, o.ravi, o.sunita.StaffID, "On leave"))
			require.NoError(t, o.accounts.Enable(ctx, o.ravi, o.sunita.StaffID, o.proofOf(o.ravi), "Back"))
			return o.principal(t, "sunita@example.in")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := newOffice(t, false)
			meera := o.hired(t, "meera@example.in", staff.RoleAdmin)
			opened := open(t, o, meera)
			at := o.clock.Now()
			o.requireTied(t, o.ravi, opened, "the two may be one")
			o.requireApart(t, meera, opened, "she opened nothing")
			o.requireApart(t, meera, o.ravi, "who was there before decides")

			ties, err := o.accounts.Ties(opened.Sign(t.Context()))
			require.NoError(t, err)
			require.Len(t, ties, 1)
			require.Equal(t, []string{o.ravi.StaffID, o.ravi.Name}, []string{ties[0].StaffID, ties[0].OpenedByName})
			require.WithinDuration(t, at.Add(apart), ties[0].Until, 2*time.Minute)
			refused := errs.As(o.decides(t, opened, o.ravi.StaffID))
			require.Equal(t, errs.KindForbidden, refused.Kind)
			require.Contains(t, refused.Message, "from "+ties[0].Until.In(time.FixedZone("IST", 19_800)).Format("2 January 2006, 15:04")+" on")
			require.NotContains(t, refused.Error(), o.ravi.Name, "what is logged names nobody")

			o.clock.Set(ties[0].Until.Add(-time.Microsecond))
			o.requireTied(t, o.ravi, opened, "to the last moment")
			o.clock.Set(ties[0].Until)
			o.requireApart(t, o.ravi, opened, "the time ends by itself")
		})
	}
}

// Given a reset, then both admins who performed it are tied to the member and not to each other. Removing rights ties no accounts, and an
// account that the operator saves at the command line is free immediately.
func TestSecondPerson_Ties_AreTransitiveAndEnd(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	meera, kiran := o.hired(t, "meera@example.in", staff.RoleAdmin), o.hired(t, "kiran@example.in", staff.RoleAdmin)
	require.NoError(t, o.accounts.RequestReset(o.ravi.Sign(t.Context()), o.ravi, kiran.StaffID, "His phone is gone"))
	l, err := o.accounts.ApproveReset(meera.Sign(t.Context()), meera, o.directory(t, meera).Resets[0].ID, o.proofOf(meera), "I called him")
	require.NoError(t, err)
	o.requireApart(t, o.ravi, meera, "nobody opened either")
	kiran = o.enrolled(t, l, "kiran@example.in")
	o.requireTied(t, o.ravi, kiran, "who asked")
	o.requireTied(t, meera, kiran, "who approved")
	o.requireApart(t, o.ravi, meera, "they did it together, and are two")

	// One admin behind two accounts, and behind one that the second made.
	first, second := o.joined(t, o.ravi, "first@example.in", staff.RoleAdmin), o.joined(t, o.ravi, "second@example.in", staff.RoleFinance)
	third := o.joined(t, first, "third@example.in", staff.RoleAdmin)
	o.requireTied(t, first, second, "both are Ravi's")
	o.requireTied(t, third, o.ravi, "by way of the first")
	o.requireTied(t, third, second, "Ravi may be both")
	o.requireApart(t, third, meera, "she opened neither")

	require.NoError(t, o.accounts.SetRole(meera.Sign(t.Context()), meera, first.StaffID, staff.RoleFinance, o.proofOf(meera), "Keeps the books"))
	require.NoError(t, o.accounts.Disable(meera.Sign(t.Context()), meera, first.StaffID, "Left"))
	o.requireApart(t, meera, third, "taking rights away opens nothing")
	ties, err := o.accounts.Ties(third.Sign(t.Context()))
	require.NoError(t, err)
	require.Len(t, ties, 4, "Ravi, his two others, and Kiran, whom he reset; whoever is behind a disabled account is still there")

	require.NoError(t, staff.Ensure(t.Context(), o.db.Owner, password.Cheap(1), testkit.NewKeyring(t), o.clock, staff.Account{
		Email: "third@example.in", Name: "Third", Password: "Mango#2026#Tree", Role: staff.RoleAdmin, TOTPKey: []byte("12345678901234567890"),
	}))
	o.requireApart(t, o.principal(t, "third@example.in"), o.ravi, "its password and key are the operator's")
	list, err := o.accounts.Ties(t.Context())
	require.NoError(t, err)
	require.Empty(t, list, "the api's role alone sees nobody")
}

// fourEyes lists, by table, the columns of requester, decider and time, for each decision that takes two people.
func fourEyes() map[string][][3]string {
	return map[string][][3]string{
		"bank_credit_uses":  {{"requested_by", "decided_by", "decided_at"}},
		"catalogue_changes": {{"proposed_by", "approved_by", "approved_at"}, {"proposed_by", "ended_by", "ended_at"}},
		"reversals":         {{"requested_by", "decided_by", "decided_at"}},
		"staff_acts":        {{"requested_by", "decided_by", "decided_at"}},
		"staff_resets":      {{"requested_by", "decided_by", "decided_at"}},
	}
}

// oneDoes lists the tables that name two members of staff without a four-eyes decision, with the role of each.
func oneDoes() map[string]string {
	return map[string]string{
		"alerts":            "somebody saw it, somebody silenced it",
		"contact_requests":  "somebody answers, somebody owns it",
		"staff_invitations": "who is invited, and by whom: what comes of it is an opening",
		"staff_openings":    "who opened whose account",
	}
}

// Every table that names two members of staff has the four-eyes trigger for each decision, or a reason for its absence. A new table must be
// in one of the two lists.
func TestSecondPerson_EachTableWithTwoStaff_HasTheTrigger(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	var named []struct {
		Table   string `db:"tab"`
		Columns string `db:"cols"`
	}
	require.NoError(t, db.Owner.Select(&named, `
		SELECT c.relname AS tab, string_agg(a.attname, ' ' ORDER BY a.attname) AS cols
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND (a.atttypid = 'uuid'::regtype AND a.attname ~ '_by$'
			OR EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.confrelid = 'staff'::regclass AND k.conkey = ARRAY[a.attnum]))
		GROUP BY 1 HAVING count(*) > 1 ORDER BY 1`))
	var tables []string
	for _, one := range named {
		tables = append(tables, one.Table)
		require.True(t, oneDoes()[one.Table] != "" || fourEyes()[one.Table] != nil, "%s names two members of staff (%s): does one decide what the other asked for?", one.Table, one.Columns)
	}
	for table, decisions := range fourEyes() {
		require.Contains(t, tables, table)
		require.Empty(t, oneDoes()[table])
		var triggers []string
		require.NoError(t, db.Owner.Select(&triggers, `
			SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = $1::regclass AND tgfoid = 'require_second_person'::regproc AND tgenabled = 'O'`, table))
		require.Len(t, triggers, len(decisions), table)
		for _, d := range decisions {
			call := fmt.Sprintf("require_second_person('%s', '%s', '%s')", d[0], d[1], d[2])
			require.True(t, slices.ContainsFunc(triggers, func(trigger string) bool {
				return strings.Contains(trigger, "BEFORE INSERT OR UPDATE OF "+d[1]+" ON") && strings.HasSuffix(trigger, call)
			}), "%s: %v", table, triggers)
		}
	}
}

// Given the api's role, which may write a decision directly, then the database refuses the same decisions as the code, and an opening that
// counts for less than a day.
func TestSecondPerson_DatabaseRefusesADecisionOfOnePerson(t *testing.T) {
	t.Parallel()
	o := newOffice(t, false)
	priya := o.joined(t, o.ravi, "priya@example.in", staff.RoleAdmin)
	kiran := o.hired(t, "kiran@example.in", staff.RoleSupport)
	ctx := o.ravi.Sign(t.Context())
	require.NoError(t, o.accounts.RequestReset(ctx, o.ravi, kiran.StaffID, "His phone is gone"))
	reset := o.directory(t, o.ravi).Resets[0].ID
	require.Equal(t, "one_person", codeOf(t, second(o.accounts.ApproveReset(priya.Sign(t.Context()), priya, reset, o.proofOf(priya), "I called him"))))
	err := postgres.InTx(priya.Sign(t.Context()), o.db.API, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(t.Context(), `SELECT outcome FROM decide_staff_reset($1, true, $2, $3, $4, $5)`,
			reset, id.New(), make([]byte, 32), o.clock.Now(), o.clock.Now().Add(time.Hour))
		return err
	})
	require.True(t, postgres.Violates(err, postgres.CheckViolation, "second_person"), "%v", err)
	require.NoError(t, o.accounts.DeclineReset(priya.Sign(t.Context()), priya, reset, "He found it"), "that leaves all as it was")
	for _, wait := range []string{"0", "23 hours", "91 days"} {
		_, err := o.db.Owner.Exec(`INSERT INTO staff_openings (staff_id, opened_by, way, opened_at, counts_until) VALUES ($1, $2, 'role', now(), now() + $3::interval)`,
			kiran.StaffID, o.ravi.StaffID, wait)
		require.True(t, postgres.Violates(err, postgres.CheckViolation, "staff_openings_time"), "%s: %v", wait, err)
	}
}
