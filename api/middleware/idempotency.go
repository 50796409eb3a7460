package middleware

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

const keyIdempotency = "idempotency_key"

// Limits of the Idempotency-Key header.
const (
	minKey = 8
	maxKey = 128
)

// Idempotency reads the Idempotency-Key of a call and refuses one of another form. What the key stands for is kept by
// the service, in the transaction of what it did: only so does a retry find it done or not done, and nothing between.
func Idempotency(c *gin.Context) {
	key := c.GetHeader("Idempotency-Key")
	if key == "" {
		return
	}
	if len(key) < minKey || len(key) > maxKey || !plainKey(key) {
		const message = "Idempotency-Key takes 8 to 128 letters, digits, hyphens and underscores."
		refuse(c, errs.New(errs.KindInvalid, "idempotency_key_invalid", message))
		return
	}
	if card.In(key) { // the keys are stored
		refuse(c, errs.CardData())
		return
	}
	c.Set(keyIdempotency, key)
}

// IdempotencyKey returns the key that Idempotency read, empty without one.
func IdempotencyKey(c *gin.Context) string { return c.GetString(keyIdempotency) }

func plainKey(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}
