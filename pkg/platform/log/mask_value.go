package log

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	// Names of fields that hold secrets or card data, as used by the gateways and our own jobs.
	secretName = regexp.MustCompile(`(?i)(pass(word|wd|code)?$|secret|salt|^hash$|_hash$|cardhash|signature|token|^otp$|otp_?code|^cvv|^cvc|ccvv|authorization|cookie|^key$|api_?key|key_?secret|ccexp|card_?exp|expiry_?(month|year)|name_?on_?card|ccname)`)
	// Names of the gateways' own ids, which may look like card numbers.
	numberName = regexp.MustCompile(`(?i)(id|_ref_num|reference|txnid)$`)
	cardName   = regexp.MustCompile(`(?i)(card_?(num|no)|ccnum|^card$|^pan$)`)
)

// MaskValue returns the JSON value, as encoding/json decodes it, without secrets and card data, judging by field names and within strings.
func MaskValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = maskField(name, inner)
		}
		return v
	case []any:
		for i := range v {
			v[i] = MaskValue(v[i])
		}
		return v
	case string:
		return Mask(v)
	default:
		return v
	}
}

func maskField(name string, value any) any {
	s, isText := value.(string)
	if number, is := value.(float64); is && (secretName.MatchString(name) || cardName.MatchString(name)) {
		s, isText = strconv.FormatFloat(number, 'f', -1, 64), true
	}
	switch {
	case isText && s != "" && secretName.MatchString(name):
		return Masked
	case isText && len(s) >= 4 && cardName.MatchString(name):
		return Masked + s[len(s)-4:]
	case isText && numberName.MatchString(name) && !strings.ContainsAny(s, " :="):
		return s
	default:
		return MaskValue(value)
	}
}
