package handler_test

import (
	"testing"

	"github.com/franchise360/franchise360/api/handler"
	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/subscription"
	"github.com/franchise360/franchise360/pkg/testkit"
)

func TestNewSupport_NilDependency_IsRefused(t *testing.T) {
	t.Parallel()
	testkit.RequireRefusesNil(t, handler.NewSupport, &subscription.Service{}, clock.System{})
}
