package payment_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain seeds the random histories, so that the same code gives the same result for everyone, and runs at
// least four hundred. -rapid.seed tries others, and `make histories` goes up to two thousand (-rapid.checks=100).
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.seed": "360", "rapid.checks": "20"} {
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}
