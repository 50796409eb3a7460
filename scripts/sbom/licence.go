package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// allowed lists the licences that may be shipped with a product under the Apache License 2.0: they require no more than
// including their text and, for the Mozilla Public License, publishing changes to its files; we change none.
func allowed() []string {
	return []string{
		"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC-BY-4.0", "CC0-1.0", "ISC", "MIT", "MIT-0", "MPL-2.0",
		"OFL-1.1", "Unlicense", "Zlib",
	}
}

// judged lists modules whose licence texts a person has read, because a program cannot classify them.
func judged() map[string]string {
	return map[string]string{
		"github.com/AndreasBriese/bbloom": "MIT AND CC0-1.0", // two licences as comments, one a public-domain dedication
	}
}

// covered is the percentage of a file's words that must match a known licence for the file to count as that licence.
const covered = 75

var licenceFile = regexp.MustCompile(`(?i)^(licen[sc]e|copying|unlicense)([-.].*)?$`)

// texts returns the licence files in the folder.
func texts(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("look for a licence: %w", err)
	}
	var files []string
	for _, entry := range entries {
		if entry.Type().IsRegular() && licenceFile.MatchString(entry.Name()) && !strings.HasSuffix(entry.Name(), ".go") {
			files = append(files, filepath.Join(folder, entry.Name()))
		}
	}
	return files, nil
}

// read determines a module's licences from their texts.
func read(folder string) (expression string, files []string, err error) {
	if files, err = texts(folder); err != nil {
		return "", nil, err
	}
	var found []string
	for _, file := range files {
		words, err := os.ReadFile(file)
		if err != nil {
			return "", nil, fmt.Errorf("read a licence: %w", err)
		}
		scanned := licensecheck.Scan(words)
		if scanned.Percent < covered {
			return fmt.Sprintf("unknown words in %s", filepath.Base(file)), files, nil
		}
		for _, match := range scanned.Match {
			found = append(found, match.ID)
		}
	}
	if len(found) == 0 {
		return "none", files, nil
	}
	slices.Sort(found)
	return strings.Join(slices.Compact(found), " AND "), files, nil
}

// refused returns an error for each part whose licence is not allowed.
func refused(image string, parts []part) []error {
	var problems []error
	for _, p := range parts {
		if !permitted(p.licence) {
			problems = append(problems, fmt.Errorf("%s: %s %s is under %q, which scripts/sbom/licence.go does not allow", image, p.name, p.version, p.licence))
		}
	}
	return problems
}

// permitted evaluates AND and OR without nested brackets, which is all that packages use.
func permitted(expression string) bool {
	expression = strings.Trim(expression, "()")
	if strings.ContainsAny(expression, "()") {
		return false
	}
	return slices.ContainsFunc(strings.Split(expression, " OR "), func(choice string) bool {
		return !slices.ContainsFunc(strings.Split(choice, " AND "), func(id string) bool { return !slices.Contains(allowed(), id) })
	})
}
