package middleware

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
)

const keyIdempotency = "idempotency_key"

// Idempotency reads the Idempotency-Key of a call and refuses a malformed one. The service stores the key in the
// transaction of the operation itself: only then does a retry find it either done or not done.
func Idempotency(c *gin.Context) {
	key := c.GetHeader("Idempotency-Key")
	if key == "" {
		return
	}
	if !idempotency.Valid(key) {
		refuse(c, errs.New(errs.KindInvalid, "idempotency_key_invalid", idempotency.Rule))
		return
	}
	if card.In(key) { // keys are stored
		refuse(c, errs.CardData())
		return
	}
	c.Set(keyIdempotency, key)
}

// IdempotencyKey returns the key read by Idempotency, or "".
func IdempotencyKey(c *gin.Context) string { return c.GetString(keyIdempotency) }
