package secret_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/secret"
)

// keyOf returns the master key consisting of n and the 31 bytes that follow it, in hexadecimal.
func keyOf(n byte) string {
	master := make([]byte, 32)
	for i := range master {
		master[i] = n + byte(i)
	}
	return hex.EncodeToString(master)
}

func ring(t *testing.T, current byte, others ...byte) secret.Keyring {
	t.Helper()
	var old []string
	for _, n := range others {
		old = append(old, keyOf(n))
	}
	k, err := secret.ParseKeyring(keyOf(current), old...)
	require.NoError(t, err)
	return k
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	require.NoError(t, err)
	return b
}

// Computed with Python's cryptography: HKDF-SHA256 of the master key 00…1f, then HMAC-SHA256 and AES-256-GCM. Stored
// authenticators and codes of customers must stay readable for ever.
const (
	storedMAC    = "d6018c8045ced6159f7d8a87c3e51d82523a32b63fe158bf5d5e7173a1509bee"
	storedPrefix = "6b319618c5c6d9427bcf"
	storedSealed = "cafebabefacedbaddecaf8884e6aa5c1c61d824eafbafdb331860380200b1805cbaf4ef548c6a9ce63a42d6fbd86303f"
)

func TestKeyring_StoredValues_StayReadable(t *testing.T) {
	t.Parallel()
	k := ring(t, 0)
	require.Equal(t, storedMAC, hex.EncodeToString(k.MAC(secret.PurposeOTP, "login", "123456")))
	require.Equal(t, storedPrefix, hex.EncodeToString(k.SealPrefix()))
	plain, err := k.Open(secret.PurposeTOTP, "franchiser 1", unhex(t, storedPrefix+storedSealed))
	require.NoError(t, err)
	require.Equal(t, "12345678901234567890", string(plain))
	_, err = k.Open(secret.PurposeTOTP, "franchiser 1", unhex(t, storedSealed))
	require.Error(t, err, "a value without the id of its key")
}

func TestParseKeyring_NeedsSixtyFourHexadecimalDigits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing":       "",
		"a digit short": keyOf(0)[:63],
		"a byte short":  keyOf(0)[:62],
		"a byte more":   keyOf(0) + "00",
		"no digit":      keyOf(0)[:63] + "g",
		"a space":       keyOf(0) + " ",
		"a line's end":  keyOf(0) + "\n",
	} {
		_, err := secret.ParseKeyring(text)
		require.Error(t, err, name)
		_, err = secret.ParseKeyring(keyOf(1), text)
		require.Error(t, err, "as an old one: %s", name)
		if len(text) > 2 {
			require.NotContains(t, err.Error(), text[:20], "no part of a key is logged: %s", name)
		}
	}
	small, err := secret.ParseKeyring(keyOf(0xa0))
	require.NoError(t, err)
	large, err := secret.ParseKeyring(strings.ToUpper(keyOf(0xa0)))
	require.NoError(t, err)
	require.Equal(t, small.SealPrefix(), large.SealPrefix(), "capitals are the same key")
}

func TestWeak_KeyNotDrawnAtRandom(t *testing.T) {
	t.Parallel()
	drawn := sha256.Sum256([]byte("drawn"))
	half := hex.EncodeToString(drawn[:16])
	for name, text := range map[string]string{
		"zeros":          strings.Repeat("0", 64),
		"one digit":      strings.Repeat("f", 64),
		"a counted word": strings.Repeat("0123456789abcdef", 4),
		"half twice":     half + half,
		"nothing":        "",
	} {
		require.True(t, secret.Weak(text), name)
	}
	require.False(t, secret.Weak(hex.EncodeToString(drawn[:])))
	require.False(t, secret.Weak("no key at all"), "that is for ParseKeyring to say")
}

func TestMAC_PartsPurposeOrKeyDiffer_Differs(t *testing.T) {
	t.Parallel()
	k := ring(t, 0)
	seen := map[string]string{}
	for name, mac := range map[string][]byte{
		"a, bc":           k.MAC(secret.PurposeOTP, "a", "bc"),
		"ab, c":           k.MAC(secret.PurposeOTP, "ab", "c"),
		"abc":             k.MAC(secret.PurposeOTP, "abc"),
		"abc and nothing": k.MAC(secret.PurposeOTP, "abc", ""),
		"nothing":         k.MAC(secret.PurposeOTP),
		"an empty part":   k.MAC(secret.PurposeOTP, ""),
		"a false length":  k.MAC(secret.PurposeOTP, "a2:bc"),
		"of XSRF":         k.MAC(secret.PurposeXSRF, "abc"),
		"another key":     ring(t, 1).MAC(secret.PurposeOTP, "abc"),
	} {
		require.Len(t, mac, 32, name)
		require.Empty(t, seen[string(mac)], "%s has the MAC of another", name)
		seen[string(mac)] = name
	}
}

// RFC 5869 and RFC 2104 implemented independently of the product's code.
func TestMAC_EachPurpose_HasItsDerivedKey(t *testing.T) {
	t.Parallel()
	for _, p := range []secret.Purpose{
		secret.PurposeOTP, secret.PurposeXSRF, secret.PurposeSubject, secret.PurposeTOTP, secret.PurposeRecovery, secret.PurposeTrial,
	} {
		prk, err := hkdf.Extract(sha256.New, unhex(t, keyOf(7)), nil)
		require.NoError(t, err)
		block := hmac.New(sha256.New, prk)
		fmt.Fprintf(block, "%s\x01", p)
		want := hmac.New(sha256.New, block.Sum(nil))
		fmt.Fprint(want, "6:mobile")
		require.Equal(t, want.Sum(nil), ring(t, 7).MAC(p, "mobile"), p)
	}
}

func TestFits_AnyKeyOfTheRing(t *testing.T) {
	t.Parallel()
	before, between, after := ring(t, 1), ring(t, 2, 1), ring(t, 2)
	mac := before.MAC(secret.PurposeXSRF, "session")
	require.True(t, before.Fits(mac, secret.PurposeXSRF, "session"))
	require.True(t, between.Fits(mac, secret.PurposeXSRF, "session"))
	require.False(t, after.Fits(mac, secret.PurposeXSRF, "session"), "a key that is gone fits no more")
	require.Equal(t, after.MAC(secret.PurposeXSRF, "session"), between.MAC(secret.PurposeXSRF, "session"), "new ones are of the key in use")
	for name, wrong := range map[string][]byte{"nothing": nil, "its beginning": mac[:31], "more": append(bytes.Clone(mac), 0), "zeros": make([]byte, 32)} {
		require.False(t, between.Fits(wrong, secret.PurposeXSRF, "session"), name)
	}
	require.False(t, between.Fits(mac, secret.PurposeXSRF, "another session"))
	require.False(t, between.Fits(mac, secret.PurposeOTP, "session"))
}

func TestEach_ReturnsKeysFromCurrentToOldest(t *testing.T) {
	t.Parallel()
	var prefixes []string
	for one := range ring(t, 3, 2, 1).Each() {
		prefixes = append(prefixes, hex.EncodeToString(one.SealPrefix()))
	}
	var want []string
	for _, n := range []byte{3, 2, 1} {
		want = append(want, hex.EncodeToString(ring(t, n).SealPrefix()))
	}
	require.Equal(t, want, prefixes)
	for one := range ring(t, 3, 2).Each() {
		require.Equal(t, ring(t, 3).SealPrefix(), one.SealPrefix())
		break
	}
}

func TestOpen_OtherPurposeOrBinding_Fails(t *testing.T) {
	t.Parallel()
	k := ring(t, 1)
	for name, plain := range map[string]string{"a secret": "JBSWY3DPEHPK3PXP", "nothing": "", "bytes": "\x00\xff\xfe", "much": strings.Repeat("x", 10_000)} {
		sealed, err := k.Seal(secret.PurposeTOTP, "row 1", []byte(plain))
		require.NoError(t, err, name)
		opened, err := k.Open(secret.PurposeTOTP, "row 1", sealed)
		require.NoError(t, err, name)
		require.Equal(t, plain, string(opened), name)
		if len(plain) > 3 {
			require.NotContains(t, string(sealed), plain)
		}
		again, err := k.Seal(secret.PurposeTOTP, "row 1", []byte(plain))
		require.NoError(t, err, name)
		require.NotEqual(t, sealed, again, "nobody sees that two rows hold the same")
	}

	sealed, err := k.Seal(secret.PurposeTOTP, "row 1", []byte("JBSWY3DPEHPK3PXP"))
	require.NoError(t, err)
	_, err = k.Open(secret.PurposeTOTP, "row 2", sealed)
	require.Error(t, err, "a value moved to another row")
	_, err = k.Open(secret.PurposeTOTP, "", sealed)
	require.Error(t, err)
	_, err = k.Open(secret.PurposeOTP, "row 1", sealed)
	require.Error(t, err)
	_, err = ring(t, 2).Open(secret.PurposeTOTP, "row 1", sealed)
	require.Error(t, err)
	for i := range sealed {
		broken := bytes.Clone(sealed)
		broken[i] ^= 1
		_, err := k.Open(secret.PurposeTOTP, "row 1", broken)
		require.Error(t, err, "byte %d", i)
	}
	for n := range sealed {
		_, err := k.Open(secret.PurposeTOTP, "row 1", sealed[:n])
		require.Error(t, err, "cut to %d bytes", n)
	}
}

func TestOpen_AfterAKeyRotation_WorksWhileTheOldKeyIsKnown(t *testing.T) {
	t.Parallel()
	before, between, after := ring(t, 1), ring(t, 2, 1), ring(t, 2)
	sealed, err := before.Seal(secret.PurposeTOTP, "row", []byte("kept"))
	require.NoError(t, err)

	fresh, err := between.Reseal(secret.PurposeTOTP, "row", sealed)
	require.NoError(t, err)
	opened, err := after.Open(secret.PurposeTOTP, "row", fresh)
	require.NoError(t, err)
	require.Equal(t, "kept", string(opened))
	_, err = before.Open(secret.PurposeTOTP, "row", fresh)
	require.Error(t, err, "the old key reads nothing new")

	again, err := between.Reseal(secret.PurposeTOTP, "row", fresh)
	require.NoError(t, err)
	require.Nil(t, again, "sealed under the key in use already")
	_, err = after.Reseal(secret.PurposeTOTP, "row", sealed)
	require.Error(t, err, "without the old key it cannot be sealed again")
	_, err = between.Reseal(secret.PurposeTOTP, "another row", sealed)
	require.Error(t, err)
}

func TestToken_Has256RandomBits(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for range 1000 {
		token := secret.Token()
		raw, err := base64.RawURLEncoding.DecodeString(token)
		require.NoError(t, err)
		require.Len(t, raw, 32)
		require.Len(t, token, 43)
		seen[token] = true
	}
	require.Len(t, seen, 1000)
	// FIPS 180-2, appendix B.1
	require.Equal(t, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", hex.EncodeToString(secret.Hash("abc")))
}
