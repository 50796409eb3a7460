package handler

import "time"

// orNull returns nil for an empty string.
func orNull[T ~string](text T) *T {
	if text == "" {
		return nil
	}
	return &text
}

// orEmpty returns "" for nil.
func orEmpty[T ~string](text *T) T {
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
