package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnnounce_PrintedAddressesAreUsableWithoutPasswords(t *testing.T) {
	t.Parallel()
	a := addresses{
		Site: "https://franchise360.example:8443", Domain: "franchise360.example", Proxy: "127.0.0.1:8443", Authorities: "/data/authorities.pem",
		Metrics:  []string{"http://127.0.0.2:9090/metrics", "http://127.0.0.102:9090/metrics"},
		OwnerURL: "postgres://postgres:a-password@127.0.0.1:5432/franchise360?sslmode=verify-full&sslrootcert=%2Fdata%2Fauthority.pem",
	}
	rows := map[string]string{}
	for _, row := range a.rows("/data/.env") {
		rows[row[0]] = row[1]
	}
	require.Equal(t, "curl --cacert /data/authorities.pem --connect-to ::127.0.0.1:8443 https://franchise360.example:8443/readyz", rows["With curl"],
		"empty names stand for each host and port")
	require.Equal(t, "http://127.0.0.2:9090/metrics\n                     http://127.0.0.102:9090/metrics", rows["Metrics"])
	require.Contains(t, rows["With psql"], "'postgres://postgres@127.0.0.1:5432/franchise360?sslmode=verify-full")
	require.Contains(t, rows["With psql"], "# asks for POSTGRES_PASSWORD, which is in /data/.env")
	require.Equal(t, "/data/.env # each start writes it anew; to change it, name a file in SETTINGS at every start", rows["Settings"])
	for name, text := range rows {
		require.NotContains(t, text, "a-password", name)
	}
	require.Empty(t, withoutPassword("postgres://%"))
}
