// Command irpsandbox is an Invoice Registration Portal for development. It follows what NIC publishes of its interface
// (https://einv-apisandbox.nic.in: authentication 1.04, invoices 1.03, schema 1.1) and was written without a look at the product's
// adapter. README.md lists its control calls.
package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/franchise360/franchise360/pkg/platform/httpserver"
	"github.com/franchise360/franchise360/scripts/sandbox"
)

// server is the portal.
type server struct {
	gstin, clientID, clientSecret, username, password string
	credentials, signing                              *rsa.PrivateKey
	book                                              *book
	now                                               func() time.Time

	mutex sync.Mutex
	mode  mode
	// token is the one session that the portal has of a user; a new one ends it.
	token session
}

func main() {
	logger := slog.New(slog.NewTextHandler(os.Stderr, nil))
	if err := run(context.Background(), logger); err != nil {
		logger.Error("portal", slog.String("error", err.Error()))
		os.Exit(1)
	}
}

// run serves until SIGINT or SIGTERM. Its environment variables are HTTP_ADDR, EINVOICE_CLIENT_ID, EINVOICE_CLIENT_SECRET,
// EINVOICE_USERNAME, EINVOICE_PASSWORD, SUPPLIER_GSTIN, SANDBOX_KEY (a private key in PEM, whose public part the product has),
// SANDBOX_STATE (the journal's path) and, optionally, CLOCK_DATABASE_URL.
func run(ctx context.Context, logger *slog.Logger) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	s, err := newServer(os.Getenv)
	if err != nil {
		return err
	}
	now, closeClock, err := sandbox.Clock(ctx, os.Getenv("CLOCK_DATABASE_URL"), logger)
	if err != nil {
		return err
	}
	defer func() { _ = closeClock() }()
	s.now = now
	return httpserver.Serve(ctx, os.Getenv("HTTP_ADDR"), s.routes(), logger)
}

func newServer(env func(string) string) (*server, error) {
	s := &server{
		gstin: env("SUPPLIER_GSTIN"), clientID: env("EINVOICE_CLIENT_ID"), clientSecret: env("EINVOICE_CLIENT_SECRET"),
		username: env("EINVOICE_USERNAME"), password: env("EINVOICE_PASSWORD"), now: time.Now, mode: mode{Mode: modeOK},
	}
	if s.gstin == "" || s.clientID == "" || s.username == "" || s.password == "" || env("SANDBOX_STATE") == "" {
		return nil, errors.New("SUPPLIER_GSTIN, EINVOICE_CLIENT_ID, EINVOICE_USERNAME, EINVOICE_PASSWORD and SANDBOX_STATE must be set")
	}
	block, _ := pem.Decode([]byte(env("SANDBOX_KEY")))
	if block == nil {
		return nil, errors.New("SANDBOX_KEY is no private key in PEM")
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("SANDBOX_KEY: %w", err)
	}
	key, ok := parsed.(*rsa.PrivateKey)
	if !ok {
		return nil, errors.New("SANDBOX_KEY is no RSA key")
	}
	s.credentials = key
	if s.signing, err = rsa.GenerateKey(rand.Reader, keyBits); err != nil {
		return nil, fmt.Errorf("make the signing key: %w", err)
	}
	s.book, err = openBook(env("SANDBOX_STATE"))
	return s, err
}

const keyBits = 2048

func (s *server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	mux.HandleFunc("POST /eivital/v1.04/auth", s.auth)
	mux.HandleFunc("POST /eicore/v1.03/Invoice", s.signedIn(s.register))
	mux.HandleFunc("POST /eicore/v1.03/Invoice/Cancel", s.signedIn(s.cancel))
	mux.HandleFunc("GET /eicore/v1.03/Invoice/irn/{irn}", s.signedIn(s.byIRN))
	mux.HandleFunc("GET /eicore/v1.03/Invoice/irnbydocdetails", s.signedIn(s.byDocument))
	mux.HandleFunc("GET /sandbox/invoices", s.list)
	mux.HandleFunc("POST /sandbox/invoices/{irn}/cancel", s.cancelByHand)
	mux.HandleFunc("POST /sandbox/mode", s.setMode)
	return mux
}
