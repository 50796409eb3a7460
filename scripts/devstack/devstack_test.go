package main

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
	"github.com/franchise360/franchise360/scripts/stack"
)

func setup(t *testing.T) *devStack {
	t.Helper()
	s, err := newDevStack(options{dataDir: t.TempDir(), repository: t.TempDir()}, stack.NewConsole(os.Stderr))
	require.NoError(t, err)
	return s
}

func TestSettle_OwnSettings_TakePrecedence(t *testing.T) {
	t.Setenv("SUPPLIER_NAME", "Somebody Else")
	t.Setenv("REDIS_URL", "redis://elsewhere:6379/0")
	t.Setenv("DATABASE_URL", "postgres://elsewhere/x")
	s := setup(t)
	require.ErrorContains(t, s.settle(t.Context()), "DATABASE_OWNER_URL")
	t.Setenv("WORKER_DATABASE_URL", "postgres://elsewhere/x")
	t.Setenv("DATABASE_OWNER_URL", "postgres://elsewhere/x")
	require.NoError(t, s.settle(t.Context()))
	require.Equal(t, "Somebody Else", s.settings["SUPPLIER_NAME"])
	require.Empty(t, s.settings["REDIS_URL"], "left to the environment")
	require.False(t, s.embedsPostgres())
	for _, p := range s.services() {
		require.NotEqual(t, "redisserver", p.Name)
	}
}

// GATEWAY=razorpay puts Razorpay first; payments that an earlier run started at PayU remain usable.
func TestGateways_BothServeWhicheverIsFirst(t *testing.T) {
	t.Setenv("GATEWAY", "razorpay")
	s := setup(t)
	require.NoError(t, s.settle(t.Context()))
	require.Equal(t, "razorpay,payu", s.settings["GATEWAY"])
	require.NotEqual(t, s.settings["PAYU_URL"], s.settings["RAZORPAY_URL"])
	names := []string{}
	for _, p := range s.services() {
		names = append(names, p.Name)
	}
	require.Subset(t, names, []string{"payusandbox", "razorpaysandbox"})
	require.True(t, s.embedsFirstGateway())
	require.Equal(t, "payu,razorpay", gatewayOrder(""))
	require.Equal(t, "razorpay, payu", gatewayOrder("razorpay, payu"))
	t.Setenv("RAZORPAY_URL", "https://api.razorpay.com")
	require.False(t, s.embedsFirstGateway(), "demo accounts pay at sandboxes only")
}

// EINVOICE_FROM starts a portal, whose key a second run finds; without it the stack has no portal.
func TestPortal_StartsOnlyWithEINVOICE_FROM(t *testing.T) {
	s := setup(t)
	require.NoError(t, s.settle(t.Context()))
	require.Empty(t, s.portal())
	t.Setenv("EINVOICE_FROM", "2026-04-01")
	s = setup(t)
	require.NoError(t, s.settle(t.Context()))
	require.Len(t, s.portal(), 1)
	first := s.settings["EINVOICE_PUBLIC_KEY"]
	require.NoError(t, s.settlePortal())
	require.Equal(t, first, s.settings["EINVOICE_PUBLIC_KEY"])
	s.Kept.Secrets["irp_key"] = "damaged"
	require.ErrorIs(t, s.settlePortal(), errPortalKey)
	t.Setenv("EINVOICE_URL", "https://gsp.example.com")
	require.Empty(t, s.portal())
}

// Until the first release a migration may be edited in place, which never reaches a database that it has already made.
func TestDataFolder_MadeByAnotherFormOfAMigration_IsRefused(t *testing.T) {
	t.Parallel()
	s := setup(t)
	files := fstest.MapFS{"0101_a.sql": {Data: []byte("SELECT 1")}}
	require.NoError(t, s.refuseEdited(files), "a new folder")
	require.NoError(t, s.keepApplied(files))
	var err error
	s.Kept, err = stack.OpenKept(s.opts.dataDir)
	require.NoError(t, err)
	files["0102_b.sql"] = &fstest.MapFile{Data: []byte("SELECT 2")}
	require.NoError(t, s.refuseEdited(files), "another migration is applied to it")
	files["0101_a.sql"].Data = []byte("SELECT 3")
	require.ErrorIs(t, s.refuseEdited(files), migrations.ErrOtherFiles)
	require.ErrorContains(t, s.refuseEdited(files), "0101_a.sql")
	delete(files, "0101_a.sql")
	require.ErrorIs(t, s.refuseEdited(files), migrations.ErrOtherFiles)
}

// A first start that ends during the build has already made a database: its password is stored before.
func TestPasswords_AreStoredBeforeTheirUse(t *testing.T) {
	t.Parallel()
	s := setup(t)
	require.NoError(t, s.settle(t.Context()))
	kept, err := stack.OpenKept(s.opts.dataDir)
	require.NoError(t, err)
	for _, role := range []string{superuser, apiRole, workerRole} {
		require.NotEmpty(t, kept.Secrets[role])
		require.Equal(t, kept.Secrets[role], s.password(role))
	}
}
