package guard

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// Work is a proof of work that a browser computes instead of waiting: for each of Parts, a number whose SHA-256 together
// with the token begins with Bits zero bits. Several parts even out the time it takes. It costs 16 × 2^Bits hashes on
// average.
type Work struct {
	Token     string `json:"token"`
	Parts     int    `json:"parts"`
	Bits      int    `json:"bits"`
	ExpiresIn int    `json:"expires_in"`
}

const (
	purposeWork secret.Purpose = "proof of work"

	// WorkLife is how long a challenge stays valid; a slow phone needs minutes for the hardest.
	WorkLife = 10 * time.Minute

	workParts = 16
	// easiest costs 131,072 hashes, well under a second on most phones; hardest 67,108,864, a minute or two.
	easiest, hardest = 13, 22
	// slack is by how many bits the difficulty may have risen since the challenge was issued: a factor of four.
	slack = 2

	idLength, bindLength, macLength = 16, 16, 16
	tokenBytes                      = idLength + 8 + 1 + bindLength + macLength
	maxNonce                        = 12 // digits
)

// difficulty returns the bits required; each doubling of the pressure adds one.
func difficulty(pressure int64) int {
	if pressure <= 1 {
		return easiest
	}
	return min(easiest+bits.Len64(uint64(pressure-1)), hardest)
}

// issue creates a challenge for one purpose and account; nothing is stored.
func (g *Guard) issue(purpose, subject string, n int) Work {
	raw := make([]byte, idLength, tokenBytes)
	_, _ = rand.Read(raw)                                                                // never fails since Go 1.24
	raw = binary.BigEndian.AppendUint64(raw, uint64(g.clock.Now().Add(WorkLife).Unix())) //nolint:gosec // after 1970
	raw = append(raw, byte(n))                                                           //nolint:gosec // at most hardest
	raw = append(raw, g.bound(purpose, subject)...)
	raw = append(raw, g.sign(raw)...)
	return Work{
		Token: base64.RawURLEncoding.EncodeToString(raw), Parts: workParts, Bits: n, ExpiresIn: int(WorkLife / time.Second),
	}
}

func (g *Guard) bound(purpose, subject string) []byte {
	return g.keys.MAC(purposeWork, "bound", purpose, subject)[:bindLength]
}

func (g *Guard) sign(raw []byte) []byte {
	return g.keys.MAC(purposeWork, "token", string(raw))[:macLength]
}

// answered is a completed piece of work that can be spent.
type answered struct {
	id      []byte
	expires time.Time
}

// check reports whether the answer ("<token>.<number>-<number>-…") is correct, in time, for this purpose and account, and
// hard enough. spend ensures that it is used only once.
func (g *Guard) check(answer, purpose, subject string, wanted int) (answered, bool) {
	token, solution, _ := strings.Cut(answer, ".")
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil || len(raw) != tokenBytes {
		return answered{}, false
	}
	signed, mac := raw[:tokenBytes-macLength], raw[tokenBytes-macLength:]
	if subtle.ConstantTimeCompare(g.sign(signed), mac) != 1 {
		return answered{}, false
	}
	expires := time.Unix(int64(binary.BigEndian.Uint64(raw[idLength:])), 0) //nolint:gosec // signed by us
	n := int(raw[idLength+8])
	fits := subtle.ConstantTimeCompare(raw[idLength+9:idLength+9+bindLength], g.bound(purpose, subject)) == 1
	if !fits || n < wanted-slack || !g.clock.Now().Before(expires) || !solves(token, solution, n) {
		return answered{}, false
	}
	return answered{id: raw[:idLength], expires: expires}, true
}

func solves(token, solution string, n int) bool {
	numbers := strings.Split(solution, "-")
	if len(numbers) != workParts {
		return false
	}
	for i, number := range numbers {
		if len(number) > maxNonce || zeroBits(append(prefix(token, i), number...)) < n {
			return false
		}
	}
	return true
}

// prefix returns the text that precedes the number in the hash input, with room for the number.
func prefix(token string, part int) []byte {
	text := make([]byte, 0, len(token)+2*maxNonce)
	text = append(text, token+":"...)
	return append(strconv.AppendInt(text, int64(part), 10), ':')
}

func zeroBits(text []byte) int {
	h := sha256.Sum256(text)
	return bits.LeadingZeros64(binary.BigEndian.Uint64(h[:]))
}

// Solve does the work and returns the answer to send. Browsers have their own implementation; this one is for programs and
// tests.
func Solve(w Work) string {
	numbers := make([]string, w.Parts)
	for i := range numbers {
		text := prefix(w.Token, i)
		for n := int64(0); ; n++ {
			tried := strconv.AppendInt(text, n, 10)
			if zeroBits(tried) >= w.Bits {
				numbers[i] = string(tried[len(text):])
				break
			}
		}
	}
	return w.Token + "." + strings.Join(numbers, "-")
}

const spendSQL = `INSERT INTO spent_work (id, expires_at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`

// spend uses the work up and reports whether it was still unused. It is stored in Postgres only, so that flushing Redis
// does not make it valid again.
func spend(ctx context.Context, q sqlx.ExecerContext, a answered) (bool, error) {
	res, err := q.ExecContext(ctx, spendSQL, a.id, a.expires)
	if err != nil {
		return false, postgres.Error(fmt.Errorf("spend work: %w", err))
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("spend work: %w", err)
	}
	return n == 1, nil
}

const unspendWithin = 2 * time.Second

// unspend returns work whose guess was not judged, even after the request has ended. If that fails, the visitor has to
// repeat it.
func unspend(ctx context.Context, q sqlx.ExecerContext, a answered) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), unspendWithin)
	defer cancel()
	_, _ = q.ExecContext(ctx, `DELETE FROM spent_work WHERE id = $1`, a.id)
}

// Purge deletes spent work that has expired anyway.
func Purge(ctx context.Context, db *sqlx.DB, before time.Time) error {
	if _, err := db.ExecContext(ctx, `DELETE FROM spent_work WHERE expires_at < $1`, before); err != nil {
		return postgres.Error(fmt.Errorf("purge work: %w", err))
	}
	return nil
}

// Wanted returns the error that requires work or waiting.
func (g *Guard) Wanted(purpose, subject string, pressure int64, after time.Duration) error {
	e := errs.New(errs.KindRateLimited, "too_many_requests",
		"There were many tries. Please wait, or switch on JavaScript: your browser then does a short check instead.")
	e.RetryAfter = max(after, time.Second)
	return e.With("challenge", g.issue(purpose, subject, difficulty(pressure)))
}

// ProvenTx reports whether the visitor supplied hard enough work for the purpose and account, and spends it within tx.
func (g *Guard) ProvenTx(ctx context.Context, tx *sqlx.Tx, answer, purpose, subject string, pressure int64) (bool, error) {
	a, ok := g.check(answer, purpose, subject, difficulty(pressure))
	if !ok {
		return false, nil
	}
	return spend(ctx, tx, a)
}
