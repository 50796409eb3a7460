package config

import (
	"strings"
	"time"
)

// Contact says when the staff answer contact requests, and within how many of their business hours.
type Contact struct {
	// Opens and Closes are times of the day in India, from Monday to Friday.
	Opens, Closes time.Duration
	// AnswerWithin is the target for the first answer, SettleWithin for the end of the request.
	AnswerWithin, SettleWithin time.Duration
}

const clockForm = "15:04"

func (r *reader) contact() Contact {
	c := Contact{
		Opens: 10 * time.Hour, Closes: 18 * time.Hour,
		// One and three of the default's days.
		AnswerWithin: 8 * time.Hour, SettleWithin: 24 * time.Hour,
	}
	hours := r.getenv("CONTACT_HOURS")
	if hours == "" {
		return c
	}
	begin, end, _ := strings.Cut(hours, "-")
	opens, beginErr := time.Parse(clockForm, begin)
	closes, endErr := time.Parse(clockForm, end)
	if beginErr != nil || endErr != nil || !opens.Before(closes) {
		r.fail("CONTACT_HOURS", "want hours of a day such as 10:00-18:00")
		return c
	}
	midnight := opens.Truncate(24 * time.Hour)
	c.Opens, c.Closes = opens.Sub(midnight), closes.Sub(midnight)
	return c
}
