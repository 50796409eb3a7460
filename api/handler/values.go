package handler

import "time"

// orNull is null for an empty text.
func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// orEmpty is the empty text for null.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// utc is the time in UTC, nil for none.
func utc(at *time.Time) *time.Time {
	if at == nil {
		return nil
	}
	t := at.UTC()
	return &t
}

// utcOrNull is the time in UTC, nil for the zero time.
func utcOrNull(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	t := at.UTC()
	return &t
}
