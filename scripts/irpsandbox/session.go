package main

import (
	"bytes"
	"crypto/aes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/franchise360/franchise360/scripts/sandbox"
)

// session is a token with its key. In the portal's sandbox it lasts an hour, in production six.
type session struct {
	token string
	sek   []byte
	until time.Time
}

const lasts = time.Hour

// problem is an error of the portal's list.
type problem struct {
	Code    string `json:"ErrorCode"`
	Message string `json:"ErrorMessage"`
}

// information accompanies an error, such as a duplicate's registration.
type information struct {
	Code string `json:"InfCd"`
	Desc any    `json:"Desc"`
}

func refuse(w http.ResponseWriter, p problem, about ...information) {
	answer(w, map[string]any{"Status": 0, "Data": nil, "ErrorDetails": []problem{p}, "InfoDtls": about})
}

func answer(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// auth returns a token and a session key, encrypted under the caller's own key. It returns a valid token again, unless the caller forces a
// new one.
func (s *server) auth(w http.ResponseWriter, r *http.Request) {
	if s.broken(w, r) {
		return
	}
	var in struct{ Data string }
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in) != nil {
		refuse(w, problem{"1010", "Invalid Json"})
		return
	}
	if r.Header.Get("client-id") != s.clientID || !equal(r.Header.Get("client-secret"), s.clientSecret) {
		refuse(w, problem{"3003", "Invalid Client-ID/Client-Secret"})
		return
	}
	sealed, err := base64.StdEncoding.DecodeString(in.Data)
	if err != nil {
		refuse(w, problem{"1007", "Authentication failed. Unable to decrypt data"})
		return
	}
	//nolint:staticcheck // what the portal prescribes
	encoded, err := rsa.DecryptPKCS1v15(rand.Reader, s.credentials, sealed)
	if err != nil {
		refuse(w, problem{"1007", "Authentication failed. Unable to decrypt data"})
		return
	}
	plain, err := base64.StdEncoding.DecodeString(string(encoded))
	if err != nil {
		plain = encoded
	}
	var who struct {
		UserName, Password, AppKey string
		ForceRefreshAccessToken    bool
	}
	if json.Unmarshal(plain, &who) != nil || who.UserName != s.username || !equal(who.Password, s.password) {
		refuse(w, problem{"1006", "Invalid User Id or Password"})
		return
	}
	app, err := base64.StdEncoding.DecodeString(who.AppKey)
	if err != nil || len(app) != aesKey {
		refuse(w, problem{"1007", "Authentication failed. Invalid App Key"})
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if who.ForceRefreshAccessToken || !s.now().Before(s.token.until) {
		s.token = session{token: rand.Text(), sek: newKey(), until: s.now().Add(lasts)}
	}
	answer(w, map[string]any{"Status": 1, "ErrorDetails": nil, "InfoDtls": nil, "Data": map[string]any{
		"ClientId": s.clientID, "UserName": s.username, "AuthToken": s.token.token, "Sek": encrypt(app, s.token.sek),
		"TokenExpiry": s.token.until.In(sandbox.India()).Format(time.DateTime),
	}})
}

const (
	aesKey  = 32
	maxBody = 1 << 20
)

func newKey() []byte {
	key := make([]byte, aesKey)
	_, _ = rand.Read(key)
	return key
}

// signedIn lets a call through that has a living token.
func (s *server) signedIn(next func(w http.ResponseWriter, r *http.Request, now session)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if s.broken(w, r) {
			return
		}
		s.mutex.Lock()
		now := s.token
		s.mutex.Unlock()
		switch {
		case r.Header.Get("client-id") != s.clientID || !equal(r.Header.Get("client-secret"), s.clientSecret):
			refuse(w, problem{"3003", "Invalid Client-ID/Client-Secret"})
		case r.Header.Get("gstin") != s.gstin:
			refuse(w, problem{"1015", "Invalid GSTIN for this user"})
		case r.Header.Get("user_name") != s.username || now.token == "" || !equal(r.Header.Get("AuthToken"), now.token) || !s.now().Before(now.until):
			refuse(w, problem{"1005", "Invalid Token"})
		default:
			next(w, r, now)
		}
	}
}

func encrypt(key, plain []byte) string {
	block, _ := aes.NewCipher(key)
	fill := aes.BlockSize - len(plain)%aes.BlockSize
	out := append(bytes.Clone(plain), bytes.Repeat([]byte{byte(fill)}, fill)...)
	for at := 0; at < len(out); at += aes.BlockSize {
		block.Encrypt(out[at:], out[at:])
	}
	return base64.StdEncoding.EncodeToString(out)
}

var errSealed = errors.New("not encrypted under the session's key")

func decrypt(key []byte, text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(data) == 0 || len(data)%aes.BlockSize != 0 {
		return nil, errSealed
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, errSealed
	}
	for at := 0; at < len(data); at += aes.BlockSize {
		block.Decrypt(data[at:], data[at:])
	}
	fill := int(data[len(data)-1])
	if fill < 1 || fill > aes.BlockSize {
		return nil, errSealed
	}
	return data[:len(data)-fill], nil
}

// The modes in which the portal misbehaves.
const (
	modeOK     = "ok"
	modeDown   = "down"   // 503 to everything
	modeLost   = "lost"   // registers, and the answer is lost
	modeRefuse = "refuse" // refuses every document with Code
	modeToken  = "token"  // forgets the session once
)

type mode struct {
	Mode string `json:"mode"`
	// Code is that of a refusal.
	Code string `json:"code"`
}

func (s *server) setMode(w http.ResponseWriter, r *http.Request) {
	var in mode
	if json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&in) != nil {
		http.Error(w, "want mode", http.StatusUnprocessableEntity)
		return
	}
	switch in.Mode {
	case modeOK, modeDown, modeLost, modeToken:
	case modeRefuse:
		if _, err := strconv.Atoi(in.Code); err != nil {
			http.Error(w, "want the code of a refusal", http.StatusUnprocessableEntity)
			return
		}
	default:
		http.Error(w, "want mode ok, down, lost, token or refuse", http.StatusUnprocessableEntity)
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.mode = in
	if in.Mode == modeToken {
		s.token, s.mode = session{}, mode{Mode: modeOK}
	}
	w.WriteHeader(http.StatusNoContent)
}

// broken answers as a portal that is down does.
func (s *server) broken(w http.ResponseWriter, _ *http.Request) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.mode.Mode == modeDown {
		http.Error(w, "<html>Service Unavailable</html>", http.StatusServiceUnavailable)
		return true
	}
	return false
}
