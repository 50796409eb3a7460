package tenant_test

import (
	"cmp"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/tenant"
)

func config() tenant.Config {
	return tenant.Config{
		BaseDomain: "stores.franchise360.in", Public: &url.URL{Scheme: "https", Host: "www.franchise360.in"},
		IPs: []string{"203.0.113.10", "2001:db8::10"},
	}
}

func TestParseDomain_ValidNames_AreNormalised(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"shop.ashasweets.in":    "shop.ashasweets.in",
		" Shop.AshaSweets.IN. ": "shop.ashasweets.in",
		"ashasweets.co.in":      "ashasweets.co.in",
		"आशा.भारत":              "xn--m1b0hya.xn--h2brj9c",
		"दुकान.com":             "xn--11b7ah1gn.com",
		"café-asha.in":          "xn--caf-asha-d1a.in",
		"1asha.in":              "1asha.in",
	} {
		ascii, _, err := tenant.ParseDomain(text, config())
		require.NoError(t, err, text)
		require.Equal(t, want, ascii)
		again, display, err := tenant.ParseDomain(ascii, config())
		require.NoError(t, err, text)
		require.Equal(t, ascii, again, "punycode is its own punycode")
		require.Equal(t, strings.ToLower(strings.Trim(text, " .")), display)
	}
	ascii, display, err := tenant.ParseDomain("Shop.AshaSweets.IN.", config())
	require.NoError(t, err)
	require.Equal(t, []string{"shop.ashasweets.in", "shop.ashasweets.in"}, []string{ascii, display})
}

// A well-formed name that cannot be linked is refused with what to enter instead.
func TestParseDomain_UnclaimableNames_AreRefused(t *testing.T) {
	t.Parallel()
	remedies := map[string]string{}
	for text, names := range map[string][]string{
		"This address belongs to Franchise 360. Enter a domain that you bought, such as shop.yourbrand.in.": {"our base", "another store's", "our site", "above ours"},
		"Nobody can own this domain. Enter a domain that you bought, such as shop.yourbrand.in.":            {"ipv4 short", "ipv4 hex", "below localhost", "internal", "local", "suffix alone", "invented top level"},
		"This domain mixes alphabets. Write each part in one alphabet, such as English letters only.":       {"mixed cyrillic", "whole cyrillic", "mixed in punycode", "greek", "latin and devanagari", "emoji"},
	} {
		for _, name := range names {
			remedies[name] = text
		}
	}
	for name, text := range map[string]string{
		"ipv4": "203.0.113.7", "ipv4 short": "127.1", "ipv4 hex": "0x7f.1", "ipv6": "::1", "ipv6 in brackets": "[2001:db8::1]",
		"localhost": "localhost", "below localhost": "shop.localhost", "internal": "shop.internal", "local": "printer.local",
		"single label": "ashasweets", "suffix alone": "co.in", "top level": "in", "invented top level": "shop.ashasweetz1",
		"our base": "stores.franchise360.in", "another store's": "asha.stores.franchise360.in", "our site": "www.franchise360.in",
		"above ours": "franchise360.in", "port": "ashasweets.in:8080", "user": "me@ashasweets.in", "scheme": "https://ashasweets.in",
		"path": "ashasweets.in/shop", "query": "ashasweets.in?x", "space": "asha sweets.in", "wildcard": "*.ashasweets.in",
		"empty label": "asha..in", "leading dot": ".ashasweets.in", "hyphen first": "-asha.in", "hyphen last": "asha-.in",
		"underscore": "asha_sweets.in", "NUL": "asha\x00.in", "percent": "asha%2e.in",
		"mixed cyrillic": "аsha.in", "whole cyrillic": "аѕһа.com", "mixed in punycode": "xn--sha-5cd.in", "greek": "αβγ.com",
		"latin and devanagari": "ashaआ.in", "zero width": "as\u200bha.in", "bad punycode": "xn--\u00e9.in", "emoji": "🍬.in", "broken punycode": "xn--zz99999.in",
	} {
		_, _, err := tenant.ParseDomain(text, config())
		require.Error(t, err, name)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
		require.Equal(t, []string{cmp.Or(remedies[name], "Enter valid domain name")}, errs.As(err).Fields["custom_domain"], name)
	}
	_, _, err := tenant.ParseDomain(strings.Repeat("a", 38)+".in", config())
	require.Equal(t, []string{"Enter valid domain name of 40 characters at most"}, errs.As(err).Fields["custom_domain"])
	_, _, err = tenant.ParseDomain("  ", config())
	require.Equal(t, []string{"Required"}, errs.As(err).Fields["custom_domain"])
}
