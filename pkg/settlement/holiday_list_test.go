package settlement_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/settlement"
	"github.com/franchise360/franchise360/pkg/subscription"
)

func TestReadHolidays_EachForm(t *testing.T) {
	t.Parallel()
	holi := settlement.Holiday{Day: subscription.NewDay(2027, time.March, 22), Name: "Holi"}
	for name, file := range map[string]string{
		"plain": "2027-03-22,Holi\n", "comment": "# of 2027\n2027-03-22, Holi\n", "with headings": "S.No.;Date;Day;Holiday\n1;22-Mar-2027;Monday;Holi\n",
		"Hindi": "तारीख\tअवकाश\n22 March 2027\tHoli\n", "title above": "RBI holidays 2027\n\nDate,Occasion\n2027-03-22,Holi\n",
	} {
		list, err := settlement.ReadHolidays([]byte(file))
		require.NoError(t, err, name)
		require.Equal(t, []settlement.Holiday{holi}, list, name)
	}
	for name, file := range map[string]string{
		"two orders": "05/11/2027,Diwali\n", "no date": "Holi,2027-03-22\n", "one column": "Holi\n", "empty": "",
	} {
		_, err := settlement.ReadHolidays([]byte(file))
		require.Error(t, err, name)
	}
}
