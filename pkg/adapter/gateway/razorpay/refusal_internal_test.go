package razorpay

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRefusal_AmountBelowTheMinimum_IsFinal(t *testing.T) {
	t.Parallel()
	for _, description := range []string{"The amount must be at least INR 1.00", "The amount must be atleast INR 1.00", "Refund amount is less than INR 1.00"} {
		require.True(t, refused(http.StatusBadRequest, []byte(`{"error":{"code":"BAD_REQUEST_ERROR","description":"`+description+`"}}`)).final(), description)
	}
}

func TestRefusal_PendingOrUnreadable_DecidesNothing(t *testing.T) {
	t.Parallel()
	for body, decides := range map[string]bool{
		`{"error":{"code":"BAD_REQUEST_ERROR","reason":"insufficient_funds","description":"Not enough money"}}`:                  true,
		`{"error":{"code":"BAD_REQUEST_ERROR","reason":"payment_pending","description":"Payment is pending"}}`:                   false,
		`{"error":{"code":"BAD_REQUEST_ERROR","reason":"payment_timed_out","description":"Payment timed out"}}`:                  false,
		`{"error":{"code":"BAD_REQUEST_ERROR","description":"Request failed because another operation is already in progress"}}`: false,
		`<html>Bad Request</html>`: false,
	} {
		require.Equal(t, decides, refused(http.StatusBadRequest, []byte(body)).decides(), body)
	}
	require.False(t, refused(http.StatusConflict, []byte(`{"error":{"code":"BAD_REQUEST_ERROR"}}`)).decides())
}
