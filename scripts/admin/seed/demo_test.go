package seed

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/password"
)

func TestDemoPassword_PassesTheRules(t *testing.T) {
	t.Parallel()
	for _, a := range demoAccounts() {
		var v errs.Validation
		password.Check(&v, "password", "Password", demoPassword, a.name, a.mobile)
		require.NoError(t, v.Err(), a.title)
	}
}
