package main

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestTheNewslettersSubscribersAreListed(t *testing.T) {
	t.Parallel()
	db := testkit.NewDatabase(t)
	_, err := db.Owner.Exec(`SELECT decide_newsletter('asha@example.in', true, gen_random_uuid(), '2026-11', '2026-11-02 06:30:00Z'),
		decide_newsletter('ravi@example.in', true, gen_random_uuid(), '2026-11', '2026-11-02 06:30:00Z')`)
	require.NoError(t, err)
	_, err = db.Owner.Exec(`SELECT decide_newsletter('ravi@example.in', false, gen_random_uuid(), '', '2026-11-03 06:30:00Z')`)
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, newsletter(t.Context(), func(string) string { return db.DSN("") }, &out))
	require.Equal(t, "\ufeffE-mail,Given by an account,Since (IST)\nasha@example.in,no,2026-11-02 12:00:00\n", out.String())
}
