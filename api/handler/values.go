package handler

import "time"

// orNull returns nil for an empty string.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// orEmpty returns "" for nil.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// utc returns the time in UTC, or nil for nil.
func utc(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	t := at.UTC()
	return &t
}

// utcOrNull returns the time in UTC, or nil for the zero time.
func utcOrNull(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	t := at.UTC()
	return &t
}
