package logkeeper

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/scripts/admin/command"
)

// logkeeper runs the command as an operator does.
func logkeeper(t *testing.T, root, word string) error {
	t.Helper()
	call := command.Call{Getenv: func(name string) string { return map[string]string{"LOG_ROOT": root}[name] }, Out: io.Discard, Clock: clock.System{}}
	return Command().Run(t.Context(), call, word)
}

// kept is a root with two days of logs, of which the first is over.
func kept(t *testing.T) *keeper {
	t.Helper()
	now := time.Date(2026, 11, 29, 0, 30, 0, 0, time.UTC)
	k := &keeper{root: t.TempDir(), now: func() time.Time { return now }}
	for name, text := range map[string]string{
		"product/api-a-2026-11-28.jsonl": "yesterday\n", "product/worker-b-2026-11-28.jsonl": "yesterday, too\n",
		"product/api-a-2026-11-29.jsonl": "today\n", "proxy/access-2026-11-29T00-00-00.000-time.log.gz": "compressed by the proxy",
		"proxy/access.log": "today\n",
	} {
		k.write(t, name, text)
	}
	return k
}

func (k *keeper) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(k.root, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	old := k.now().Add(-time.Hour)
	require.NoError(t, os.Chtimes(path, old, old))
}

func (k *keeper) names(t *testing.T) []string {
	t.Helper()
	names, err := k.files("product/*", "proxy/*")
	require.NoError(t, err)
	return names
}

func TestKeeper_DayIsOver_FilesAreCompressedAndSealed(t *testing.T) {
	t.Parallel()
	k := kept(t)
	made, err := k.keep()
	require.NoError(t, err)
	require.Len(t, made, 3)
	require.Equal(t, []string{
		"product/api-a-2026-11-28.jsonl.gz", "product/api-a-2026-11-29.jsonl", "product/worker-b-2026-11-28.jsonl.gz",
		"proxy/access-2026-11-29T00-00-00.000-time.log.gz", "proxy/access.log",
	}, k.names(t))
	file, err := os.Open(filepath.Join(k.root, "product/api-a-2026-11-28.jsonl.gz"))
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	z, err := gzip.NewReader(file)
	require.NoError(t, err)
	text, err := io.ReadAll(z)
	require.NoError(t, err)
	require.Equal(t, "yesterday\n", string(text))

	again, err := k.keep()
	require.NoError(t, err)
	require.Empty(t, again, "a file is sealed once")
	last, err := k.verify()
	require.NoError(t, err)
	require.Equal(t, made[2], last)
}

func TestKeeper_FileStillGrows_IsLeftAlone(t *testing.T) {
	t.Parallel()
	k := kept(t)
	for _, name := range []string{"product/api-a-2026-11-28.jsonl", "proxy/access-2026-11-29T00-00-00.000-time.log.gz"} {
		require.NoError(t, os.Chtimes(filepath.Join(k.root, name), k.now(), k.now().Add(-time.Minute)))
	}
	made, err := k.keep()
	require.NoError(t, err)
	require.Len(t, made, 1)
}

func TestVerify_FirstDay_SaysThatNoFileIsSealed(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(root, "seals"), 0o700))
	var out strings.Builder
	call := command.Call{Getenv: func(string) string { return root }, Out: &out, Clock: clock.System{}}
	require.NoError(t, Command().Run(t.Context(), call, "verify"))
	require.Equal(t, "no file is sealed yet: a day's files are sealed after midnight (UTC)\n", out.String())
}

func TestVerify_FileOrSealIsTouched_NamesIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		touch func(t *testing.T, k *keeper)
		wants string
	}{
		"changed": {func(t *testing.T, k *keeper) {
			t.Helper()
			k.write(t, "product/api-a-2026-11-28.jsonl.gz", "other")
		}, "api-a-2026-11-28.jsonl.gz was changed"},
		"removed": {func(t *testing.T, k *keeper) {
			t.Helper()
			require.NoError(t, os.Remove(filepath.Join(k.root, "product/worker-b-2026-11-28.jsonl.gz")))
		}, "worker-b-2026-11-28.jsonl.gz was removed"},
		"seal changed": {func(t *testing.T, k *keeper) {
			t.Helper()
			k.replace(t, `"number":2,"at":"2026`, `"number":2,"at":"2025`)
		}, "seal 2 was changed"},
		"seal removed": {func(t *testing.T, k *keeper) {
			t.Helper()
			text, err := os.ReadFile(k.seals())
			require.NoError(t, err)
			_, rest, _ := strings.Cut(string(text), "\n")
			require.NoError(t, os.WriteFile(k.seals(), []byte(rest), 0o600))
		}, "seal 1 was changed"},
		"seal of another folder": {func(t *testing.T, k *keeper) {
			t.Helper()
			k.replace(t, "product/api", "../product/api")
		}, "seal 1 was changed"},
		"torn line": {func(t *testing.T, k *keeper) {
			t.Helper()
			k.replace(t, `"}`+"\n", "")
		}, "seal 1"},
		"chain deleted": {func(t *testing.T, k *keeper) {
			t.Helper()
			require.NoError(t, os.Remove(k.seals()))
		}, "worker-b-2026-11-28.jsonl.gz is not sealed"},
		"end of the chain cut off": {func(t *testing.T, k *keeper) {
			t.Helper()
			text, err := os.ReadFile(k.seals())
			require.NoError(t, err)
			first, _, _ := strings.Cut(string(text), "\n")
			require.NoError(t, os.WriteFile(k.seals(), []byte(first+"\n"), 0o600))
		}, "access-2026-11-29T00-00-00.000-time.log.gz is not sealed"},
		"file added without a seal": {func(t *testing.T, k *keeper) {
			t.Helper()
			k.write(t, "product/api-c-2026-11-27.jsonl.gz", "forged")
		}, "api-c-2026-11-27.jsonl.gz is not sealed"},
		"file never compressed": {func(t *testing.T, k *keeper) {
			t.Helper()
			k.write(t, "product/api-c-2026-11-27.jsonl", "left")
		}, "api-c-2026-11-27.jsonl is not sealed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kept(t)
			_, err := k.keep()
			require.NoError(t, err)
			for _, name := range k.names(t) { // the compressor dates them by the machine's clock
				require.NoError(t, os.Chtimes(filepath.Join(k.root, name), k.now(), k.now().Add(-time.Hour)))
			}
			c.touch(t, k)
			_, err = k.verify()
			require.ErrorContains(t, err, c.wants)
			require.Error(t, logkeeper(t, k.root, "verify"))
		})
	}
}

func TestVerify_EndOfChainAndItsFileAreGone_KnownSealShowsIt(t *testing.T) {
	t.Parallel()
	k := kept(t)
	made, err := k.keep()
	require.NoError(t, err)
	last := made[len(made)-1]
	_, err = k.verify(last.Hash)
	require.NoError(t, err)
	text, err := os.ReadFile(k.seals())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(k.seals(), text[:bytes.Index(text, []byte(`{"number":3`))], 0o600))
	require.NoError(t, os.Remove(filepath.Join(k.root, last.File)))
	_, err = k.verify()
	require.NoError(t, err, "the chain alone does not show it")
	_, err = k.verify(last.Hash)
	require.ErrorContains(t, err, "the seal "+last.Hash+" is gone")
}

func (k *keeper) replace(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(k.seals())
	require.NoError(t, err)
	require.Contains(t, string(text), from)
	require.NoError(t, os.WriteFile(k.seals(), []byte(strings.Replace(string(text), from, to, 1)), 0o600))
}

// pass lets days pass, each with a file of the proxy that is sealed.
func (k *keeper) pass(t *testing.T, days int) {
	t.Helper()
	for range days {
		next := k.now().AddDate(0, 0, 1)
		k.now = func() time.Time { return next }
		k.write(t, next.Format("proxy/access-2006-01-02T15-04-05.000-time.log.gz"), "a day")
		_, err := k.keep()
		require.NoError(t, err)
	}
}

// of returns how many compressed files of the day exist.
func (k *keeper) of(t *testing.T, patterns ...string) int {
	t.Helper()
	names, err := k.files(patterns...)
	require.NoError(t, err)
	return len(names)
}

func TestKeeper_After180Days_DeletesFilesAndKeepsTheChain(t *testing.T) {
	t.Parallel()
	k := kept(t)
	_, err := k.keep()
	require.NoError(t, err)
	for _, c := range []struct{ days, left int }{{180, 3}, {1, 0}} {
		k.pass(t, c.days)
		require.Equal(t, c.left, k.of(t, "product/*-28.jsonl.gz", "proxy/*2026-11-29*.gz"))
	}
	_, err = k.verify()
	require.NoError(t, err)
}

func TestKeeper_ClockIsWrongForAWhile_DeletesNothing(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]struct{ years, days int }{"181 days ahead": {0, 181}, "ten years ahead": {10, 0}, "in 1970": {-56, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := kept(t)
			_, err := k.keep()
			require.NoError(t, err)
			k.pass(t, 10)
			right, before := k.now(), len(k.names(t))
			k.now = func() time.Time { return right.AddDate(wrong.years, 0, wrong.days) }
			k.pass(t, 2) // the second look finds a seal of the wrong day
			k.now = func() time.Time { return right.AddDate(0, 0, 2) }
			k.pass(t, 1)
			require.Len(t, k.names(t), before+3)
			require.NoError(t, os.Remove(filepath.Join(k.root, "product/worker-b-2026-11-28.jsonl.gz")))
			_, err = k.verify()
			require.ErrorContains(t, err, "worker-b-2026-11-28.jsonl.gz was removed")
			k.pass(t, 180)
			require.Zero(t, k.of(t, "product/*-28.jsonl.gz"), "the wrong seals do not stop the deletion")
		})
	}
}

// A clock that goes back over midnight lets the product write to a day that is sealed.
func TestKeeper_DayComesAgain_KeepsBothParts(t *testing.T) {
	t.Parallel()
	k := kept(t)
	_, err := k.keep()
	require.NoError(t, err)
	read := func(name string) string {
		file, err := os.Open(filepath.Join(k.root, name))
		require.NoError(t, err)
		defer func() { _ = file.Close() }()
		z, err := gzip.NewReader(file)
		require.NoError(t, err)
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		return string(text)
	}
	for _, text := range []string{"again\n", "and again\n"} {
		k.write(t, "product/api-a-2026-11-28.jsonl", text)
		made, err := k.keep()
		require.NoError(t, err)
		require.Len(t, made, 1, "the further part has its own seal")
		require.Equal(t, text, read(made[0].File))
	}
	require.Equal(t, "yesterday\n", read("product/api-a-2026-11-28.jsonl.gz"))
	require.NotEmpty(t, read("product/api-a-2026-11-28.part3.jsonl.gz"))
	_, err = k.verify()
	require.NoError(t, err)

	k.write(t, "product/api-a-2026-11-28.jsonl", "yesterday\n") // a process died before it removed the file
	made, err := k.keep()
	require.NoError(t, err)
	require.Empty(t, made)
	require.Zero(t, k.of(t, "product/api-a-2026-11-28.jsonl", "product/*.new"))

	require.NoError(t, os.Remove(filepath.Join(k.root, "product/api-a-2026-11-28.jsonl.gz")))
	k.write(t, "product/api-a-2026-11-28.jsonl", "forged\n")
	made, err = k.keep()
	require.NoError(t, err)
	require.Equal(t, "product/api-a-2026-11-28.part4.jsonl.gz", made[0].File, "no file takes a sealed name")
}

// A process that dies while it writes a seal, or a full disk, leaves a line without an end.
func TestKeeper_LastSealTorn_WritesItAgain(t *testing.T) {
	t.Parallel()
	k := kept(t)
	made, err := k.keep()
	require.NoError(t, err)
	text, err := os.ReadFile(k.seals())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(k.seals(), text[:len(text)-20], 0o600))
	again, err := k.keep()
	require.NoError(t, err)
	require.Equal(t, made[2:], again)
	last, err := k.verify()
	require.NoError(t, err)
	require.Equal(t, made[2], last)
}

// A full disk stops the compression. Only the deletion of old files makes room again.
func TestKeeper_CompressionFails_OldFilesAreDeletedAllTheSame(t *testing.T) {
	t.Parallel()
	k := kept(t)
	_, err := k.keep()
	require.NoError(t, err)
	k.pass(t, 180)
	last := k.now()
	k.now = func() time.Time { return last.AddDate(0, 0, 1) }
	k.write(t, "product/api-a-2027-05-27.jsonl", "late")
	require.NoError(t, os.Mkdir(filepath.Join(k.root, "product/api-a-2027-05-27.jsonl.gz.new"), 0o700))
	_, err = k.keep()
	require.ErrorContains(t, err, "compress")
	require.Zero(t, k.of(t, "product/*-28.jsonl.gz"))
}

func TestHealth_LastLookIsOld_Fails(t *testing.T) {
	t.Parallel()
	k := kept(t)
	health := func() error {
		return logkeeper(t, k.root, "health")
	}
	require.Error(t, health(), "it never looked")
	k.now = time.Now
	_, err := k.keep()
	require.NoError(t, err)
	require.NoError(t, health())
	old := time.Now().Add(-healthyFor - time.Minute)
	require.NoError(t, os.Chtimes(k.seals(), old, old))
	require.Error(t, health())
}

func TestRun_RootIsRelativeOrEmpty_AsksForAnAbsolutePath(t *testing.T) {
	t.Parallel()
	for _, root := range []string{"", ".data/production/logs"} {
		err := logkeeper(t, root, "verify")
		require.EqualError(t, err, "LOG_ROOT must be the absolute path of the folder of logs", root)
	}
}

// A time server, for one question.
func timeServer(t *testing.T, answer func(question []byte) []byte) string {
	t.Helper()
	socket, err := (&net.ListenConfig{}).ListenPacket(t.Context(), "udp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	go func() {
		packet := make([]byte, 48)
		if n, from, err := socket.ReadFrom(packet); err == nil && n == len(packet) {
			_, _ = socket.WriteTo(answer(packet), from)
		}
	}()
	return socket.LocalAddr().String()
}

func TestClock_ServerIsAhead_FailsBeyondASecond(t *testing.T) {
	t.Parallel()
	at := func(ahead time.Duration, change func(answer []byte)) func([]byte) []byte {
		return func(question []byte) []byte {
			answer := make([]byte, 48)
			answer[0], answer[1] = 4<<3|4, 2
			copy(answer[24:], question[40:])
			now := binary.BigEndian.AppendUint64(nil, toNTP(time.Now().Add(ahead)))
			copy(answer[32:], now)
			copy(answer[40:], now)
			change(answer)
			return answer
		}
	}
	asIs := func([]byte) {}
	for name, c := range map[string]struct {
		answer func([]byte) []byte
		wants  string
	}{
		"an hour ahead":    {at(time.Hour, asIs), "differ by more than"},
		"an hour behind":   {at(-time.Hour, asIs), "differ by more than"},
		"unsynchronised":   {at(0, func(a []byte) { a[0] |= 3 << 6 }), "no right time"},
		"kiss of death":    {at(0, func(a []byte) { a[1] = 0 }), "no right time"},
		"another question": {at(0, func(a []byte) { a[24]++ }), "not to this question"},
		"not a server":     {at(0, func(a []byte) { a[0] = 4<<3 | 3 }), "not to this question"},
		"cut off":          {func([]byte) []byte { return []byte{4<<3 | 4} }, "no answer"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.ErrorContains(t, compareClocks(t.Context(), io.Discard, []string{timeServer(t, c.answer)}), c.wants)
		})
	}
	started := time.Now()
	behind, err := askClock(t.Context(), timeServer(t, at(time.Hour, asIs)), time.Now)
	require.NoError(t, err)
	require.InDelta(t, time.Hour, behind, float64(time.Since(started)+time.Millisecond))
	var out bytes.Buffer
	_ = compareClocks(t.Context(), &out, []string{timeServer(t, at(0, asIs))})
	require.Contains(t, out.String(), "behind")
}
