package staff_test

import (
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
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/totp"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestReason_TooShortOrLong_IsRefused(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"   Lost \t her\n phone ":  "Lost her phone",
		"abc":                      "abc",
		"फोन खो गया":               "फोन खो गया",
		strings.Repeat("क", 500):   strings.Repeat("क", 500),
		" \u00a0 ok!\u00a0":        "ok!",
		strings.Repeat("a b ", 50): strings.TrimSpace(strings.Repeat("a b ", 50)),
	} {
		got, err := staff.CleanReason(given)
		require.NoError(t, err, given)
		require.Equal(t, want, got)
	}
	for _, given := range []string{"", "   ", "ab", " a  ", "\n\n\n", strings.Repeat("क", 501), strings.Repeat("x", 10_000)} {
		_, err := staff.CleanReason(given)
		require.Contains(t, errs.As(err).Fields, "reason")
	}
}

func TestSignIn_MissingPart_IsRefused(t *testing.T) {
	t.Parallel()
	whole := staff.SignInInput{Email: "  Sunita@Example.IN ", Password: "Mango#2026#Tree", Code: "012345"}
	require.NoError(t, whole.Validate())
	require.Equal(t, "sunita@example.in", whole.Email)
	for name, c := range map[string]struct {
		change func(*staff.SignInInput)
		field  string
	}{
		"no e-mail":         {func(in *staff.SignInInput) { in.Email = " " }, "email"},
		"a long e-mail":     {func(in *staff.SignInInput) { in.Email = strings.Repeat("a", 255) }, "email"},
		"no password":       {func(in *staff.SignInInput) { in.Password = "" }, "password"},
		"a long password":   {func(in *staff.SignInInput) { in.Password = strings.Repeat("a", 201) }, "password"},
		"no code":           {func(in *staff.SignInInput) { in.Code = "" }, "code"},
		"five digits":       {func(in *staff.SignInInput) { in.Code = "12345" }, "code"},
		"seven digits":      {func(in *staff.SignInInput) { in.Code = "1234567" }, "code"},
		"a sign":            {func(in *staff.SignInInput) { in.Code = "+12345" }, "code"},
		"a space":           {func(in *staff.SignInInput) { in.Code = "123 45" }, "code"},
		"Devanagari digits": {func(in *staff.SignInInput) { in.Code = "१२" }, "code"}, // six bytes
	} {
		in := whole
		c.change(&in)
		err := in.Validate()
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Len(t, errs.As(err).Fields, 1, name)
		require.Contains(t, errs.As(err).Fields, c.field, name)
	}
	require.Len(t, errs.As((&staff.SignInInput{}).Validate()).Fields, 3, "all at once")
}

// Given the operator's description of a staff account, then it is only created if its owner can sign in.
func TestEnsure_InvalidAccount_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, c := range map[string]struct {
		change func(*staff.Account)
		field  string
	}{
		"no e-mail":                  {func(a *staff.Account) { a.Email = "  " }, "email"},
		"no address":                 {func(a *staff.Account) { a.Email = "sunita" }, "email"},
		"an e-mail beyond a form's":  {func(a *staff.Account) { a.Email = strings.Repeat("a", 250) + "@b.in" }, "email"},
		"no name":                    {func(a *staff.Account) { a.Name = " " }, "name"},
		"no role":                    {func(a *staff.Account) { a.Role = "" }, "role"},
		"a role of customers":        {func(a *staff.Account) { a.Role = "franchiser" }, "role"},
		"a short password":           {func(a *staff.Account) { a.Password = "Mango#2026#" }, "password"},
		"four letters, 12 bytes":     {func(a *staff.Account) { a.Password = "आमआम" }, "password"},
		"a password beyond a form's": {func(a *staff.Account) { a.Password = strings.Repeat("Mango#2026#", 12) }, "password"},
		"no key":                     {func(a *staff.Account) { a.TOTPKey = nil }, "totp_key"},
		"a short key":                {func(a *staff.Account) { a.TOTPKey = []byte("123456789012345") }, "totp_key"},
	} {
		err := b.ensure(t, func(a *staff.Account) {
			a.Email = "new@example.in"
			c.change(a)
		})
		require.Contains(t, errs.As(err).Fields, c.field, name)
	}
	list, err := staff.List(t.Context(), b.db.Owner)
	require.NoError(t, err)
	require.Len(t, list, 1)

	require.NoError(t, b.ensure(t, func(a *staff.Account) { a.Email, a.Password = " New@Example.in", strings.Repeat("Mango#20", 16) }))
	_, err = b.signIn(t, "NEW@example.in ", strings.Repeat("Mango#20", 16))
	require.NoError(t, err, "128 characters are taken by both")
}

func TestSignIn_SameCodeTwice_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.clock.Advance(time.Minute)
	in := staff.SignInInput{Email: "sunita@example.in", Password: "Mango#2026#Tree", Code: totp.Code([]byte("12345678901234567890"), totp.StepAt(b.clock.Now()))}
	visitor := guard.Visitor{Address: "203.0.113.7"}
	first, err := b.service.SignIn(t.Context(), in, visitor)
	require.NoError(t, err)
	_, err = b.service.SignIn(t.Context(), in, visitor)
	require.Equal(t, "invalid_credentials", errs.As(err).Code, "whoever looked over her shoulder")
	b.clock.Advance(totp.Step)
	_, err = b.service.SignIn(t.Context(), in, visitor)
	require.Error(t, err, "nor a step later")
	found, err := b.service.Authenticate(t.Context(), first.Token)
	require.NoError(t, err, "the session that it opened goes on")
	require.Equal(t, first.Principal, found)
	require.Equal(t, staff.RoleSupport, found.Role)
}

func TestSession_LastsAtMostAWorkingDay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, err := b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	lives := func() error {
		_, err := b.service.Authenticate(t.Context(), token)
		return err
	}
	for range 23 { // in use every twenty minutes
		b.clock.Advance(20 * time.Minute)
		require.NoError(t, lives())
	}
	b.clock.Advance(20*time.Minute - time.Microsecond)
	require.NoError(t, lives())
	b.clock.Advance(time.Microsecond)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(lives()), "eight hours are over, however busy it was")

	token, err = b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	p, err := b.service.Authenticate(t.Context(), token)
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, b.service.SignOut(t.Context(), p))
		require.Equal(t, errs.KindUnauthenticated, errs.KindOf(lives()))
	}
	for _, nobodys := range []string{"", secret.Token(), token + "x", strings.Repeat("x", 10_000), "\x00", "' OR true --"} {
		_, err := b.service.Authenticate(t.Context(), nobodys)
		require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err))
	}
}

func TestRecordTx_WithoutAProof_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	act := func(p staff.Principal, kind string) error {
		ctx := p.Sign(t.Context())
		return postgres.InTx(ctx, b.db.API, func(tx *sqlx.Tx) error {
			return b.service.RecordTx(ctx, tx, p, staff.Action{Action: kind, Target: "x:1", Reason: "Locked out"})
		})
	}
	b.clock.Set(time.Date(2026, time.November, 2, 5, 0, 0, 0, time.UTC))
	token, err := b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	sunita, err := b.service.Authenticate(t.Context(), token)
	require.NoError(t, err)
	require.NoError(t, act(sunita, "unlock"))

	require.NoError(t, b.ensure(t, func(a *staff.Account) { a.Email, a.Name = "ravi@example.in", "Ravi" }))
	forged := sunita
	require.NoError(t, b.db.Owner.Get(&forged.StaffID, `SELECT id FROM staff WHERE email = 'ravi@example.in'`))
	require.Error(t, act(forged, "unlock"), "under a colleague's name")
	unproved := sunita
	unproved.Proof = nil
	require.Error(t, act(unproved, "unlock"))
	require.NoError(t, b.service.SignOut(t.Context(), sunita))
	require.Error(t, act(sunita, "unlock"), "after the sign-out")
}

func TestActiveTx_DisabledMember_IsNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	active := func(staffID string) (p staff.Principal, err error) {
		return p, postgres.InTx(t.Context(), b.db.Worker, func(tx *sqlx.Tx) error {
			p, err = staff.ActiveTx(t.Context(), tx, staffID)
			return err
		})
	}
	p, err := active(b.sunita.StaffID)
	require.NoError(t, err)
	require.Equal(t, staff.RoleSupport, p.Role)
	_, err = active(id.New())
	require.Equal(t, errs.KindNotFound, errs.KindOf(err))

	for range 2 { // the second changes nothing
		require.NoError(t, staff.Disable(t.Context(), b.db.Owner, b.clock, " Sunita@example.in", "Left us"))
		_, err = active(b.sunita.StaffID)
		require.Equal(t, errs.KindNotFound, errs.KindOf(err), "an approval of somebody who left is none")
	}
	require.Equal(t, errs.KindNotFound, errs.KindOf(staff.Disable(t.Context(), b.db.Owner, b.clock, "nobody@example.in", "Left us")))
	require.Contains(t, errs.As(staff.Disable(t.Context(), b.db.Owner, b.clock, "sunita@example.in", " ")).Fields, "reason")
	for range 2 {
		require.NoError(t, staff.Enable(t.Context(), b.db.Owner, b.clock, "sunita@example.in", "Back again"))
	}
	require.Equal(t, []string{"staff_disabled: Left us", "staff_enabled: Back again"}, b.actions(t))
}

func TestNoteReads_EachExport_IsRecorded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, err := b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	p, err := b.service.Authenticate(t.Context(), token)
	require.NoError(t, err)
	for _, r := range []staff.Read{staff.ReadList("jobs"), staff.ExportList("jobs"), staff.ExportList("jobs")} {
		require.NoError(t, b.service.NoteRead(p.Sign(t.Context()), p, r))
	}
	var noted []string
	require.NoError(t, b.db.Owner.Select(&noted, `SELECT action || ' ' || target || ': ' || reason FROM staff_actions WHERE action <> 'sign_in' ORDER BY sequence`))
	export := "export_list list:jobs: Took out the list of failed jobs"
	require.Equal(t, []string{"read_list list:jobs: Read the list of failed jobs", export, export}, noted)
}

func TestNoteReads_SamePageWithinAVisit_IsRecordedOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	token, err := b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	p, err := b.service.Authenticate(t.Context(), token)
	require.NoError(t, err)
	asha, ravi, payment := id.New(), id.New(), id.New()
	note := func(reads ...staff.Read) {
		t.Helper()
		for _, r := range reads {
			require.NoError(t, b.service.NoteRead(p.Sign(t.Context()), p, r))
		}
	}
	noted := func() (targets []string) {
		t.Helper()
		require.NoError(t, b.db.Owner.Select(&targets, `SELECT action || ' ' || target FROM staff_actions WHERE action <> 'sign_in' ORDER BY sequence`))
		return targets
	}
	note(staff.ReadTimeline(asha), staff.ReadTimeline(asha), staff.ReadTimeline(ravi), staff.ReadTrail(asha, payment),
		staff.ReadMobile("9876543210"), staff.ReadList("money"), staff.ReadList("contacts"), staff.ReadList("money"))
	want := []string{
		"read_timeline customer:" + asha, "read_timeline customer:" + ravi, "read_trail payment:" + payment,
		"read_mobile mobile:98••••3210", "read_list list:money", "read_list list:contacts",
	}
	require.Equal(t, want, noted())
	b.clock.Advance(29 * time.Minute)
	note(staff.ReadTimeline(asha))
	require.Equal(t, want, noted(), "the page that polls is one visit")
	b.clock.Advance(2 * time.Minute)
	_, err = b.service.Authenticate(t.Context(), token)
	require.Error(t, err, "an idle session reads nothing")

	first, again, other := b.service.ReadSearch("asha@example.in", 1), b.service.ReadSearch("asha@example.in", 7), b.service.ReadSearch("ravi", 0)
	token, err = b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err)
	p, err = b.service.Authenticate(t.Context(), token)
	require.NoError(t, err)
	note(first, again, other)
	b.clock.Advance(61 * time.Second)
	note(again)
	searches := noted()[len(want):]
	require.Len(t, searches, 2, "letters that are typed one after the other are one search")
	require.Equal(t, searches[0], searches[1], "the same text has the same digest")
	require.NotContains(t, strings.Join(searches, " "), "asha", "and tells nothing else")
	b.clock.Advance(61 * time.Second)
	note(other)
	require.NotEqual(t, searches[0], noted()[len(want)+2])
	var after string
	require.NoError(t, b.db.Owner.Get(&after, `SELECT after FROM staff_actions WHERE action = 'search' ORDER BY sequence LIMIT 1`))
	require.JSONEq(t, `{"hits": 1}`, after)

	all, err := b.service.Audit(p.Sign(t.Context()), staff.AuditFilter{Action: staff.ActionReads}, 100)
	require.NoError(t, err)
	require.Len(t, all, 9, "one word finds them all, and no sign-in")
}

func TestActionsOnTx_ListsStaffActionsForTheCustomer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha := id.New()
	start := b.clock.Now()
	b.record(t, "unlock", &asha, "Locked out")
	b.record(t, "unlock", nil, "Somebody else")
	b.record(t, "end_sessions", &asha, "Lost phone")
	require.NoError(t, postgres.InTx(b.sunita.Sign(t.Context()), b.db.API, func(tx *sqlx.Tx) error {
		ctx := t.Context()
		list, total, err := staff.ActionsOnTx(ctx, tx, asha, 1, 0)
		require.NoError(t, err)
		require.Equal(t, 2, total)
		require.Equal(t, "end_sessions", list[0].Action, "newest first")
		require.Empty(t, list[0].Reason, "reasons are the staff's own")
		list, total, err = staff.ActionsOnTx(ctx, tx, asha, 10, 2)
		require.NoError(t, err)
		require.Empty(t, list)
		require.Equal(t, 2, total, "a page beyond the end knows how much there is")

		for since, want := range map[time.Time]bool{start.Add(-time.Second): true, start: false} {
			did, err := staff.DidSinceTx(ctx, tx, b.sunita.StaffID, asha, "unlock", since)
			require.NoError(t, err)
			require.Equal(t, want, did)
		}
		did, err := staff.DidSinceTx(ctx, tx, b.sunita.StaffID, id.New(), "unlock", start.Add(-time.Second))
		require.NoError(t, err)
		require.False(t, did)
		return nil
	}))
	actions, err := b.service.ActionsOf(b.sunita.Sign(t.Context()), asha, 1)
	require.NoError(t, err)
	require.Len(t, actions, 1)
	require.Equal(t, "Lost phone", actions[0].Reason)
}

func TestResealTOTP_NewKey_KeepsThemUsable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	next, err := secret.ParseKeyring(strings.Repeat("cd", 32), strings.Repeat("ab", 32))
	require.NoError(t, err)
	for _, want := range [][2]int{{1, 0}, {0, 0}} {
		done, left, err := staff.ResealTOTP(t.Context(), b.db.Owner, next)
		require.NoError(t, err)
		require.Equal(t, want, [2]int{done, left})
	}
	_, err = b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.Error(t, err, "a process of the old key alone reads it no more")
	require.Equal(t, errs.KindInternal, errs.KindOf(err), "and says that the fault is ours")
	done, left, err := staff.ResealTOTP(t.Context(), b.db.Owner, testkit.NewKeyring(t))
	require.NoError(t, err)
	require.Equal(t, [2]int{0, 1}, [2]int{done, left})
	require.NoError(t, staff.Ensure(t.Context(), b.db.Owner, password.Cheap(1), testkit.NewKeyring(t), b.clock, account(func(*staff.Account) {})))
	_, err = b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
	require.NoError(t, err, "the operator's next save replaces a key that nobody reads")
}

// Given sessions of staff that ended long ago, then they are deleted; the record of a customer view in such a session stays.
func TestPurge_OldSessions_AreDeletedButTheirRecordsStay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	signIn := func() (sessionID string) {
		_, err := b.signIn(t, "sunita@example.in", "Mango#2026#Tree")
		require.NoError(t, err)
		require.NoError(t, b.db.Owner.Get(&sessionID, `SELECT id FROM staff_sessions ORDER BY id DESC LIMIT 1`))
		return sessionID
	}
	_, err := b.db.Owner.Exec(`DELETE FROM staff_sessions`)
	require.NoError(t, err)
	gone, asked := signIn(), signIn()
	_, err = b.db.Owner.Exec(`INSERT INTO support_views (id, franchiser_ref, staff_id, session_id, reason, requested_at, code_expires_at)
		SELECT $1, $2, staff_id, id, 'Her invoices', created_at, expires_at FROM staff_sessions WHERE id = $3`, id.New(), id.New(), asked)
	require.NoError(t, err)
	b.clock.Advance(24 * time.Hour)
	young := signIn()
	left := func(before time.Time) (ids []string) {
		require.NoError(t, staff.Purge(t.Context(), b.db.Worker, before))
		require.NoError(t, b.db.Owner.Select(&ids, `SELECT id FROM staff_sessions ORDER BY id`))
		return ids
	}
	require.Equal(t, []string{gone, asked, young}, left(b.clock.Now().Add(-24*time.Hour)))
	require.Equal(t, []string{young}, left(b.clock.Now()))
	var looks int
	require.NoError(t, b.db.Owner.Get(&looks, `SELECT count(*) FROM support_views WHERE session_id IS NULL`))
	require.Equal(t, 1, looks)
	require.ErrorContains(t, staff.Purge(t.Context(), b.db.API, b.clock.Now()), "permission denied", "the api deletes none")
}
