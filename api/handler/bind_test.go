package handler

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/platform/errs"
)

func TestBind_HostileBody_IsRefused(t *testing.T) {
	t.Parallel()
	type input struct {
		Name string   `json:"name"`
		Age  int      `json:"age"`
		Tags []string `json:"tags"`
		City *string  `json:"city" null:"allowed"`
		Note *string  `json:"note" empty:"refused"`
		Of   *struct {
			Day string  `json:"day"`
			End *string `json:"end" null:"stated"`
		} `json:"of"`
	}
	for name, tc := range map[string]struct {
		body string
		want errs.Kind
	}{
		"fine":               {`{"name":"Asha","age":3,"tags":["a"]}`, ""},
		"emoji pair":         {`{"name":"\ud83d\ude00"}`, ""},
		"empty":              {``, errs.KindMalformed},
		"not an object":      {`[1]`, errs.KindMalformed},
		"null alone":         {`null`, errs.KindMalformed},
		"broken":             {`{"name":`, errs.KindMalformed},
		"two values":         {`{"name":"a"}{}`, errs.KindMalformed},
		"unknown field":      {`{"amount":1}`, errs.KindMalformed},
		"doubled field":      {`{"name":"a","name":"b"}`, errs.KindMalformed},
		"doubled other case": {`{"name":"a","NAME":"b"}`, errs.KindMalformed},
		"name in other case": {`{"NAME":"a"}`, errs.KindMalformed},
		"nested":             {`{"of":{"day":"x","end":null},"city":null}`, ""},
		"nested, not stated": {`{"of":{"day":"x"}}`, errs.KindInvalid},
		"nested, other case": {`{"of":{"Day":"x"}}`, errs.KindMalformed},
		"nested, unknown":    {`{"of":{"month":"x"}}`, errs.KindMalformed},
		"null":               {`{"name":null}`, errs.KindMalformed},
		"null in a list":     {`{"tags":[null]}`, errs.KindMalformed},
		"not filled":         {`{"note":""}`, errs.KindInvalid},
		"filled with spaces": {`{"note":"  "}`, errs.KindInvalid},
		"null, optional":     {`{"note":null}`, errs.KindMalformed},
		"object for a text":  {`{"name":{"a":1}}`, errs.KindMalformed},
		"list for an object": {`{"of":[1]}`, errs.KindMalformed},
		"wrong type":         {`{"age":"three"}`, errs.KindMalformed},
		"fraction":           {`{"age":1.5}`, errs.KindMalformed},
		"NUL":                {`{"name":"a\u0000b"}`, errs.KindMalformed},
		"lone surrogate":     {`{"name":"\ud800"}`, errs.KindMalformed},
		"lone low surrogate": {`{"name":"\udc00x"}`, errs.KindMalformed},
		"invalid UTF-8":      {"{\"name\":\"\xff\"}", errs.KindMalformed},
		"10,000 deep":        {`{"tags":` + strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000) + `}`, errs.KindMalformed},
		"10 MB":              {`{"name":"` + strings.Repeat("x", 10<<20) + `"}`, errs.KindTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, _ := gin.CreateTestContext(httptest.NewRecorder())
			c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(tc.body))
			c.Request.Header.Set("Content-Type", "application/json")
			var in input
			err := Bind(c, &in)
			if tc.want == "" {
				require.NoError(t, err)
				return
			}
			require.Error(t, err)
			require.Equal(t, tc.want, errs.KindOf(err))
		})
	}
}

func posted(body string) *gin.Context {
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/", strings.NewReader(body))
	c.Request.Header.Set("Content-Type", "application/json")
	return c
}

func TestBind_TypedNotations_AreNormalisedBeforeTheyAreChecked(t *testing.T) {
	t.Parallel()
	var in struct {
		Mobile typedMobile  `json:"mobile"`
		Code   typedCode    `json:"code"`
		PIN    typedPincode `json:"pin"`
		GSTIN  *typedGSTIN  `json:"gstin" null:"allowed"`
	}
	body := `{"mobile":"\u202a+91 (0) ९८७६५ 43210\u202c","code":"123-456","pin":"४११ ००१","gstin":"GSTIN: 27-AAPFU0939F-1ZV"}`
	require.NoError(t, Bind(posted(body), &in))
	require.Equal(t, "9876543210", string(in.Mobile))
	require.Equal(t, "123456", string(in.Code))
	require.Equal(t, "411001", string(in.PIN))
	require.Equal(t, "27AAPFU0939F1ZV", string(*in.GSTIN))
	require.Error(t, Bind(posted(`{"mobile":9876543210}`), &in), "a number is no text")
	require.NoError(t, Bind(posted(`{"gstin":null}`), &in))
}

type provedBody struct {
	CurrentCode string `json:"current_code"`
}

type provedLines struct {
	provedBody
	Reason string `json:"reason"`
	Lines  []struct {
		Amount int `json:"amount"`
	} `json:"lines"`
}

func TestBind_WrongType_NamesTheField(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"current_code":123456}`: "current_code", `{"reason":1}`: "reason", `{"lines":[{"amount":"x"}]}`: "lines.amount",
	} {
		c, _ := gin.CreateTestContext(httptest.NewRecorder())
		c.Request = httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", strings.NewReader(body))
		c.Request.Header.Set("Content-Type", "application/json")
		var in provedLines
		require.Contains(t, errs.As(Bind(c, &in)).Fields, want, body)
	}
}
