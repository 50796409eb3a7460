package session

import (
	"context"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/redis"
	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/platform/wiring"
)

// liveSession is the data for the check of every private call.
type liveSession struct {
	ID              string
	FranchiserID    string // the account
	AccessExpiresAt time.Time
	// PersonID, MemberID and Role are those of a member in another's account; SeenAt is when it was last used.
	PersonID, MemberID string
	Role               account.Role
	SeenAt             *time.Time
}

// cacheLife is how long a value is valid after it was written; the time is signed with it, so that it holds even if
// Redis keeps the value longer. It bounds how long a session could outlive its end if Redis was unreachable at that
// moment, or if an attacker with access to Redis replaced the end marker by an older value.
const cacheLife = time.Minute

// ended is cached for a dead token; a slow reader of Postgres can't overwrite it.
const ended = "-"

// purposeCache signs cached values, so that an attacker who can write to Redis can neither create nor end a session.
const purposeCache secret.Purpose = "session cache"

// Cache keeps live sessions in Redis, each value signed together with its token's hash. If Redis fails or a value is not ours, the caller
// reads Postgres.
type Cache struct {
	redis *redis.Client
	keys  secret.Keyring
}

// NewCache returns the cache. It panics if a part is missing.
func NewCache(redis *redis.Client, keys secret.Keyring) *Cache {
	return wiring.Complete(&Cache{redis: redis, keys: keys})
}

func (c *Cache) sign(accessHash []byte, value string) string {
	return base64.RawURLEncoding.EncodeToString(c.keys.MAC(purposeCache, string(accessHash), value)) + " " + value
}

func (c *Cache) verify(accessHash []byte, signed string) (value string, ok bool) {
	text, value, _ := strings.Cut(signed, " ")
	mac, err := base64.RawURLEncoding.DecodeString(text)
	return value, err == nil && c.keys.Fits(mac, purposeCache, string(accessHash), value)
}

func cacheKey(accessHash []byte) string {
	return "session:" + base64.RawURLEncoding.EncodeToString(accessHash)
}

// get returns the cached session of the token; an ended session counts as found, and as expired long ago.
func (c *Cache) get(ctx context.Context, accessHash []byte, now time.Time) (liveSession, bool) {
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

// put keeps no session of a member: a removal or another role counts at once, even while Redis is away.
func (c *Cache) put(ctx context.Context, accessHash []byte, s liveSession, now time.Time) {
	if s.MemberID != "" {
		return
	}
	life := min(cacheLife, s.AccessExpiresAt.Sub(now))
	if life <= 0 {
		return
	}
	value := fmt.Sprintf("%s %s %d %d", s.ID, s.FranchiserID, s.AccessExpiresAt.UnixMicro(), now.UnixMicro())
	_ = c.redis.SetIfAbsent(ctx, cacheKey(accessHash), c.sign(accessHash, value), life)
}

// End invalidates the tokens immediately for every process.
func (c *Cache) End(ctx context.Context, accessHashes [][]byte) {
	ctx = context.WithoutCancel(ctx) // the sessions have ended, whether or not the caller still waits
	for _, h := range accessHashes {
		_ = c.redis.Set(ctx, cacheKey(h), c.sign(h, ended), cacheLife)
	}
}
