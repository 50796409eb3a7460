package credential

import (
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func errWrongPassword() *errs.Error {
	return errs.New(errs.KindMalformed, "invalid_credentials", "The password is wrong.").
		Field("password", "The password is wrong.")
}

// ErrWrongTOTP refuses a code of the authenticator app.
func ErrWrongTOTP() *errs.Error {
	const message = "This code of the authenticator app is wrong."
	return errs.New(errs.KindMalformed, "totp_wrong", message).Field("code", message)
}
