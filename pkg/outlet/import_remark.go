package outlet

import (
	"regexp"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/platform/sheet"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

// remarkHeadings are the words of headings of remarks.
const remarkHeadings = `remarks?|notes?|comments?|टिप्पणी|टिप्पणियाँ|टिप्पणियां|रिमार्क|रिमार्क्स|अभ्युक्ति`

// The words of remarks on the state of an outlet, in English and Hindi.
const (
	months = `(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b`
	mahine = `जनवरी|फ़रवरी|फरवरी|मार्च|अप्रैल|मई|जून|जुलाई|अगस्त|सितंबर|सितम्बर|अक्टूबर|अक्तूबर|नवंबर|नवम्बर|दिसंबर|दिसम्बर`
	year   = `(?:19|20)[0-9]{2}\b`
	// someTime is a month, a year or a date with its year. A day without a year may be a holiday.
	someTime = `(?:` + months + `|` + year + `|(?:on )?[0-9]{1,2}(?:st|nd|rd|th)?[ .-]` + months + `[ .'-]+[0-9]{2,4}\b|` +
		`(?:on )?[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{2,4}\b|(?:next|last|this) (?:week|month|quarter|year)\b)`
	since = ` (?:(?:in|from|since|by|after|end|of|early|mid|late|the) )*(?:` + someTime + `|(?:covid|lockdown)\b)`
	until = ` (?:(?:in|on|from|by|around|after|before|end|of|early|mid|late|the|[0-9]{1,2}(?:st|nd|rd|th)?) )*(?:` + someTime +
		`|(?:diwali|dussehra|dasara|holi|navratri|pongal|onam|ugadi|eid|christmas)\b)`
	soon       = `(?: shortly| soon|` + until + `)`
	thisOutlet = `(?:(?:this|the|our|new) )*(?:` + shops + ` )?(?:(?:is|was|has been|got|now|already|permanently|still|it is|status) )*`
	yahDukan   = `(?:(?:यह|अब|अभी|ही|` + dukans + `|` + mahine + `|[0-9]{4}|में|से|के बाद) )*`
)

var (
	// habits are words of opening hours, of weekly holidays and of what is over. A remark that has them says nothing clear.
	habits = regexp.MustCompile(norm.NFC.String(`(?i)\b(?:(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?)(?:days?)?|every|daily|weekly|week(?:end|day)s?|alternate|` +
		`[0-9]+ ?(?:[ap]\.?m|hrs?)|noon|nights?|mornings?|evenings?|afternoons?|lunch|break|hours?|timings?|holidays?|vacations?|festivals?|` +
		`summer|winter|monsoon|seasons?|till|until|to ` + months + `|never|re-?open\w*|again)\b|(?:रवि|सोम|मंगल|बुध|गुरु|बृहस्पति|शुक्र|शनि|इत)वार|` +
		`(?:^|\s)(?:बजे|सुबह|शाम|दोपहर|रात|रोज\S*|हर|प्रति\S*|छुट्टी|त्योहार|साप्ताहिक|कभी|फिर)(?:\s|$)`))
	// closedRemark matches a part of a remark that says only that the outlet is closed, since when and why.
	closedRemark = regexp.MustCompile(norm.NFC.String(`(?i)^` + thisOutlet + `(?:` + closedVerbs + `)(?: (?:down|permanently|forever|for good|now|already|operations?|completely))*` +
		`(?:$|` + since + `| (?:due to|because|owing to) )|` +
		`^(?:स्थायी रूप से |हमेशा के लिए |पूरी तरह )?` + yahDukan + `(?:स्थायी रूप से |हमेशा के लिए |पूरी तरह )?(?:` + band + `)` +
		`(?: (?:है|हैं|हो (?:गया|गई|गयी|चुका|चुकी)(?: है)?|कर (?:दिया|दी)(?: (?:गया|गई|गयी))?(?: है)?|पड़ा है|पड़ी है))?$`))
	// notYetRemark matches a part of a remark that says only that the outlet opens later.
	notYetRemark = regexp.MustCompile(norm.NFC.String(`(?i)^` + thisOutlet + `(?:(?:opening|launching|opens)` + soon + `|(?:coming soon|upcoming|under construction|fit[ -]?out)(?:$|` + until + `)|` +
		`(?:(?:(?:yet|about|going|expected|likely|planned|scheduled|due|set) )?to|will) (?:be )?(?:opened|open|launched|launch)(?:$|` + soon + `)|` +
		`(?:yet to|will) start(?:$|` + soon + `)|not yet (?:opened|open|started|launched|live)$|not (?:opened|open|launched)(?: yet)?$)|` +
		`^` + yahDukan + `(?:(?:जल्द|जल्दी|शीघ्र)(?: ही)? )?` +
		`(?:खुलेग[ाी]|खुलना है|खुलने वाल[ाी] है|खुल रह[ाी] है|शुरू होग[ाी]|निर्माणाधीन|नहीं खुल[ाी](?: है)?)$`))
	remarkParts = regexp.MustCompile(`[;,|()\n।]|\.(?:\s|$)|\s[–—-]\s`)
)

// remark returns the remarks on a row.
func (s *ImportSheet) remark(row sheet.Line) string {
	var all []string
	for i, heading := range s.Headings {
		if s.Line > 0 && i < len(row.Cells) && (s.Columns[i] == "" || s.Columns[i] == sheet.Ignored) && sheet.Named(remarkHeadings, heading) {
			all = append(all, row.Cells[i])
		}
	}
	return text.Digits(norm.NFC.String(strings.Join(all, ";")))
}

// readRemark takes the state of an outlet without a status from the remark, if that says it clearly.
func (d *Draft) readRemark(remark string) {
	if status := d.Values[FieldStatus]; status != "" && !nothing.MatchString(status) || habits.MatchString(remark) {
		return
	}
	closed, notYet := false, false
	for _, part := range remarkParts.Split(remark, -1) {
		part = strings.Join(strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" \t:\"!*", r) }), " ")
		closed = closed || closedRemark.MatchString(part)
		notYet = notYet || notYetRemark.MatchString(part)
	}
	switch {
	case forAWhile.MatchString(remark) && closedWords.MatchString(remark):
		d.setStatus(StatePaused, i18n.Mark("Taken from the remark"))
	case closed:
		d.Closed = true
	case notYet:
		d.setStatus(StatePlanned, i18n.Mark("Taken from the remark"))
	}
}

func (d *Draft) setStatus(to State, how string) {
	d.Values[FieldStatus] = string(to)
	d.Mended = append(d.Mended, Mend{FieldStatus, "", string(to), sentence(how)})
}
