package staff_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/passkey"
	"github.com/franchise360/franchise360/pkg/platform/passkey/passkeytest"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/support"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const (
	siteOfPasskeys = "https://site.test"
	rightPassword  = "Mango#2026#Tree"
)

func from() guard.Visitor { return guard.Visitor{Address: "203.0.113.7"} }

// keys is an office with passkeys; Sunita is signed in.
type keys struct {
	*office

	passkeys *staff.Passkeys
	sunita   staff.Principal
}

func newKeys(t *testing.T, email bool) *keys {
	t.Helper()
	k := &keys{office: newOffice(t, email)}
	at, err := url.Parse(siteOfPasskeys)
	require.NoError(t, err)
	site, err := passkey.NewSite(at, "Franchise 360 staff")
	require.NoError(t, err)
	k.passkeys = staff.NewPasskeys(k.accounts, site)
	k.sunita = k.principal(t, "sunita@example.in")
	return k
}

func (k *keys) askNew(t *testing.T, p staff.Principal) json.RawMessage {
	t.Helper()
	options, err := k.passkeys.AskNew(p.Sign(t.Context()), p, k.proof(rightPassword))
	require.NoError(t, err)
	return options
}

func (k *keys) add(t *testing.T, p staff.Principal, name string) *passkeytest.Device {
	t.Helper()
	d := passkeytest.New(siteOfPasskeys)
	made := d.Create(t, k.askNew(t, p))
	require.NoError(t, k.passkeys.Add(p.Sign(t.Context()), p, staff.NewPasskey{Name: name, Made: made}, "203.0.113.7"))
	return d
}

// use signs in with the device, which answers as the answer says.
func (k *keys) use(t *testing.T, answer func(testing.TB, json.RawMessage) passkey.Used) (staff.Tokens, error) {
	t.Helper()
	options, token, err := k.passkeys.AskSignIn(t.Context())
	require.NoError(t, err)
	return k.passkeys.SignIn(t.Context(), token, answer(t, options), from())
}

func (k *keys) list(t *testing.T, p staff.Principal) []staff.PasskeyInfo {
	t.Helper()
	return mustActivity(t, k.office, p).Passkeys
}

func TestPasskey_SignsInWithoutPasswordAndCode(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	require.Empty(t, k.list(t, k.sunita))
	d := k.add(t, k.sunita, "  My   laptop ")
	listed := k.list(t, k.sunita)
	require.Len(t, listed, 1)
	require.Equal(t, "My laptop", listed[0].Name)
	require.Nil(t, listed[0].LastUsedAt)
	require.Empty(t, k.list(t, k.ravi), "those of others")

	k.clock.Advance(time.Hour)
	tokens, err := k.use(t, d.Use)
	require.NoError(t, err)
	require.Equal(t, k.sunita.StaffID, tokens.StaffID)
	require.Equal(t, k.clock.Now().Add(staff.SessionLife), tokens.ExpiresAt)
	p, err := k.service.Authenticate(t.Context(), tokens.Token)
	require.NoError(t, err)
	require.Equal(t, tokens.Principal, p)
	require.Equal(t, k.clock.Now(), k.list(t, p)[0].LastUsedAt.UTC())
	require.Equal(t, "203.0.113.7", mustActivity(t, k.office, p).Sessions[1].Address, "after the one of the set-up")
	require.Contains(t, k.actions(t), "sign_in: Signed in with the passkey My laptop from 203.0.113.7")
	k.principal(t, "sunita@example.in") // password and code go on as before

	require.NoError(t, k.passkeys.Rename(p.Sign(t.Context()), p, listed[0].ID, "Old laptop"))
	require.Equal(t, "Old laptop", k.list(t, p)[0].Name)
	require.Contains(t, errs.As(k.passkeys.Rename(p.Sign(t.Context()), p, listed[0].ID, " ")).Fields, "name")
	require.Equal(t, "not_found", codeOf(t, k.passkeys.Rename(k.ravi.Sign(t.Context()), k.ravi, listed[0].ID, "Mine")))
	require.Equal(t, "not_found", codeOf(t, k.passkeys.Rename(p.Sign(t.Context()), p, "x", "Mine")))
	check, err := k.auditor.Check(t.Context())
	require.NoError(t, err)
	require.Zero(t, check.BrokenAt)
}

func TestPasskey_Added_NeedsPasswordAndCodeWithinMinutes(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	ctx := k.sunita.Sign(t.Context())
	_, err := k.passkeys.AskNew(ctx, k.sunita, k.proof("Mango#2026#Bush"))
	require.Contains(t, errs.As(err).Fields, "current_password")
	_, err = k.passkeys.AskNew(ctx, k.sunita, staff.Proof{})
	require.Len(t, errs.As(err).Fields, 2)
	proof := k.proof(rightPassword)
	_, err = k.passkeys.AskNew(ctx, k.sunita, proof)
	require.NoError(t, err)
	_, err = k.passkeys.AskNew(ctx, k.sunita, proof)
	require.Contains(t, errs.As(err).Fields, "current_code", "a code counts once")
	add := func(p staff.Principal, name string, made passkey.Made) error {
		return k.passkeys.Add(p.Sign(t.Context()), p, staff.NewPasskey{Name: name, Made: made}, "203.0.113.7")
	}
	device := func() *passkeytest.Device { return passkeytest.New(siteOfPasskeys) }
	made := device().Create(t, k.askNew(t, k.sunita))
	require.Contains(t, errs.As(add(k.sunita, strings.Repeat("x", 61), made)).Fields, "name", "which uses nothing up")
	odd := made
	odd.Transports = []string{"Internal!"}
	require.Contains(t, errs.As(add(k.sunita, "Laptop", odd)).Fields, "transports")
	require.Equal(t, "passkey_expired", codeOf(t, add(k.ravi, "Laptop", made)), "another member's session")
	other := k.principal(t, "sunita@example.in")
	require.Equal(t, "passkey_expired", codeOf(t, add(other, "Laptop", made)), "another session of hers")
	require.NoError(t, add(k.sunita, "Laptop", made))
	require.Equal(t, "passkey_expired", codeOf(t, add(k.sunita, "Again", made)), "a challenge counts once")

	wrong := device()
	wrong.Locked = true
	options := k.askNew(t, k.sunita)
	require.Equal(t, "passkey_refused", codeOf(t, add(k.sunita, "Unlocked", wrong.Create(t, options))))
	require.Equal(t, "passkey_expired", codeOf(t, add(k.sunita, "Phone", device().Create(t, options))), "one that failed is used up too")
	wrong = device()
	wrong.Origin = "https://shop.site.test"
	require.Equal(t, "passkey_refused", codeOf(t, add(k.sunita, "Shop", wrong.Create(t, k.askNew(t, k.sunita)))), "a store's page")

	made = device().Create(t, k.askNew(t, k.sunita))
	k.clock.Advance(passkey.Life)
	require.Equal(t, "passkey_expired", codeOf(t, add(k.sunita, "Late", made)))
	asked, _, err := k.passkeys.AskSignIn(t.Context())
	require.NoError(t, err)
	require.Equal(t, "passkey_expired", codeOf(t, add(k.sunita, "Purpose", device().Create(t, json.RawMessage(
		`{"user":{"id":"AAAA"},"rp":{"id":"site.test"},"challenge":`+challengeOf(t, asked)+`}`)))), "the challenge of a sign-in")
	require.Len(t, k.list(t, k.sunita), 1)
}

func challengeOf(t *testing.T, options json.RawMessage) string {
	t.Helper()
	var o struct{ Challenge string }
	require.NoError(t, json.Unmarshal(options, &o))
	quoted, err := json.Marshal(o.Challenge)
	require.NoError(t, err)
	return string(quoted)
}

func TestPasskey_WrongOrLateResponse_IsRefused(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	for name, change := range map[string]func(*passkeytest.Device){
		"another site":          func(d *passkeytest.Device) { d.Origin, d.RPID = "https://evil.test", "evil.test" },
		"a store's page":        func(d *passkeytest.Device) { d.Origin = "https://shop.site.test" },
		"not unlocked":          func(d *passkeytest.Device) { d.Locked = true },
		"another person's name": func(d *passkeytest.Device) { d.Owner = []byte(k.ravi.StaffID) },
		"an unknown passkey":    func(d *passkeytest.Device) { d.Credential = passkeytest.New(siteOfPasskeys).Credential },
	} {
		d := k.add(t, k.sunita, "Laptop")
		change(d)
		_, err := k.use(t, d.Use)
		require.Equal(t, "passkey_refused", codeOf(t, err), name)
	}
	require.Contains(t, k.actions(t), "sign_in_failed: Sign-in failed from 203.0.113.7")

	d := k.add(t, k.sunita, "Phone")
	options, token, err := k.passkeys.AskSignIn(t.Context())
	require.NoError(t, err)
	_, mine, err := k.passkeys.AskSignIn(t.Context())
	require.NoError(t, err)
	answer := d.Use(t, options)
	signIn := func(token string, answer passkey.Used) error {
		_, err := k.passkeys.SignIn(t.Context(), token, answer, from())
		return err
	}
	require.Equal(t, "passkey_refused", codeOf(t, signIn(mine, answer)), "an answer that was given in another browser")
	require.Equal(t, "passkey_expired", codeOf(t, signIn(secret.Token(), answer)))
	require.Equal(t, "passkey_expired", codeOf(t, signIn("", answer)))
	require.NoError(t, signIn(token, answer))
	require.Equal(t, "passkey_expired", codeOf(t, signIn(token, answer)), "a challenge counts once")
	for _, nonsense := range []passkey.Used{{}, {ID: "not base64url"}, {ID: answer.ID}} {
		require.Contains(t, []string{"passkey_refused", "passkey_expired"}, codeOf(t, signIn(token, nonsense)))
	}
	options, token, err = k.passkeys.AskSignIn(t.Context())
	require.NoError(t, err)
	k.clock.Advance(passkey.Life)
	require.Equal(t, "passkey_expired", codeOf(t, signIn(token, d.Use(t, options))))
	_, err = k.use(t, d.Use)
	require.NoError(t, err)
}

func TestPasskey_Refused_CountsTowardsTheSignInLimit(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	d := k.add(t, k.sunita, "Laptop")
	honest := *d
	d.Locked = true
	for range guard.Default().Staff.Free + 1 { // the last takes the one turn that a while has
		_, err := k.use(t, d.Use)
		require.Equal(t, "passkey_refused", codeOf(t, err))
	}
	_, err := k.use(t, honest.Use)
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "a browser that staff never used waits or does work")
	_, err = k.service.SignIn(t.Context(), staff.SignInInput{Email: "sunita@example.in", Password: rightPassword, Code: "123456"}, from())
	require.Equal(t, errs.KindRateLimited, errs.KindOf(err), "at either door")
	options, token, err := k.passkeys.AskSignIn(t.Context())
	require.NoError(t, err)
	known := from()
	known.Device = guard.ReadDevice(testkit.NewKeyring(t), guard.ReadDevice(testkit.NewKeyring(t), "").Remember(guard.KindStaff, "sunita@example.in", k.clock.Now()))
	honest.Credential.Counter += 100
	_, err = k.passkeys.SignIn(t.Context(), token, honest.Use(t, options), known)
	require.NoError(t, err, "a browser that she used before comes in")
}

func TestPasskey_CopiedCounter_IsRefusedAndReportedToItsOwner(t *testing.T) {
	t.Parallel()
	k := newKeys(t, true)
	d := k.add(t, k.sunita, "Laptop")
	_, err := k.use(t, d.Use)
	require.NoError(t, err)
	_, err = k.use(t, d.Repeat)
	require.Equal(t, "passkey_copied", codeOf(t, err))
	require.Contains(t, k.actions(t), "passkey_copied: The passkey Laptop came from 203.0.113.7 with a count that did not grow, as a copy would")
	_, err = k.use(t, d.Use)
	require.NoError(t, err, "the original goes on until it is removed")
	box := k.told(t)
	require.Equal(t, message.TemplateStaffPasskeyCopied, box[len(box)-1].Template)
	for range 12 {
		_, err = k.use(t, d.Repeat)
		require.Error(t, err)
	}
	require.Equal(t, 10, strings.Count(strings.Join(k.actions(t), "\n"), "passkey_copied"), "a few an hour")
}

// told sends the notices that wait.
func (k *keys) told(t *testing.T) []message.Message {
	t.Helper()
	var ids []string
	require.NoError(t, k.db.Owner.Select(&ids, `SELECT args ->> 'notice_id' FROM river_job WHERE kind = 'send_staff_notice' ORDER BY id`))
	box := &letters{}
	outbox := message.NewOutbox(message.OutboxOptions{
		SMS: box, Site: message.Site{Host: "site.test", URL: siteOfPasskeys}, Clock: k.clock, Email: box,
		Logger: testkit.NewLogger(t),
	})
	sender := staff.NewNoticeSender(k.db.Worker, outbox, k.clock)
	for _, noticeID := range ids {
		require.NoError(t, sender.Send(t.Context(), noticeID))
		require.NoError(t, sender.Send(t.Context(), noticeID), "once")
	}
	return box.sent
}

func TestPasskey_Removed_NeedsThePasswordAndKeepsPasswordSignIn(t *testing.T) {
	t.Parallel()
	k := newKeys(t, true)
	d := k.add(t, k.sunita, "Laptop")
	other, err := k.use(t, d.Use)
	require.NoError(t, err)
	ctx := k.sunita.Sign(t.Context())
	passkeyID := k.list(t, k.sunita)[0].ID
	require.Contains(t, errs.As(k.passkeys.Remove(ctx, k.sunita, passkeyID, "Mango#2026#Bush", from())).Fields, "current_password")
	require.Equal(t, "not_found", codeOf(t, k.passkeys.Remove(k.ravi.Sign(t.Context()), k.ravi, passkeyID, rightPassword, from())))
	require.Equal(t, "not_found", codeOf(t, k.passkeys.Remove(ctx, k.sunita, id.New(), rightPassword, from())))
	require.NoError(t, k.passkeys.Remove(ctx, k.sunita, passkeyID, rightPassword, from()))
	require.Empty(t, k.list(t, k.sunita))
	_, err = k.service.Authenticate(t.Context(), other.Token)
	require.Equal(t, errs.KindUnauthenticated, errs.KindOf(err), "the sessions that it opened end")
	_, err = k.use(t, d.Use)
	require.Equal(t, "passkey_refused", codeOf(t, err))
	k.principal(t, "sunita@example.in")

	sent := k.told(t)
	require.Len(t, sent, 2)
	require.Equal(t, []string{message.TemplateStaffPasskeyAdded, message.TemplateStaffPasskeyRemoved}, []string{sent[0].Template, sent[1].Template})
	require.Equal(t, "sunita@example.in", sent[0].Email)
	require.Equal(t, "Laptop", sent[0].Values[0])
	require.Contains(t, sent[0].HTML, "203.0.113.7")
}

func TestPasskeys_OwnerDisabledResetOrResaved_End(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	ctx := k.ravi.Sign(t.Context())
	refused := func(d *passkeytest.Device, why string) {
		t.Helper()
		_, err := k.use(t, d.Use)
		require.Equal(t, "passkey_refused", codeOf(t, err), why)
	}
	d := k.add(t, k.sunita, "Laptop")
	require.NoError(t, k.accounts.SetRole(ctx, k.ravi, k.sunita.StaffID, staff.RoleFinance, k.proofOf(k.ravi), "Keeps the books"))
	tokens, err := k.use(t, d.Use)
	require.NoError(t, err, "another role takes none away")
	require.Equal(t, staff.RoleFinance, tokens.Role)
	require.NoError(t, k.accounts.Disable(ctx, k.ravi, k.sunita.StaffID, "Left us"))
	refused(d, "disabled")
	require.NoError(t, k.accounts.Enable(ctx, k.ravi, k.sunita.StaffID, k.proofOf(k.ravi), "Back again"))
	refused(d, "enabled again")

	d = k.add(t, k.principal(t, "sunita@example.in"), "Laptop")
	require.NoError(t, staff.Disable(t.Context(), k.db.Owner, k.clock, "sunita@example.in", "At the command line"))
	refused(d, "disabled at the command line")
	require.NoError(t, staff.Enable(t.Context(), k.db.Owner, k.clock, "sunita@example.in", "Back again"))

	meera := k.hired(t, "meera@example.in", staff.RoleAdmin)
	d = k.add(t, k.principal(t, "sunita@example.in"), "Laptop")
	require.NoError(t, k.accounts.RequestReset(ctx, k.ravi, k.sunita.StaffID, "Her bag is gone"))
	_, err = k.accounts.ApproveReset(meera.Sign(t.Context()), meera, k.directory(t, k.ravi).Resets[0].ID, k.proofOf(meera), "I called her")
	require.NoError(t, err)
	refused(d, "reset")

	d = k.add(t, meera, "Laptop")
	require.NoError(t, k.ensure(t, func(a *staff.Account) { a.Email, a.Name, a.Role = "meera@example.in", "Meera", staff.RoleAdmin }))
	refused(d, "saved anew at the command line")
}

func TestPasskey_AtMostTenPerMemberAndOnePerDevice(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	for range staff.MaxPasskeys - 1 {
		k.add(t, k.sunita, "Laptop")
	}
	d := passkeytest.New(siteOfPasskeys)
	add := func(p staff.Principal, options json.RawMessage) error {
		return k.passkeys.Add(p.Sign(t.Context()), p, staff.NewPasskey{Name: "Phone", Made: d.Create(t, options)}, "203.0.113.7")
	}
	require.NoError(t, add(k.ravi, k.askNew(t, k.ravi)))
	require.Equal(t, "passkey_known", codeOf(t, add(k.sunita, k.askNew(t, k.sunita))), "somebody has it")
	second := k.principal(t, "sunita@example.in")
	options := k.askNew(t, second)
	d = passkeytest.New(siteOfPasskeys)
	require.NoError(t, add(k.sunita, k.askNew(t, k.sunita)))
	_, err := k.passkeys.AskNew(k.sunita.Sign(t.Context()), k.sunita, k.proof(rightPassword))
	require.Equal(t, "too_many_passkeys", codeOf(t, err))
	d = passkeytest.New(siteOfPasskeys)
	require.Equal(t, "too_many_passkeys", codeOf(t, add(second, options)), "two at once")
}

func TestResealPasskeys_NewKey_KeepsThemUsable(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	d := k.add(t, k.sunita, "Laptop")
	next, err := secret.ParseKeyring(strings.Repeat("cd", 32), strings.Repeat("ab", 32))
	require.NoError(t, err)
	for _, want := range [][2]int{{1, 0}, {0, 0}} {
		done, left, err := staff.ResealPasskeys(t.Context(), k.db.Owner, next)
		require.NoError(t, err)
		require.Equal(t, want, [2]int{done, left})
	}
	_, err = k.use(t, d.Use)
	require.Equal(t, errs.KindInternal, errs.KindOf(err), "a process of the old key alone reads it no more")
	at, err := url.Parse(siteOfPasskeys)
	require.NoError(t, err)
	site, err := passkey.NewSite(at, "Franchise 360 staff")
	require.NoError(t, err)
	people := staff.NewService(staff.Options{
		DB: k.db.API, Guard: testkit.NewGuard(t, k.db.API, k.clock), Passwords: password.Cheap(1), Clock: k.clock,
		Keys: next, Limits: guard.Default(), Subjects: support.Subjects{}, Logger: testkit.NewLogger(t),
	})
	k.passkeys = staff.NewPasskeys(staff.NewAccounts(people, k.db.API, testkit.NewInserter(t, k.db.API), false, siteOfPasskeys, apart), site)
	_, err = k.use(t, d.Use)
	require.NoError(t, err)
}

// Given the api's role and nothing else, then no passkey is read, added or used.
func TestPasskeys_APIRoleWithoutASession_CannotReadAddOrUseThem(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	k.add(t, k.sunita, "Laptop")
	var passkeyID string
	require.NoError(t, k.db.Owner.Get(&passkeyID, `SELECT id FROM staff_passkeys`))
	for _, statement := range []string{
		`SELECT count(*) FROM staff_passkeys`, `SELECT count(*) FROM staff_passkey_challenges`, `SELECT address FROM staff_notices`, `DELETE FROM staff_notices`,
		`UPDATE staff_passkeys SET public_key = ''`, `DELETE FROM staff_passkeys`,
	} {
		_, err := k.db.API.Exec(statement)
		require.ErrorContains(t, err, "permission denied", statement)
	}
	text := func(statement string, args ...any) (said string) {
		t.Helper()
		require.NoError(t, k.db.API.Get(&said, statement, args...))
		return said
	}
	now, proof := k.clock.Now(), secret.Hash("forged")
	for _, opener := range []string{"", "forged"} {
		require.Equal(t, "refused", text(`SELECT begin_staff_passkey_session($1, $2, 9, $3, $4, '', $5, $5)`, passkeyID, []byte(opener), id.New(), proof, now))
		require.Equal(t, "false", text(`SELECT note_copied_staff_passkey($1, $2, $3, NULL, 'Forged', '', $4)::text`, passkeyID, []byte(opener), id.New(), now))
	}
	require.Equal(t, "password", text(`SELECT ask_new_staff_passkey('', $1, 10, $2)`, make([]byte, 32), now.Add(time.Hour)))
	require.Equal(t, "expired", text(`SELECT add_staff_passkey($1, 'Mine', 'x', 'x', '{}', false, 0, 'x', $2, 10, NULL, '', $3)`, id.New(), proof, now))
	require.Empty(t, text(`SELECT coalesce(rename_staff_passkey($1, 'Mine'), '')`, passkeyID))
	require.Equal(t, "password", text(`SELECT outcome FROM remove_staff_passkey('', $1, NULL, '', $2)`, passkeyID, now))
	var n int
	require.NoError(t, k.db.API.Get(&n, `SELECT count(*) FROM passkeys_of_staff($1)`, k.sunita.StaffID))
	require.Zero(t, n)
}

func TestPasskeys_OldChallenges_AreDeleted(t *testing.T) {
	t.Parallel()
	k := newKeys(t, true)
	k.add(t, k.sunita, "Laptop")
	_, _, err := k.passkeys.AskSignIn(t.Context())
	require.NoError(t, err)
	left := func() (n int) {
		t.Helper()
		require.NoError(t, k.db.Owner.Get(&n, `SELECT (SELECT count(*) FROM staff_passkey_challenges) + (SELECT count(*) FROM staff_notices)`))
		return n
	}
	require.NoError(t, staff.Purge(t.Context(), k.db.Worker, k.clock.Now()))
	require.Equal(t, 2, left())
	require.NoError(t, staff.Purge(t.Context(), k.db.Worker, k.clock.Now().Add(time.Hour)))
	require.Zero(t, left())
	require.Len(t, k.list(t, k.principal(t, "sunita@example.in")), 1)
}

func TestPasskeys_SiteWithAnIPAddress_AreUnavailable(t *testing.T) {
	t.Parallel()
	k := newKeys(t, false)
	at, err := url.Parse("http://127.0.0.1:8080")
	require.NoError(t, err)
	site, err := passkey.NewSite(at, "Franchise 360 staff")
	require.NoError(t, err)
	none := staff.NewPasskeys(k.accounts, site)
	_, _, err = none.AskSignIn(t.Context())
	require.Equal(t, "passkeys_unavailable", codeOf(t, err))
	_, err = none.AskNew(k.sunita.Sign(t.Context()), k.sunita, k.proof(rightPassword))
	require.Equal(t, "passkeys_unavailable", codeOf(t, err))
}

func TestPasskeyNoticeJobPreview_NamesItsEffect(t *testing.T) {
	t.Parallel()
	k := newKeys(t, true)
	k.add(t, k.sunita, "Laptop")
	preview := func(args string) (p queue.JobPreview) {
		t.Helper()
		require.NoError(t, postgres.InTx(t.Context(), k.db.Worker, func(tx *sqlx.Tx) (err error) {
			p, err = staff.JobPreviews()[staff.SendNoticeArgs{}.Kind()](t.Context(), tx, []byte(args), k.clock.Now())
			return err
		}))
		return p
	}
	var args string
	require.NoError(t, k.db.Owner.Get(&args, `SELECT args FROM river_job WHERE kind = 'send_staff_notice'`))
	require.Contains(t, preview(args).Summary, "sunita@example.in what happened to the passkey Laptop")
	require.False(t, preview(args).Nothing)
	k.clock.Advance(8 * 24 * time.Hour)
	require.Contains(t, preview(args).Summary, "older than a week")
	require.True(t, preview(args).Nothing)
	k.clock.Advance(-8 * 24 * time.Hour)
	k.told(t)
	require.Contains(t, preview(args).Summary, "it was sent")
}
