package plan

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
)

// Coming is a catalogue that was approved and is sold from a moment on.
type Coming struct {
	Catalogue *Catalogue
	From      time.Time
}

// ComingTx returns the catalogue that is approved but not on sale yet, or nil. Apart from staff, only the worker's role reads it.
func (s *Service) ComingTx(ctx context.Context, tx *sqlx.Tx) (*Coming, error) {
	c, err := changeStore{}.maybe(ctx, tx, approvedChangeSQL)
	if err != nil || c == nil {
		return nil, err
	}
	catalogue, err := changeStore{}.catalogueOf(ctx, tx, c.Content.Document)
	return &Coming{Catalogue: catalogue, From: *c.EffectiveFrom}, err
}
