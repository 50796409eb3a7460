package account

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/queue"
	"github.com/franchise360/franchise360/pkg/platform/ratelimit"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// requestCodeTx refuses what comes too soon or too often, and otherwise stores the row and the job that sends it.
// It does the same work whatever the row's message is, so that nobody can tell one from the other by time.
func (s *Service) requestCodeTx(ctx context.Context, tx *sqlx.Tx, c code, o Origin) error {
	now := s.clock.Now()
	if err := s.countSendTx(ctx, tx, c.Mobile, o.Address, now); err != nil {
		return err
	}
	last, err := lastSendTx(ctx, tx, c.Mobile, c.Purpose)
	if err != nil {
		return err
	}
	if last != nil && now.Sub(*last) < CodePause {
		return errs.RateLimited(CodePause - now.Sub(*last))
	}
	return s.enqueueTx(ctx, tx, c, now)
}

func (s *Service) enqueueTx(ctx context.Context, tx *sqlx.Tx, c code, now time.Time) error {
	c.ID, c.CreatedAt, c.ExpiresAt = id.New(), now, now.Add(CodeLife)
	if err := insertCodeTx(ctx, tx, c); err != nil {
		return err
	}
	o := queue.Options{Queue: queue.QueueOTP, MaxAttempts: maxSends} // the code expires first
	if c.FranchiserRef != nil {
		o.Subject.FranchiserID = *c.FranchiserRef
	}
	_, err := s.jobs.InsertTx(ctx, tx, SendOTPArgs{CodeID: c.ID}, o)
	return err
}

// countSendTx counts one SMS against the caps of the day; a refusal rolls the counting back with the rest of tx.
func (s *Service) countSendTx(ctx context.Context, tx *sqlx.Tx, mobile, address string, now time.Time) error {
	day, left := sendDay(now)
	counts, err := countSendsTx(ctx, tx,
		s.sendSubject("mobile", mobile), s.sendSubject("address", ratelimit.Address(address)), "all", day)
	if err != nil {
		return err
	}
	for i, limit := range []int{s.limits.CodesPerMobile, s.limits.CodesPerAddress, s.limits.CodesInAll} {
		if counts[i] > limit {
			return errs.RateLimited(left)
		}
	}
	return nil
}

func (s *Service) sendSubject(kind, value string) string {
	return hex.EncodeToString(s.keys.MAC(secret.PurposeSubject, "sends", kind, value)[:16])
}

// guess is a code that somebody typed in, and what it has to fit besides the digits.
type guess struct {
	mobile  string
	purpose Purpose
	digits  string
	// franchiserID is set where the code was asked for by somebody signed in.
	franchiserID *string
	// browserHash is set where the browser began a sign-up.
	browserHash []byte
	// boundTo are the keyed hashes, one for each key, of what the code confirms besides the mobile; none where it is nothing.
	boundTo [][]byte
}

func (g guess) confirms(c code) bool {
	if len(g.boundTo) == 0 {
		return len(c.BoundTo) == 0
	}
	return slices.ContainsFunc(g.boundTo, func(mac []byte) bool { return subtle.ConstantTimeCompare(c.BoundTo, mac) == 1 })
}

// judge checks the guess and returns its row. Guesses are counted before they are judged and stay counted, so that of
// any number at once at most MaxCodeTries are judged; a right one is used up by redeemTx.
func (s *Service) judge(ctx context.Context, g guess, o Origin) (code, error) {
	rule, address := s.limits.guessOfAddress(), ratelimit.Address(o.Address)
	if err := s.limiter.Hit(ctx, rule, address); err != nil {
		return code{}, err
	}
	now := s.clock.Now()
	if err := s.countGuess(ctx, g, now); err != nil {
		return code{}, err
	}
	c, ok, err := latestCode(ctx, s.db, g.mobile, g.purpose, g.franchiserID, g.browserHash)
	if err != nil {
		return code{}, err
	}
	if ok && c.UsedAt == nil && c.expired(now) {
		return code{}, errExpiredCode()
	}
	if !ok || !c.matches(s.keys, g.digits) || !g.confirms(c) {
		return code{}, errWrongCode()
	}
	return c, s.limiter.Refund(ctx, rule, address)
}

func (s *Service) countGuess(ctx context.Context, g guess, now time.Time) error {
	judged, err := countTry(ctx, s.db, g.mobile, g.purpose, now)
	if err != nil || judged {
		return err
	}
	last, err := lastTry(ctx, s.db, g.mobile, g.purpose)
	if err != nil {
		return err
	}
	return errNoTriesLeft(max(time.Second, last.Add(tryMemory).Sub(now)))
}

// redeemTx uses up a code that was judged right and forgets the tries; of two requests with the same code one fails.
func (s *Service) redeemTx(ctx context.Context, tx *sqlx.Tx, c code) error {
	ok, err := useCodeTx(ctx, tx, c.ID, s.clock.Now())
	if err != nil {
		return err
	}
	if !ok {
		return errWrongCode()
	}
	return forgetTriesTx(ctx, tx, c.Mobile, c.Purpose)
}

// verify turns a right guess into a verification, a token that proves the mobile for the purpose once.
func (s *Service) verify(ctx context.Context, g guess, o Origin) (string, error) {
	c, err := s.judge(ctx, g, o)
	if err != nil {
		return "", err
	}
	token := secret.Token()
	err = postgres.InTx(ctx, s.db, func(tx *sqlx.Tx) error {
		if err := s.redeemTx(ctx, tx, c); err != nil {
			return err
		}
		return insertVerificationTx(ctx, tx, secret.Hash(token), c, s.clock.Now())
	})
	if err != nil {
		return "", err
	}
	return token, nil
}
