package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"
)

var sectionPattern = regexp.MustCompile(`(?m)^## `)

var versionPattern = regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$`)

// described verifies that the changelog has a dated, non-empty section for the version, right below an empty Unreleased
// section.
func described(version, changes string) error {
	if !versionPattern.MatchString(version) {
		return fmt.Errorf("%q is not a version, such as v1.2.0", version)
	}
	sections := sectionPattern.Split(changes, -1)
	if len(sections) < 3 || !strings.HasPrefix(sections[1], "[Unreleased]") {
		return errors.New("CHANGELOG.md has no Unreleased section with a version below it")
	}
	if strings.TrimSpace(strings.TrimPrefix(sections[1], "[Unreleased]")) != "" {
		return fmt.Errorf("CHANGELOG.md has changes under Unreleased: they belong to %s", version)
	}
	title, body, _ := strings.Cut(sections[2], "\n")
	number, date, _ := strings.Cut(title, " - ")
	if number != "["+strings.TrimPrefix(version, "v")+"]" {
		return fmt.Errorf("the newest version in CHANGELOG.md is %s, not %s", number, version)
	}
	if _, err := time.Parse(time.DateOnly, strings.TrimSpace(date)); err != nil {
		return fmt.Errorf("%s in CHANGELOG.md has no date: want ## %s - 2027-01-31", version, number)
	}
	if !strings.Contains(body, "\n- ") {
		return fmt.Errorf("CHANGELOG.md says nothing of %s", version)
	}
	return nil
}

// notes returns the newest version's section of the changelog, as the text of the release.
func notes(version, changes string) string {
	_, body, _ := strings.Cut(sectionPattern.Split(changes, -1)[2], "\n")
	return "# Franchise 360 " + version + "\n\n" + strings.TrimSpace(body) +
		"\n\n## Upgrading\n\nUPGRADING.md in the archive has the steps, and the migrations that need attention. `sha256sum -c SHA256SUMS` checks the files.\n"
}
