package account_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account/signin"
	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestReset_PasswordHoldsNameOnFile_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.join(t, asha)
	at := home()
	var err error
	at.Browser, err = b.SignIns.StartReset(t.Context(), asha, at)
	require.NoError(t, err)
	token, err := b.SignIns.VerifyReset(t.Context(), asha, b.digits(t, asha), at)
	require.NoError(t, err)
	in := signin.ResetInput{Mobile: asha, Verification: token, Password: "Asha#2026", Confirmation: "Asha#2026"}
	require.Equal(t, []string{"Password must not contain your name, mobile number or e-mail"}, errs.As(b.SignIns.Reset(t.Context(), in)).Fields["password"])
	in.Password, in.Confirmation = "Guava#2027", "Guava#2027"
	require.NoError(t, b.SignIns.Reset(t.Context(), in), "the verification is still good")
}
