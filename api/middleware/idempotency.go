package middleware

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/platform/card"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
)

const keyIdempotency = "idempotency_key"

// Idempotency reads the Idempotency-Key of a call and refuses one of another form. What the key stands for is kept by
// the service, in the transaction of what it did: only so does a retry find it done or not done, and nothing between.
func Idempotency(c *gin.Context) {
	key := c.GetHeader("Idempotency-Key")
	if key == "" {
		return
	}
	if !idempotency.Valid(key) {
		refuse(c, errs.New(errs.KindInvalid, "idempotency_key_invalid", idempotency.Rule))
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
