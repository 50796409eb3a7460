package payment_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain gives the random histories a seed, so that a build says the same of the same code whoever runs it.
// -rapid.seed tries others, as `make simulate` does.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.seed", "360"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}
