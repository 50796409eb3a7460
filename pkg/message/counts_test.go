package message_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
)

// tally counts message outcomes.
type tally map[string]int

func (t tally) Message(template, outcome string) { t[template+" "+outcome]++ }

func TestSendCounts_EachTry_IsCountedByItsOutcome(t *testing.T) {
	t.Parallel()
	h, counted := newHouse(t, true), tally{}
	h.count(t, counted)
	h.first.answers = []*message.SendError{fails(message.ClassUnavailable, "500"), nil}
	m := code()
	require.NoError(t, h.sender.Send(t.Context(), m), "the second takes over")
	require.NoError(t, h.sender.Send(t.Context(), m), "it is not sent again")
	require.Equal(t, tally{"otp failed": 1, "otp accepted": 1}, counted)
}
