package password_test

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/password"
)

const hashing = "PASSWORD_TEST_HASHES"

// TestMain lets the test's binary hash, as the product's binary does.
func TestMain(m *testing.M) {
	if os.Getenv(hashing) == "" {
		os.Exit(m.Run())
	}
	if err := password.Serve(os.Stdin, os.Stdout); err != nil {
		panic(err)
	}
}

// apart returns a hasher, and its processes so far.
func apart(parallel int) (*password.Hasher, func() []*exec.Cmd) {
	var mu sync.Mutex
	var started []*exec.Cmd
	start := func() *exec.Cmd {
		c := exec.Command(os.Args[0]) //nolint:noctx // it ends with its input
		c.Env = []string{hashing + "=1"}
		mu.Lock()
		defer mu.Unlock()
		started = append(started, c)
		return c
	}
	return password.NewApart(parallel, start), func() []*exec.Cmd {
		mu.Lock()
		defer mu.Unlock()
		return started
	}
}

func TestApart_HashesOfBothKinds_AreTheSame(t *testing.T) {
	t.Parallel()
	there, started := apart(2)
	here := password.NewHasher(1)
	var group sync.WaitGroup
	for range 4 { // as many as slots and places in the line of a slow machine
		group.Go(func() {
			hash, err := there.Hash(t.Context(), "Mango#2026")
			ok, failed := here.Verify(t.Context(), hash, "Mango#2026")
			wrong, again := there.Verify(t.Context(), hash, "Mango#2027")
			if err != nil || failed != nil || again != nil || !ok || wrong {
				t.Error("other hashes", err, failed, again, ok, wrong)
			}
		})
	}
	group.Wait()
	require.LessOrEqual(t, len(started()), 2)
	own, err := syscall.Getpriority(syscall.PRIO_PROCESS, 0)
	require.NoError(t, err)
	for _, p := range started() {
		niceness, err := syscall.Getpriority(syscall.PRIO_PROCESS, p.Process.Pid)
		require.NoError(t, err)
		require.Equal(t, min(20-10, own), niceness, "the system call returns 20 less the niceness")
	}
}

func TestApart_KilledProcess_IsReplaced(t *testing.T) {
	t.Parallel()
	h, started := apart(1)
	hash, err := h.Hash(t.Context(), "Mango#2026")
	require.NoError(t, err)
	require.NoError(t, started()[0].Process.Kill())
	ok, err := h.Verify(t.Context(), hash, "Mango#2026")
	require.NoError(t, err)
	require.True(t, ok)
	require.Len(t, started(), 2)
}

func TestApart_ProgramThatIsMissing_IsAnError(t *testing.T) {
	t.Parallel()
	h := password.NewApart(1, func() *exec.Cmd { return exec.Command("/nowhere") }) //nolint:noctx // it does not start
	_, err := h.Hash(t.Context(), "Mango#2026")
	require.ErrorContains(t, err, "start it")
	require.NoError(t, h.Open(), "the slot is free again")
}

func TestServe_BrokenInput_IsAnError(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = []string{hashing + "=1"}
	c.Stdin = strings.NewReader("no password")
	require.Error(t, c.Run())
	c = exec.CommandContext(t.Context(), os.Args[0])
	c.Env = []string{hashing + "=1"}
	c.Stdin = strings.NewReader("")
	require.NoError(t, c.Run(), "the parent ended")
}
