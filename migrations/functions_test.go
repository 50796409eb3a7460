package migrations_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/testkit"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

// sqlCase is an expression and its expected text; empty also stands for NULL.
type sqlCase struct{ expression, want string }

func requireEach(t *testing.T, db *testkit.Database, cases []sqlCase) {
	t.Helper()
	for _, c := range cases {
		var got string
		require.NoError(t, db.Owner.Get(&got, `SELECT coalesce((`+c.expression+`)::text, '')`), c.expression)
		require.Equal(t, c.want, got, c.expression)
	}
}

// Without a date nothing is due. A date of today is due from its first moment in India.
func TestDueSQL_FromTheDaysFirstMomentInIndia(t *testing.T) {
	t.Parallel()
	requireEach(t, testkit.NewDatabase(t), []sqlCase{
		{`day_in_india('2026-11-25T18:29:59.999999Z')`, "2026-11-25"},
		{`day_in_india('2026-11-25T18:30:00Z')`, "2026-11-26"},
		{`day_in_india('2026-12-31T18:30:00Z')`, "2027-01-01"},
		{`day_in_india('2028-02-28T23:59:59+05:30')`, "2028-02-28"},
		{`day_in_india('2028-02-29T00:00:00+05:30')`, "2028-02-29"},
		{`day_in_india(NULL)`, ""},

		{`subscription_is_due('2026-11-25', '2026-11-24')`, "false"},
		{`subscription_is_due('2026-11-25', '2026-11-25')`, "true"},
		{`subscription_is_due('2026-11-25', '2026-11-26')`, "true"},
		{`coalesce(subscription_is_due(NULL, '2026-11-26'), false)`, "false"},

		{`add_on_is_over(NULL, 0::smallint, '2026-11-26', '2026-11-25')`, "false"},
		{`add_on_is_over(NULL, 0::smallint, '2026-11-25', '2026-11-25')`, "true"},
		{`add_on_is_over(NULL, 1::smallint, '2026-11-25', '2026-11-25')`, "false"},
		{`add_on_is_over('2026-11-25', 0::smallint, '2026-11-25', '2026-11-25')`, "false"},
		{`coalesce(add_on_is_over(NULL, 0::smallint, NULL, '2026-11-25'), false)`, "false"},

		{`erasure_is_due('2026-11-25T10:00:00Z', NULL, '2026-11-25T09:59:59Z')`, "false"},
		{`erasure_is_due('2026-11-25T10:00:00Z', NULL, '2026-11-25T10:00:00Z')`, "true"},
		{`erasure_is_due('2026-11-25T10:00:00Z', '2026-11-25T10:00:00Z', '2026-11-26T10:00:00Z')`, "false"},
		{`coalesce(erasure_is_due(NULL, NULL, '2026-11-26T10:00:00Z'), false)`, "false"},

		{`domain_check_is_due('2026-11-25T10:00:00Z', '2026-11-25T09:59:59Z')`, "false"},
		{`domain_check_is_due('2026-11-25T10:00:00Z', '2026-11-25T10:00:00Z')`, "true"},
		{`coalesce(domain_check_is_due(NULL, '2026-11-25T10:00:00Z'), false)`, "false"},
	})
}

// The deferred part of a term: all of it before its first day, zero from its last day, and half a paisa rounded up.
func TestDeferredSQL_CountsDays(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	requireEach(t, db, []sqlCase{
		{`revenue_unearned(1000, '2026-04-01', '2026-04-11', '2026-03-30')`, "1000"},
		{`revenue_unearned(1000, '2026-04-01', '2026-04-11', '2026-03-31')`, "1000"},
		{`revenue_unearned(1000, '2026-04-01', '2026-04-11', '2026-04-01')`, "900"},
		{`revenue_unearned(1000, '2026-04-01', '2026-04-11', '2026-04-09')`, "100"},
		{`revenue_unearned(1000, '2026-04-01', '2026-04-11', '2026-04-10')`, "0"},
		{`revenue_unearned(1000, '2026-04-01', '2026-04-11', '2027-04-10')`, "0"},
		{`revenue_unearned(1, '2026-04-01', '2026-04-03', '2026-04-01')`, "1"},
		{`revenue_unearned(1, '2026-04-01', '2026-04-04', '2026-04-02')`, "0"},
		{`revenue_unearned(0, '2026-04-01', '2026-04-11', '2026-04-05')`, "0"},
		{`revenue_unearned(1000, '2026-04-01', '2026-04-01', '2026-04-01')`, "0"},
		{`revenue_unearned(1000, '2026-04-01', '2026-04-01', '2026-03-31')`, "0"},
		{`revenue_unearned(9007199254740993, '2026-01-01', '2026-01-03', '2026-01-01')`, "4503599627370497"},
	})
	// No day takes back what another gave.
	var odd int
	require.NoError(t, db.Owner.Get(&odd, `
		SELECT count(*) FROM unnest(ARRAY[1, 99, 100, 11799999]::bigint[]) amount, generate_series(0, 370) n,
			LATERAL (SELECT revenue_unearned(amount, '2027-12-31', '2028-12-31', '2027-12-29'::date + n) AS before,
				revenue_unearned(amount, '2027-12-31', '2028-12-31', '2027-12-30'::date + n) AS after) x
		WHERE after > before OR after < 0 OR before > amount`))
	require.Zero(t, odd)
}

// The first name that is there, and never the word NULL of a column that is empty.
func TestCustomerNameSQL_FirstNonEmptyName(t *testing.T) {
	t.Parallel()
	requireEach(t, testkit.NewDatabase(t), []sqlCase{
		{`customer_name('Asha Sweets LLP', 'Asha', 'Kulkarni', 'Sweets')`, "Asha Sweets LLP"},
		{`customer_name('  Asha Sweets LLP ', 'Asha', 'Kulkarni', 'Sweets')`, "Asha Sweets LLP"},
		{`customer_name('   ', 'Asha', 'Kulkarni', 'Sweets')`, "Asha Kulkarni"},
		{`customer_name('', 'Asha', '', 'Sweets')`, "Asha"},
		{`customer_name('', '', 'Kulkarni', 'Sweets')`, "Kulkarni"},
		{`customer_name(NULL, NULL, 'Kulkarni', 'Sweets')`, "Kulkarni"},
		{`customer_name(NULL, 'Asha', NULL, NULL)`, "Asha"},
		{`customer_name(NULL, '', '', 'Sweets')`, "Sweets"},
		{`customer_name('', NULL, NULL, '')`, ""},
		{`customer_name(NULL, NULL, NULL, NULL) IS NULL`, "false"},
	})
}

// Only an id in the product's spelling is looked up. Other text is not an error.
func TestIDSQL_OnlyAWholeIDIsLookedUp(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	one := id.New()
	for text, want := range map[string]string{
		one: one, "": "", " " + one: "", one + "\n": "", one[:35]: "", one + "0": "", "{" + one + "}": "",
		"019AE0C2-9F00-7A11-8F00-4B1D2C3E4F50": "", "019ae0c29f007a118f004b1d2c3e4f50": "", "g19ae0c2-9f00-7a11-8f00-4b1d2c3e4f50": "",
		"00000000-0000-0000-0000-000000000000": "00000000-0000-0000-0000-000000000000",
	} {
		var got string
		require.NoError(t, db.Owner.Get(&got, `SELECT coalesce(id_in($1)::text, '')`, text), "%q", text)
		require.Equal(t, want, got, "%q", text)
	}
	for text, want := range map[string]int{"0": 0, "": 0, "-1": 0, "1.0": 0, "999999999999999999": 0, "9999999999999999999": 0, "१": 0} {
		var found int
		require.NoError(t, db.Owner.Get(&found, `SELECT count(*) FROM find_job($1)`, text), "%q is looked for, whatever it is", text)
		require.Equal(t, want, found, "%q", text)
	}
}

// Without a franchiser no rows are visible, and an invalid setting is an error.
func TestFranchiserSetting_MissingOrInvalid(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	for _, function := range []string{"franchiser", "request"} {
		requireEach(t, db, []sqlCase{{`current_` + function + `()`, ""}})
		for setting, want := range map[string]string{"": "", "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50": "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50"} {
			tx := db.Owner.MustBegin()
			tx.MustExec(`SELECT set_config('app.' || $1 || '_id', $2, true)`, function, setting)
			var got string
			require.NoError(t, tx.Get(&got, `SELECT coalesce(current_`+function+`()::text, '')`))
			require.NoError(t, tx.Rollback())
			require.Equal(t, want, got)
		}
		tx := db.Owner.MustBegin()
		tx.MustExec(`SELECT set_config('app.' || $1 || '_id', 'everybody', true)`, function)
		var got string
		require.Error(t, tx.Get(&got, `SELECT coalesce(current_`+function+`()::text, '')`))
		require.NoError(t, tx.Rollback())
	}
}

// The database and the product clean a transfer's number alike: a credit of one is found in the refunds of the other.
func TestCleanUTRSQL_EqualsTheGoFunction(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	bodies := []string{
		"", "0", "000000", "0000001", "00000123456", "123456", "000123456", "412345678901", "0412345678901", "4123 4567 8901", "SBIN325123456789",
		"sbinr52026112512345678", "AXISN42026112500019", "N326252345678901", "NUMBERSBIN325123456789", "NOSBIN325123456789", "CRINSBIN3251234567",
		"ABC-123/456", "12345678901A", "A", "१२३४५६", "'; DROP TABLE", "0x00000001", "UTR", "UTRUTR412345678901",
		"P2A/412345678901/ASHA", "MMT/IMPS/412345678901/PF", "BY IMPS 412345678901 ASHA SWEETS", "NEFT*SBIN0000691*SBIN325123456789", "INWARD NEFT SBIN325123456789",
		"UTIB0000001HDFCR52027020800012345", "IMPSP2A412345678901", "412345678901/612345678902", "ASHA/412345678901", "SBIN 3251 2345 6789", "0SBIN325123456789",
		"４１２３４５６７８９０１", "ＳBIN325123456789", "SBІN325123456789", "NEFT-N308262123456789-ASHA", "000000000412", "003212345678 ASHA", "INDB326112345678", "NOSC326112345678",
	}
	compared := 0
	for _, word := range []string{"", "UTR", "utr no. ", "RRN", "REF NUMBER:", "NEFT CR-", "RTGS/", "IMPS IN ", "UPI", "NEFT NO", "CHQ", "UTRN", "XUTR", "00UTR"} {
		for _, body := range bodies {
			said := word + body
			var got string
			require.NoError(t, db.Owner.Get(&got, `SELECT clean_utr($1)`, said))
			require.Equal(t, utr.Clean(said), got, "%q", said)
			compared++
			var again string
			require.NoError(t, db.Owner.Get(&again, `SELECT clean_utr($1)`, got))
			require.Equal(t, utr.Clean(got), again, "%q", got)
		}
	}
	require.Equal(t, 14*len(bodies), compared)
	requireEach(t, db, []sqlCase{{`clean_utr(NULL)`, ""}, {`clean_utr(repeat('0', 40) || '123456')`, "123456"}})
}

// The month that is locked ends with its last moment in India, and the next one is open from its first on.
func TestBookLock_EndsWithTheMonthsLastMomentInIndia(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	around := []string{"2026-10-31T18:29:59.999999Z", "2026-10-31T18:30:00Z", "2026-09-30T18:29:59Z", "2026-09-30T18:30:00Z", "2020-01-01T00:00:00Z"}
	requireEach(t, db, []sqlCase{{`books_open_from()`, "-infinity"}, {`books_are_locked('2020-01-01')`, "false"}})
	staff := id.New()
	db.Owner.MustExec(`INSERT INTO staff (id, email, name, role, password_hash, totp_secret, created_at)
		VALUES ($1, 'asha@example.in', 'Asha', 'admin', '$argon2id$v=19$m=8,t=1,p=1$c2FsdA$ZGlnZXN0', 'x', now())`, staff)
	for i, lock := range []struct {
		through any
		from    string
		locked  string // at the last moment of October
	}{
		{"2026-09-30", "2026-09-30 18:30:00", "false"},
		{"2026-10-31", "2026-10-31 18:30:00", "true"},
		{nil, "-infinity", "false"},
		{"2026-10-31", "2026-10-31 18:30:00", "true"},
		{"2026-08-31", "2026-08-31 18:30:00", "false"},
	} {
		db.Owner.MustExec(`INSERT INTO book_locks (sequence, locked_through, reason, staff_id, staff_name, recorded_at)
			VALUES ($1, $2, 'because', $3, 'Asha', now())`, i+1, lock.through, staff)
		requireEach(t, db, []sqlCase{
			{`books_open_from() AT TIME ZONE 'UTC'`, lock.from},
			{`books_are_locked('2026-10-31T18:29:59.999999Z')`, lock.locked},
			{`books_are_locked('2026-10-31T18:30:00Z')`, "false"},
		})
		for _, moment := range around {
			requireEach(t, db, []sqlCase{{fmt.Sprintf(`books_are_locked('%[1]s') = ('%[1]s' < books_open_from())`, moment), "true"}})
		}
	}
	for what, through := range map[string]string{"the first of a month": "2026-11-01", "the day before the last": "2026-11-29", "a leap year's 28th": "2028-02-28"} {
		_, err := db.Owner.Exec(`INSERT INTO book_locks (sequence, locked_through, reason, staff_id, staff_name, recorded_at)
			VALUES (99, $1, 'because', $2, 'Asha', now())`, through, staff)
		require.ErrorContains(t, err, "book_locks_locked_through_check", what)
	}
}

// franchiser adds an account, and returns its id.
func franchiser(t *testing.T, db *testkit.Database, mobile, email string) string {
	t.Helper()
	one := id.New()
	_, err := db.Owner.Exec(`INSERT INTO franchisers (id, mobile, email, password_hash, terms_version, terms_accepted_at, created_at)
		VALUES ($1, $2, $3, 'x', '1', now(), now())`, one, mobile, email)
	require.NoError(t, err)
	return one
}

// A session says what its holder may do, until it ends, and a member's ends with the membership.
func TestSessionRole_WhileTheSessionLives(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	owner, person := franchiser(t, db, "9876543210", "asha@example.in"), franchiser(t, db, "9876543211", "ravi@example.in")
	member, own, theirs := id.New(), id.New(), id.New()
	db.Owner.MustExec(`INSERT INTO team_members (id, franchiser_id, name, mobile, role, state, person_id, invited_at, accepted_at)
		VALUES ($1, $2, 'Ravi', '9876543211', 'accountant', 'active', $3, now(), now())`, member, owner, person)
	until := time.Date(2026, 11, 25, 10, 0, 0, 0, time.UTC)
	const session = `INSERT INTO sessions (id, franchiser_id, access_hash, access_expires_at, refreshed_at, expires_at, remember, created_at, account_id, member_id)
		VALUES ($1::uuid, $2, sha256($1::uuid::text::bytea), $3, now(), $3, false, now(), $4, $5)`
	db.Owner.MustExec(session, own, person, until, nil, nil)
	db.Owner.MustExec(session, theirs, person, until, owner, member)
	role := func(session string, at time.Time) (got string) {
		t.Helper()
		require.NoError(t, db.Owner.Get(&got, `SELECT coalesce(role_of_session($1, $2), 'none')`, session, at))
		var found int
		require.NoError(t, db.Owner.Get(&found, `SELECT count(*) FROM find_session(sha256($1::text::bytea), $2)`, session, at))
		require.Equal(t, got != "none", found == 1, "both say whether it lives")
		return got
	}
	before := until.Add(-time.Microsecond)
	require.Equal(t, "owner", role(own, before))
	require.Equal(t, "accountant", role(theirs, before))
	require.Equal(t, "none", role(own, until), "its last moment is the one before")
	require.Equal(t, "none", role(theirs, until))
	require.Equal(t, "none", role(id.New(), before))
	db.Owner.MustExec(`UPDATE team_members SET role = 'manager' WHERE id = $1`, member)
	require.Equal(t, "manager", role(theirs, before), "what the member may do now, not when the session began")
	db.Owner.MustExec(`UPDATE team_members SET state = 'removed', ended_at = now() WHERE id = $1`, member)
	require.Equal(t, "none", role(theirs, before), "and never the owner's")
	require.Equal(t, "owner", role(own, before), "the person's own account stays")
	db.Owner.MustExec(`UPDATE sessions SET ended_at = now(), end_reason = 'logout' WHERE id = $1`, own)
	require.Equal(t, "none", role(own, before))
}
