package alert

import (
	"fmt"
	"time"

	"github.com/franchise360/franchise360/pkg/einvoice"
)

// Staff receive an alert when 20 of einvoice.RegistrationDays have passed, and again when 27 have.
const (
	firstWarning = 20 * 24 * time.Hour
	lastWarning  = 27 * 24 * time.Hour
)

// unregistered warns of documents whose days at the Invoice Registration Portal run out. The alert becomes critical with the second warning.
func unregistered(s Sight, _ Thresholds) []Finding {
	var late int
	for _, age := range s.Unregistered {
		if age >= lastWarning {
			late++
		}
	}
	switch {
	case late > 0:
		return []Finding{{Severity: Critical, Subject: "day 27", Message: fmt.Sprintf(
			"The Invoice Registration Portal has not registered %s for 27 days or more; it takes none after %d days.", documents(late), einvoice.RegistrationDays)}}
	case len(s.Unregistered) > 0:
		return []Finding{{Severity: Warning, Subject: "day 20", Message: fmt.Sprintf(
			"The Invoice Registration Portal has not registered %s for 20 days or more; it takes none after %d days.", documents(len(s.Unregistered)), einvoice.RegistrationDays)}}
	}
	return nil
}

func documents(n int) string {
	if n == 1 {
		return "1 document"
	}
	return fmt.Sprintf("%d documents", n)
}
