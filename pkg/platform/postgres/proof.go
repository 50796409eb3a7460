package postgres

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/jmoiron/sqlx"
)

const showProofSQL = `SELECT set_config('app.proof', $1, true)`

type proofKey struct{}

// WithProof returns a context whose transactions prove to the database who is acting, using a value that none of its roles
// can read: row-level security checks it (acting_staff in SQL).
func WithProof(ctx context.Context, proof []byte) context.Context {
	return context.WithValue(ctx, proofKey{}, hex.EncodeToString(proof))
}

// ShowProof sets the proof for the rest of a transaction that began without one.
func ShowProof(ctx context.Context, tx *sqlx.Tx, proof []byte) error {
	if _, err := tx.ExecContext(ctx, showProofSQL, hex.EncodeToString(proof)); err != nil {
		return fmt.Errorf("show proof: %w", err)
	}
	return nil
}

// proofOf returns what WithProof put into ctx, or "".
func proofOf(ctx context.Context) string {
	proof, _ := ctx.Value(proofKey{}).(string)
	return proof
}
