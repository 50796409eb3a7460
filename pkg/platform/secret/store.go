package secret

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
)

// purposeKept seals the keys stored in the database.
const purposeKept Purpose = "kept keys"

// keptPurposes returns the purposes of hashes that cannot be recomputed, so their keys survive a change of SECRET_KEY.
func keptPurposes() []Purpose { return []Purpose{PurposeSubject, PurposeRecovery, PurposeTrial} }

// ErrOldKeyMissing means that the database was written under a master key missing from the ring.
var ErrOldKeyMissing = errors.New("the database holds secrets sealed under another SECRET_KEY: add that behind the new one in SECRET_KEY")

const (
	keptKeysSQL   = `SELECT purpose, sealed FROM kept_keys`
	insertKeptSQL = `INSERT INTO kept_keys (purpose, sealed, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`
	resealKeptSQL = `UPDATE kept_keys SET sealed = $3 WHERE purpose = $1 AND sealed = $2`
)

type keptKey struct {
	Purpose Purpose `db:"purpose"`
	Sealed  []byte  `db:"sealed"`
}

// Load returns the ring with the keys stored in the database. If the database has no keys, the first process stores those derived from its
// master key, so that existing hashes still match. It returns ErrOldKeyMissing if the stored keys can't be read, or if it is unclear which
// of several master keys they derive from.
func Load(ctx context.Context, db *sqlx.DB, k Keyring, now time.Time) (Keyring, error) {
	rows, err := keptKeys(ctx, db)
	if err != nil {
		return Keyring{}, err
	}
	if len(rows) < len(keptPurposes()) {
		if len(k.masters) > 1 {
			return Keyring{}, errors.New("start once with the old key alone in SECRET_KEY before you change the key")
		}
		if rows, err = keep(ctx, db, k, now); err != nil {
			return Keyring{}, err
		}
	}
	loaded := Keyring{masters: k.masters, kept: map[Purpose][]byte{}}
	for _, row := range rows {
		if loaded.kept[row.Purpose], err = k.Open(purposeKept, string(row.Purpose), row.Sealed); err != nil {
			return Keyring{}, fmt.Errorf("kept key for %s: %w", row.Purpose, ErrOldKeyMissing)
		}
	}
	return loaded, nil
}

func keptKeys(ctx context.Context, db *sqlx.DB) ([]keptKey, error) {
	var rows []keptKey
	if err := db.SelectContext(ctx, &rows, keptKeysSQL); err != nil {
		return nil, fmt.Errorf("read the kept keys: %w", err)
	}
	return rows, nil
}

func keep(ctx context.Context, db *sqlx.DB, k Keyring, now time.Time) ([]keptKey, error) {
	for _, p := range keptPurposes() {
		sealed, err := k.Seal(purposeKept, string(p), derive(k.masters[0], p))
		if err != nil {
			return nil, err
		}
		if _, err := db.ExecContext(ctx, insertKeptSQL, p, sealed, now); err != nil {
			return nil, fmt.Errorf("keep the key for %s: %w", p, err)
		}
	}
	return keptKeys(ctx, db)
}

// ResealKept seals the stored keys under the current key; it returns how many it sealed and how many are still under
// another key.
func ResealKept(ctx context.Context, db *sqlx.DB, k Keyring) (done, left int, err error) {
	rows, err := keptKeys(ctx, db)
	if err != nil {
		return 0, 0, err
	}
	for _, row := range rows {
		sealed, err := k.Reseal(purposeKept, string(row.Purpose), row.Sealed)
		switch {
		case err != nil:
			left++
		case sealed != nil:
			if _, err := db.ExecContext(ctx, resealKeptSQL, row.Purpose, row.Sealed, sealed); err != nil {
				return done, left, fmt.Errorf("seal the kept key again: %w", err)
			}
			done++
		}
	}
	return done, left, nil
}
