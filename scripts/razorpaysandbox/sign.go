package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
)

// sign returns a text's hexadecimal HMAC-SHA256, which both kinds of signature use.
func sign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// paymentSignature returns the signature that the browser brings back after a successful payment (Hosted Checkout, step 1.4).
func paymentSignature(keySecret, orderID, paymentID string) string {
	return sign(keySecret, orderID+"|"+paymentID)
}

// newID returns an identifier in the documented form: a prefix and 14 letters and digits.
func newID(prefix string) string {
	return prefix + random("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 14)
}

// digits returns a random decimal number of the given length, like a bank's reference.
func digits(count int) string { return random("0123456789", count) }

func random(alphabet string, count int) string {
	text := make([]byte, count)
	for i := range text {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet))))
		if err != nil {
			panic(err) // without randomness nothing sensible can continue
		}
		text[i] = alphabet[n.Int64()]
	}
	return string(text)
}
