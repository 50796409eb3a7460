package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/franchise360/franchise360/pkg/adapter/objectstore"
	"github.com/franchise360/franchise360/pkg/adapter/pdf"
	"github.com/franchise360/franchise360/pkg/adapter/places/gazetteer"
	"github.com/franchise360/franchise360/pkg/adapter/places/google"
	"github.com/franchise360/franchise360/pkg/adapter/places/photon"
	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/config"
	"github.com/franchise360/franchise360/pkg/platform/log"
)

// newPlaces builds the provider of address suggestions. In production the embedded list is loaded in the background, so
// that the first search does not wait half a second for it.
func newPlaces(ctx context.Context, cfg config.Config, logger *slog.Logger) (address.Places, error) {
	switch cfg.Places.Provider {
	case "gazetteer":
		g := gazetteer.New()
		if cfg.Development {
			return g, nil
		}
		go func() {
			if err := g.Warm(); err != nil {
				logger.ErrorContext(ctx, "gazetteer cannot be read", log.Error(err))
			}
		}()
		return g, nil
	case "google":
		return google.New(cfg.Places.GoogleURL, cfg.Places.GoogleKey)
	case "photon":
		return photon.New(cfg.Places.PhotonURL)
	}
	return nil, fmt.Errorf("places: want gazetteer, google or photon, not %q", cfg.Places.Provider)
}

// signingEndsSoon is how long before the signing certificate expires every start logs a warning.
const signingEndsSoon = 30 * 24 * time.Hour

// newRenderer builds the renderer of documents, which signs with the configured certificate, if any. An invalid
// certificate is an error: otherwise documents that require a signature would be issued without one.
func newRenderer(ctx context.Context, s config.Signing, now time.Time, logger *slog.Logger) (*pdf.Renderer, error) {
	if s.CertFile == "" {
		return pdf.New(pdf.Options{})
	}
	signer, err := pdf.LoadSigner(pdf.SignerFiles{Cert: s.CertFile, Password: s.Password, Invoices: s.Invoices}, now)
	if err != nil {
		return nil, err
	}
	if left := signer.NotAfter().Sub(now); left < signingEndsSoon {
		logger.LogAttrs(ctx, slog.LevelWarn, "signing certificate ends soon", slog.Time("not_after", signer.NotAfter()))
	}
	return pdf.New(pdf.Options{Signer: signer})
}

// anchors stores the ends of the audit trail in the object store.
type anchors struct{ *objectstore.Store }

// Find returns the object under the key, or nil.
func (a anchors) Find(ctx context.Context, key string) ([]byte, error) {
	body, err := a.Get(ctx, key)
	if errors.Is(err, objectstore.ErrNotFound) {
		return nil, nil
	}
	return body, err
}
