package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Name servers' answers are compared with these addresses letter by letter, and are in the canonical form of RFC 5952.
func TestTenantIPs_AreReadInTheirCanonicalForm(t *testing.T) {
	t.Parallel()
	c, err := development(map[string]string{"TENANT_IPS": "203.0.113.7, 2001:DB8:0:0::7 , ::ffff:203.0.113.8"})
	require.NoError(t, err)
	require.Equal(t, []string{"203.0.113.7", "2001:db8::7", "203.0.113.8"}, c.TenantIPs)
	for _, wrong := range []string{"203.0.113.07", "203.0.113", "2001:db8::7::", "203.0.113.7/32", "shop.example.in"} {
		_, err = development(map[string]string{"TENANT_IPS": wrong})
		require.ErrorContains(t, err, "TENANT_IPS: ", wrong)
	}
}

// Proxies may be named alone or as networks; together they reach no further than those of a large provider: a /11, or a /28 of IPv6.
func TestTrustedProxies_TooWideNetworks_AreRefused(t *testing.T) {
	t.Parallel()
	for proxies, fits := range map[string]bool{
		"10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 127.0.0.0/8, fc00::/7": true, "10.0.0.7": true, "::ffff:10.0.0.7": true, "203.0.113.7": true,
		"104.0.0.0/11": true, "104.0.0.0/12, 172.64.0.0/13, 131.0.72.0/22": true, "104.0.0.0/10": false, "104.0.0.0/11, 203.0.113.7": false,
		"2400:cb00::/32, 2606:4700::/32": true, "2400::/28": true, "2400::/27": false, "2400::/28, 2606:4700::/32": false, "2400::/28, 2606:4700::/128": false,
		"0.0.0.0/0": false, "::/0": false, "::ffff:0:0/96": false, "8.0.0.0/7": false, "10.0.0.0/7": false, "172.16.0.0/11": true,
	} {
		_, err := outside(map[string]string{"TRUSTED_PROXIES": proxies})
		if fits {
			require.NoError(t, err, proxies)
			continue
		}
		require.ErrorContains(t, err, "TRUSTED_PROXIES: ", proxies)
	}
}

// A key typed by hand protects nothing: a word, a repetition, a few characters.
func TestGatewaySecret_TypedByHand_IsRefused(t *testing.T) {
	t.Parallel()
	for salt, fits := range map[string]bool{
		"4R38IvwiV57FwVpsgOvTXBdLE4tHUXFW": true, "eCwWELxi": true, "eCwWELx": false, "aaaaaaab": false, "abcabcab": false, "abcdabcdabcd": false, "aabbccaabbcc": false,
		"my-Password-of-2026!": false, "xxSECRETxx7Q": false, "7Qchange-me7Q": false, "admin7QvL2pX": false, "0123456789xyz": false, "7QwErTyx9LvP": false,
		"7QLvP2xW": true, "क7QvL2pX": true,
	} {
		_, err := outside(map[string]string{"PAYU_SALT": salt})
		if fits {
			require.NoError(t, err, salt)
			continue
		}
		require.ErrorContains(t, err, "PAYU_SALT: ", salt)
		require.NotContains(t, err.Error(), salt)
	}
}

// Private addresses may be reached without TLS; addresses that only look private may not.
func TestPlainHTTP_PublicAddress_IsRefused(t *testing.T) {
	t.Parallel()
	for address, fits := range map[string]bool{
		"http://photon:2322": true, "http://10.0.0.7:2322": true, "http://[fd00::7]:2322": true, "http://photon.internal": true, "http://photon.local": true,
		"http://127.0.0.1": true, "http://100.64.0.7": true, "http://[::ffff:10.0.0.7]": true, "https://photon.example.in": true,
		"http://photon.example.in": false, "http://203.0.113.7": false, "http://[2001:db8::7]": false, "http://internal.example": false, "http://100.128.0.7": false,
		"http://172.32.0.7": false, "http://photon.internal.example.in": false, "https://user:word@photon.example.in": false,
	} {
		_, err := outside(map[string]string{"PLACES_URL": address})
		if fits {
			require.NoError(t, err, address)
			continue
		}
		require.ErrorContains(t, err, "PLACES_URL: ", address)
	}
}
