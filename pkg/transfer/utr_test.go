package transfer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/transfer"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
	"github.com/franchise360/franchise360/pkg/transfer/utr"
)

func TestUTR_WithinABanksText_IsTheNumberItself(t *testing.T) {
	t.Parallel()
	for want, spellings := range map[string][]string{
		"703912345678": {
			"P2A/703912345678", "P2A/703912345678/ASHA SWEETS", "IMPSP2A703912345678", "MMT/IMPS/703912345678/PF", "IMPS IN 703912345678", "UPI/CR/703912345678", "BY IMPS 703912345678 ASHA",
			"BY IMPS 7039 1234 5678", "UTR NO 703912345678", "７０３９１２３４５６７８", "७०३९१२३४५६७८", "Ref No. 703912345678",
		},
		"SBIN526039123456": {
			"INWARD NEFT SBIN526039123456", "NEFT*SBIN0000691*SBIN526039123456", "NEFT CR SBIN526039123456 ASHA", "0SBIN526039123456", "N/SBIN526039123456", "ＳBIN526039123456", "SBIN52603912345६",
			"SBIN 5260 3912 3456",
		},
		"HDFCR52027020800012345": {"RTGS-CR-HDFCR52027020800012345", "UTIB0000001HDFCR52027020800012345", "RTGS/HDFCR52027020800012345/ASHA"},
		"N308262123456789":       {"NEFT-N308262123456789-MEENA STORES"},
	} {
		for _, said := range spellings {
			require.Equal(t, want, utr.Clean(said), said)
		}
	}
}

// The other spelling is of the same money.
func TestEnterAll_UTRWithinABanksText_IsBookedOnce(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	row := func(said string) []statement.Row {
		return []statement.Row{{UTR: said, Amount: p.Amount, PaidAt: o.Clock.Now()}}
	}
	for _, said := range []string{"632712345678", "SBIN326324123456"} {
		_, err := o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, row(said), "Seen in the statement", "")
		require.NoError(t, err)
	}
	for _, said := range []string{"P2A/632712345678/ASHA", "MMT/IMPS/632712345678/PF", "BY IMPS 632712345678 ASHA", "６３２７１２３４５６７８", "INWARD NEFT SBIN326324123456", "NEFT*SBIN0000691*SBIN326324123456"} {
		_, err := o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, row(said), "Seen in the statement", "")
		require.ErrorIs(t, err, transfer.ErrUTRKnown, said)
	}
	told, err := o.service.TellUTR(t.Context(), o.Buyer, p.ID, "BY IMPS 632712345678 TO FRANCHISE")
	require.NoError(t, err)
	require.Equal(t, "632712345678", told.ToldUTR)
}

func TestUTR_WithOtherLettersOrSeveralNumbers_IsRefused(t *testing.T) {
	t.Parallel()
	o := open(t, nil)
	p := o.asks(o.Buyer)
	c := o.comes("AXISN42026112500011", 10_00)
	for said, want := range map[string]string{
		"SBІN526039123456": "another character", "703912345678आशा": "another character", "70391234567②А": "another character",
		"703912345678/912345678901": "several numbers", "ASHA/703912345678": "several numbers", "NEFT SBIN526039123456 HDFC526039123457": "several numbers", "12345": "6 to 35",
	} {
		_, err := o.desk.EnterAll(o.Asha.Sign(t.Context()), o.Asha, []statement.Row{{UTR: said, Amount: p.Amount, PaidAt: o.Clock.Now()}}, "Seen in the statement", "")
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), said)
		require.Contains(t, errs.As(err).Fields["credits[0]"][0], want, said)
		_, err = o.service.TellUTR(t.Context(), o.Buyer, p.ID, said)
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), said)
		require.Contains(t, errs.As(err).Fields["utr"][0], want, said)
		_, err = o.try(o.Asha, c, transfer.UseInput{Kind: transfer.UseReturn, UTR: said, Key: "return-0001"})
		require.Equal(t, errs.KindInvalid, errs.KindOf(err), said)
		require.Contains(t, errs.As(err).Fields["utr"][0], want, said)
	}
}
