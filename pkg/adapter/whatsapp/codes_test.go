package whatsapp_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

// failure returns how a client judges Meta's answer.
func failure(t *testing.T, status int, body string, header ...string) *message.SendError {
	t.Helper()
	client, _, _ := answering(t, status, []byte(body), header...)
	ref, err := client.Send(t.Context(), reminder(""), time.Hour)
	require.Empty(t, ref)
	var f *message.SendError
	require.ErrorAs(t, err, &f, "%d %s", status, body)
	return f
}

func coded(code int) string { return fmt.Sprintf(`{"error":{"code":%d}}`, code) }

// The other codes of Meta's table. Their status alone would give another class.
func TestCode_EachOneOfMetasTable_HasItsClass(t *testing.T) {
	t.Parallel()
	for class, codes := range map[message.Class][]int{
		message.ClassRefused: {131030, 131050, 130472},
		message.ClassAccount: {
			33, 200, 201, 298, 299, 131005, 131037, 131045, 131057, 130497, 132007, 132016, 132068, 133010,
		},
		message.ClassUnavailable: {133004},
	} {
		for _, code := range codes {
			f := failure(t, http.StatusInternalServerError, coded(code))
			require.Equal(t, class, f.Class, "%d", code)
			require.False(t, f.Message, "%d is not about the text", code)
			require.Equal(t, strconv.Itoa(code), f.Code)
			require.Zero(t, f.RetryAfter, "%d", code)
		}
	}
	for _, code := range []int{131008, 131009, 131051, 132005, 132012, 132018} {
		f := failure(t, http.StatusInternalServerError, coded(code))
		require.Equal(t, message.ClassRefused, f.Class, "%d", code)
		require.True(t, f.Message, "%d is about the text: it is the same for everybody", code)
	}
	for _, code := range []int{199, 300, 34, 131007, 132002, 133011, 99, 101} { // next to the known ones
		require.Equal(t, message.ClassUnconfirmed, failure(t, http.StatusInternalServerError, coded(code)).Class, "%d", code)
	}
	limited := failure(t, http.StatusBadRequest, coded(4))
	require.Equal(t, message.ClassLimited, limited.Class)
	require.Equal(t, 5*time.Minute, limited.RetryAfter)
}

// The subcode tells a number of ours that is not there from a parameter that is wrong, under code 100 alone.
func TestCode100_Subcode33_IsAnAccountFault(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]message.Class{
		`{"error":{"code":100,"error_subcode":33}}`:    message.ClassAccount,
		`{"error":{"code":100,"error_subcode":32}}`:    message.ClassRefused,
		`{"error":{"code":131026,"error_subcode":33}}`: message.ClassRefused,
	} {
		require.Equal(t, want, failure(t, http.StatusBadRequest, body).Class, body)
	}
}

// A code that cannot be read leaves the status to decide, and never a code of ours.
func TestCode_Unreadable_IsJudgedByTheStatus(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"error":{"code":"131026"}}`, `{"error":{"code":131026.5}}`, `{"error":{"code":-131026}}`, `{"error":{"code":null}}`, `{"error":"131026"}`,
		`{"error":{"code":1e40}}`, `[{"error":{"code":131026}}]`, `{"error":{"code":131026}`,
	} {
		f := failure(t, http.StatusForbidden, body)
		require.Equal(t, message.ClassAccount, f.Class, body)
		require.Equal(t, "403", f.Code, body)
	}
}

func TestStatus_WithoutACode_HasItsClass(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]message.Class{
		300: message.ClassUnavailable, 307: message.ClassUnavailable, 399: message.ClassUnavailable, 400: message.ClassAccount, 408: message.ClassAccount,
		413: message.ClassAccount, 429: message.ClassLimited, 499: message.ClassAccount, 500: message.ClassUnconfirmed, 501: message.ClassUnavailable,
		502: message.ClassUnconfirmed, 503: message.ClassUnavailable, 504: message.ClassUnconfirmed, 599: message.ClassUnconfirmed,
	} {
		f := failure(t, status, `{}`)
		require.Equal(t, want, f.Class, "%d", status)
		require.Equal(t, strconv.Itoa(status), f.Code)
	}
	for status, body := range map[int]string{201: `{}`, 204: ``, 299: `{"messages":[]}`} {
		require.Equal(t, message.ClassUnconfirmed, failure(t, status, body).Class, "%d: it may have been sent", status)
	}
	two := failure(t, http.StatusOK, `{"messages":[{"id":"a"},{"id":"b"}]}`)
	require.Equal(t, message.ClassUnconfirmed, two.Class, "of one message there are not two")
}

// The header's pause counts up to an hour; any other value leaves the code's own pause.
func TestRetryAfter_AnyHeader_IsAtMostAnHour(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Duration{
		"": 30 * time.Second, "0": 30 * time.Second, "-5": 30 * time.Second, "1.5": 30 * time.Second, "Wed, 21 Oct 2026 07:28:00 GMT": 30 * time.Second,
		"1": time.Second, " 29 ": 29 * time.Second, "3599": 3599 * time.Second, "3600": time.Hour, "3601": time.Hour, "9223372036854775807": time.Hour,
	} {
		f := failure(t, http.StatusBadRequest, coded(131056), "Retry-After", header)
		require.Equal(t, want, f.RetryAfter, header)
	}
	require.Equal(t, 5*time.Second, failure(t, http.StatusTooManyRequests, ``).RetryAfter)
	require.Zero(t, failure(t, http.StatusServiceUnavailable, ``, "Retry-After", "60").RetryAfter, "no limit, so it is tried again like any other")
}

// A template without values, or without a button, has no components of them: Meta refuses an empty one (132000).
func TestSend_TemplateWithoutValuesOrButton_OmitsThem(t *testing.T) {
	t.Parallel()
	for want, call := range map[string]message.WhatsAppCall{
		`{"name":"a","language":{"code":"en"}}`: {Name: "a", Language: "en"},
		`{"name":"a","language":{"code":"mr"},"components":[{"type":"body","parameters":[{"type":"text","text":"x"}]}]}`: {
			Name: "a", Language: "mr", Body: []string{"x"},
		},
		`{"name":"a","language":{"code":"en"},"components":[{"type":"button","sub_type":"url","index":"0","parameters":[{"type":"text","text":"code"}]}]}`: {
			Name: "a", Language: "en", Button: "code",
		},
	} {
		client, calls, bodies := answering(t, http.StatusOK, sample(t, "sent.json"))
		_, err := client.Send(t.Context(), message.Message{ID: id.New(), Mobile: "9876543210", OnWhatsApp: call}, time.Hour)
		require.NoError(t, err)
		require.Len(t, *calls, 1)
		var sent struct {
			Template json.RawMessage `json:"template"`
		}
		require.NoError(t, json.Unmarshal([]byte((*bodies)[0]), &sent))
		require.JSONEq(t, want, string(sent.Template))
	}
}

// Our table keeps a hundred bytes of Meta's id: a message with a longer one is known by our own id.
func TestSend_IDLongerThanAHundredBytes_IsDropped(t *testing.T) {
	t.Parallel()
	for length, want := range map[int]int{1: 1, 99: 99, 100: 100, 101: 0} {
		client, _, _ := answering(t, http.StatusOK, []byte(`{"messages":[{"id":"`+strings.Repeat("w", length)+`"}]}`))
		ref, err := client.Send(t.Context(), reminder(""), time.Hour)
		require.NoError(t, err)
		require.Len(t, ref, want)
	}
}

// The client makes one call for each Send: it does not repeat a message that may have been sent.
func TestSend_Failure_IsNotRetriedByTheClient(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusOK, http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusFound} {
		client, calls, _ := answering(t, status, []byte(`{}`), "Location", "/elsewhere", "Retry-After", "0")
		_, err := client.Send(t.Context(), reminder(""), time.Hour)
		require.Error(t, err)
		require.Len(t, *calls, 1, "%d", status)
	}
}
