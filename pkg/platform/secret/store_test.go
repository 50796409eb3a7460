package secret_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/secret"
	"github.com/franchise360/franchise360/pkg/testkit" //nolint:depguard // a real database under test
)

func TestLoad_MasterKeyRotated_StoredKeysStay(t *testing.T) {
	t.Parallel()
	db, now := testkit.NewDatabase(t), testkit.Start()
	load := func(k secret.Keyring) (secret.Keyring, error) { return secret.Load(t.Context(), db.API, k, now) }

	// given a new database, it is unknown which of two keys wrote it
	_, err := load(ring(t, 2, 1))
	require.ErrorContains(t, err, "in SECRET_KEY")

	// given several processes that start at once
	macs := make([][]byte, 4)
	var all sync.WaitGroup
	for i := range macs {
		all.Go(func() {
			if k, err := load(ring(t, 1)); err == nil {
				macs[i] = k.MAC(secret.PurposeTrial, "9876543210")
			}
		})
	}
	all.Wait()
	trial := ring(t, 1).MAC(secret.PurposeTrial, "9876543210")
	for i := range macs {
		require.Equal(t, trial, macs[i], "what was hashed before keys were kept is found")
	}

	// when the key changes
	_, err = load(ring(t, 2))
	require.ErrorIs(t, err, secret.ErrOldKeyMissing)
	between, err := load(ring(t, 2, 1))
	require.NoError(t, err)

	// then hashes that cannot be recomputed keep their keys, and all others use the new key
	for _, kept := range []secret.Purpose{secret.PurposeTrial, secret.PurposeRecovery, secret.PurposeSubject} {
		require.Equal(t, ring(t, 1).MAC(kept, "x"), between.MAC(kept, "x"), kept)
	}
	for one := range between.Each() {
		require.Equal(t, trial, one.MAC(secret.PurposeTrial, "9876543210"), "a ring of one key keeps them too")
	}
	require.Equal(t, ring(t, 2).MAC(secret.PurposeOTP, "x"), between.MAC(secret.PurposeOTP, "x"))

	// and after resealing, the old key is no longer needed
	done, left, err := secret.ResealKept(t.Context(), db.Owner, ring(t, 2))
	require.NoError(t, err)
	require.Equal(t, [2]int{0, 3}, [2]int{done, left}, "without the old key nothing can be done")
	for want := range []int{3, 0} {
		done, left, err = secret.ResealKept(t.Context(), db.Owner, between)
		require.NoError(t, err)
		require.Zero(t, left)
		require.Equal(t, []int{3, 0}[want], done, "the second time nothing is left to do")
	}
	after, err := load(ring(t, 2))
	require.NoError(t, err)
	require.Equal(t, trial, after.MAC(secret.PurposeTrial, "9876543210"))
	_, err = load(ring(t, 1))
	require.ErrorIs(t, err, secret.ErrOldKeyMissing)
}

// The first start was interrupted after it stored one of the keys. If the master key then changes, it is unknown which master key the
// others derive from.
func TestLoad_StoredKeysIncomplete_NewMasterKeyIsRefused(t *testing.T) {
	t.Parallel()
	db, now := testkit.NewDatabase(t), testkit.Start()
	_, err := secret.Load(t.Context(), db.API, ring(t, 1), now)
	require.NoError(t, err)
	_, err = db.Owner.Exec(`DELETE FROM kept_keys WHERE purpose = $1`, secret.PurposeTrial)
	require.NoError(t, err)

	_, err = secret.Load(t.Context(), db.API, ring(t, 2, 1), now)
	require.ErrorContains(t, err, "in SECRET_KEY", "used trials would be forgotten")

	_, err = secret.Load(t.Context(), db.API, ring(t, 1), now)
	require.NoError(t, err, "the key that began completes them")
	loaded, err := secret.Load(t.Context(), db.API, ring(t, 2, 1), now)
	require.NoError(t, err)
	require.Equal(t, ring(t, 1).MAC(secret.PurposeTrial, "x"), loaded.MAC(secret.PurposeTrial, "x"))
}

func TestReseal_Column_RowByRow(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	db.Owner.MustExec(`CREATE TABLE sealed_things (id uuid PRIMARY KEY, owner text NOT NULL DEFAULT '', sealed bytea);
		ALTER TABLE sealed_things ENABLE ROW LEVEL SECURITY; GRANT SELECT, UPDATE ON sealed_things TO franchise360_api`)
	column := secret.SealedColumn{
		Page: `SELECT id, sealed FROM sealed_things WHERE id > $1 AND sealed IS NOT NULL AND NOT starts_with(encode(sealed, 'hex'), encode($2, 'hex'))
			ORDER BY id LIMIT 2`,
		Update:  `UPDATE sealed_things SET sealed = $3 WHERE id = $1 AND sealed = $2`,
		Purpose: secret.PurposeTOTP, Binding: func(id string) string { return "thing " + id },
	}
	before, between, after, lost := ring(t, 1), ring(t, 2, 1), ring(t, 2), ring(t, 9)
	rowID := func(n int) string { return fmt.Sprintf("00000000-0000-7000-8000-%012d", n) }
	for n := range 7 {
		k := before
		switch n {
		case 3:
			k = lost
		case 5:
			k = after
		}
		sealed, err := k.Seal(secret.PurposeTOTP, "thing "+rowID(n), fmt.Append(nil, "secret ", n))
		require.NoError(t, err)
		db.Owner.MustExec(`INSERT INTO sealed_things (id, sealed) VALUES ($1, $2)`, rowID(n), sealed)
	}
	db.Owner.MustExec(`INSERT INTO sealed_things (id) VALUES ($1)`, rowID(7))

	done, left, err := column.Reseal(t.Context(), db.Owner, between)
	require.NoError(t, err)
	require.Equal(t, [2]int{5, 1}, [2]int{done, left}, "over several pages, past the row that no key opens")
	done, left, err = column.Reseal(t.Context(), db.Owner, between)
	require.NoError(t, err)
	require.Equal(t, [2]int{0, 1}, [2]int{done, left}, "it ends although one row is left")
	for n := range 7 {
		var sealed []byte
		require.NoError(t, db.Owner.Get(&sealed, `SELECT sealed FROM sealed_things WHERE id = $1`, rowID(n)))
		plain, err := after.Open(secret.PurposeTOTP, "thing "+rowID(n), sealed)
		if n == 3 {
			require.Error(t, err)
			plain, err = lost.Open(secret.PurposeTOTP, "thing "+rowID(n), sealed)
		}
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint("secret ", n), string(plain))
	}

	_, _, err = column.Reseal(t.Context(), db.API, between)
	require.ErrorContains(t, err, "row-level security", "a role that sees no row would say that all is done")
	ended := db.Owner
	require.NoError(t, ended.Close())
	_, _, err = column.Reseal(t.Context(), ended, between)
	require.Error(t, err)
	require.NotContains(t, strings.ToLower(err.Error()), "secret 1")
	_, err = secret.Load(t.Context(), ended, before, time.Time{})
	require.Error(t, err, "a database that does not answer is no new one")
}
