package migrations_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/migrations"
)

// afterFirstRelease is the lowest number of a file that changes a database with customers. Earlier files make an empty one.
const afterFirstRelease = 1000

// smallTables never have more rows than an index reads within milliseconds, and no purchase writes to them.
func smallTables() []string { return []string{"alert_deliveries", "newsletter_subscriptions"} }

var (
	comments    = regexp.MustCompile(`--[^\n]*`)
	madeTables  = regexp.MustCompile(`(?i)\bCREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w.]+)`)
	madeIndexes = regexp.MustCompile(`(?is)\bCREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?.*?\bON\s+(?:ONLY\s+)?([\w.]+)`)
	changes     = regexp.MustCompile(`(?is)\bALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?("[^"]+"|[\w.]+)([^;]*)(?:;|$)`)
	texts       = regexp.MustCompile(`'(?:[^']|'')*'`)
	ownIndex    = regexp.MustCompile(`(?i)\b(?:UNIQUE|PRIMARY\s+KEY|EXCLUDE)\b`)
	givenIndex  = regexp.MustCompile(`(?i)\b(?:UNIQUE|PRIMARY\s+KEY)\s+USING\s+INDEX\b`)
)

// blockingIndexes returns the indexes that a migration builds while it blocks writers.
func blockingIndexes(text string) []string {
	alone := strings.Contains(text, "-- +goose NO TRANSACTION")
	text = texts.ReplaceAllString(comments.ReplaceAllString(text, ""), "''")
	free := smallTables()
	for _, made := range madeTables.FindAllStringSubmatch(text, -1) {
		free = append(free, made[1])
	}
	var problems []string
	for _, index := range madeIndexes.FindAllStringSubmatch(text, -1) {
		concurrent, table := index[1] != "", index[2]
		switch {
		case concurrent && !alone:
			problems = append(problems, table+": CONCURRENTLY needs -- +goose NO TRANSACTION")
		case !concurrent && !slices.Contains(free, table):
			problems = append(problems, table+": an index without CONCURRENTLY")
		}
	}
	for _, changed := range changes.FindAllStringSubmatch(text, -1) {
		if ownIndex.MatchString(givenIndex.ReplaceAllString(changed[2], "")) && !slices.Contains(free, changed[1]) {
			problems = append(problems, changed[1]+": a constraint that makes its index; use USING INDEX")
		}
	}
	return problems
}

func TestMigrations_IndexOfAnExistingTable_IsMadeConcurrently(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(migrations.Files(), "*.sql")
	require.NoError(t, err)
	for _, name := range names {
		number, err := strconv.Atoi(name[:4])
		require.NoError(t, err)
		if number < afterFirstRelease {
			continue
		}
		text, err := fs.ReadFile(migrations.Files(), name)
		require.NoError(t, err)
		require.Empty(t, blockingIndexes(string(text)), "%s: see README.md, 4", name)
	}
}

func TestBlockingIndexes_EachForm_IsFound(t *testing.T) {
	t.Parallel()
	const alone = "-- +goose NO TRANSACTION\n"
	for name, c := range map[string]struct {
		text string
		bad  bool
	}{
		"plain":                    {"CREATE INDEX i ON payments (id);", true},
		"unique":                   {"create unique index i on payments (id);", true},
		"without a name":           {"CREATE INDEX ON payments (id);", true},
		"in a transaction":         {"CREATE INDEX CONCURRENTLY i ON payments (id);", true},
		"concurrent":               {alone + "CREATE INDEX CONCURRENTLY i ON payments (id);", false},
		"concurrent and unique":    {alone + "CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS i ON payments (id);", false},
		"of a new table":           {"CREATE TABLE fees (id int);\nCREATE INDEX i ON fees (id);", false},
		"of another table":         {"CREATE TABLE fees (id int);\nCREATE INDEX i ON payments (id);", true},
		"in a comment":             {"-- CREATE INDEX i ON payments (id);", false},
		"unique constraint":        {"ALTER TABLE payments ADD CONSTRAINT once UNIQUE (id);", true},
		"constraint of an index":   {"ALTER TABLE payments ADD CONSTRAINT once UNIQUE USING INDEX i;", false},
		"constraint of a new one":  {"CREATE TABLE fees (id int); ALTER TABLE fees ADD UNIQUE (id);", false},
		"constraint of a check":    {"ALTER TABLE payments ADD CONSTRAINT positive CHECK (id > 0);", false},
		"several changes of table": {"ALTER TABLE payments ADD COLUMN x int, ADD PRIMARY KEY (id);", true},
		"unique column":            {"ALTER TABLE payments ADD COLUMN utr text UNIQUE;", true},
		"unique column, defaults":  {"alter table only payments add utr text\n  not null default 'x' unique;", true},
		"named unique column":      {"ALTER TABLE payments ADD COLUMN utr text CONSTRAINT once UNIQUE;", true},
		"primary key column":       {"ALTER TABLE IF EXISTS payments ADD COLUMN IF NOT EXISTS no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY;", true},
		"unique with nulls":        {"ALTER TABLE payments ADD UNIQUE NULLS NOT DISTINCT (utr);", true},
		"named primary key":        {"ALTER TABLE payments ADD CONSTRAINT payments_key PRIMARY KEY (id);", true},
		"exclusion by default":     {"ALTER TABLE payments ADD CONSTRAINT apart EXCLUDE (id WITH =);", true},
		"exclusion by btree":       {"ALTER TABLE payments ADD EXCLUDE USING btree (id WITH =);", true},
		"quoted constraint":        {`ALTER TABLE payments ADD CONSTRAINT "once" UNIQUE (id);`, true},
		"without a semicolon":      {"ALTER TABLE payments ADD UNIQUE (id)", true},
		"primary key of an index":  {"ALTER TABLE payments ADD CONSTRAINT once PRIMARY KEY USING INDEX i;", false},
		"index and own constraint": {"ALTER TABLE payments ADD CONSTRAINT a UNIQUE USING INDEX i, ADD COLUMN utr text UNIQUE;", true},
		"column of a new table":    {"CREATE TABLE fees (id int);\nALTER TABLE fees ADD COLUMN utr text UNIQUE;", false},
		"inline in a new table":    {"CREATE TABLE fees (id int PRIMARY KEY, utr text UNIQUE, EXCLUDE USING gist (id WITH =));", false},
		"dropped constraint":       {"ALTER TABLE payments DROP CONSTRAINT payments_unique_once;", false},
		"word in a text":           {"ALTER TABLE payments ADD COLUMN kind text NOT NULL DEFAULT 'unique';", false},
		"word in a comment":        {"ALTER TABLE payments ADD COLUMN kind text; -- UNIQUE", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.bad, len(blockingIndexes(c.text)) > 0)
		})
	}
}
