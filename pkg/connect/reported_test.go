package connect_test

import (
	"testing"

	"github.com/jmoiron/sqlx"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/connect"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/id"
	"github.com/franchise360/franchise360/pkg/platform/postgres"
)

func figures(sales, points int64) connect.Figures {
	return connect.Figures{SalesPaise: &sales, Points: &points}
}

func TestReport_SameKeyAndDayAgain_ReplacesTheNamedFigures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	erp, till := connect.Key{Label: "ERP"}, connect.Key{Label: "Till"}
	today := b.Today()
	for range 2 {
		require.NoError(t, b.service.Report(t.Context(), erp, b.Buyer, today, figures(1000, 5)))
	}
	customers := int64(0)
	require.NoError(t, b.service.Report(t.Context(), erp, b.Buyer, today, connect.Figures{NewCustomers: &customers}))
	require.NoError(t, b.service.Report(t.Context(), erp, b.Buyer, today, figures(900, 5)))
	require.NoError(t, b.service.Report(t.Context(), till, b.Buyer, today, figures(7, 0)))
	require.Equal(t, "ERP new_customers 0, ERP points 5, ERP sales_paise 900, Till points 0, Till sales_paise 7", b.Text(`
		SELECT string_agg(concat_ws(' ', key_label, name, value), ', ' ORDER BY key_label, name) FROM reported_figures`))
}

func TestReport_BadFiguresDayOrCustomer_IsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key, today := connect.Key{Label: "ERP"}, b.Today()
	for name, err := range map[string]error{
		"nothing":    b.service.Report(t.Context(), key, b.Buyer, today, connect.Figures{}),
		"negative":   b.service.Report(t.Context(), key, b.Buyer, today, figures(-1, 0)),
		"too much":   b.service.Report(t.Context(), key, b.Buyer, today, figures(0, 1_000_000_000_000_001)),
		"tomorrow":   b.service.Report(t.Context(), key, b.Buyer, today+1, figures(1, 1)),
		"a day gone": b.service.Report(t.Context(), key, b.Buyer, today-400, figures(1, 1)),
	} {
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), name)
	}
	for _, of := range []string{"x", id.New()} {
		require.ErrorIs(t, b.service.Report(t.Context(), key, of, today, figures(1, 1)), errs.NotFound(), of)
	}
	require.Zero(t, b.Count(`SELECT count(*) FROM reported_figures`))
	require.NoError(t, b.service.Report(t.Context(), key, b.Buyer, today-399, figures(1, 1)))
}

func TestReport_After400Days_DeletesTheOldFigures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	key := connect.Key{Label: "ERP"}
	require.NoError(t, b.service.Report(t.Context(), key, b.Buyer, b.Today(), figures(1, 1)))
	other := b.Franchiser("29")
	require.NoError(t, b.service.Report(t.Context(), key, other, b.Today(), figures(1, 1)))
	b.Clock.Advance(400 * 24 * 60 * 60 * 1e9)
	require.NoError(t, b.service.Report(t.Context(), key, b.Buyer, b.Today(), figures(2, 2)))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM reported_figures WHERE franchiser_id = $1`, b.Buyer))
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM reported_figures WHERE franchiser_id = $1`, other), "another account's stay")
}

func TestPersonalData_ReportedFigures_AreExportedAndErased(t *testing.T) {
	t.Parallel()
	b := setup(t)
	other := b.Franchiser("29")
	for _, of := range []string{b.Buyer, other} {
		require.NoError(t, b.service.Report(t.Context(), connect.Key{Label: "ERP"}, of, b.Today(), figures(1, 1)))
	}
	section := func() (data any) {
		require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.API, b.Buyer, func(tx *sqlx.Tx) error {
			name, found, err := connect.PersonalData{}.ExportTx(t.Context(), tx, b.Buyer)
			require.Equal(t, "reported_figures", name)
			data = found
			return err
		}))
		return data
	}
	require.Len(t, section(), 2)
	require.NoError(t, postgres.InTenantTx(t.Context(), b.DB.Worker, b.Buyer, func(tx *sqlx.Tx) error {
		return connect.PersonalData{}.EraseTx(t.Context(), tx, b.Buyer)
	}))
	require.Nil(t, section())
	require.Equal(t, 2, b.Count(`SELECT count(*) FROM reported_figures`), "another account's stay")
}
