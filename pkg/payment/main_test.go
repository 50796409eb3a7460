package payment_test

import (
	"flag"
	"fmt"
	"os"
	"testing"
)

// TestMain gives the random histories a seed, so that a build says the same of the same code whoever runs it, and at
// least four hundred of them. -rapid.seed tries others, and `make histories` goes on to two thousand (-rapid.checks=100).
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"rapid.seed": "360", "rapid.checks": "20"} {
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}
