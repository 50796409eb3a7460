package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net/url"
	"testing"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestError_TemporaryFailures_AreUnavailable(t *testing.T) {
	t.Parallel()
	require.NoError(t, Error(nil))
	for code, unavailable := range map[pqerror.Code]bool{
		"08006": true, "08001": true, "53300": true, "53100": true, "57014": true, "57P01": true, "57P03": true, "25006": true, LockNotAvailable: true, idledTooLong: true,
		UniqueViolation: false, ForeignKeyViolation: false, CheckViolation: false, "42501": false, "42P01": false, "22P02": false, "40001": false, "25P02": false, "XX000": false,
	} {
		err := Error(fmt.Errorf("list plans: %w", &pq.Error{Code: code, Constraint: "c"}))
		require.Equal(t, unavailable, errs.KindOf(err) == errs.KindUnavailable, code)
		require.True(t, Violates(err, code, ""), "what it was is still known: %s", code)
		require.True(t, Violates(err, code, "c"), code)
		require.False(t, Violates(err, code, "another"), code)
	}
	for text, err := range map[string]error{
		"the pool": driver.ErrBadConn, "the network": errors.New("dial tcp 10.0.0.7:5432: connect: connection refused"), "the end": io.EOF,
		"a reset": errors.New("read: connection reset by peer"), "a pipe": errors.New("write: broken pipe"), "no answer": errors.New("read tcp: i/o timeout"),
		"a name": errors.New("dial tcp: lookup db.internal: no such host"), "a standby": errors.New("pq: could not connect to any of the hosts:\nsession is read-only"),
	} {
		require.Equal(t, errs.KindUnavailable, errs.KindOf(Error(fmt.Errorf("x: %w", err))), text)
	}
	for text, err := range map[string]error{"cancelled": context.Canceled, "any": errors.New("scan: no such column")} {
		require.Same(t, err, Error(err), text)
	}
	ours := errs.NotFound().Because(io.EOF)
	require.Equal(t, error(ours), Error(ours), "what was decided already stays")
	require.False(t, Violates(errors.New("23505"), UniqueViolation, ""))
	require.False(t, Violates(nil, UniqueViolation, ""))
}

func TestWithDefaults_DSN_KeepsItsParametersAndGetsTheRest(t *testing.T) {
	t.Parallel()
	query := func(dsn string) url.Values {
		t.Helper()
		u, err := url.Parse(dsn)
		require.NoError(t, err)
		return u.Query()
	}
	bare, err := withDefaults("postgres://api:p%40ss@db:5432/x")
	require.NoError(t, err)
	require.Equal(t, url.Values{"binary_parameters": {"yes"}, "sslmode": {"require"}, "connect_timeout": {"5"}}, query(bare))
	require.Contains(t, bare, "api:p%40ss@db:5432", "the password is the one that was given")
	said, err := withDefaults("postgres://db/x?sslmode=verify-full&connect_timeout=30&options=-c%20role%3Dapi")
	require.NoError(t, err)
	require.Equal(t, "verify-full", query(said).Get("sslmode"))
	require.Equal(t, "30", query(said).Get("connect_timeout"))
	require.Equal(t, "-c role=api", query(said).Get("options"))

	patient := query(Patience{Statement: time.Second, Lock: time.Millisecond, Idle: time.Minute}.With("postgres://db/x?lock_timeout=9&options=-c%20role%3Dapi"))
	require.Equal(t, []string{"1000", "9", "60000"}, []string{
		patient.Get("statement_timeout"), patient.Get("lock_timeout"), patient.Get("idle_in_transaction_session_timeout"),
	})
	for _, p := range []Patience{Serving, Working} {
		require.Positive(t, min(p.Statement, p.Lock, p.Idle), "0 is without end")
		require.Less(t, p.Lock, p.Statement, "a lock is given up before its statement")
	}
	require.NotContains(t, Serving.With("postgres://db/x?options=-c%20role%3Dapi"), "+", "River's driver reads a plus as a plus")

	require.Equal(t, "require", query(JobsURL("postgres://db/x")).Get("sslmode"), "River's driver would go over to plain text by itself")
	require.Equal(t, "postgres://db/x?sslmode=disable", JobsURL("postgres://db/x?sslmode=disable"))
	require.NotContains(t, JobsURL("postgres://db/x?options=-c%20role%3Dapi"), "+")
	for dsn, timeout := range map[string]time.Duration{"postgres://db/x": connectTimeout, "postgres://db/x?connect_timeout=30": 30 * time.Second} {
		jobs, err := OpenJobs(t.Context(), dsn, 1)
		require.NoError(t, err)
		jobs.Close()
		require.Equal(t, timeout, jobs.Config().ConnConfig.ConnectTimeout)
	}
}

func TestOpen_InvalidDSN_ErrorHidesThePassword(t *testing.T) {
	t.Parallel()
	const password = "Mango2026Tree"
	for _, dsn := range []string{
		"postgres://api:" + password + "@db:port/x", "postgres://api:" + password + "@[::1/x", "postgres://api:" + password + "@db/%zz",
		"postgres://api:" + password + "@db/x?sslmode=sideways", "mysql://api:" + password + "@db/x", "host=db password=" + password, "\x00" + password,
	} {
		_, err := Open(t.Context(), dsn, 1)
		require.Error(t, err, dsn)
		require.NotContains(t, err.Error(), password)
		err = CheckEncrypted(dsn)
		require.Error(t, err, dsn)
		require.NotContains(t, err.Error(), password)
	}
	require.NoError(t, CheckEncrypted("postgres://api:"+password+"@db/x?sslmode=verify-full"))
	err := CheckEncrypted("postgres://api:" + password + "@db/x?sslmode=prefer")
	require.ErrorContains(t, err, "in clear")
	require.NotContains(t, err.Error(), password)
	require.NotContains(t, err.Error(), "@")
}

func TestProof_IsThatOfItsContext(t *testing.T) {
	t.Parallel()
	require.Empty(t, proofOf(t.Context()))
	signed := WithProof(t.Context(), []byte{0, 0xff})
	require.Equal(t, "00ff", proofOf(signed))
	require.Empty(t, proofOf(WithProof(signed, nil)), "a context that signs with nothing acts as nobody")
	require.Equal(t, "00ff", proofOf(context.WithoutCancel(signed)))
}
