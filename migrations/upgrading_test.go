package migrations_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
)

// takesAway matches statements that remove what a release running alongside the migration may need, or that block others.
var takesAway = regexp.MustCompile(`(?im)^\s*(DROP |LOCK |TRUNCATE |CREATE (UNIQUE )?INDEX)|DROP COLUMN|RENAME|SET NOT NULL|ALTER COLUMN \w+ TYPE`)

// UPGRADING.md must list what a migration requires of the operator: every migration after the first schema that removes
// something.
func TestWhatAMigrationTakesAwayStandsInTheUpgradeNotes(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../UPGRADING.md")
	require.NoError(t, err)
	rows := regexp.MustCompile("(?m)^\\| `(\\d{4}_\\w+)` \\| (\\S.*) \\| (\\S.*) \\|$").FindAllStringSubmatch(string(text), -1)
	noted := map[string]bool{}
	for _, row := range rows {
		_, err := fs.Stat(migrations.Files(), row[1]+".sql")
		require.NoError(t, err, "a note on a migration that is none")
		noted[row[1]] = true
	}
	require.NotEmpty(t, noted)
	files, err := fs.Glob(migrations.Files(), "0[2-9]*.sql")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		sql, err := fs.ReadFile(migrations.Files(), file)
		require.NoError(t, err)
		up, _, _ := strings.Cut(string(sql), "-- +goose Down")
		if found := takesAway.FindString(up); found != "" {
			require.True(t, noted[strings.TrimSuffix(file, ".sql")], "%s: %q is not in UPGRADING.md", file, strings.TrimSpace(found))
		}
	}
}
