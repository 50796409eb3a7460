package account_test

import (
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/account/otp"
	"github.com/franchise360/franchise360/pkg/account/session"
	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/account/signup"
	"github.com/franchise360/franchise360/pkg/app"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/money"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/testkit"
)

const (
	asha         = "9876543210"
	ravi         = "9123456789"
	goodPassword = "Mango#2026"
)

// bundle is the account domain with its own database.
type bundle struct {
	db    *testkit.Database
	clock *clock.Fake
	redis *miniredis.Miniredis
	app.Accounts
	sender  *message.RowSender
	janitor *erasure.Cleanup
	phone   *phone
	billing *billing
	keys    secret.Keyring
	// passwords is the service's own.
	passwords *password.Hasher
}

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return setupWithLimits(tb, guard.Default())
}

func setupWithLimits(tb testing.TB, limits guard.Limits) *bundle {
	tb.Helper()
	return setupWith(tb, limits, password.Cheap(2))
}

func setupWith(tb testing.TB, limits guard.Limits, passwords *password.Hasher) *bundle {
	tb.Helper()
	b := &bundle{
		db: testkit.NewDatabase(tb), clock: testkit.NewClock(), redis: miniredis.NewMiniRedis(),
		phone: &phone{}, billing: &billing{}, passwords: passwords,
	}
	require.NoError(tb, b.redis.Start())
	tb.Cleanup(b.redis.Close)
	cache, err := redis.Open(testkit.RedisURL(b.redis))
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = cache.Close() })
	keys, logger := testkit.NewKeyring(tb), testkit.NewLogger(tb)
	b.keys = keys
	limiter := ratelimit.New(cache, b.db.API, b.clock, keys)
	b.Accounts = app.NewAccounts(app.AccountParts{
		DB: b.db.API, Jobs: testkit.NewInserter(tb, b.db.API), Redis: cache,
		Limiter: limiter, Guard: guard.New(limiter, b.db.API, b.clock, keys),
		Passwords: passwords, Clock: b.clock, Keys: keys, Logger: logger, Limits: limits,
		Trials: b.billing, Subscriptions: b.billing, Debts: b.billing, Email: true,
	})
	b.sender = otp.NewSender(b.db.Worker, message.NewOutbox(message.OutboxOptions{
		SMS: b.phone, Site: message.Site{Host: "franchise360.example", URL: "https://franchise360.example"}, Clock: b.clock,
		Logger: logger,
	}), b.clock, keys)
	b.janitor = erasure.NewCleanup(erasure.CleanupOptions{
		DB: b.db.Worker, Cache: session.NewCache(cache, keys), Clock: b.clock, Debts: b.billing, Logger: logger,
	})
	return b
}

// billing replaces the subscription domain.
type billing struct {
	mu     sync.Mutex
	trials []string
	answer account.Subscribed
	owed   map[string]money.Paise // by franchiser
	unpaid bool
}

func (b *billing) HasPaidTx(context.Context, *sqlx.Tx, string) (bool, error) { return !b.unpaid, nil }

func (b *billing) OwedTx(_ context.Context, _ *sqlx.Tx, franchiserID string) (money.Paise, error) {
	return b.owed[franchiserID], nil
}

func (b *billing) LockOwedTx(ctx context.Context, tx *sqlx.Tx, franchiserID string) (money.Paise, error) {
	return b.OwedTx(ctx, tx, franchiserID)
}

func (b *billing) StartTrialTx(_ context.Context, _ *sqlx.Tx, franchiserID string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.trials = append(b.trials, franchiserID)
	return nil
}

func (b *billing) SubscribedTx(context.Context, *sqlx.Tx, string) (account.Subscribed, error) {
	return b.answer, nil
}

// phone is the SMS provider of a test; it can be made to fail.
type phone struct {
	messages []message.Message
	fail     error
}

func (p *phone) Send(_ context.Context, m message.Message) error {
	if p.fail != nil {
		return p.fail
	}
	p.messages = append(p.messages, m)
	return nil
}

// codeIDs are the arguments of every send_otp job that exists, oldest first.
func (b *bundle) codeIDs(tb testing.TB) []string {
	tb.Helper()
	var raw [][]byte
	require.NoError(tb, b.db.Owner.Select(&raw, `SELECT args FROM river_job WHERE kind = 'send_otp' ORDER BY id`))
	ids := make([]string, 0, len(raw))
	for _, r := range raw {
		var args otp.SendOTPArgs
		require.NoError(tb, json.Unmarshal(r, &args))
		ids = append(ids, args.CodeID)
	}
	return ids
}

// deliver runs the waiting jobs as the worker would.
func (b *bundle) deliver(tb testing.TB) {
	tb.Helper()
	for _, id := range b.codeIDs(tb) {
		if err := b.sender.Send(tb.Context(), id); err != nil && !errors.Is(err, message.ErrTooLate()) {
			require.ErrorIs(tb, err, b.phone.fail)
		}
	}
}

// inbox returns the messages to the mobile, oldest first.
func (b *bundle) inbox(tb testing.TB, mobile string) []message.Message {
	tb.Helper()
	b.deliver(tb)
	var mine []message.Message
	for _, m := range b.phone.messages {
		if m.Mobile == mobile {
			mine = append(mine, m)
		}
	}
	return mine
}

// digits returns the code of the last SMS to the mobile.
func (b *bundle) digits(tb testing.TB, mobile string) string {
	tb.Helper()
	list := b.inbox(tb, mobile)
	require.NotEmpty(tb, list, "no SMS was sent")
	found := regexp.MustCompile(`\n@franchise360\.example #([0-9]{6})$`).FindStringSubmatch(list[len(list)-1].Text)
	require.Len(tb, found, 2, "the last SMS is no code: %q", list[len(list)-1].Text)
	return found[1]
}

// from is a browser at the address.
func from(address string) account.Origin {
	return account.Origin{
		Address:   address,
		UserAgent: "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36",
	}
}

func home() account.Origin { return from("203.0.113.7") }

// owner is the browser, with cookies, of a person who forgot the password.
func owner() account.Origin {
	o := home()
	o.Browser = strings.Repeat("o", 43)
	return o
}

// startReset requests a code from the owner's browser.
func (b *bundle) startReset(tb testing.TB, mobile string) {
	tb.Helper()
	browser, err := b.SignIns.StartReset(tb.Context(), mobile, owner())
	require.NoError(tb, err)
	require.Equal(tb, owner().Browser, browser)
}

// workOf returns the proof of work that a refusal requires.
func workOf(tb testing.TB, err error) guard.Work {
	tb.Helper()
	require.Equal(tb, errs.KindRateLimited, errs.KindOf(err), "%v", err)
	w, ok := errs.As(err).Data["challenge"].(guard.Work)
	require.True(tb, ok, "no work is asked for: %v", err)
	return w
}

// working returns the browser with the proof of work that the refusal requires.
func working(tb testing.TB, o account.Origin, refusal error) account.Origin {
	tb.Helper()
	o.Work = guard.Solve(workOf(tb, refusal))
	return o
}

func input(mobile string) signup.Input {
	return signup.Input{Mobile: mobile, Email: "Asha@Example.in ", Password: goodPassword, FirstName: "Asha"}
}

// join signs the mobile up and returns the session.
func (b *bundle) join(tb testing.TB, mobile string) session.SignedIn {
	tb.Helper()
	return b.joinWith(tb, input(mobile))
}

func (b *bundle) joinWith(tb testing.TB, in signup.Input) session.SignedIn {
	tb.Helper()
	o := home()
	var err error
	o.Browser, err = b.SignUps.StartSignUp(tb.Context(), in, o)
	require.NoError(tb, err)
	token, err := b.SignUps.VerifySignUp(tb.Context(), in.Mobile, b.digits(tb, in.Mobile), o)
	require.NoError(tb, err)
	out, err := b.SignUps.CompleteSignUp(tb.Context(), in.Mobile, token, o)
	require.NoError(tb, err)
	return out
}

func principal(in session.SignedIn) account.Principal {
	return account.Principal{FranchiserID: in.User.ID, SessionID: in.Tokens.SessionID}
}

// lives says whether the access token is taken.
func (b *bundle) lives(tb testing.TB, access string) bool {
	tb.Helper()
	_, err := b.Sessions.Authenticate(tb.Context(), access)
	if err != nil {
		require.Equal(tb, errs.KindUnauthenticated, errs.KindOf(err))
	}
	return err == nil
}

func (b *bundle) login(tb testing.TB, mobile, pass string) (session.SignedIn, error) {
	tb.Helper()
	in, challenge, err := b.SignIns.Login(tb.Context(), signin.LoginInput{Username: mobile, Password: pass}, home())
	require.Empty(tb, challenge)
	return in, err
}

// requireCode asserts the code and kind of a failure.
func requireCode(tb testing.TB, err error, kind errs.Kind, code string) {
	tb.Helper()
	require.Error(tb, err)
	require.Equal(tb, kind, errs.KindOf(err), "%v", err)
	require.Equal(tb, code, errs.As(err).Code, "%v", err)
}

// wrongDigits is any code but the right one.
func wrongDigits(right string) string {
	if right == "000000" {
		return "000001"
	}
	return "000000"
}

func count(tb testing.TB, db *sqlx.DB, query string, args ...any) int {
	tb.Helper()
	var n int
	require.NoError(tb, db.Get(&n, query, args...))
	return n
}

const minute = time.Minute
