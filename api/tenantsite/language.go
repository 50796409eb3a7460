package tenantsite

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/franchise360/franchise360/pkg/outlet"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
)

const (
	// languageName is the cookie with the reader's own choice, and the query that makes it.
	languageName = "language"
	languageLife = 365 * 24 * 60 * 60 // seconds
)

// say returns a text in the reader's language; it has to be a literal, from which the list of texts is made, or marked elsewhere.
func (r *request) say(english string, values ...string) string { return r.in.Say(english, values...) }

// again translates an English domain text, such as an error, into the reader's language.
func (r *request) again(sentence string) string { return again(r.in, sentence) }

func again(l i18n.Language, sentence string) string {
	return l.Resay(sentence, slices.Concat(outlet.Texts(), subscription.NoticeTexts()))
}

// titled is the title of a page of the store's.
func (r *request) titled(page string) string { return page + " – " + r.store.StoreName }

// reads returns the reader's language: their own choice, else the store owner's language. Without a store it is the browser's language.
func (r *request) reads() i18n.Language {
	if own := i18n.Language(r.read(r.named(languageName))); own.Known() {
		return own
	}
	if r.ref.TenantID != "" {
		return r.store.Language.Or()
	}
	wanted, _, err := language.ParseAcceptLanguage(r.c.GetHeader("Accept-Language"))
	if err != nil {
		return i18n.English
	}
	for _, tag := range wanted {
		if base, _ := tag.Base(); i18n.Language(base.String()).Known() {
			return i18n.Language(base.String())
		}
	}
	return i18n.English
}

// choose stores the language in the URL and redirects to the same page without it; false if the URL names none.
func (r *request) choose() bool {
	query := r.c.Request.URL.Query()
	chosen := i18n.Language(query.Get(languageName))
	if !chosen.Known() {
		return false
	}
	r.set(r.named(languageName), string(chosen), languageLife)
	query.Del(languageName)
	page := url.URL{Path: "/" + strings.Trim(r.c.Request.URL.Path, "/"), RawQuery: query.Encode()}
	r.see(page.String())
	return true
}

// otherLanguage is another language of the page.
type otherLanguage struct {
	Code i18n.Language
	Name string
}

func otherLanguages(than i18n.Language) []otherLanguage {
	var list []otherLanguage
	for _, l := range i18n.Languages() {
		if l != than {
			list = append(list, otherLanguage{l, l.In("the name of this language", "English")})
		}
	}
	return list
}
