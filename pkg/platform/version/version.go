// Package version says which release a program was built from.
package version

import "runtime/debug"

// release is set by the linker where an image is built: -X …/pkg/platform/version.release=v1.0.0.
var release string //nolint:gochecknoglobals // the linker sets nothing else

// String returns the release, else the commit that Go noted, else "development"; never nothing.
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
