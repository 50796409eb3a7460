package outlet_test

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// rowsExpected reads what the author of a dirty sheet expects of each row: its values, or the field that is wrong.
func rowsExpected(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open("testdata/import/" + name + ".expected.tsv")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	r := csv.NewReader(file)
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	require.NoError(t, err)
	return rows[1:]
}

// Given sheets that were written before their reader, then at least 95 of 100 rows are right at first, and every wrong row is named. Older
// sheets have no expected State and person.
func TestImport_DirtySheets_AreRead(t *testing.T) {
	t.Parallel()
	b := meet(t)
	imports, ref := outlet.NewImports(b.service, b.partners), b.store(t, "9876543210")
	all, right := 0, 0
	var states address.Directory
	require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, ref.FranchiserID, func(tx *sqlx.Tx) (err error) {
		states, err = address.DirectoryTx(t.Context(), tx)
		return err
	}))
	for _, file := range []string{
		"head-office.csv", "hindi.txt", "south.csv", "unicode.txt", "network.xlsx",
		"food.csv", "mithai.txt", "chai.xlsx", "salon.csv", "gym.csv", "books.csv", "learning.txt",
		"stalls.txt", "carwash.xlsx", "cloth.csv", "preschool.csv", "labs.csv", "coaching.txt", "kiosks.txt", "rolls.txt", "courier.csv", "accessories.xlsx", "driving.txt", "dental.csv", "furniture.csv", "momo.xlsx",
	} {
		raw, err := os.ReadFile("testdata/import/" + file)
		require.NoError(t, err)
		s, err := outlet.ReadImport(raw, nil, 0)
		require.NoError(t, err, file)
		require.False(t, s.Asks, file)
		p, err := imports.Check(t.Context(), ref, s.Drafts, false)
		require.NoError(t, err, file)
		expected := rowsExpected(t, strings.TrimSuffix(file, filepath.Ext(file)))
		require.Len(t, p.Rows, len(expected), file)
		for i, want := range expected {
			row := p.Rows[i]
			all++
			wrong := want[6]
			if wrong != "" {
				require.Contains(t, row.Errors, outlet.ImportField(wrong), "%s line %d: %v", file, row.Line, row.Values)
				require.NotEmpty(t, row.Errors[outlet.ImportField(wrong)].English)
			}
			got := row.Values
			differs := ""
			for k, f := range []outlet.ImportField{outlet.FieldName, outlet.FieldCity, outlet.FieldPIN, outlet.FieldPhone, outlet.FieldPartnerMobile} {
				value := []string{want[0], want[1], want[3], want[4], want[5]}[k]
				if (wrong == "" || string(f) != wrong && wrong != "name") && got[f] != value {
					differs += fmt.Sprintf(" %s %q not %q", f, got[f], value)
				}
			}
			if len(want) > 7 {
				state, _ := states.State(want[2])
				if got[outlet.FieldState] != state.Name || wrong != "name" && got[outlet.FieldPartnerName] != want[7] {
					differs += fmt.Sprintf(" State %q, person %q", got[outlet.FieldState], got[outlet.FieldPartnerName])
				}
			}
			if wrong == "" && row.Wrong() {
				differs += fmt.Sprint(" wrong ", row.Errors, row.Problem)
			}
			if differs != "" {
				t.Logf("%s line %d:%s", file, row.Line, differs)
				continue
			}
			right++
		}
	}
	t.Logf("%d of %d rows are right at first", right, all)
	require.GreaterOrEqual(t, right*100, all*95)
}
