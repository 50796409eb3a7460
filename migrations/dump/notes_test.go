package dump

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// noted reads the migrations, in the order of their names.
func noted(t *testing.T, texts ...string) notes {
	t.Helper()
	files := fstest.MapFS{"schema.txt": {Data: []byte("-- Not a migration.\nCREATE TABLE others (")}}
	for i, text := range texts {
		files[string(rune('1'+i))+".sql"] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + text)}
	}
	n, err := readNotes(files)
	require.NoError(t, err)
	return n
}

func TestNotes_CommentAboveAnObject_IsItsNote(t *testing.T) {
	t.Parallel()
	n := noted(t, `-- Plans are what is sold.
-- They never change.
CREATE TABLE plans (
    id uuid NOT NULL
);

-- Said of nothing: a line is between.

CREATE VIEW plan_names AS SELECT 1;
-- Whether it is.
CREATE OR REPLACE FUNCTION is_plan(p uuid) RETURNS boolean LANGUAGE sql AS $$ SELECT true $$;
-- Of a procedure.
CREATE PROCEDURE mend() LANGUAGE sql AS $$ SELECT 1 $$;
-- Counts.
CREATE UNLOGGED TABLE IF NOT EXISTS counts (
    n int
);
-- Indexes have none.
CREATE INDEX plans_id ON plans (id);
`)
	require.Equal(t, map[string][]string{
		"plans": {"Plans are what is sold.", "They never change."}, "is_plan": {"Whether it is."}, "mend": {"Of a procedure."}, "counts": {"Counts."},
	}, n.above)
	require.Empty(t, n.beside)
}

func TestNotes_ColumnComment_AboveOrOnItsLine(t *testing.T) {
	t.Parallel()
	n := noted(t, `CREATE TABLE plans (
    id uuid PRIMARY KEY,
    name text NOT NULL, -- as it is printed
    -- what it costs,
    -- in paise
    price_paise bigint NOT NULL,
    last text -- the last one has no comma
);
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$
    SELECT 1 -- no column
$$;
`, `ALTER TABLE plans
    ADD COLUMN note text, -- what staff wrote
    -- when it was
    ADD COLUMN noted_at timestamptz;
ALTER TABLE plans ADD COLUMN colour text NOT NULL DEFAULT '', ADD COLUMN size int;
ALTER TABLE plans ADD COLUMN weight int; -- in grams
    weight_of text, -- of no table
`)
	require.Equal(t, map[string]string{
		"plans.name": "as it is printed", "plans.price_paise": "what it costs, in paise", "plans.last": "the last one has no comma",
		"plans.note": "what staff wrote", "plans.noted_at": "when it was", "plans.weight": "in grams",
	}, n.beside)
}

// A function that is replaced keeps its comment, unless the replacement has one.
func TestNotes_ReplacedFunction_KeepsItsCommentUnlessReplaced(t *testing.T) {
	t.Parallel()
	n := noted(t, `-- First.
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
-- Of g.
CREATE FUNCTION g() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;
CREATE TABLE plans (
    name text -- the first
);
`, `-- Second.
CREATE OR REPLACE FUNCTION f() RETURNS int LANGUAGE sql AS $$ SELECT 2 $$;
CREATE OR REPLACE FUNCTION g() RETURNS int LANGUAGE sql AS $$ SELECT 2 $$;
CREATE TABLE plans (
    name text -- the second
);
`)
	require.Equal(t, map[string][]string{"f": {"Second."}, "g": {"Of g."}}, n.above)
	require.Equal(t, map[string]string{"plans.name": "the second"}, n.beside)
}
