package movedclock_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/scripts/movedclock"
)

// teller prints the time when it reads a line, and how long it has run.
const teller = `package main

import (
	"bufio"
	"fmt"
	"os"
	"time"
)

func main() {
	began := time.Now()
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		now := time.Now()
		fmt.Println(now.Unix(), int64(now.Sub(began).Seconds()))
	}
}
`

func build(t *testing.T, arguments ...string) string {
	t.Helper()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "main.go"), []byte(teller), 0o600))
	program := filepath.Join(folder, "teller")
	command := exec.CommandContext(t.Context(), "go", append(append([]string{"build"}, arguments...), "-o", program, filepath.Join(folder, "main.go"))...)
	command.Env = append(os.Environ(), "GOFLAGS=")
	out, err := command.CombinedOutput()
	require.NoError(t, err, string(out))
	return program
}

// conversation starts the program and returns a function that reads its clock.
func conversation(t *testing.T, env []string, program string) (ask func() (now time.Time, ran time.Duration)) {
	t.Helper()
	command := exec.CommandContext(context.WithoutCancel(t.Context()), program)
	command.Env = env
	in, err := command.StdinPipe()
	require.NoError(t, err)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		require.NoError(t, in.Close())
		require.NoError(t, command.Wait())
	})
	return func() (time.Time, time.Duration) {
		_, err := in.Write([]byte("\n"))
		require.NoError(t, err)
		line := make([]byte, 100)
		n, err := out.Read(line)
		require.NoError(t, err)
		at, ran, ok := strings.Cut(strings.TrimSpace(string(line[:n])), " ")
		require.True(t, ok)
		seconds, err := strconv.ParseInt(at, 10, 64)
		require.NoError(t, err)
		lasted, err := strconv.ParseInt(ran, 10, 64)
		require.NoError(t, err)
		return time.Unix(seconds, 0), time.Duration(lasted) * time.Second
	}
}

func TestOverlay_MovesTheWallClockOfARunningGoProgram(t *testing.T) {
	t.Parallel()
	overlay, err := movedclock.Overlay(t.Context(), t.TempDir())
	require.NoError(t, err)
	program, file := build(t, "-overlay", overlay), filepath.Join(t.TempDir(), "clocks", "one")
	require.NoError(t, movedclock.Set(file, 0))
	ask := conversation(t, []string{movedclock.Variable + "=" + file}, program)
	for _, offset := range []time.Duration{0, 400 * 24 * time.Hour, -10*time.Minute - time.Nanosecond, 0} {
		require.NoError(t, movedclock.Set(file, offset))
		now, ran := ask()
		require.WithinDuration(t, time.Now().Add(offset), now, 2*time.Minute)
		require.Less(t, ran, 5*time.Minute, "a duration is measured on a clock that is never set")
		kept, err := movedclock.Offset(file)
		require.NoError(t, err)
		require.Equal(t, offset, kept)
	}
}

// A usual build of the product ignores the setting.
func TestUsualBuild_IgnoresTheClockFile(t *testing.T) {
	t.Parallel()
	program, file := build(t), filepath.Join(t.TempDir(), "one")
	require.NoError(t, movedclock.Set(file, 400*24*time.Hour))
	now, _ := conversation(t, []string{movedclock.Variable + "=" + file}, program)()
	require.WithinDuration(t, time.Now(), now, 2*time.Minute)
	text, err := os.ReadFile(program)
	require.NoError(t, err)
	require.NotContains(t, string(text), movedclock.Variable)
}

func TestPreload_MovesTheClockOfACProgram(t *testing.T) {
	t.Parallel()
	library, err := movedclock.Preload(t.Context(), t.TempDir())
	if errors.Is(err, movedclock.ErrNoCompiler) {
		t.Skip(err)
	}
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "one")
	for _, offset := range []time.Duration{0, 400 * 24 * time.Hour, -10 * time.Minute} {
		require.NoError(t, movedclock.Set(file, offset))
		command := exec.CommandContext(t.Context(), "date", "+%s")
		command.Env = []string{movedclock.Variable + "=" + file, "LD_PRELOAD=" + library, "PATH=" + os.Getenv("PATH")}
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
		seconds, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
		require.NoError(t, err)
		require.WithinDuration(t, time.Now().Add(offset), time.Unix(seconds, 0), 2*time.Minute)
	}
}

// Releases contain neither: only the production form of a drill uses them.
func TestMovedClock_IsUsedOnlyByTheProductionForm(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"../Dockerfile", "../release/pack.go", "../../Makefile", "../../docker-compose.yml", "../../.ci/run"} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, word := range []string{"-overlay", "LD_PRELOAD", movedclock.Variable, "movedclock"} {
			require.NotContains(t, string(text), word, path)
		}
	}
	for _, folder := range []string{"../../api", "../../worker", "../../pkg"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NotContains(t, string(text), movedclock.Variable, path)
			return nil
		}))
	}
}
