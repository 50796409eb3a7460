package message

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// WhatsAppProvider is the name of the provider of messages by WhatsApp.
const WhatsAppProvider = "whatsapp"

// The languages in which messages go by WhatsApp, by Meta's codes.
const (
	English = "en"
	Hindi   = "hi"
)

// WhatsAppLanguages returns the languages in which every message by WhatsApp is registered.
func WhatsAppLanguages() []string { return []string{English, Hindi} }

// WhatsApp is how a message reads there: as a template of Meta's category utility, which tells of what somebody bought and
// promotes nothing. Its values are those of the SMS.
type WhatsApp struct {
	// Texts are by language. {1}, {2} and so on stand for the values that the body shows, in order.
	Texts map[string]WhatsAppText
	// Link is where the button leads: fixed, or ending in the tag of one value.
	Link string
	// Samples are values as Meta's reviewers see them, in order.
	Samples []string
}

// WhatsAppText is a body, and the label of the button below it.
type WhatsAppText struct{ Body, Button string }

// WhatsAppCall is what Meta is sent of a message: the name and language of the registered template, the values of its body and,
// if its link ends in one, the value of its button.
type WhatsAppCall struct {
	Name, Language string
	Body           []string
	Button         string
}

// onWhatsAppSuffix makes the name of a message by WhatsApp from that of the SMS that says the same.
const onWhatsAppSuffix = "_whatsapp"

// OnWhatsApp returns the name of the message by WhatsApp that says what the SMS says; ok is false if there is none.
func OnWhatsApp(name string) (onWhatsApp string, ok bool) {
	t, found := template(name)
	if !found || t.WhatsApp == nil {
		return "", false
	}
	return name + onWhatsAppSuffix, true
}

func whatsAppTemplate(name string) (Template, bool) {
	base, cut := strings.CutSuffix(name, onWhatsAppSuffix)
	if !cut {
		return Template{}, false
	}
	t, ok := template(base)
	return t, ok && t.WhatsApp != nil
}

// IsWhatsApp reports whether the template is that of a message by WhatsApp.
func IsWhatsApp(name string) bool {
	_, ok := whatsAppTemplate(name)
	return ok
}

// footer says how such messages are ended; Meta allows 60 characters of fixed text.
func footer(language string) string {
	if language == Hindi {
		return "ऐसे WhatsApp संदेश बंद करने के लिए STOP लिखकर भेजें।"
	}
	return "Reply STOP to end these messages by WhatsApp."
}

func (w WhatsApp) text(language string) (string, WhatsAppText) {
	if t, ok := w.Texts[language]; ok {
		return language, t
	}
	return English, w.Texts[English]
}

// shown returns how many values the body shows: the first ones.
func (t WhatsAppText) shown() int { return len(numbered.FindAllString(t.Body, -1)) }

// buttonValue returns the number of the value in which the link ends, 0 for none.
func (w WhatsApp) buttonValue() int {
	tag := numbered.FindStringSubmatch(w.Link)
	if tag == nil {
		return 0
	}
	n, err := strconv.Atoi(tag[1])
	if err != nil {
		return 0
	}
	return n
}

func (s Site) composeWhatsApp(m Message, t Template) Message {
	language, text := t.WhatsApp.text(m.Language)
	values := make([]string, len(m.Values))
	for i, value := range m.Values {
		values[i] = inLanguage(value, language)
	}
	m.Text = s.fill(text.Body, values) + "\n\n" + footer(language) + "\n\n" + text.Button + ": " + s.fill(t.WhatsApp.Link, m.Values)
	m.OnWhatsApp = WhatsAppCall{Name: t.Name, Language: language}
	if n := text.shown(); n <= len(values) {
		m.OnWhatsApp.Body = values[:n]
	}
	if n := t.WhatsApp.buttonValue(); n > 0 && n <= len(m.Values) {
		m.OnWhatsApp.Button = m.Values[n-1]
	}
	return m
}

var dated = regexp.MustCompile(`^(\d{1,2}) ([A-Z][a-z]{2,8}) (\d{4})$`)

// inLanguage writes a date in the language; other values are names and amounts, which stay as they are.
func inLanguage(value, language string) string {
	found := dated.FindStringSubmatch(value)
	if found == nil || language != Hindi {
		return value
	}
	month, ok := map[string]string{
		"Jan": "जनवरी", "Feb": "फ़रवरी", "Mar": "मार्च", "Apr": "अप्रैल", "May": "मई", "Jun": "जून", "Jul": "जुलाई",
		"Aug": "अगस्त", "Sep": "सितंबर", "Oct": "अक्टूबर", "Nov": "नवंबर", "Dec": "दिसंबर",
	}[found[2][:3]]
	if !ok {
		return value
	}
	return found[1] + " " + month + " " + found[3]
}

// HindiDate writes a date such as "20 Jan 2027" in Hindi.
func HindiDate(text string) string { return inLanguage(text, Hindi) }

// checkWhatsApp refuses what Meta would not send; the error contains no values.
func (s Site) checkWhatsApp(m Message, t Template) error {
	if len(m.Values) != len(t.Longest) {
		return fmt.Errorf("%s has %d variables, not %d", m.Template, len(t.Longest), len(m.Values))
	}
	for i, value := range m.Values {
		if n := utf8.RuneCountInString(value); n == 0 || n > MaxValue {
			return fmt.Errorf("variable %d of %s has %d characters; 1 to %d are sent", i+1, m.Template, n, MaxValue)
		}
		if strings.ContainsFunc(value, unicode.IsControl) || strings.Contains(value, "    ") || strings.Contains(value, "://") {
			return fmt.Errorf("variable %d of %s holds an address, a line break or many spaces", i+1, m.Template)
		}
	}
	if m.Text == "" || m.Text != s.Compose(m).Text {
		return fmt.Errorf("the text is not that of template %s", m.Template)
	}
	return nil
}

// Below stands what each message says by WhatsApp. Reminders that somebody should choose a plan are not here: Meta counts what
// persuades to buy as marketing.

func paymentOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Texts: map[string]WhatsAppText{
			English: {"Franchise 360 received your payment of {1} for {2}. Thank you. Your invoice is in your account.", "See your invoice"},
			Hindi:   {"Franchise 360 को आपका {1} का भुगतान मिला, जो {2} के लिए है। धन्यवाद। आपका इनवॉइस आपके खाते में है।", "इनवॉइस देखें"},
		},
		Link: "{url}/subscription_list", Samples: []string{"Rs 11,800.00", "Growth - Gold"},
	}
}

func debitPaidOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Texts: map[string]WhatsAppText{
			English: {"Franchise 360 debited {1} and renewed {2}, as you agreed. Thank you. Your invoice is in your account.", "See your invoice"},
			Hindi:   {"Franchise 360 ने आपकी सहमति के अनुसार {1} की कटौती की और {2} रिन्यू किया। धन्यवाद। आपका इनवॉइस आपके खाते में है।", "इनवॉइस देखें"},
		},
		Link: "{url}/subscription_list", Samples: []string{"Rs 11,800.00", "Growth - Gold"},
	}
}

func renewalOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Texts: map[string]WhatsAppText{
			English: {"Your Franchise 360 plan {1} ends on {2}. Your account shows how your store, outlets and add-ons go on.", "Open your account"},
			Hindi:   {"आपके Franchise 360 प्लान {1} की अवधि {2} को समाप्त होगी। आपका स्टोर, आउटलेट और ऐड-ऑन आगे कैसे चलेंगे, यह आपके खाते में लिखा है।", "अपना खाता खोलें"},
		},
		Link: "{url}/subscription_list", Samples: []string{"Growth - Gold", "30 September 2026"},
	}
}

func renewalLinkOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Texts: map[string]WhatsAppText{
			English: {
				"Your Franchise 360 plan {1} ends on {2}. Renewing it costs {3} with GST. The button leads to this payment without a log-in.",
				"Pay",
			},
			Hindi: {
				"आपके Franchise 360 प्लान {1} की अवधि {2} को समाप्त होगी। नवीनीकरण के लिए GST सहित {3} देने हैं। बटन बिना लॉग-इन के इसी भुगतान पर ले जाता है।",
				"भुगतान करें",
			},
		},
		Link: "{url}/p/{4}", Samples: []string{"Growth - Gold", "30 September 2026", "Rs 11,800.00", sampleCode},
	}
}

func graceLinkOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Texts: map[string]WhatsAppText{
			English: {
				"Your Franchise 360 plan {1} ended on {2} and still works. To keep it, {3} with GST are due by {4}. " +
					"The button leads to this payment without a log-in.", "Pay",
			},
			Hindi: {
				"आपके Franchise 360 प्लान {1} की अवधि {2} को समाप्त हो गई; वह अभी चल रहा है। उसे बनाए रखने के लिए GST सहित {3} का भुगतान {4} तक करना है। " +
					"बटन बिना लॉग-इन के इसी भुगतान पर ले जाता है।", "भुगतान करें",
			},
		},
		Link: "{url}/p/{5}", Samples: []string{"Growth - Gold", "30 September 2026", "Rs 11,800.00", "15 October 2026", sampleCode},
	}
}

func expiredLinkOnWhatsApp() *WhatsApp {
	return &WhatsApp{
		Texts: map[string]WhatsAppText{
			English: {
				"Your Franchise 360 plan {1} stopped after {2}, because it was not renewed. Your data are kept. " +
					"Using it again costs {3} with GST. The button leads to this payment without a log-in.", "Pay",
			},
			Hindi: {
				"आपका Franchise 360 प्लान {1} नवीनीकरण न होने के कारण {2} के बाद बंद हो गया। आपका डेटा सुरक्षित है। " +
					"उसे फिर से चलाने के लिए GST सहित {3} देने हैं। बटन बिना लॉग-इन के इसी भुगतान पर ले जाता है।", "भुगतान करें",
			},
		},
		Link: "{url}/p/{4}", Samples: []string{"Growth - Gold", "15 October 2026", "Rs 11,800.00", sampleCode},
	}
}

// sampleCode is a code as a reviewer sees it; it opens nothing.
const sampleCode = "AZrgwp8AehGPAEsdLD5RRAAAAAAAAAAAAAAAAA"
