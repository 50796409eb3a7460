package main

import (
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"strings"
)

// merchant is the one account of the sandbox: the key that names it and the salt that signs for it.
type merchant struct{ key, salt string }

// requestHash signs what the merchant's form posts, lower-case hex.
// Source: PayU's documentation of the `_payment` request.
func (m merchant) requestHash(o order) string {
	return digest(m.key, o.TxnID, o.Amount, o.ProductInfo, o.FirstName, o.Email,
		o.UDF[0], o.UDF[1], o.UDF[2], o.UDF[3], o.UDF[4], "", "", "", "", "", m.salt)
}

// responseHash signs what the gateway answers through the browser and the webhook.
// Additional charges, where there are any, are put in front. Source: PayU's documentation of the response.
func (m merchant) responseHash(status, amount, additionalCharges string, o order) string {
	parts := []string{
		m.salt, status, "", "", "", "", "", o.UDF[4], o.UDF[3], o.UDF[2], o.UDF[1], o.UDF[0],
		o.Email, o.FirstName, o.ProductInfo, amount, o.TxnID, m.key,
	}
	if additionalCharges != "" {
		parts = append([]string{additionalCharges}, parts...)
	}
	return digest(parts...)
}

// commandHash signs a call of the merchant API. Source: PayU's documentation of `postservice.php`.
func (m merchant) commandHash(command, var1 string) string {
	return digest(m.key, command, var1, m.salt)
}

func digest(parts ...string) string {
	sum := sha512.Sum512([]byte(strings.Join(parts, "|")))
	return hex.EncodeToString(sum[:])
}

// sameHash compares in constant time, and takes upper-case hex too, as the gateway does.
func sameHash(got, want string) bool {
	return subtle.ConstantTimeCompare([]byte(strings.ToLower(got)), []byte(want)) == 1
}
