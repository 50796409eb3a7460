package main

import (
	"testing"

	domain "github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/testkit/gatewaytest"
	"github.com/franchise360/franchise360/pkg/testkit/renewaltest"
)

// Renewals go through the product's engine and adapter to this sandbox.
func TestAdapter_RenewalSuite_Passes(t *testing.T) {
	t.Parallel()
	renewaltest.Run(t, []domain.Method{domain.MethodUPI, domain.MethodCard, domain.MethodENACH}, func(t *testing.T) gatewaytest.MandateProvider {
		t.Helper()
		return startRail(t)
	})
}
