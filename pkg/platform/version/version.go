// Package version reports which release a program was built from.
package version

import (
	"fmt"
	"io"
	"runtime/debug"
)

// release is set by the linker when an image is built: -X …/pkg/platform/version.release=v1.0.0.
var release string //nolint:gochecknoglobals // the linker can only set variables

// String returns the release, else the commit recorded by Go, else "development"; never "".
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(release, info)
}

func describe(release string, info *debug.BuildInfo) string {
	if release != "" {
		return release
	}
	if of := info.Main.Version; of != "" && of != "(devel)" {
		return of
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return setting.Value
		}
	}
	return "development"
}

// Told prints the version if the only argument is version, and reports whether it did.
func Told(arguments []string, out io.Writer) bool {
	if len(arguments) != 1 || arguments[0] != "version" {
		return false
	}
	_, err := fmt.Fprintln(out, String())
	return err == nil
}
