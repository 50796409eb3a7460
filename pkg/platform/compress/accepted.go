package compress

import "strings"

// Accepted reports whether the header Accept-Encoding names the encoding and does not refuse it with q=0 (RFC 9110, section 12.5.3).
func Accepted(header, encoding string) bool {
	for one := range strings.SplitSeq(strings.ToLower(header), ",") {
		name, weight, _ := strings.Cut(one, ";")
		if strings.TrimSpace(name) == encoding {
			digits := strings.TrimPrefix(strings.TrimSpace(weight), "q=0")
			return digits == strings.TrimSpace(weight) || strings.Trim(digits, ".0") != ""
		}
	}
	return false
}
