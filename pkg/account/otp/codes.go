package otp

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/guard"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// RequestCodeTx refuses requests that come too soon or too often, and otherwise stores the row and the job that sends
// it. It does the same work whatever the row's message is, so that timing does not give it away.
func (s *Service) RequestCodeTx(ctx context.Context, tx *sqlx.Tx, c Code, o account.Origin) error {
	now := s.clock.Now()
	silent, err := s.countAndAllowTx(ctx, tx, c, o, now)
	if err != nil {
		return err
	}
	if silent {
		c.Message = MessageNone
	}
	c.Language = o.Language
	return enqueueCodeTx(ctx, tx, s.jobs, c, now)
}

var errRehearsed = errors.New("rehearsed")

// Rehearse fails as requestCodeTx would, before costly work, and counts nothing.
func (s *Service) Rehearse(ctx context.Context, c Code, o account.Origin) error {
	err := postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if _, err := s.countAndAllowTx(ctx, tx, c, o, s.clock.Now()); err != nil {
			return err
		}
		return errRehearsed
	})
	if errors.Is(err, errRehearsed) {
		return nil
	}
	return err
}

// countAndAllowTx counts one SMS and refuses it if there were too many. It is silent for an SMS that is not sent although the answer says so.
func (s *Service) countAndAllowTx(ctx context.Context, tx *sqlx.Tx, c Code, o account.Origin, now time.Time) (silent bool, err error) {
	counted, err := s.countSendTx(ctx, tx, c, o, now)
	if err != nil {
		return false, err
	}
	sends, err := sendsTx(ctx, tx, c, now)
	if err != nil {
		return false, err
	}
	if sends.Last != nil && now.Sub(*sends.Last) < account.CodePause {
		return false, errTooManySMS(account.CodePause - now.Sub(*sends.Last))
	}
	if silent, err = s.beyondCeilingTx(ctx, tx, c, counted, now); err != nil {
		return false, err
	}
	return silent, s.allowSendTx(ctx, tx, c, o, counted, sends, now)
}

// beyondCeilingTx refuses an SMS to an unknown browser once the day's ceiling is reached, unless the account has a plan. A reset of a
// password answers alike for all mobiles, so one without a plan is silent.
func (s *Service) beyondCeilingTx(ctx context.Context, tx *sqlx.Tx, c Code, n counted, now time.Time) (silent bool, err error) {
	if n.Mobile == 0 || !s.ceilingReached(n) {
		return false, nil
	}
	_, left := SendDay(now)
	if c.Purpose == account.PurposeSignUp {
		return false, errNoMoreSMS(left)
	}
	owner := id.New() // a random owner, so that the time reveals nothing
	if c.FranchiserRef != nil {
		owner = *c.FranchiserRef
	}
	if err := postgres.SetFranchiser(ctx, tx, owner); err != nil {
		return false, err
	}
	plan, err := s.subs.SubscribedTx(ctx, tx, owner)
	if err != nil || plan.Runs {
		return false, err
	}
	if c.Purpose == account.PurposePasswordReset {
		return true, nil
	}
	return false, errNoMoreSMS(left)
}

func (s *Service) ceilingReached(n counted) bool {
	limits := s.limits.Sends
	return limits.PerDay > 0 && n.All > limits.PerDay || limits.PerPrefix > 0 && n.Prefix > limits.PerPrefix
}

// CountSMSTx counts an SMS that the account has sent to another person's mobile, as an invitation. It refuses the SMS once the day's ceiling
// is reached, unless the account has paid.
func (s *Service) CountSMSTx(ctx context.Context, tx *sqlx.Tx, franchiserID, mobile string) error {
	day, left := SendDay(s.clock.Now())
	var n counted
	var err error
	if n.Prefix, err = s.CountTodayTx(ctx, tx, "prefix", mobile[:min(prefixDigits, len(mobile))]); err != nil {
		return err
	}
	if n.All, err = countOwnTx(ctx, tx, sendsOfAll, day); err != nil || !s.ceilingReached(n) {
		return err
	}
	paid, err := s.debts.HasPaidTx(ctx, tx, franchiserID)
	if err != nil || paid {
		return err
	}
	e := errs.RateLimited(max(left, time.Second))
	e.Message = "Too many SMS were sent today. Please try again tomorrow."
	return e
}

// EnqueueNoticeTx sends a notice of a change that a password allowed. The day's ceiling counts the notice and never refuses it, because it
// warns the owner.
func EnqueueNoticeTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, c Code, now time.Time) error {
	day, _ := SendDay(now)
	if _, err := countOwnTx(ctx, tx, sendsOfAll, day); err != nil {
		return err
	}
	return enqueueCodeTx(ctx, tx, jobs, c, now)
}

// errNoMoreSMS says when the next day's SMS begin.
func errNoMoreSMS(after time.Duration) error {
	e := errs.RateLimited(max(after, time.Second))
	e.Message = "Too many codes were asked for today. Please use a browser in which you signed in before, or try again tomorrow."
	return e
}

// noticeLife is how long a notice is worth sending. If no provider accepts it within a quarter of an hour, its job
// waits for staff to run it again.
const noticeLife = 24 * time.Hour

func enqueueCodeTx(ctx context.Context, tx *sqlx.Tx, jobs *queue.Inserter, c Code, now time.Time) error {
	c.ID, c.CreatedAt, c.ExpiresAt = id.New(), now, now.Add(account.CodeLife)
	if c.Message == MessageMobileChanged || c.Message == MessageErasureAsked {
		c.ExpiresAt = now.Add(noticeLife)
	}
	if err := insertCodeTx(ctx, tx, c); err != nil {
		return err
	}
	o := queue.Options{Queue: queue.QueueOTP, MaxAttempts: maxSends} // the code expires first
	if c.FranchiserRef != nil {
		o.Subject.FranchiserID = *c.FranchiserRef
	}
	_, err := jobs.InsertTx(ctx, tx, SendOTPArgs{CodeID: c.ID}, o)
	return err
}

// counted is the number of SMS requested today, including the new one: by the same device or person, if they have their own budget;
// otherwise by unknown browsers for the mobile, from the address, for mobiles with the same first digits, and in total.
type counted struct{ Own, Mobile, Address, Prefix, All int }

// prefixDigits is how many digits of a mobile name its operator.
const prefixDigits = 4

// countSendTx counts one SMS; if it is refused, the count is rolled back with the rest of tx.
func (s *Service) countSendTx(ctx context.Context, tx *sqlx.Tx, c Code, o account.Origin, now time.Time) (n counted, err error) {
	day, _ := SendDay(now)
	if own := s.ownSends(c, o, now); own != "" {
		if n.Own, err = countOwnTx(ctx, tx, own, day); err != nil || n.Own <= s.limits.Sends.Known {
			return n, err
		}
	}
	counts, err := countSendsTx(ctx, tx,
		s.sendSubject("mobile", c.Mobile), s.sendSubject("address", ratelimit.Address(o.Address)), s.sendSubject("prefix", c.Mobile[:prefixDigits]), sendsOfAll, day)
	if err != nil {
		return counted{}, err
	}
	n.Mobile, n.Address, n.Prefix, n.All = counts[0], counts[1], counts[2], counts[3]
	return n, nil
}

// ownSends returns the budget to which an SMS counts before that of unknown browsers: that of a device that signed in
// to the account before, or of a signed-in user who has a code sent to the mobile on file. It is empty for anybody
// else.
func (s *Service) ownSends(c Code, o account.Origin, now time.Time) string {
	switch {
	case c.Purpose == account.PurposeChangeEmail && c.FranchiserRef != nil:
		return s.sendSubject("franchiser", *c.FranchiserRef)
	case o.Device.Knows(guard.KindFranchiser, c.Mobile, now):
		return s.sendSubject("device", o.Device.ID()+c.Mobile)
	}
	return ""
}

// workSMS names the proof of work required before more SMS go to a mobile.
const workSMS = "sms"

// allowSendTx requires proof of work from unknown browsers once the mobile, their address or all browsers together have used up the day's
// SMS. Work buys neither a shorter pause nor more than the hourly budget.
func (s *Service) allowSendTx(ctx context.Context, tx *sqlx.Tx, c Code, o account.Origin, n counted, sends sends, now time.Time) error {
	if n.Mobile == 0 { // within its own budget
		return nil
	}
	if sends.LastOfAny != nil && now.Sub(*sends.LastOfAny) < account.CodePause {
		return errTooManySMS(account.CodePause - now.Sub(*sends.LastOfAny))
	}
	limits := s.limits.Sends
	_, left := SendDay(now)
	begun := sends.OfBrowser > 0 && sends.OfBrowser <= limits.Again
	if n.Mobile > limits.PerMobile && !begun {
		if err := s.countHourTx(ctx, tx, c.Mobile, now); err != nil {
			return err
		}
	}
	over := max(n.Mobile-limits.PerMobile, (n.Address-limits.PerAddress+sendsPerStep-1)/sendsPerStep,
		risen(n.All, limits.InAll, limits.PerDay), risen(n.Prefix, limits.PerPrefix/2, limits.PerPrefix))
	switch {
	case over > 0:
	case o.Pressed:
		left = account.CodePause
	default:
		return nil
	}
	pressure := int64(1) << (max(min(over, maxOver), 0) / 2)
	ok, err := s.guard.ProvenTx(ctx, tx, o.Work, workSMS, c.Mobile, pressure)
	if err != nil || ok {
		return err
	}
	return s.guard.Wanted(workSMS, c.Mobile, pressure, left)
}

// risen returns how many of maxOver steps the count has gone from the free ones to the most; beyond the free ones it is at least one.
func risen(count, free, most int) int {
	if count <= free || most <= 0 {
		return min(count-free, 0)
	}
	return 1 + min((count-free)*maxOver/max(most-free, 1), maxOver)
}

// countHourTx counts one SMS against the mobile's hourly budget, and fails if that is used up.
func (s *Service) countHourTx(ctx context.Context, tx *sqlx.Tx, mobile string, now time.Time) error {
	hour, left := sendHour(now)
	n, err := s.CountTodayTx(ctx, tx, "hour", mobile+" "+hour)
	if err == nil && n > s.limits.Sends.PerMobileHour {
		return errTooManySMS(left)
	}
	return err
}

// errTooManySMS says when the next SMS may be sent to the mobile.
func errTooManySMS(after time.Duration) error {
	e := errs.RateLimited(max(after, time.Second))
	wait := fmt.Sprintf("%d seconds", int(math.Ceil(e.RetryAfter.Seconds())))
	if e.RetryAfter >= 2*time.Minute {
		wait = fmt.Sprintf("%d minutes", int(math.Ceil(e.RetryAfter.Minutes())))
	}
	e.Message = "An SMS to this number was requested recently. Please try again in " + wait + "."
	return e
}

// UnlockSendsTx resets every try of a mobile, and its sends of the day and the hour.
func (s *Service) UnlockSendsTx(ctx context.Context, tx *sqlx.Tx, mobile string) error {
	now := s.clock.Now()
	day, _ := SendDay(now)
	hour, _ := sendHour(now)
	for _, subject := range []string{s.sendSubject("mobile", mobile), s.sendSubject("hour", mobile+" "+hour)} {
		if err := unlockTx(ctx, tx, mobile, subject, day); err != nil {
			return err
		}
	}
	return nil
}

const (
	// sendsPerStep is how many SMS beyond the free ones from an address make the work as much harder as one SMS for the
	// mobile does.
	sendsPerStep = 20
	maxOver      = 20
)

// CountTodayTx counts one send of the kind to or for the value, and returns how many there were today.
func (s *Service) CountTodayTx(ctx context.Context, tx *sqlx.Tx, kind, value string) (int, error) {
	day, _ := SendDay(s.clock.Now())
	return countOwnTx(ctx, tx, s.sendSubject(kind, value), day)
}

func (s *Service) sendSubject(kind, value string) string {
	return hex.EncodeToString(s.keys.MAC(secret.PurposeSubject, "sends", kind, value)[:16])
}

// Judge checks the guess and returns its row. Guesses are counted before they are checked and stay counted, so that at
// most MaxCodeTries of any number of concurrent ones are checked; redeemTx uses up a right one. A browser that
// requested no code can have no right guess: its guesses count with those of its address.
func (s *Service) Judge(ctx context.Context, g Guess, o account.Origin) (Code, error) {
	c, ok, err := LatestCode(ctx, s.db, g.Mobile, g.Purpose, g.FranchiserID, g.BrowserHash)
	if err != nil {
		return Code{}, err
	}
	if ok && len(g.owner()) > 0 {
		return c, s.judgeCode(ctx, g, c)
	}
	stray := ratelimit.Counted{Rule: s.strayOfAddress(), Subject: ratelimit.Address(o.Address)}
	err = s.limiter.Guess(ctx, stray, func() error {
		if !ok {
			return errWrongCode()
		}
		return s.judgeCode(ctx, g, c)
	})
	return c, err
}

func (s *Service) judgeCode(ctx context.Context, g Guess, c Code) error {
	now := s.clock.Now()
	if err := s.countGuess(ctx, g, now); err != nil {
		return err
	}
	if c.UsedAt == nil && c.Expired(now) {
		return errExpiredCode()
	}
	if !c.matches(s.keys, g.Digits) || !g.confirms(c) {
		return errWrongCode()
	}
	return nil
}

func (s *Service) countGuess(ctx context.Context, g Guess, now time.Time) error {
	judged, err := countTry(ctx, s.db, g, now)
	if err != nil || judged {
		return err
	}
	last, err := lastTry(ctx, s.db, g)
	if err != nil {
		return err
	}
	return errNoTriesLeft(max(time.Second, last.Add(tryMemory).Sub(now)))
}

// RedeemTx uses up a code that was judged right and resets the guesser's tries; of two requests with the same code one
// fails.
func (s *Service) RedeemTx(ctx context.Context, tx *sqlx.Tx, g Guess, c Code) error {
	ok, err := useCodeTx(ctx, tx, c.ID, s.clock.Now())
	if err != nil {
		return err
	}
	if !ok {
		return errWrongCode()
	}
	return forgetTriesTx(ctx, tx, g)
}

// Verify turns a right guess into a verification, a token that proves the mobile for the purpose once. Until the token
// is used, the same guess by the browser that requested the code returns the same token again, because the response may
// have been lost.
func (s *Service) Verify(ctx context.Context, g Guess, o account.Origin) (string, error) {
	c, err := s.Judge(ctx, g, o)
	if err != nil {
		return "", err
	}
	token, now := s.VerificationOf(c), s.clock.Now()
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		err := s.RedeemTx(ctx, tx, g, c)
		if err == nil {
			return insertVerificationTx(ctx, tx, secret.Hash(token), c, now)
		}
		if errs.KindOf(err) != errs.KindMalformed || len(g.owner()) == 0 {
			return err
		}
		lives, readErr := VerificationLives(ctx, tx, secret.Hash(token), c.Mobile, c.Purpose, now)
		if readErr != nil || lives {
			return readErr
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return token, nil
}

// VerificationOf returns the token that a right guess of the code yields.
func (s *Service) VerificationOf(c Code) string {
	return base64.RawURLEncoding.EncodeToString(s.keys.MAC(secret.PurposeVerification, c.ID))
}

func (s *Service) strayOfAddress() ratelimit.Rule {
	return ratelimit.Rule{Name: "guess-address", Limit: s.limits.Own.Stray, Window: account.GuessWindow}
}
