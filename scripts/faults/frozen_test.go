package faults

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/customer"
)

// family returns a process and its children, from Linux's /proc.
func family(t *testing.T, pid int) []int {
	t.Helper()
	all := []int{pid}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	require.NoError(t, err)
	for _, file := range stats {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		// The state and the parent follow the name, which may contain anything but ends with the last bracket.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if fields[1] != strconv.Itoa(pid) {
			continue
		}
		child, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		require.NoError(t, err)
		all = append(all, child)
	}
	return all
}

// frozenPostgres freezes every Postgres process while a customer waits for activation: every caller gets an answer all the same,
// and afterwards nothing is lost or done twice.
func frozenPostgres(t *testing.T, s stack) {
	t.Helper()
	const mobile = "9200000022"
	c, session := s.buyer(t, mobile)
	back, err := c.Decide(t.Context(), session, `{"outcome":"success","webhook":"twice","return":"post"}`)
	require.NoError(t, err)
	processes := []int{}
	thaw := func() {
		for _, pid := range processes {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	defer thaw()
	// A process that begins between the list and the freeze is in the next list.
	for more := true; more; {
		more = false
		for _, pid := range family(t, s.read(t).Processes["postgres"]) {
			if slices.Contains(processes, pid) {
				continue
			}
			processes, more = append(processes, pid), true
			if err := syscall.Kill(pid, syscall.SIGSTOP); !errors.Is(err, syscall.ESRCH) { // a process that has already ended cannot be frozen
				require.NoError(t, err)
			}
		}
	}
	require.Greater(t, len(processes), 3)
	client := &http.Client{Timeout: time.Minute} // which is for ever, where no answer comes before the thaw
	for _, path := range []string{"/api/franchise/subscription/list", "/api/franchise/subscription-plan/list", "/readyz", "/"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.read(t).Site+path, nil)
		require.NoError(t, err)
		answer, err := client.Do(r)
		require.NoError(t, err, path)
		_ = answer.Body.Close()
	}
	err = c.Return(t.Context(), back)
	require.True(t, customer.IsRefused(err), "it is told to try again: %v", err)
	time.Sleep(10 * time.Second) // longer than every timeout
	thaw()
	require.Eventually(t, func() bool { return c.Return(t.Context(), back) == nil }, patience, 250*time.Millisecond)
	paid(t, c, session)
	s.once(t, mobile)
}
