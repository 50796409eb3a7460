package otp

import (
	"time"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

// errWrongCode is returned both for wrong digits and for an older code, so that the caller cannot tell them apart.
func errWrongCode() *errs.Error {
	const message = "Please enter a valid code. Only the latest code that we sent is valid."
	return errs.New(errs.KindMalformed, "otp_wrong", message).Field("otp", message)
}

func errExpiredCode() *errs.Error {
	const message = "This code has expired. Ask for a new one."
	return errs.New(errs.KindMalformed, "otp_expired", message).Field("otp", message)
}

func errNoTriesLeft(after time.Duration) *errs.Error {
	e := errs.New(errs.KindRateLimited, "otp_tries_exhausted", "Too many wrong codes. Please try again later.")
	e.RetryAfter = after
	return e
}

// ErrVerification refuses a verification that proves nothing.
func ErrVerification() *errs.Error {
	return errs.New(errs.KindMalformed, "verification_invalid", "This verification is used or has expired. Ask for a new code.")
}
