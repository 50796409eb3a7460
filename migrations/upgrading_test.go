package migrations_test

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
)

// takesAway matches statements that remove objects which a release running alongside the migration may need, or that block others.
var takesAway = regexp.MustCompile(`(?im)^\s*(DROP |LOCK |TRUNCATE |CREATE (UNIQUE )?INDEX)|DROP COLUMN|RENAME|SET NOT NULL|ALTER COLUMN \w+ TYPE`)

var upgradeNote = regexp.MustCompile("(?m)^\\| `(\\d{4}_\\w+)` \\| (\\S.*) \\| (\\S.*) \\|$")

// upgradeFaults returns the migrations after the first release that remove or block something without a note for the operator,
// and the notes on migrations that do not exist.
func upgradeFaults(files fs.FS, notes string) (faults []string, err error) {
	noted := map[string]bool{}
	for _, row := range upgradeNote.FindAllStringSubmatch(notes, -1) {
		if _, err := fs.Stat(files, row[1]+".sql"); err != nil {
			faults = append(faults, row[1]+": a note without a migration")
		}
		noted[row[1]] = true
	}
	names, err := fs.Glob(files, "[0-9]*.sql")
	if err != nil {
		return nil, fmt.Errorf("migrations: %w", err)
	}
	for _, name := range names {
		sql, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("migrations: %w", err)
		}
		number, err := strconv.Atoi(name[:4])
		if err != nil {
			return nil, fmt.Errorf("migrations: %w", err)
		}
		found := takesAway.FindString(string(sql))
		if number >= afterFirstRelease && found != "" && !noted[strings.TrimSuffix(name, ".sql")] {
			faults = append(faults, fmt.Sprintf("%s: %q has no note", name, strings.TrimSpace(found)))
		}
	}
	return faults, nil
}

func TestUpgradeNotes_EachMigrationThatRemovesOrBlocks_IsListed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../UPGRADING.md")
	require.NoError(t, err)
	faults, err := upgradeFaults(migrations.Files(), string(text))
	require.NoError(t, err)
	require.Empty(t, faults, "UPGRADING.md")
}

func TestUpgradeFaults_EachForm_IsFound(t *testing.T) {
	t.Parallel()
	const header = "| migration | what to do | back |\n|---|---|---|\n"
	for name, c := range map[string]struct {
		file, sql, notes string
		bad              bool
	}{
		"drops without a note":           {"1000_a", "DROP TABLE a;", header, true},
		"index without a note":           {"1000_a", "CREATE UNIQUE INDEX i ON a (b);", header, true},
		"column without a note":          {"1000_a", "ALTER TABLE a DROP COLUMN b;", header, true},
		"note without an answer":         {"1000_a", "DROP TABLE a;", header + "| `1000_a` | Nothing. |  |\n", true},
		"note without a migration":       {"1000_a", "SELECT 1;", header + "| `1001_b` | Nothing. | yes |\n", true},
		"drops with a note":              {"1000_a", "DROP TABLE a;", header + "| `1000_a` | Nothing. | yes |\n", false},
		"adds":                           {"1000_a", "CREATE TABLE a (b int);", header, false},
		"drops before the first release": {"0999_a", "DROP TABLE a;", header, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			faults, err := upgradeFaults(fstest.MapFS{c.file + ".sql": {Data: []byte(c.sql)}}, c.notes)
			require.NoError(t, err)
			require.Equal(t, c.bad, len(faults) > 0, faults)
		})
	}
}
