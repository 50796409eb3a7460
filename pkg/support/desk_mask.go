package support

import (
	"regexp"
	"strings"
)

// masked stands for what nobody at support needs to see.
const masked = "••••••"

var (
	// Names of fields whose value is a secret or a card's, as the gateways and our own jobs write them.
	secretName = regexp.MustCompile(`(?i)(pass(word|wd|code)?$|secret|salt|^hash$|_hash$|cardhash|signature|token|^otp$|otp_?code|^cvv|^cvc|ccvv|authorization|cookie|^key$|api_?key|key_?secret|ccexp|card_?exp|expiry_?(month|year)|name_?on_?card|ccname)`)
	// The gateways' own numbers, which may look like a card's.
	numberName = regexp.MustCompile(`(?i)(id|_ref_num|reference|txnid)$`)
	cardName   = regexp.MustCompile(`(?i)(card_?(num|no)|ccnum|^card$|^pan$)`)
	// Secrets inside texts, such as the error of a provider.
	assigned   = regexp.MustCompile(`(?i)\b(password|passwd|secret|token|api[_-]?key|authkey|signature|otp|cvv|hash|salt)(["']?\s*[=:]\s*["']?)[^\s"'&,;}]+`)
	bearer     = regexp.MustCompile(`(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}`)
	userinfo   = regexp.MustCompile(`://[^/\s:@]+:[^/\s@]+@`)
	spokenCode = regexp.MustCompile(`(?i)(\b(?:code|otp|pin)\b[^0-9\n]{0,20}|@[a-z0-9.-]+ #)\d{4,8}\b`)
	codeSpoken = regexp.MustCompile(`\b\d{6}( is your )`)
	digitRun   = regexp.MustCompile(`\b(?:\d[ -]?){12,18}\d\b`)
)

// Mask returns the value, as JSON has it, without secrets and card data: by the names of fields, and inside texts.
func Mask(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = maskField(name, inner)
		}
		return v
	case []any:
		for i := range v {
			v[i] = Mask(v[i])
		}
		return v
	case string:
		return MaskText(v)
	default:
		return v
	}
}

func maskField(name string, value any) any {
	s, isText := value.(string)
	switch {
	case isText && s != "" && secretName.MatchString(name):
		return masked
	case isText && len(s) >= 4 && cardName.MatchString(name):
		return masked + s[len(s)-4:]
	case isText && numberName.MatchString(name) && !strings.ContainsAny(s, " :="):
		return s
	default:
		return Mask(value)
	}
}

// MaskText takes passwords, tokens, one-time codes and card numbers out of a text.
func MaskText(s string) string {
	s = assigned.ReplaceAllString(s, "$1$2"+masked)
	s = bearer.ReplaceAllString(s, "$1 "+masked)
	s = userinfo.ReplaceAllString(s, "://"+masked+"@")
	s = spokenCode.ReplaceAllString(s, "${1}"+masked)
	s = codeSpoken.ReplaceAllString(s, masked+"$1")
	return digitRun.ReplaceAllStringFunc(s, func(run string) string {
		digits := strings.NewReplacer(" ", "", "-", "").Replace(run)
		if !luhn(digits) {
			return run
		}
		return masked + digits[len(digits)-4:]
	})
}

// luhn says whether the check digit of a card number is right (ISO/IEC 7812-1).
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		n := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return sum%10 == 0
}
