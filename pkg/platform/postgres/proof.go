package postgres

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/jmoiron/sqlx"
)

const showProofSQL = `SELECT set_config('app.proof', $1, true)`

type proofKey struct{}

// WithProof returns a context whose transactions show the database who acts, by something that none of its roles can read:
// row-level security judges it (acting_staff in SQL).
func WithProof(ctx context.Context, proof []byte) context.Context {
	return context.WithValue(ctx, proofKey{}, hex.EncodeToString(proof))
}

// ShowProof shows it from here to the end of a transaction that began without.
func ShowProof(ctx context.Context, tx *sqlx.Tx, proof []byte) error {
	if _, err := tx.ExecContext(ctx, showProofSQL, hex.EncodeToString(proof)); err != nil {
		return fmt.Errorf("show proof: %w", err)
	}
	return nil
}

// proofOf returns what WithProof put into ctx, empty where there is nothing.
func proofOf(ctx context.Context) string {
	proof, _ := ctx.Value(proofKey{}).(string)
	return proof
}
