package log

import (
	"log/slog"
	"regexp"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/card"
)

// Masked stands for what nobody who reads logs or looks after customers needs to see.
const Masked = "••••••"

var (
	assigned   = regexp.MustCompile(`(?i)\b(password|passwd|secret|token|api[_-]?key|authkey|signature|otp|cvv|hash|salt)(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+`)
	bearer     = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)
	userinfo   = regexp.MustCompile(`://[^/\s:@]+:[^/\s@]+@`)
	spokenCode = regexp.MustCompile(`(?i)(\b(?:code|otp|pin)\b[^0-9\n]{0,20}|@[a-z0-9.-]+ #)\d{4,8}\b`)
	codeSpoken = regexp.MustCompile(`\b\d{6}( is your )`)
	digitRun   = regexp.MustCompile(`\b(?:\d[ -]?){12,18}\d\b`)
)

// Mask takes passwords, tokens, one-time codes and card numbers out of a text, such as the error of a provider.
func Mask(s string) string {
	s = assigned.ReplaceAllString(s, "$1$2"+Masked)
	s = bearer.ReplaceAllString(s, "$1 "+Masked)
	s = userinfo.ReplaceAllString(s, "://"+Masked+"@")
	s = spokenCode.ReplaceAllString(s, "${1}"+Masked)
	s = codeSpoken.ReplaceAllString(s, Masked+"$1")
	return digitRun.ReplaceAllStringFunc(s, func(run string) string {
		if !card.Checked(run) {
			return run
		}
		digits := strings.NewReplacer(" ", "", "-", "").Replace(run)
		return Masked + digits[len(digits)-4:]
	})
}

// maskCause masks the attributes in which failures are told, ours and River's: their texts come from anywhere.
func maskCause(a slog.Attr) slog.Attr {
	switch a.Key {
	case "error", "err", "panic", "panic_val":
		return slog.String(a.Key, Mask(a.Value.String()))
	}
	return a
}
