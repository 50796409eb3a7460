package lifetest_test

import (
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit/story"
)

// bundle is a story with helpers for subscription tests.
type bundle struct{ *story.Story }

func setup(tb testing.TB) *bundle {
	tb.Helper()
	return &bundle{story.New(tb)}
}
