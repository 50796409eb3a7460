package stack

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// screen is a console whose output a test can read while it is being written.
type screen struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *screen) Write(text []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(text)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func setup(t *testing.T) (*Stack, *screen) {
	t.Helper()
	out := &screen{}
	s, err := New(t.TempDir(), t.TempDir(), &Console{out: out})
	require.NoError(t, err)
	return s, out
}

// program writes a shell script into BinDir and returns a part that runs it.
func (s *Stack) program(t *testing.T, name, script string) *Part {
	t.Helper()
	path := s.Program(name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700))
	return &Part{Name: name, Path: path, Env: os.Environ()}
}

func alive(pid int) bool { return syscall.Kill(pid, 0) == nil }

func TestPrefixed_EachLine_HasThePrefix(t *testing.T) {
	t.Parallel()
	out := &screen{}
	c := &Console{out: out}
	w := c.Prefixed("api")
	for _, piece := range []string{"one\ntw", "o\r\n", "", "unfinished"} {
		_, err := w.Write([]byte(piece))
		require.NoError(t, err)
	}
	require.Equal(t, "api        │ one\napi        │ two\n", out.String())
}

func TestPart_Ends_IsRestartedAndReported(t *testing.T) {
	t.Parallel()
	s, out := setup(t)
	p := s.program(t, "brittle", "echo started; exec sleep 600\n")
	require.NoError(t, p.launch(s))
	s.groups = append(s.groups, []*Part{p})
	go s.watch(p)
	first := p.pid()
	require.NoError(t, syscall.Kill(first, syscall.SIGKILL))
	require.Eventually(t, func() bool { return p.pid() != first }, time.Minute, 20*time.Millisecond)
	require.Contains(t, out.String(), "!!! brittle ended by itself: signal: killed")
	require.Contains(t, out.String(), "!!! starting brittle again")
	second := p.pid()
	s.Stop()
	require.False(t, alive(second))
	notes, err := filepath.Glob(filepath.Join(s.runDir, "*.pid"))
	require.NoError(t, err)
	require.Empty(t, notes)
}

func TestPart_IsOff_StaysDownUntilOn(t *testing.T) {
	t.Parallel()
	s, out := setup(t)
	s.pauses = time.Millisecond
	p := s.program(t, "machine", "exec sleep 600\n")
	require.NoError(t, s.Launch(t.Context(), p))
	first, off := p.pid(), OffFile(s.DataDir, "machine")
	require.NoError(t, os.WriteFile(off, nil, 0o600))
	require.NoError(t, syscall.Kill(first, syscall.SIGKILL))
	require.Eventually(t, func() bool { return strings.Contains(out.String(), "machine ended by itself") }, time.Minute, 10*time.Millisecond)
	require.Never(t, func() bool { return p.pid() != first }, 300*time.Millisecond, 20*time.Millisecond)
	require.NoError(t, os.Remove(off))
	require.Eventually(t, func() bool { return p.pid() != first }, time.Minute, 20*time.Millisecond)
	s.Stop()
}

func TestPart_EndsAgainAndAgain_IsRestartedWhileTheRestRunsOn(t *testing.T) {
	t.Parallel()
	s, out := setup(t)
	s.pauses = time.Millisecond
	broken, sound := s.program(t, "broken", "exit 3\n"), s.program(t, "sound", "exec sleep 600\n")
	require.NoError(t, s.Launch(t.Context(), broken, sound))
	pid := sound.pid()
	require.Eventually(t, func() bool { return strings.Count(out.String(), "starting broken again") >= 7 }, time.Minute, 20*time.Millisecond)
	require.Contains(t, out.String(), "!!! broken KEEPS ENDING, 3 times in a row; the rest runs on; the next start in 4ms")
	require.Empty(t, s.failed)
	require.True(t, alive(pid))
	s.Stop()
	require.False(t, alive(pid))
}

func TestPart_Hangs_IsKilledWithItsChildren(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	child := filepath.Join(s.runDir, "child")
	p := s.program(t, "deaf", "trap '' TERM\nsleep 600 &\necho $! > "+child+"\nwait\nwait\nsleep 600\n")
	require.NoError(t, p.launch(s))
	var childPid int
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(child)
		if err != nil {
			return false
		}
		childPid, err = strconv.Atoi(strings.TrimSpace(string(text)))
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	kill := make(chan struct{})
	time.AfterFunc(300*time.Millisecond, func() { close(kill) }) // the second Ctrl-C
	p.end(s.Screen, kill)
	require.False(t, alive(p.pid()))
	require.Eventually(t, func() bool { return !alive(childPid) || zombie(childPid) }, time.Minute, 10*time.Millisecond)
}

// zombie reports whether a killed process has not been reaped by its new parent yet.
func zombie(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(text), ") Z ")
}

func TestEndLeftovers_OfAKilledStack_AreEnded(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	sleep, err := exec.LookPath("sleep")
	require.NoError(t, err)
	text, err := os.ReadFile(sleep)
	require.NoError(t, err)
	path := s.Program("api")
	require.NoError(t, os.WriteFile(path, text, 0o700))
	orphan := exec.CommandContext(t.Context(), path, "600")
	stranger := exec.CommandContext(t.Context(), sleep, "600")
	require.NoError(t, orphan.Start())
	require.NoError(t, stranger.Start())
	ended := make(chan error, 1)
	go func() { ended <- orphan.Wait() }()
	note := func(name string, pid int) {
		require.NoError(t, os.WriteFile(filepath.Join(s.runDir, name+".pid"), fmt.Appendf(nil, "%d %s", pid, s.Program(name)), 0o600))
	}
	note("api", orphan.Process.Pid)
	note("worker", stranger.Process.Pid) // the id was reused by another program
	require.NoError(t, s.EndLeftovers(t.Context()))
	require.Error(t, <-ended)
	require.True(t, alive(stranger.Process.Pid))
	require.NoError(t, stranger.Process.Kill())
}

func TestLockDataDir_SecondStack_Waits(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := &Console{out: &screen{}}
	unlock, err := LockDataDir(t.Context(), dir, c)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = LockDataDir(ctx, dir, c)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	time.AfterFunc(300*time.Millisecond, unlock)
	unlock, err = LockDataDir(t.Context(), dir, c)
	require.NoError(t, err)
	unlock()
}

func TestKept_SecretsAndPorts_SurviveARestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	k, err := OpenKept(dir)
	require.NoError(t, err)
	secret := k.Secret("a", 32)
	require.Len(t, secret, 64)
	require.NotEqual(t, secret, k.Secret("b", 32))
	port, err := k.Port(t.Context(), "p")
	require.NoError(t, err)
	require.NoError(t, k.Save())
	info, err := os.Stat(k.path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())

	again, err := OpenKept(dir)
	require.NoError(t, err)
	require.Equal(t, secret, again.Secret("a", 32))
	require.Equal(t, port, again.Ports["p"])
	require.NoError(t, os.WriteFile(k.path, []byte("{"), 0o600))
	_, err = OpenKept(dir)
	require.ErrorContains(t, err, k.path, "a damaged file is told, not replaced: the data depend on its secrets")
}

func TestPort_IsHeldUntilItsPartTakesIt(t *testing.T) {
	t.Parallel()
	k, err := OpenKept(t.TempDir())
	require.NoError(t, err)
	seen := map[int]bool{}
	for _, name := range []string{"a", "b", "c"} {
		port, err := k.Port(t.Context(), name)
		require.NoError(t, err)
		require.Less(t, port, 32_768, "the system gives the ports above to outgoing connections")
		require.False(t, seen[port])
		seen[port] = true
		again, err := k.Port(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, port, again)
		require.False(t, IsFree(t.Context(), port), "nobody else gets it")
	}
	k.Release("a")
	require.True(t, IsFree(t.Context(), k.Ports["a"]))
	require.False(t, IsFree(t.Context(), k.Ports["b"]))
	k.Release()
	require.True(t, IsFree(t.Context(), k.Ports["b"]))
	require.True(t, IsFree(t.Context(), k.Ports["c"]))
}

// A restored stack.json names the ports of a stack that may still run.
func TestPort_KeptPortIsTakenOnAReplicasAddress_IsReplaced(t *testing.T) {
	t.Parallel()
	k, err := OpenKept(t.TempDir())
	require.NoError(t, err)
	port, err := k.Port(t.Context(), "api", "127.0.0.2", "127.0.0.3")
	require.NoError(t, err)
	_, err = (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.3", strconv.Itoa(port)))
	require.Error(t, err, "it is reserved on every address")
	k.Release()
	other, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", net.JoinHostPort("127.0.0.3", strconv.Itoa(port)))
	require.NoError(t, err)
	t.Cleanup(func() { _ = other.Close() })
	next, err := k.Port(t.Context(), "api", "127.0.0.2", "127.0.0.3")
	require.NoError(t, err)
	require.NotEqual(t, port, next)
	require.Equal(t, next, k.Ports["api"])
	k.Release()
}

func TestFingerprint_ChangesOnlyWithTheSources(t *testing.T) {
	t.Parallel()
	repository := t.TempDir()
	write := func(path, text string) {
		full := filepath.Join(repository, "web", path)
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(text), 0o600))
	}
	digest := func() string {
		text, err := fingerprint(repository)
		require.NoError(t, err)
		return text
	}
	write("src/main.tsx", "a")
	before := digest()
	for _, path := range []string{"node_modules/x/index.js", "dist/index.html", ".built/from", "e2e/way.e2e.ts", "src/main.test.tsx"} {
		write(path, "b")
		require.Equal(t, before, digest(), path)
	}
	write("src/main.tsx", "b")
	require.NotEqual(t, before, digest())
}

func TestAnswers_UnreachableAddress_IsFalse(t *testing.T) {
	t.Parallel()
	require.False(t, answers(t.Context(), "http://127.0.0.1:1/"))
	require.False(t, answers(t.Context(), "tcp://127.0.0.1:1"))
	require.False(t, answers(t.Context(), string([]byte{0x7f})), http.MethodGet)
}

// Not parallel: it changes the environment.
func TestWebBuild_AnyEnvironment_IsForProduction(t *testing.T) {
	t.Setenv("NODE_ENV", "test") // as a test runner sets it for its children
	require.NoError(t, tool(t.Context(), t.TempDir(), "sh", "-c", `test "$NODE_ENV" = production`))
}

// The second process is this test again, whose output is not read.
func TestConsole_OutputClosed_KeepsRunning(t *testing.T) {
	t.Parallel()
	if done := os.Getenv("STACK_TEST_DONE"); done != "" {
		screen := NewConsole(os.Stdout)
		_, stop := EndSignals(t.Context(), screen)
		defer stop()
		screen.Say("into the void")
		require.NoError(t, os.WriteFile(done, nil, 0o600))
		return
	}
	read, write, err := os.Pipe()
	require.NoError(t, err)
	require.NoError(t, read.Close())
	done := filepath.Join(t.TempDir(), "done")
	again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestConsole_OutputClosed_KeepsRunning$")
	again.Env = append(os.Environ(), "STACK_TEST_DONE="+done)
	again.Stdout = write
	_ = again.Run() // the framework's own last line fails
	require.NoError(t, write.Close())
	require.FileExists(t, done)
}

// Ctrl-C during a build also ends the build tool's processes: a script whose child would hold its output open for a minute.
func TestBuild_Interrupted_EndsItsChildren(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for {
			if _, err := os.Stat(filepath.Join(dir, "begun")); err == nil || ctx.Err() != nil {
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	}()
	begun := time.Now()
	require.Error(t, tool(ctx, dir, "sh", "-c", "sleep 300 & touch begun; wait"))
	require.Less(t, time.Since(begun), 4*time.Minute)
}
