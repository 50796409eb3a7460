package main

import (
	"os"
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit/contract"
)

// TestMain fails the package if some operation of the contract never succeeded in any test. Moving the clock needs the worker: the browser
// tests and the fault tests cover it.
func TestMain(m *testing.M) { os.Exit(contract.Main(m, "advanceDevClock")) }
