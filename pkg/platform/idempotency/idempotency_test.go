package idempotency_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/idempotency"
)

func TestValid_FollowsTheContract(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"12345678", "019ae0c2-9f00-7a11-8f00-4b1d2c3e4f50", "A_b-C_d-", strings.Repeat("k", 128)} {
		require.True(t, idempotency.Valid(good), good)
	}
	for _, bad := range []string{"", "1234567", strings.Repeat("k", 129), "with space", "पहलाआदेश", "key\x0012345", "key.12345"} {
		require.False(t, idempotency.Valid(bad), bad)
	}
}

func TestCheck_OtherRequestUnderTheKey_IsRefused(t *testing.T) {
	t.Parallel()
	first := idempotency.Of([]byte("POST /x\n{}"))
	require.NoError(t, idempotency.Of([]byte("POST /x\n{}")).Check(first[:]))
	err := idempotency.Of([]byte("POST /y\n{}")).Check(first[:])
	require.Equal(t, "idempotency_key_reused", errs.As(err).Code)
	require.Equal(t, errs.KindInvalid, errs.KindOf(err))
	require.Error(t, first.Check(nil), "nothing is no request")
}
