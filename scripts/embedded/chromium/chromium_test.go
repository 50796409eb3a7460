package chromium

import (
	"archive/tar"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"
)

func pack(t *testing.T, path string, content []byte) {
	t.Helper()
	var packed bytes.Buffer
	writer := brotli.NewWriter(&packed)
	_, err := writer.Write(content)
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	require.NoError(t, os.WriteFile(path, packed.Bytes(), 0o600))
}

func archive(t *testing.T, content string, names ...string) []byte {
	t.Helper()
	var packed bytes.Buffer
	writer := tar.NewWriter(&packed)
	for _, name := range names {
		require.NoError(t, writer.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o755, Size: int64(len(content))}))
		_, err := writer.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, writer.Close())
	return packed.Bytes()
}

func TestUnpackChromium_BrowserFindsItsLibraries(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pack(t, filepath.Join(dir, "al2023.tar.br"), archive(t, "a library", "lib/libx.so"))
	pack(t, filepath.Join(dir, "fonts.tar.br"), archive(t, "of another place", "fonts.conf", "fonts/x.ttf"))
	pack(t, filepath.Join(dir, "chromium.br"), []byte("#!/bin/sh\ncat \"${LD_LIBRARY_PATH%%:*}/libx.so\"; echo \" for $1\"\n"))
	target := filepath.Join(dir, "unpacked")
	require.NoError(t, unpackChromium(dir, target))
	link := filepath.Join(dir, "browser")
	require.NoError(t, os.Symlink(filepath.Join(target, "chromium"), link))
	for _, program := range []string{filepath.Join(target, "chromium"), link} {
		output, err := exec.CommandContext(t.Context(), program, "a page").Output()
		require.NoError(t, err)
		require.Equal(t, "a library for a page\n", string(output))
	}
	require.FileExists(t, filepath.Join(target, "fonts", "x.ttf"))
	fonts, err := os.ReadFile(filepath.Join(target, "fonts.conf"))
	require.NoError(t, err)
	require.Equal(t, fontList, string(fonts), "the package's own names folders of another place")
}

func TestUnpackChromium_PathOutsideItsFolder_IsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pack(t, filepath.Join(dir, "al2023.tar.br"), archive(t, "x", "../outside"))
	require.Error(t, unpackChromium(dir, filepath.Join(dir, "unpacked")))
	require.NoFileExists(t, filepath.Join(dir, "outside"))
	require.NoDirExists(t, filepath.Join(dir, "unpacked"))
}

// Not parallel: it changes the environment.
func TestChromium_Installed_IsUsed(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "chromium")
	require.NoError(t, os.WriteFile(own, []byte("#!/bin/sh\n"), 0o700))
	t.Setenv("PATH", dir)
	t.Setenv("CHROMIUM", "")
	found, err := Find(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, own, found)
	t.Setenv("CHROMIUM", "/another/browser")
	found, err = Find(t.Context(), dir)
	require.NoError(t, err)
	require.Equal(t, "/another/browser", found)
}
