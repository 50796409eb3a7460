package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
)

// HeaderWork carries the answer to a challenge: its token, a dot, and the numbers found, joined by hyphens.
const HeaderWork = "X-Work"

func originOf(c *gin.Context, k middleware.Cookies) account.Origin {
	return account.Origin{
		Address: c.ClientIP(), UserAgent: c.Request.UserAgent(), Browser: k.Browser(c),
		Device: k.Device(c), Work: c.GetHeader(HeaderWork), Pressed: middleware.Pressed(c),
	}
}
