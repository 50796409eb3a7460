package einvoice_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/einvoice"
	"github.com/franchise360/franchise360/pkg/gstreturn"
	"github.com/franchise360/franchise360/pkg/invoice"
	"github.com/franchise360/franchise360/pkg/staff"
	"github.com/franchise360/franchise360/pkg/testkit/member"
)

func TestMonthsReturn_DocumentsWithoutRegistration_AreProblems(t *testing.T) {
	t.Parallel()
	b := setup(t)
	asha, err := member.Add(t.Context(), b.db.Owner, "asha", staff.RoleAdmin, b.clock.Now())
	require.NoError(t, err)
	returns := gstreturn.NewService(gstreturn.Options{
		DB: b.db.API, Clock: b.clock, Recorder: staff.NewRecorder(b.clock), GSTIN: "27AAPFU0939F1ZV",
		RegisterFrom: b.clock.Now().Add(-time.Hour),
	})
	problems := func(of invoice.Invoice) string {
		c, err := returns.Of(asha.Sign(t.Context()), gstreturn.MonthOf(of.IssuedAt))
		require.NoError(t, err)
		var found []string
		for _, one := range c.Problems {
			if strings.HasPrefix(one, of.Number+" ") {
				require.False(t, c.Sound())
				found = append(found, strings.TrimPrefix(one, of.Number+" "))
			}
		}
		return strings.Join(found, "; ")
	}
	const noInvoice = ": without a reference number it is no invoice (rule 48(5)), and "
	company, consumer := b.issue(t, registeredGSTIN), b.issue(t, "")
	require.Empty(t, problems(consumer), "a document to a consumer is not registered")
	require.Equal(t, "was never sent to the Invoice Registration Portal"+noInvoice+"the portal takes it for 30 more days", problems(company))

	b.portal.err = errors.New("the portal is down")
	require.Error(t, b.registrar.Register(t.Context(), company.ID))
	require.Equal(t, "waits for the Invoice Registration Portal"+noInvoice+"the portal takes it for 30 more days", problems(company))

	b.portal.err, b.portal.refusal = nil, &einvoice.RefusalError{Code: "3028", Message: "Buyer GSTIN is invalid"}
	require.Error(t, b.registrar.Register(t.Context(), company.ID))
	for days, left := range map[int]string{
		29: "the portal takes it for 1 more day", 30: "the portal takes it until today", 31: "its 30 days to be registered have passed",
	} {
		now := b.clock.Now()
		b.clock.Set(company.IssuedAt.AddDate(0, 0, days))
		require.Equal(t, "was refused by the Invoice Registration Portal"+noInvoice+left, problems(company))
		b.clock.Set(now)
	}

	b.portal.refusal = nil
	require.NoError(t, b.registrar.Register(t.Context(), company.ID))
	require.Empty(t, problems(company))

	forgotten := b.lostRegistration(t)
	require.Error(t, b.registrarAt(t, forgetfulPortal{portal: b.portal, code: "2150", irn: einvoice.IRNOf(forgotten)}).Register(t.Context(), forgotten.ID))
	require.Equal(t, "is registered, but its signed QR code has to be fetched from the portal", problems(forgotten))
}
