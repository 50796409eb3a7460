package staff_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
)

type bundle struct {
	db      *testkit.Database
	clock   *clock.Fake
	service *staff.Service
	auditor *staff.Auditor
	sunita  staff.Principal
	logged  strings.Builder
}

func setup(t *testing.T) *bundle {
	t.Helper()
	b := &bundle{db: testkit.NewDatabase(t), clock: testkit.NewClock()}
	b.service = b.serviceWith(t, guard.Default())
	b.auditor = staff.NewAuditor(b.db.Worker, b.clock, nowhere{})
	require.NoError(t, staff.Ensure(t.Context(), b.db.Owner, password.Cheap(1), testkit.NewKeyring(t), b.clock, staff.Account{
		Email: "sunita@example.in", Name: "Sunita", Password: "Mango#2026#Tree", Role: staff.RoleSupport, TOTPKey: []byte("12345678901234567890"),
	}))
	b.tamper(t, `DELETE FROM staff_actions`) // the creation of the account is not part of these tests
	b.sunita = staff.Principal{Name: "Sunita", Role: staff.RoleSupport, Proof: bytes.Repeat([]byte{7}, 32)}
	require.NoError(t, b.db.Owner.Get(&b.sunita.StaffID, `SELECT id FROM staff`))
	_, err := b.db.Owner.Exec(`INSERT INTO staff_sessions (id, staff_id, token_hash, created_at, expires_at) VALUES ($1, $2, $3, now(), now())`,
		id.New(), b.sunita.StaffID, b.sunita.Proof)
	require.NoError(t, err)
	return b
}

// serviceWith returns a service with these limits, which logs into the bundle.
func (b *bundle) serviceWith(t *testing.T, limits guard.Limits) *staff.Service {
	t.Helper()
	return staff.NewService(staff.Options{
		DB: b.db.API, Guard: testkit.NewGuard(t, b.db.API, b.clock), Passwords: password.Cheap(1), Clock: b.clock,
		Keys: testkit.NewKeyring(t), Limits: limits, Subjects: support.Subjects{},
		Logger: slog.New(slog.NewTextHandler(&b.logged, nil)),
	})
}

// nowhere is an anchor store that keeps nothing.
type nowhere struct{}

func (nowhere) Put(context.Context, string, string, []byte) error { return nil }

func (nowhere) Find(context.Context, string) ([]byte, error) { return nil, nil }

func (b *bundle) record(t *testing.T, action string, franchiserID *string, reason string) {
	t.Helper()
	ctx := id.WithRequest(b.sunita.Sign(t.Context()), id.New())
	require.NoError(t, postgres.InTx(ctx, b.db.API, func(tx *sqlx.Tx) error {
		return b.service.RecordTx(ctx, tx, b.sunita, staff.Action{Action: action, Target: "x:1", FranchiserRef: franchiserID, Reason: reason})
	}))
	b.clock.Advance(24 * time.Hour)
}

// tamper changes the trail past its guards, which no role may do.
func (b *bundle) tamper(t *testing.T, statement string) {
	t.Helper()
	_, err := b.db.Owner.Exec(`SET session_replication_role = replica; ` + statement + `; SET session_replication_role = DEFAULT`)
	require.NoError(t, err)
}

func TestAudit_FilterAndExport_KeepTheChain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha, start := id.New(), b.clock.Now()
	b.record(t, "unlock", &asha, "Locked out")
	b.record(t, "end_sessions", &asha, "Lost phone")
	b.record(t, "unlock", nil, "No account yet")

	for want, f := range map[int]staff.AuditFilter{
		3: {}, 2: {Action: "unlock"}, 1: {Action: "unlock", FranchiserID: asha}, 0: {StaffID: id.New()},
	} {
		list, err := b.service.Audit(b.sunita.Sign(t.Context()), f, 10)
		require.NoError(t, err)
		require.Len(t, list, want, "%+v", f)
	}
	list, err := b.service.Audit(b.sunita.Sign(t.Context()), staff.AuditFilter{From: start.Add(time.Hour), To: start.Add(25 * time.Hour)}, 10)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "end_sessions", list[0].Action.Action)
	list, err = b.service.Audit(b.sunita.Sign(t.Context()), staff.AuditFilter{Before: 2}, 10)
	require.NoError(t, err)
	require.Len(t, list, 1)
	for _, bad := range []staff.AuditFilter{{StaffID: "x"}, {FranchiserID: "' OR 1=1"}, {Before: -1}, {Action: "unheard_of"}} {
		_, err = b.service.Audit(b.sunita.Sign(t.Context()), bad, 10)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	}

	var exported []staff.Record
	refused := b.service.Export(b.sunita.Sign(t.Context()), b.sunita, staff.AuditFilter{}, func(staff.Record) error { return nil })
	require.Equal(t, errs.KindForbidden, errs.KindOf(refused))
	b.sunita.Role = staff.RoleAdmin
	require.NoError(t, b.service.Export(b.sunita.Sign(t.Context()), b.sunita, staff.AuditFilter{}, func(r staff.Record) error {
		exported = append(exported, r)
		return nil
	}))
	require.Len(t, exported, 4, "the export itself is noted")
	require.Equal(t, "export_audit", exported[0].Action.Action)
	for n := range exported[:3] {
		require.Equal(t, hex.EncodeToString(exported[n+1].Hash), hex.EncodeToString(exported[n].Previous))
	}
	members, err := b.service.Members(t.Context())
	require.NoError(t, err)
	require.Len(t, members, 1)
}

func TestAudit_EachTampering_IsFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tamper string
		at     int64
	}{
		"changed":       {`UPDATE staff_actions SET reason = 'Another' WHERE sequence = 2`, 2},
		"changed whole": {`UPDATE staff_actions SET reason = 'Another' WHERE sequence = 2; UPDATE staff_actions a SET hash = staff_action_hash(a) WHERE sequence = 2`, 3},
		"request":       {`UPDATE staff_actions SET request_id = NULL WHERE sequence = 2`, 2},
		"taken out":     {`DELETE FROM staff_actions WHERE sequence = 2`, 3},
		"beginning cut": {`DELETE FROM staff_actions WHERE sequence = 1`, 2},
		"end cut":       {`DELETE FROM staff_actions WHERE sequence = 3`, 3},
		"all gone":      {`DELETE FROM staff_actions`, 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for range 3 {
				b.record(t, "unlock", nil, "Locked out")
			}
			check, err := b.auditor.Check(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 3, check.Entries)
			b.tamper(t, c.tamper)
			b.clock.Advance(time.Hour)
			check, err = b.auditor.Check(t.Context())
			require.Equal(t, "audit_broken", errs.As(err).Code)
			require.Equal(t, c.at, check.BrokenAt)
			kept, err := b.service.LastCheck(t.Context())
			require.NoError(t, err)
			require.NotEmpty(t, kept.Problem, "the console shows it")
		})
	}
}

func TestAudit_ChangeOrEmptyReason_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.record(t, "unlock", nil, "Locked out")
	last, err := b.service.LastCheck(t.Context())
	require.NoError(t, err)
	require.Nil(t, last)
	for _, statement := range []string{
		`UPDATE staff_actions SET reason = 'x'`, `DELETE FROM staff_actions`, `TRUNCATE staff_actions`, `DELETE FROM staff_audit_checks`,
	} {
		for name, db := range map[string]*sqlx.DB{"owner": b.db.Owner, "api": b.db.API, "worker": b.db.Worker} {
			_, err := db.Exec(statement)
			require.Error(t, err, "%s: %s", name, statement)
		}
	}
	err = postgres.InTx(b.sunita.Sign(t.Context()), b.db.API, func(tx *sqlx.Tx) error {
		return b.service.RecordTx(b.sunita.Sign(t.Context()), tx, b.sunita, staff.Action{Action: "unlock", Target: "x:1", Reason: " \n\t "})
	})
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
}

func TestAudit_RecordWithoutRequestID_Verifies(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, postgres.InTx(b.sunita.Sign(t.Context()), b.db.API, func(tx *sqlx.Tx) error {
		return b.service.RecordTx(b.sunita.Sign(t.Context()), tx, b.sunita, staff.Action{Action: "unlock", Target: "x:1", Reason: "Locked out"})
	}))
	var without bool
	require.NoError(t, b.db.Owner.Get(&without, `SELECT hash = sha256(previous || convert_to(jsonb_build_array(sequence, id, staff_id, action, target,
		franchiser_ref, reason, before, after, (extract(epoch FROM at) * 1000000)::bigint)::text, 'UTF8')) FROM staff_actions`))
	require.True(t, without, "the hash leaves the request out")
	b.record(t, "end_sessions", nil, "Lost phone")
	_, err := b.auditor.Check(t.Context())
	require.NoError(t, err)
	list, err := b.service.Audit(b.sunita.Sign(t.Context()), staff.AuditFilter{}, 10)
	require.NoError(t, err)
	require.True(t, id.Valid(list[0].RequestID))
	require.Empty(t, list[1].RequestID)
}

// shelf keeps anchors as an object store does.
type shelf map[string][]byte

func (s shelf) Put(_ context.Context, key, _ string, body []byte) error {
	if _, taken := s[key]; taken {
		return errors.New("the key holds other content")
	}
	s[key] = body
	return nil
}

func (s shelf) Find(_ context.Context, key string) ([]byte, error) {
	if s == nil {
		return nil, errors.New("the store is away")
	}
	return s[key], nil
}

// Given a trail and its checks that were rewritten from the beginning, when it is checked, then the anchor outside the database reveals the
// change.
func TestAudit_RewrittenTrail_DiffersFromItsAnchor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	kept := shelf{}
	auditor := staff.NewAuditor(b.db.Worker, b.clock, kept)
	for range 3 {
		b.record(t, "unlock", nil, "Locked out")
		for range 2 {
			_, err := auditor.Check(t.Context())
			require.NoError(t, err, "the second check of a day keeps no second anchor")
		}
	}
	require.Len(t, kept, 3)
	b.tamper(t, `DELETE FROM staff_audit_checks; UPDATE staff_actions SET reason = 'Another';
		UPDATE staff_actions a SET previous = coalesce((SELECT p.hash FROM staff_actions p WHERE p.sequence = a.sequence - 1), a.previous) WHERE sequence = 1;
		UPDATE staff_actions a SET hash = staff_action_hash(a) WHERE sequence = 1;
		UPDATE staff_actions a SET previous = (SELECT p.hash FROM staff_actions p WHERE p.sequence = 1) WHERE sequence = 2;
		UPDATE staff_actions a SET hash = staff_action_hash(a) WHERE sequence = 2;
		UPDATE staff_actions a SET previous = (SELECT p.hash FROM staff_actions p WHERE p.sequence = 2) WHERE sequence = 3;
		UPDATE staff_actions a SET hash = staff_action_hash(a) WHERE sequence = 3`)
	whole, err := staff.NewAuditor(b.db.Worker, b.clock, nowhere{}).Check(t.Context())
	require.NoError(t, err, "the database alone is consistent")
	require.Zero(t, whole.BrokenAt)
	check, err := auditor.Check(t.Context())
	require.Equal(t, "audit_broken", errs.As(err).Code)
	require.EqualValues(t, 3, check.BrokenAt)
	require.Contains(t, check.Problem, "outside the database")
	require.Len(t, kept, 3, "a broken trail gets no anchor")

	_, err = staff.NewAuditor(b.db.Worker, b.clock, shelf(nil)).Check(t.Context())
	require.ErrorContains(t, err, "the store is away")
}

// Given a kind of action without a filter, then it is not recorded, and the change in its transaction is rolled back.
func TestAudit_UnknownKind_RollsBackTheChange(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := b.sunita.Sign(t.Context())
	record := func(kind, target string) error {
		return postgres.InTx(ctx, b.db.API, func(tx *sqlx.Tx) error {
			return b.service.RecordTx(ctx, tx, b.sunita, staff.Action{Action: kind, Target: target, Reason: "Just because"})
		})
	}
	require.ErrorContains(t, record("unheard_of", "x:1"), `there is no kind "unheard_of"`)
	for _, kind := range staff.ActionKinds() {
		require.NoError(t, record(kind, "staff:"+b.sunita.StaffID), kind)
	}
	list, err := b.service.Audit(ctx, staff.AuditFilter{}, len(staff.ActionKinds())+1)
	require.NoError(t, err)
	require.Len(t, list, len(staff.ActionKinds()))
	require.Empty(t, list[0].Subject, "who acts on her own account is named once")
}
