package log

import (
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/card"
)

// Masked replaces values that readers of logs and supporters of customers do not need.
const Masked = "••••••"

// secretNames matches the names of secrets, such as client_secret and accessToken.
const secretNames = `[a-z0-9_-]*(?:password|passwd|secret|token|api[_-]?key|authkey|signature|otp|cvv|hash|salt)` //nolint:gosec // names

var (
	// The values of secrets, by the last part of their names: in quotes, or else up to what ends one. JSON within a text has a backslash before each quote.
	quoted     = regexp.MustCompile(`(?i)(` + secretNames + `["']?\s*[=:]\s*)(?:"[^"]*"|'[^']*')`)
	assigned   = regexp.MustCompile(`(?i)(` + secretNames + `\\?["']?\s*[=:]\s*\\?["']?)[^\s"'&,;}\\]+`)
	bearer     = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)
	userinfo   = regexp.MustCompile(`://[^\s/?#"]*@`)
	spokenCode = regexp.MustCompile(`(?i)((?:\b(?:code|otp|pin)\b|कोड)[^0-9\n]{0,20}|@[a-z0-9.-]+ #)\d{4,8}\b`)
	codeSpoken = regexp.MustCompile(`\b\d{6}( is your | lets | आपका )`)
	digitRun   = regexp.MustCompile(`\b(?:\d[ -]?){12,18}\d\b`)
)

// Mask removes passwords, tokens, one-time codes and card numbers from a text such as a provider's error.
func Mask(s string) string {
	s = quoted.ReplaceAllString(s, `${1}"`+Masked+`"`)
	s = assigned.ReplaceAllString(s, "$1"+Masked)
	s = bearer.ReplaceAllString(s, "$1 "+Masked)
	s = userinfo.ReplaceAllString(s, "://"+Masked+"@")
	s = spokenCode.ReplaceAllString(s, "${1}"+Masked)
	s = codeSpoken.ReplaceAllString(s, Masked+"$1")
	s = card.Replace(s, lastFour)
	return digitRun.ReplaceAllStringFunc(s, func(run string) string {
		if !card.Checked(run) {
			return run
		}
		return lastFour(run)
	})
}

// lastFour is a card's number as it may be shown.
func lastFour(number string) string {
	digits := strings.NewReplacer(" ", "", "-", "").Replace(number)
	return Masked + digits[len(digits)-4:]
}

// tellsCause reports whether an attribute of this name describes a failure, ours or River's: such texts can come from
// anywhere.
func tellsCause(name string) bool {
	return name == "error" || name == "err" || name == "panic" || name == "panic_val"
}

// mayTellCause reports whether the attribute or a nested one may have to be masked.
func mayTellCause(a slog.Attr) bool {
	kind := a.Value.Kind()
	return kind == slog.KindGroup || kind == slog.KindLogValuer || tellsCause(a.Key)
}

// maskCause masks the attribute and nested ones if they describe a failure.
func maskCause(a slog.Attr) slog.Attr {
	a.Value = a.Value.Resolve()
	if a.Value.Kind() == slog.KindGroup {
		inner := slices.Clone(a.Value.Group())
		for i := range inner {
			inner[i] = maskCause(inner[i])
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(inner...)}
	}
	if tellsCause(a.Key) {
		return slog.String(a.Key, Mask(a.Value.String()))
	}
	return a
}
