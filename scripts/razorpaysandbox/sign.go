package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
)

// sign is the hexadecimal HMAC-SHA256 of a text, as both kinds of signature use it.
func sign(secret, text string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// paymentSignature is what the browser brings back with a successful payment (Hosted Checkout, step 1.4).
func paymentSignature(keySecret, orderID, paymentID string) string {
	return sign(keySecret, orderID+"|"+paymentID)
}

// newID is an identifier in the published form: a prefix and 14 letters and digits.
func newID(prefix string) string {
	return prefix + random("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 14)
}

// digits is a random decimal number with so many digits, as banks give them.
func digits(count int) string { return random("0123456789", count) }

func random(alphabet string, count int) string {
	text := make([]byte, count)
	for i := range text {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(alphabet))))
		if err != nil {
			panic(err) // the machine has no randomness: nothing sensible can go on
		}
		text[i] = alphabet[n.Int64()]
	}
	return string(text)
}
