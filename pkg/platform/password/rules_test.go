package password_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/password"
)

func passwordFault(given string, own ...string) string {
	var v errs.Validation
	password.Check(&v, "password", "New password", given, own...)
	if v.Err() == nil {
		return ""
	}
	return errs.As(v.Err()).Fields["password"][0]
}

func TestCheck_FourClassesOrFifteenCharacters(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"Mango#2026", "Guava#2027", "correct horse battery staple", "fifteen letters", "Ab#456789012345678901", "तीन आम के पेड़ और एक कुआँ",
		"xkcdxkcdqwzpvb9", strings.Repeat("Ab1# xyz", 16),
	} {
		require.Empty(t, passwordFault(good), good)
	}
	for bad, message := range map[string]string{
		"":                                   "New password can not be empty.",
		"Ab#4567":                            "Password needs at least 8 characters",
		"lower case onl":                     "Password must contain at least one upper-case letter, one lower-case letter, one digit and one special character such as ! @ # $ %, and no spaces; or 15 characters of any kind",
		"With a 1 #":                         "Password must contain at least one upper-case letter, one lower-case letter, one digit and one special character such as ! @ # $ %, and no spaces; or 15 characters of any kind",
		strings.Repeat("Ab1# xyz", 16) + "x": "Password is too long",
		strings.Repeat("पे", 64):             "Password is too long",
		"with a \x00 zero in it":             "Password must contain at least one upper-case letter, one lower-case letter, one digit and one special character such as ! @ # $ %, and no spaces; or 15 characters of any kind",
	} {
		require.Equal(t, message, passwordFault(bad), bad)
	}
}

func TestCheck_CommonPasswordInAnySpelling_IsRefused(t *testing.T) {
	t.Parallel()
	for _, common := range []string{
		"Password@1", "Welcome@123", "P@ssw0rd#1", "P@ssw0rd2026!", "W3lc0m3@123", "123@Welcome", "Qwerty@123", "Iloveyou@1", "India@1947", "Krishna@108",
		"passwordpassword", "PasswordPassword", "password12345678", "123456789012345", "aaaaaaaaaaaaaaaa", "abcabcabcabcabc", "zyxwvutsrqponml", "Admin@1234", "@Dmin#1234",
		"Abc@12345", "1qaz2wsx3edc4rfv", "Franchise@360", "Fr@nchis3#2026", "Franchiser@1",
		"password password", "Password-Password", "welcome welcome 1", "Password Password Password", "P@ssw0rd P@ssw0rd",
		"qwertyuiopasdfgh", "qwertyuiopasdfghjklzxcvbnm", "poiuytrewqlkjhgf", "qwertyuiop[]asdf", "zxcvbnmasdfghjk", "1234567890qwerty", "Qwertyuiop@asdf1",
		"asdfghjkl zxcvbnm",
		"F r a n c h i s e", "F-r-a-n-c-h-i-s-e", "fr an ch is e 20 26", "f1r2a3n4c5h6i7s8e", "F_r_@_n_c_h_1_s_3", "P a s s w o r d 1 2 3", "p.a.s.s.w.0.r.d.1", "pa/ss/wo/rd/12/34",
		"pass word pass word", "wel come wel come", "f r a n c h i s e r f r a n c h i s e r",
	} {
		require.Equal(t, "This password is too common. Please choose another one.", passwordFault(common), common)
	}
	for _, own := range []string{"9876543210 is mine", "Asha.Rao#2026", "asha.rao of pune 26", "Sharma@2026"} {
		require.Equal(t, "Password must not contain your name, mobile number or e-mail", passwordFault(own, "9876543210", "asha.rao@example.in", "Sharma", ""), own)
	}
	for _, own := range []string{"Ravi#Kulk2027", "r.a.v.i.K.u.l.k#27", "98765-43210 is mine"} {
		require.Equal(t, "Password must not contain your name, mobile number or e-mail", passwordFault(own, "9876543210", "ravikulk@example.in"), own)
	}
	require.NotEmpty(t, passwordFault("RaviKulk#2027", "9876543210", "ravi.kulk@example.in"), "signs of the detail do not count either")
	for _, good := range []string{"a b c d e f g z x w", "my c a t is no dog", "Ab1#-_=+~%^", "T h r e e trees by a lake", "welcome to my mango garden", "horse password staple", "my typewriter has keys"} {
		require.Empty(t, passwordFault(good), good)
	}
	require.Empty(t, passwordFault("Mango#2026", "9876543210", "a@example.in", "Jo"), "what is too short proves nothing")
}
