package handler

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/account"
	"github.com/franchise360/franchise360/pkg/platform/errs"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/password"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// The errors of fields are in the language of the page, with their labels and numbers. The message stays English: the client translates the code.
func TestFail_PageInHindi_SaysFieldErrorsInHindi(t *testing.T) {
	t.Parallel()
	var v errs.Validation
	account.CheckNamedMobile(&v, "mobile", "New mobile number", "")
	password.Check(&v, "password", "Store password", "short")
	v.Add("store_name", "Store Name should be 50 characters at most")
	for language, want := range map[string]string{
		"hi": `{"mobile":["नया मोबाइल नंबर खाली नहीं हो सकता।"],"password":["पासवर्ड में कम से कम 8 अक्षर होने चाहिए"],"store_name":["स्टोर का नाम ज़्यादा से ज़्यादा 50 अक्षर का हो"]}`,
		"en": `{"mobile":["New mobile number can not be empty."],"password":["Password needs at least 8 characters"],"store_name":["Store Name should be 50 characters at most"]}`,
	} {
		c, rec := asking(t, http.MethodGet, "/", "", "Accept-Language", language)
		Fail(c, v.Err())
		var body struct {
			Message  string
			Messages json.RawMessage
		}
		require.NoError(t, json.Unmarshal(rec.Body.Bytes(), &body))
		require.JSONEq(t, want, string(body.Messages))
		require.Equal(t, "New mobile number can not be empty.", body.Message)
	}
}

// An answer speaks the language of the page that calls. Only sentences change, and a text that no translation has stays English.
func TestOK_PageInHindi_SaysSentencesInHindi(t *testing.T) {
	t.Parallel()
	data := map[string]any{
		"name": "Franchise extension", "labels": sentencesOf([]string{
			"Franchise extension × 2", "Growth · Apex, yearly", "Unused part of Start up · Expansion, Users extension, credit note to FP/26-27/000001",
			"Nothing to pay now. Your plan stays the same on 2 Dec 2026", "₹500 was due on the day this payment arrived. The other ₹20 is being refunded.",
			"10 more franchises", "within 5 to 7 working days", "What the operator added", "IGST 18%",
		}),
		"lines": []subscription.PreviewLine{{Label: "Total", Type: "total", Value: "₹1"}},
	}
	for language, want := range map[string]string{
		"hi": `{"status":true,"message":"आप लॉगआउट हो गए हैं।","data":{"labels":["फ्रैंचाइज़ एक्सटेंशन × 2","Growth · Apex, सालाना",` +
			`"Start up · Expansion, यूज़र एक्सटेंशन का बचा हिस्सा, FP/26-27/000001 का क्रेडिट नोट",` +
			`"अभी कुछ नहीं देना है। 2 दिसंबर 2026 को आपका प्लान वही रहेगा","जिस दिन यह भुगतान आया, उस दिन ₹500 देने थे। बाकी ₹20 वापस किए जा रहे हैं।",` +
			`"10 और फ्रैंचाइज़","5 से 7 कामकाजी दिन में","What the operator added","IGST 18%"],` +
			`"lines":[{"label":"कुल","type":"total","value":"₹1"}],"name":"Franchise extension"}}`,
		"en": `{"status":true,"message":"You are signed out.","data":{"labels":["Franchise extension × 2","Growth · Apex, yearly",` +
			`"Unused part of Start up · Expansion, Users extension, credit note to FP/26-27/000001",` +
			`"Nothing to pay now. Your plan stays the same on 2 Dec 2026","₹500 was due on the day this payment arrived. The other ₹20 is being refunded.",` +
			`"10 more franchises","within 5 to 7 working days","What the operator added","IGST 18%"],` +
			`"lines":[{"label":"Total","type":"total","value":"₹1"}],"name":"Franchise extension"}}`,
	} {
		c, rec := asking(t, http.MethodGet, "/", "", "Accept-Language", language)
		require.NoError(t, OK(c, i18n.Mark("You are signed out."), data))
		require.JSONEq(t, want, rec.Body.String())
	}
}
