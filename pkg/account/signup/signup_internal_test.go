package signup

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/account/otp"
)

func TestSignUpCode_MobileTakenOrFree_ChoosesTheMessage(t *testing.T) {
	t.Parallel()
	p := signUp{ID: "s1", Mobile: "9876543210"}
	for name, tc := range map[string]struct {
		of              signUp
		taken, entitled bool
		want            otp.Message
	}{
		"free":                            {p, false, true, otp.MessageCode},
		"taken":                           {p, true, true, otp.MessageAccountExists},
		"wrong password":                  {p, false, false, otp.MessageNone},
		"taken, wrong password":           {p, true, false, otp.MessageNone},
		"no sign-up pending":              {signUp{Mobile: p.Mobile}, false, true, otp.MessageNone},
		"no sign-up pending, taken":       {signUp{Mobile: p.Mobile}, true, true, otp.MessageNone},
		"no sign-up pending, no password": {signUp{Mobile: p.Mobile}, false, false, otp.MessageNone},
	} {
		got := signUpCode(tc.of, tc.taken, tc.entitled)
		require.Equal(t, tc.want, got.Message, name)
		require.Equal(t, tc.of.ID == "", got.SignUpID == nil, name)
		require.Equal(t, []any{p.Mobile, account.PurposeSignUp}, []any{got.Mobile, got.Purpose}, name)
	}
}
