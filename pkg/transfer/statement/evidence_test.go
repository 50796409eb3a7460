package statement_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/clock"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/transfer/statement"
)

const (
	sbiHead   = "Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance\n"
	valueHead = "Date,Value Date,Narration,Ref No,Withdrawal,Deposit\n"
)

// readDays returns the question and, for each credit, its day or its problem. chosen is a person's order for this file.
func readDays(t *testing.T, text string, chosen sheet.DayOrder) (asks statement.Asks, days []string) {
	t.Helper()
	var asked *statement.Layout
	if chosen != sheet.OrderUnknown {
		asked = &statement.Layout{Order: chosen}
	}
	s, err := statement.Read([]byte(text), asked, nothing, noon())
	require.NoError(t, err)
	for _, r := range s.Rows {
		days = append(days, cmp.Or(r.Problem, r.PaidAt.In(clock.IST).Format(time.DateOnly)))
	}
	return s.Asks, days
}

func TestStatementDays_EvidenceAgainstTheBanksOrder_AsksAndRefusesTheDeniedAnswer(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"value date":              sbiHead + "11/05/26,05 Nov 2026,NEFT,,,500.00,500.00\n",
		"value date of digits":    sbiHead + "11/05/2026,2026-11-05,NEFT,,,500.00,500.00\n",
		"number of NEFT":          sbiHead + "11/05/2026,11/05/2026,NEFT,SBIN326309123456,,500.00,500.00\n",
		"number of RTGS":          sbiHead + "11/05/26,11/05/26,RTGS,HDFCR52026110512105104,,500.00,500.00\n",
		"number of IMPS":          sbiHead + "11/05/26,11/05/26,IMPS/630912345678/ASHA,,,500.00,500.00\n",
		"number of a debit":       sbiHead + "11/06/26,11/06/26,NEFT,SBIN326310123456,100.00,,400.00\n11/05/26,11/05/26,NEFT,,,500.00,900.00\n",
		"day in the future":       sbiHead + "11/05/2026,11/05/2026,NEFT,,,500.00,1000.00\n10/12/2026,10/12/2026,NEFT,,,500.00,500.00\n",
		"period above":            "Statement from 01 Nov 2026 to 07 Nov 2026,,,,,,\n" + sbiHead + "11/05/2026,11/05/2026,NEFT,,,500.00,500.00\n",
		"period in two cells":     "From,11/01/2026,To,11/30/2026,,,\n" + sbiHead + "11/05/2026,11/05/2026,NEFT,,,500.00,500.00\n",
		"value date, own heading": valueHead + "11/05/2026,05-Nov-2026,NEFT,,,500.00\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asks, days := readDays(t, text, sheet.OrderUnknown)
			require.Equal(t, statement.AsksDayOrder, asks)
			require.Contains(t, days[0], "Say first")
			s, err := statement.Read([]byte(text), nil, nothing, noon())
			require.NoError(t, err)
			require.Contains(t, s.Notes, "Value dates, numbers (UTR), the period or days in the future deny that the day comes first.")
			asks, days = readDays(t, text, sheet.OrderDayFirst)
			require.Equal(t, statement.AsksDayOrder, asks, "the person can choose again")
			require.Contains(t, days[0], "The file denies the order")
			asks, days = readDays(t, text, sheet.OrderMonthFirst)
			require.Equal(t, statement.AsksNothing, asks)
			for _, day := range days {
				require.NotContains(t, day, "order")
			}
		})
	}
}

func TestStatementDays_EvidenceForTheBanksOrder_IsRead(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"none":                      sbiHead + "11/05/26,11/05/26,NEFT," + transferred + ",,500.00,500.00\n",
		"value date":                sbiHead + "11/05/26,12 May 2026,NEFT," + transferred + ",,500.00,500.00\n",
		"number":                    sbiHead + "11/05/2026,11/05/2026,NEFT,SBIN326131123456,,500.00,500.00\n",
		"period of either order":    "From 11/01/2026 to 11/07/2026,,,,,,\n" + sbiHead + "11/05/2026,11/05/2026,NEFT," + transferred + ",,500.00,500.00\n",
		"value date over a refund":  sbiHead + "11/05/2026,11 May 2026,REFUND OF SBIN326309123455," + transferred + ",,500.00,500.00\n",
		"number that names no date": sbiHead + "11/05/2026,11/05/2026,NEFT,CITIN26717459833,,500.00,500.00\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asks, days := readDays(t, text, sheet.OrderUnknown)
			require.Equal(t, statement.AsksNothing, asks)
			require.Equal(t, []string{"2026-05-11"}, days)
		})
	}
}

func TestStatementDays_EvidenceAgainstDaysOrHeadings_RefusesTheFile(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"days prove day first":   valueHead + "20/10/2026,,NEFT,,,500.00\n11/05/2026,05 Nov 2026,NEFT,,,500.00\n",
		"days prove month first": valueHead + "10/20/2026,,NEFT,,,500.00\n05/11/2026,05 Nov 2026,NEFT,,,500.00\n",
		"the heading states it":  "Date (DD/MM/YYYY),Narration,Ref No,Withdrawal,Deposit\n11/05/2026,NEFT,SBIN326309123456,,500.00\n",
		"a day in the future":    valueHead + "20/10/2026,,NEFT,,,500.00\n10/12/2026,,NEFT,,,500.00\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, days := readDays(t, text, sheet.OrderUnknown)
			for _, day := range days {
				require.Contains(t, day, "two orders")
			}
		})
	}
}

func TestStatementDays_OneLineDeniesAConfirmedOrder_IsAProblemOfThatLine(t *testing.T) {
	t.Parallel()
	_, days := readDays(t, valueHead+"06/10/2026,06/10/2026,NEFT,SBIN326279123456,,500.00\n11/05/2026,11/05/2026,REFUND,SBIN326309123456,,500.00\n", sheet.OrderDayFirst)
	require.Equal(t, "2026-10-06", days[0])
	require.Contains(t, days[1], "names another day")
	_, days = readDays(t, valueHead+"06/10/2026,06 Oct 2026,NEFT,SBIN326279123456,,500.00\n07/08/2026,,NEFT,,,500.00\n11/05/2026,05 Nov 2026,NEFT,,,500.00\n", sheet.OrderDayFirst)
	for _, day := range days {
		require.Contains(t, day, "The file denies the order", "value dates prove both orders")
	}
	_, days = readDays(t, valueHead+"05/11/2026,11/05/2026,NEFT,,,500.00\n", sheet.OrderDayFirst)
	require.Contains(t, days[0], "The file denies the order", "the value date is turned")
}

func TestStatementValueDate_NoCalendarHasIt_IsAProblem(t *testing.T) {
	t.Parallel()
	for _, value := range []string{"99/99/2026", "31/31/2026", "30/02/2026", "30-Feb-2026"} {
		_, days := readDays(t, valueHead+"2026-11-20,"+value+",NEFT,"+transferred+",,500.00\n", sheet.OrderUnknown)
		require.Equal(t, []string{"The value date is not understood."}, days, value)
	}
}

func TestStatementYears_TwoDigitsThatMayStandFirst_AreRefused(t *testing.T) {
	t.Parallel()
	month := func(form string, from, to int) (text string) {
		for d := from; d <= to; d++ {
			text += fmt.Sprintf(form, d, 304+d, d)
		}
		return text
	}
	const plain, slashes = "Date,Narration,Ref No,Withdrawal,Deposit\n", "26/11/%02d,UPI/CR/6%d12%06d/ASHA,,,500.00\n"
	for name, text := range map[string]string{
		"slashes":                   plain + month(slashes, 25, 25),
		"dots":                      plain + strings.ReplaceAll(month(slashes, 25, 25), "26/11/", "26.11."),
		"dashes":                    plain + strings.ReplaceAll(month(slashes, 25, 25), "26/11/", "26-11-"),
		"a month":                   plain + month(slashes, 20, 25),
		"a month without numbers":   plain + month("26/11/%02d,%d NEFT,SBIN32602512%04d,,500.00\n", 20, 25),
		"bank and numbers":          sbiHead + month("26/11/%02d,,IMPS/6%d12%06d/ASHA,,,500.00,\n", 25, 25),
		"bank and value date":       sbiHead + "26/11/25,2026-11-25,NEFT," + transferred + ",,500.00,500.00\n",
		"bank, other lines too old": sbiHead + "26/11/20,,NEFT,SBIN326324123456,,500.00,500.00\n26/11/25,,NEFT,SBIN326324123457,,500.00,1000.00\n",
		"name of the month":         plain + month("26-Nov-%02d,UPI/CR/6%d12%06d/ASHA,,,500.00\n", 25, 25),
		"heading":                   strings.Replace(plain, "Date", "Date (DD/MM/YY)", 1) + month(slashes, 25, 25),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, days := readDays(t, text, sheet.OrderUnknown)
			for _, day := range days {
				require.Contains(t, day, "two digits and may stand first")
			}
		})
	}
	for name, text := range map[string]string{
		"another day cannot begin with its year": plain + "25/11/26,NEFT," + transferred + ",,500.00\n03/11/26,RENT,,100.00,\n",
		"the line's number":                      plain + "25/11/26,NEFT,SBIN326329123456,,500.00\n",
		"the bank":                               sbiHead + "25/11/26,,NEFT," + transferred + ",,500.00,500.00\n",
		"the heading":                            strings.Replace(plain, "Date", "Date (DD/MM/YY)", 1) + "25/11/26,NEFT," + transferred + ",,500.00\n",
		"name of the month":                      plain + "25-Nov-26,NEFT," + transferred + ",,500.00\n",
	} {
		t.Run(name+" decides", func(t *testing.T) {
			t.Parallel()
			asks, days := readDays(t, text, sheet.OrderUnknown)
			require.Equal(t, statement.AsksNothing, asks)
			require.Equal(t, []string{"2026-11-25"}, days)
		})
	}
}
