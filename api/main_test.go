package main

import (
	"os"
	"testing"

	"github.com/franchise360/franchise360/pkg/testkit/contract"
)

// TestMain fails the package where no test of it saw an operation of the contract succeed. Moving the clock needs the
// worker: the browser tests and those that kill processes do it.
func TestMain(m *testing.M) { os.Exit(contract.Main(m, "advanceDevClock")) }
