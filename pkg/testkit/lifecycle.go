package testkit

import (
	"cmp"
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

// Rows describes how to put a row of a table into a state.
type Rows struct {
	// Table is guarded by a constraint trigger named <Table>_transitions.
	Table string
	// Key is the column that identifies a row, id unless it is set.
	Key string
	// Insert inserts a row with the id $1 in the state $2, bypassing foreign keys.
	Insert string
	// Set is what else an UPDATE to the new state $2 must set to satisfy the table's checks; empty for nothing.
	Set string
}

// RequireGuard tries every pair of states, and every initial state, against the database: it must accept what the table
// allows and refuse everything else. The states must be those in the table's CHECK.
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
	for _, first := range known {
		for _, role := range []string{RoleAPI, RoleWorker} {
			err := begin(t.Context(), db.Owner, rows, role, string(first))
			if table.Allows("", first) {
				require.NoError(t, err, "%s: %s may begin one as %s", rows.Table, role, first)
				continue
			}
			require.True(t, postgres.Violates(err, pqerror.CheckViolation, rows.Table+"_first_state"),
				"%s: %s begins none as %s: %v", rows.Table, role, first, err)
		}
	}
}

// begin inserts a row in an initial state as a role that may see and write every row, and rolls back.
func begin(ctx context.Context, owner *sqlx.DB, rows Rows, role, state string) error {
	errNothing := errors.New("nothing stays")
	err := pastForeignKeys(ctx, owner, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `ALTER TABLE `+rows.Table+` DISABLE ROW LEVEL SECURITY;
			GRANT ALL ON `+rows.Table+` TO `+role+`; SET LOCAL ROLE `+role); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, rows.Insert, id.New(), state); err != nil {
			return err
		}
		return errNothing
	})
	if errors.Is(err, errNothing) {
		return nil
	}
	return err
}

// step inserts a row in one state and moves it to another, and leaves nothing behind. It takes two transactions,
// because the foreign keys of a row from the same transaction would be checked.
func step(ctx context.Context, owner *sqlx.DB, rows Rows, from, to string) error {
	row := id.New()
	if err := pastForeignKeys(ctx, owner, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, rows.Insert, row, from)
		return err
	}); err != nil {
		return fmt.Errorf("insert: %w", err)
	}
	set, key := `state = $2`, cmp.Or(rows.Key, "id")
	if rows.Set != "" {
		set += ", " + rows.Set
	}
	_, moved := owner.ExecContext(ctx, `UPDATE `+rows.Table+` SET `+set+` WHERE `+key+` = $1`, row, to)
	return errors.Join(moved, pastForeignKeys(ctx, owner, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM `+rows.Table+` WHERE `+key+` = $1`, row)
		return err
	}))
}

var (
	diagramBegins = regexp.MustCompile("(?m)^(\\w[^\n]*)\n+```mermaid\nstateDiagram-v2\n")
	diagramArrow  = regexp.MustCompile(`^\s*(\[\*\]|\w+) --> (\w+)(?:\s*:.*)?$`)
)

// RequireDiagram compares the arrows of a Mermaid diagram with the table. The line before the diagram begins with its title.
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

// RequireStatesMove fails if the package in the working directory sets a State field directly instead of through its
// table.
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
