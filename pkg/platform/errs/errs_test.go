package errs_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestError_Message_HidesItsCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("dial tcp 10.0.0.7:5432: password authentication failed for user franchise360_api")
	for name, err := range map[string]*errs.Error{
		"unavailable": errs.Unavailable(cause),
		"internal":    errs.Internal(cause),
		"because":     errs.New(errs.KindConflict, "price_changed", "The price has changed.").Because(cause),
		"of an alien": errs.As(cause),
		"wrapped":     errs.As(fmt.Errorf("list plans: %w", errs.Unavailable(cause))),
	} {
		require.NotEmpty(t, err.Message, name)
		require.NotContains(t, err.Message, "10.0.0.7", name)
		require.NotContains(t, err.Code, " ", "a code is one word: %s", name)
		require.Contains(t, err.Error(), "10.0.0.7", "logs need the cause: %s", name)
		require.ErrorIs(t, err, cause, name)
	}
	require.Equal(t, "not_found: Resource not found!", errs.NotFound().Error())
}

func TestConstructors_EachOne_HasItsKind(t *testing.T) {
	t.Parallel()
	for kind, err := range map[errs.Kind]*errs.Error{
		errs.KindMalformed:       errs.Malformed("no"),
		errs.KindInvalid:         errs.Invalid("no"),
		errs.KindNotFound:        errs.NotFound(),
		errs.KindUnauthenticated: errs.Unauthenticated(),
		errs.KindForbidden:       errs.Forbidden(),
		errs.KindRateLimited:     errs.RateLimited(time.Second),
		errs.KindUnavailable:     errs.Unavailable(io.EOF),
		errs.KindInternal:        errs.Internal(io.EOF),
	} {
		require.Equal(t, kind, err.Kind)
		require.Equal(t, kind, errs.KindOf(fmt.Errorf("outer: %w", err)), "however deep it is")
		require.Equal(t, kind == errs.KindInternal || kind == errs.KindUnavailable, errs.IsFault(err), kind)
	}
	require.Equal(t, errs.KindMalformed, errs.CardData().Kind)
	require.Equal(t, time.Second, errs.RateLimited(time.Second).RetryAfter)
}

func TestIsFault_UnavailableInternalAndUnknownErrors_AreFaults(t *testing.T) {
	t.Parallel()
	require.False(t, errs.IsFault(nil), "nothing failed")
	require.True(t, errs.IsFault(io.ErrUnexpectedEOF), "what nobody named is ours")
	require.True(t, errs.IsFault(context.DeadlineExceeded))
	require.True(t, errs.IsFault(fmt.Errorf("outer: %w", errs.Unavailable(io.EOF))))
	require.False(t, errs.IsFault(fmt.Errorf("outer: %w", errs.NotFound())))
	require.False(t, errs.IsFault(errs.NotFound().Because(io.EOF)), "its kind counts, not its cause's")
}

func TestIs_SameKindAndCode_Matches(t *testing.T) {
	t.Parallel()
	price := errs.New(errs.KindConflict, "price_changed", "The price has changed.")
	later := fmt.Errorf("pay: %w", price.Because(io.EOF).With("expected_total", 1180))
	require.ErrorIs(t, later, price, "cause and data do not matter")
	require.ErrorIs(t, later, io.EOF)
	require.NotErrorIs(t, later, errs.New(errs.KindConflict, "plan_changed", "The price has changed."))
	require.NotErrorIs(t, later, errs.New(errs.KindInvalid, "price_changed", "The price has changed."))
	require.NotErrorIs(t, io.EOF, price)
	require.NotErrorIs(t, price, io.EOF)
}

// Package-level errors are extended by many requests concurrently.
func TestError_Extended_LeavesTheDeclaredOneUnchanged(t *testing.T) {
	t.Parallel()
	declared := errs.Invalid("Look again.").Field("pin", "a").Field("pin", "b").Field("pin", "first").With("current", 1)
	changed := declared.Field("pin", "second").Field("city", "third").With("limit", 2).With("current", 3).Because(io.EOF)
	other := declared.Field("pin", "other")

	require.Equal(t, map[string][]string{"pin": {"a", "b", "first"}}, declared.Fields)
	require.Equal(t, map[string]any{"current": 1}, declared.Data)
	require.NoError(t, declared.Unwrap())
	require.Equal(t, map[string][]string{"pin": {"a", "b", "first", "second"}, "city": {"third"}}, changed.Fields)
	require.Equal(t, map[string]any{"current": 3, "limit": 2}, changed.Data)
	require.Equal(t, []string{"a", "b", "first", "other"}, other.Fields["pin"], "two copies share no memory")
	require.Equal(t, []string{"a", "b", "first", "second"}, changed.Fields["pin"])
}

func TestAs_ReturnsTheOutermostError(t *testing.T) {
	t.Parallel()
	inner := errs.NotFound()
	outer := errs.Unavailable(inner)
	require.Same(t, outer, errs.As(fmt.Errorf("a: %w", outer)))
	require.Equal(t, errs.KindInternal, errs.As(io.EOF).Kind)
	require.Equal(t, errs.KindUnavailable, errs.KindOf(errors.Join(io.EOF, outer)), "also among several")
}

func TestValidation_CollectsAllFieldsAndReportsTheFirst(t *testing.T) {
	t.Parallel()
	var v errs.Validation
	require.NoError(t, v.Err())
	require.True(t, v.Check(true, "mobile", "never said"))
	require.NoError(t, v.Err(), "a check that passes says nothing")

	require.False(t, v.Check(false, "pin", "Please enter a PIN code."))
	v.Add("email", "Please enter an e-mail.")
	v.Add("pin", "It has six digits.")
	err := errs.As(v.Err())
	require.Equal(t, errs.KindInvalid, err.Kind)
	require.Equal(t, "Please enter a PIN code.", err.Message)
	require.Equal(t, map[string][]string{
		"pin": {"Please enter a PIN code.", "It has six digits."}, "email": {"Please enter an e-mail."},
	}, err.Fields)
}
