package address_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/address"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

// typedTexts are the fields of SaveInput that are stored as typed. The others are looked up or have a fixed form.
func typedTexts() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[address.SaveInput]()) {
		lookedUp := []string{"CountryID", "StateID", "CityID", "Zipcode", "GSTIN"}
		if field.Type.Kind() == reflect.String && !slices.Contains(lookedUp, field.Name) {
			names = append(names, field.Name)
		}
	}
	return names
}

func TestSave_EveryTypedText_IsNormalisedStoredReplacedAndExported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, suffix := range []string{"once", "again"} {
		in := input()
		for _, name := range typedTexts() {
			reflect.ValueOf(&in).Elem().FieldByName(name).SetString(name + "  " + suffix)
		}
		_, err := b.service.Save(t.Context(), b.own, in)
		require.NoError(t, err)
		stored, err := b.service.Of(t.Context(), b.own, b.own)
		require.NoError(t, err)
		var exported any
		require.NoError(t, postgres.InTenantTx(t.Context(), b.db.API, b.own, func(tx *sqlx.Tx) error {
			_, exported, err = address.PersonalData{}.ExportTx(t.Context(), tx, b.own)
			return err
		}))
		for _, name := range typedTexts() {
			require.Equal(t, name+" "+suffix, reflect.ValueOf(*stored).FieldByName(name).String(), name)
			field := reflect.ValueOf(exported).FieldByName(name)
			require.True(t, field.IsValid(), "the export has no %s", name)
			require.Equal(t, name+" "+suffix, field.String(), "the export of %s", name)
		}
	}
}

func TestSave_EveryTypedText_RefusesMarkup(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range typedTexts() {
		in := input()
		reflect.ValueOf(&in).Elem().FieldByName(name).SetString("<b>bold</b>")
		_, err := b.service.Save(t.Context(), b.own, in)
		require.Len(t, errs.As(err).Fields, 1, name)
	}
}
