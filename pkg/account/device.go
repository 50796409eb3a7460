package account

import (
	"strings"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
)

const (
	aBrowser        = "A browser"
	browserOnSystem = "{1} on {2}"
)

// DeviceTexts returns the texts of which Device consists, beside proper names.
func DeviceTexts() []string { return []string{i18n.Mark(aBrowser), i18n.Mark(browserOnSystem)} }

// Device describes the browser and system of a user agent in words; an unknown one is "A browser".
func Device(userAgent string) string {
	browser := firstOf(userAgent, aBrowser, [][2]string{
		{"Edg", "Edge"},
		{"OPR/", "Opera"},
		{"SamsungBrowser", "Samsung Internet"},
		{"Firefox/", "Firefox"},
		{"FxiOS", "Firefox"},
		{"CriOS", "Chrome"},
		{"Chrome/", "Chrome"},
		{"Safari/", "Safari"},
	})
	system := firstOf(userAgent, "", [][2]string{
		{"Android", "Android"},
		{"iPhone", "iPhone"},
		{"iPad", "iPad"},
		{"Windows", "Windows"},
		{"Mac OS X", "Mac"},
		{"CrOS", "ChromeOS"},
		{"Linux", "Linux"},
	})
	if system == "" {
		return browser
	}
	return i18n.Fill(browserOnSystem, []string{browser, system})
}

// firstOf returns the word for the first mark that s contains.
func firstOf(s, otherwise string, words [][2]string) string {
	for _, w := range words {
		if strings.Contains(s, w[0]) {
			return w[1]
		}
	}
	return otherwise
}
