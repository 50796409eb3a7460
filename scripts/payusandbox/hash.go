package main

import (
	"crypto/sha512"
	"crypto/subtle"
	"encoding/hex"
	"slices"
	"strings"
)

// merchant is the sandbox's only account: its key identifies it, its salt signs.
type merchant struct{ key, salt string }

// requestHash signs the merchant's form, in lower-case hex. Source: PayU, Generate Hash:
// sha512(key|txnid|amount|productinfo|firstname|email|udf1|…|udf5||||||SALT), with a standing instruction |si_details before SALT.
func (m merchant) requestHash(o order) string {
	parts := []string{
		m.key, o.TxnID, o.Amount, o.ProductInfo, o.FirstName, o.Email, o.UDF[0], o.UDF[1], o.UDF[2], o.UDF[3], o.UDF[4], "", "", "", "", "",
	}
	if o.SI != "" {
		parts = append(parts, o.SI)
	}
	return digest(append(parts, m.salt)...)
}

// responseHash signs PayU's answers through the browser and the webhook. Any additional charges come first. Source: PayU,
// Generate Hash: sha512([additionalCharges|]SALT|status||||||udf5|…|udf1|email|firstname|productinfo|amount|txnid|key).
func (m merchant) responseHash(status, amount, additionalCharges string, o order) string {
	parts := []string{
		m.salt, status, "", "", "", "", "", o.UDF[4], o.UDF[3], o.UDF[2], o.UDF[1], o.UDF[0],
		o.Email, o.FirstName, o.ProductInfo, amount, o.TxnID, m.key,
	}
	if additionalCharges != "" {
		parts = slices.Insert(parts, 0, additionalCharges)
	}
	return digest(parts...)
}

// commandHash signs a call of the merchant API; of the variables it covers only var1. Source: PayU, General APIs:
// sha512(key|command|var1|salt).
func (m merchant) commandHash(command, var1 string) string {
	return digest(m.key, command, var1, m.salt)
}

// disputeSignature returns the header X-PayU-Dispute-Webhook-Signature-V1, computed with the spaces removed from the status.
// Source: PayU, Webhooks for Chargeback: sha512(key|txn_id|cb_amount|cb_id|cb_type|cb_status|salt).
func (m merchant) disputeSignature(txnID, amount, id, kind, status string) string {
	return digest(m.key, txnID, amount, id, kind, strings.ReplaceAll(status, " ", ""), m.salt)
}

func digest(parts ...string) string {
	sum := sha512.Sum512([]byte(strings.Join(parts, "|")))
	return hex.EncodeToString(sum[:])
}

// sameHash compares in constant time and accepts upper-case hex, as the gateway does.
func sameHash(got, want string) bool {
	return subtle.ConstantTimeCompare([]byte(strings.ToLower(got)), []byte(want)) == 1
}
