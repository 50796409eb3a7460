package account

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// liveSession is what the check of every private call needs to know.
type liveSession struct {
	ID              string    `db:"id"`
	FranchiserID    string    `db:"franchiser_id"`
	AccessExpiresAt time.Time `db:"access_expires_at"`
}

// cacheLife is how long a value counts from its writing, which is signed with it: also where Redis keeps it longer. So it bounds
// how long a session could outlive its end, were Redis out of reach at the very moment, or did somebody who reads and writes
// Redis lay an older value over the mark of the end.
const cacheLife = time.Minute

// ended stands in the cache for a token that is dead; a slow reader of Postgres can't write over it.
const ended = "-"

// purposeCache signs what the cache holds, so that who can write to Redis can neither make nor end a session.
const purposeCache secret.Purpose = "session cache"

// cache keeps live sessions in Redis, each value signed together with its token's hash. Every failure of it, and every
// value that is not ours, only means that Postgres is asked.
type cache struct {
	redis *redis.Client
	keys  secret.Keyring
}

func (c cache) sign(accessHash []byte, value string) string {
	return base64.RawURLEncoding.EncodeToString(c.keys.MAC(purposeCache, string(accessHash), value)) + " " + value
}

func (c cache) verify(accessHash []byte, signed string) (value string, ok bool) {
	text, value, _ := strings.Cut(signed, " ")
	mac, err := base64.RawURLEncoding.DecodeString(text)
	return value, err == nil && c.keys.Fits(mac, purposeCache, string(accessHash), value)
}

func cacheKey(accessHash []byte) string {
	return "session:" + base64.RawURLEncoding.EncodeToString(accessHash)
}

// get returns what is known of the token; an ended session is known, and expired long ago.
func (c cache) get(ctx context.Context, accessHash []byte, now time.Time) (liveSession, bool) {
	signed, ok, err := c.redis.Get(ctx, cacheKey(accessHash))
	if err != nil || !ok {
		return liveSession{}, false
	}
	value, ok := c.verify(accessHash, signed)
	if !ok {
		return liveSession{}, false
	}
	if value == ended {
		return liveSession{}, true
	}
	parts := strings.Split(value, " ")
	if len(parts) != 4 {
		return liveSession{}, false
	}
	expires, err := strconv.ParseInt(parts[2], 10, 64)
	written, errWritten := strconv.ParseInt(parts[3], 10, 64)
	if err != nil || errWritten != nil {
		return liveSession{}, false
	}
	if age := now.Sub(time.UnixMicro(written)); age < 0 || age >= cacheLife {
		return liveSession{}, false
	}
	return liveSession{ID: parts[0], FranchiserID: parts[1], AccessExpiresAt: time.UnixMicro(expires).UTC()}, true
}

func (c cache) put(ctx context.Context, accessHash []byte, s liveSession, now time.Time) {
	life := min(cacheLife, s.AccessExpiresAt.Sub(now))
	if life <= 0 {
		return
	}
	value := fmt.Sprintf("%s %s %d %d", s.ID, s.FranchiserID, s.AccessExpiresAt.UnixMicro(), now.UnixMicro())
	_ = c.redis.SetIfAbsent(ctx, cacheKey(accessHash), c.sign(accessHash, value), life)
}

// end makes the tokens dead at once for every process.
func (c cache) end(ctx context.Context, accessHashes [][]byte) {
	ctx = context.WithoutCancel(ctx) // the sessions have ended, whether the caller still waits or not
	for _, h := range accessHashes {
		_ = c.redis.Set(ctx, cacheKey(h), c.sign(h, ended), cacheLife)
	}
}
