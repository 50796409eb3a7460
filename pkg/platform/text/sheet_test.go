package text_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/text"
)

func TestSheet_StartsWithAByteOrderMark(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	sheet := text.NewSheet(&out)
	require.NoError(t, sheet.Write([]string{"नाम", "₹1,180"}))
	require.Empty(t, out.String(), "an answer may still become an error")
	sheet.Flush()
	require.NoError(t, sheet.Error())
	require.Equal(t, "\xEF\xBB\xBFनाम,\"₹1,180\"\n", out.String())

	gone := text.NewSheet(refusing{})
	gone.Flush()
	require.ErrorIs(t, gone.Error(), errGone)
}

var errGone = errors.New("the client is gone")

type refusing struct{}

func (refusing) Write([]byte) (int, error) { return 0, errGone }
