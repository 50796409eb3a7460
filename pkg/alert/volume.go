package alert

import "fmt"

const (
	// unusualSMS is how many times the usual number of SMS in a day is an alert, from fewestSMS on.
	unusualSMS, fewestSMS = 5, 500
	// nearSMS is the share of the day's ceiling, in percent, from which it is near.
	nearSMS = 80
)

// unusualVolume finds SMS pumping: unwanted codes requested for numbers whose owners share in the price.
func unusualVolume(s Sight, t Thresholds) []Finding {
	v := s.SMS
	asked := max(v.LastDay, v.Unknown) // invitations are in the second alone
	f := Finding{Severity: Warning, Size: asked}
	if asked >= fewestSMS && asked >= unusualSMS*v.Usual {
		f.Parts = append(f.Parts, "unusual")
		f.Message = fmt.Sprintf("%d SMS with codes or invitations were asked for in a day; %d a day were usual in the week before. ", asked, v.Usual)
	}
	switch {
	case t.SMSPerDay == 0:
	case v.Unknown >= t.SMSPerDay:
		f.Severity, f.Parts = Critical, append(f.Parts, "near", "reached")
		f.Message += fmt.Sprintf("The day's ceiling of %d is reached: nobody signs up until midnight, and invitations of accounts that never paid are refused; known browsers and accounts with a plan still get codes. ", t.SMSPerDay)
	case v.Unknown*100 >= nearSMS*t.SMSPerDay:
		f.Severity, f.Parts = Critical, append(f.Parts, "near")
		f.Message += fmt.Sprintf("%d of the day's ceiling of %d are used. ", v.Unknown, t.SMSPerDay)
	}
	if len(f.Parts) == 0 {
		return nil
	}
	f.Message += "If this is no campaign of yours, somebody may be pumping SMS."
	return []Finding{f}
}

func volumeLimit(t Thresholds) string {
	words := fmt.Sprintf("%d times the usual number, and %d or more", unusualSMS, fewestSMS)
	if t.SMSPerDay > 0 {
		words += fmt.Sprintf("; or %d%% of %d", nearSMS, t.SMSPerDay)
	}
	return words
}
