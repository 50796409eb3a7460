package handler

import (
	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/api/middleware"
	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

// HeaderWork carries the answer to a challenge: its token, a dot, and the numbers found, joined by hyphens.
const HeaderWork = "X-Work"

func originOf(c *gin.Context, k middleware.Cookies) account.Origin {
	return account.Origin{
		Address: c.ClientIP(), UserAgent: c.Request.UserAgent(), Browser: k.Browser(c),
		Device: k.Device(c), Work: c.GetHeader(HeaderWork), Pressed: middleware.Pressed(c), Language: languageOf(c),
	}
}

// languageOf returns the calling page's language: the client sends exactly one accepted language. It is empty for anything else, such as a
// browser's default list.
func languageOf(c *gin.Context) i18n.Language {
	if l := i18n.Language(c.GetHeader("Accept-Language")); l.Known() {
		return l
	}
	return ""
}
