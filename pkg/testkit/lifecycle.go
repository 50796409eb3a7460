package testkit

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq/pqerror"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/lifecycle"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// Rows says how a row of a table is put into a state.
type Rows struct {
	// Table is guarded by a constraint trigger of the name <Table>_transitions.
	Table string
	// Insert writes a row of the id $1 in the state $2, past foreign keys.
	Insert string
	// Set is what goes with a new state $2 in an UPDATE, for the checks of the table; empty for nothing.
	Set string
}

// RequireGuard tries every pair of states against the database: it has to let pass what the table allows, and to refuse all else.
// The states have to be those that the table's CHECK knows.
func RequireGuard[S ~string](t *testing.T, db *Database, table lifecycle.Table[S], rows Rows) {
	t.Helper()
	var check string
	require.NoError(t, db.Owner.Get(&check, `SELECT pg_get_constraintdef(oid) FROM pg_constraint
		WHERE conrelid = $1::regclass AND conname = $1 || '_state_check'`, rows.Table))
	var known []S
	for _, found := range regexp.MustCompile(`'(\w+)'`).FindAllStringSubmatch(check, -1) {
		known = append(known, S(found[1]))
	}
	require.ElementsMatch(t, table.States(), known, "%s knows other states", rows.Table)
	for _, from := range known {
		for _, to := range known {
			err := step(t.Context(), db.Owner, rows, string(from), string(to))
			if from == to || table.Allows(from, to) {
				require.NoError(t, err, "%s: %s → %s is allowed", rows.Table, from, to)
				continue
			}
			require.True(t, postgres.Violates(err, pqerror.CheckViolation, rows.Table+"_transitions"),
				"%s: %s → %s is refused: %v", rows.Table, from, to, err)
		}
	}
}

// step writes a row in one state and moves it to another, and leaves nothing behind. Two transactions, because a row of the same one
// would have its foreign keys checked.
func step(ctx context.Context, owner *sqlx.DB, rows Rows, from, to string) error {
	row := id.New()
	if err := pastForeignKeys(ctx, owner, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, rows.Insert, row, from)
		return err
	}); err != nil {
		return fmt.Errorf("insert: %w", err)
	}
	set := `state = $2`
	if rows.Set != "" {
		set += ", " + rows.Set
	}
	_, moved := owner.ExecContext(ctx, `UPDATE `+rows.Table+` SET `+set+` WHERE id = $1`, row, to)
	return errors.Join(moved, pastForeignKeys(ctx, owner, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM `+rows.Table+` WHERE id = $1`, row)
		return err
	}))
}

var (
	diagramBegins = regexp.MustCompile("(?m)^(\\w[^\n]*)\n+```mermaid\nstateDiagram-v2\n")
	diagramArrow  = regexp.MustCompile(`^\s*(\[\*\]|\w+) --> (\w+)(?:\s*:.*)?$`)
)

// RequireDiagram holds the arrows of a Mermaid diagram against the table. The line before the diagram begins with its title.
func RequireDiagram[S ~string](t *testing.T, file, title string, table lifecycle.Table[S]) {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(file))
	require.NoError(t, err)
	for _, at := range diagramBegins.FindAllStringSubmatchIndex(string(text), -1) {
		if !strings.HasPrefix(string(text[at[2]:at[3]]), title) {
			continue
		}
		body, _, closed := strings.Cut(string(text[at[1]:]), "```")
		require.True(t, closed)
		drawn := lifecycle.Table[S]{}
		for line := range strings.Lines(body) {
			arrow := diagramArrow.FindStringSubmatch(strings.TrimRight(line, "\n"))
			require.NotNil(t, arrow, "no arrow: %q", line)
			from := S(strings.TrimPrefix(arrow[1], "[*]"))
			drawn[from] = append(drawn[from], S(arrow[2]))
		}
		require.Equal(t, sorted(table), sorted(drawn), "the diagram of %s in %s is not the table", title, file)
		return
	}
	require.Fail(t, "no diagram", "%s has none of %s", file, title)
}

func sorted[S ~string](table lifecycle.Table[S]) lifecycle.Table[S] {
	out := lifecycle.Table[S]{}
	for from, next := range table {
		if len(next) > 0 {
			out[from] = slices.Sorted(slices.Values(next))
		}
	}
	return out
}

// RequireStatesMove fails where the package in the working directory sets a field State by hand instead of by its table.
func RequireStatesMove(t *testing.T) {
	t.Helper()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for _, left := range a.Lhs {
					field, ok := left.(*ast.SelectorExpr)
					require.False(t, ok && field.Sel.Name == "State", "%s: a state is set past its table", set.Position(a.Pos()))
				}
			}
			return true
		})
	}
}
