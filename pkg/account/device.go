package account

import "strings"

// Device describes the browser and system of a user agent in words; an unknown one is "a browser".
func Device(userAgent string) string {
	browser := firstOf(userAgent, "a browser", [][2]string{
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
		return strings.ToUpper(browser[:1]) + browser[1:]
	}
	return strings.ToUpper(browser[:1]) + browser[1:] + " on " + system
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
