package contact

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/mail"
	"net/textproto"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	gomessage "github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // reads charsets other than UTF-8
	gomail "github.com/emersion/go-message/mail"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/franchise360/franchise360/pkg/platform/filetype"
	"github.com/franchise360/franchise360/pkg/platform/text"
)

const (
	// MaxEmail is the largest e-mail that is taken, in bytes.
	MaxEmail = 12 << 20
	// maxText is how much of a message's text is kept, in characters, maxParts how many parts of an e-mail are read.
	maxText  = 20000
	maxParts = 100
	// maxReferences is how many ids of earlier messages an e-mail may name; further ones are ignored.
	maxReferences = 50
	maxAddress    = 254
	maxSubject    = 200
)

// inboundEmail is an e-mail as it was read.
type inboundEmail struct {
	// From is the address that the e-mail names, in lower case, or "". Nothing proves it.
	From, Name string
	// To are the addresses that the e-mail was sent to, References the ids of earlier messages, without angle brackets.
	To, References []string
	MessageID      string
	Subject        string
	Text, Quoted   string
	Files          []FileBody
	// Left is how many files were not kept.
	Left int
	// Returned is the id of our message that did not reach its recipient, as a mail server reports (RFC 3464), or "".
	Returned string
	// Automatic means that a program wrote it; Perhaps that it looks so, which is no reason to lose it.
	Automatic, Perhaps bool
}

// externalID identifies an e-mail by its Message-ID and its content: some programs give all messages the same id, and others omit the id.
// Redeliveries differ only in headers that mail servers add.
func externalID(raw []byte) (external, from string) {
	header, body := raw, []byte(nil)
	for _, end := range []string{"\r\n\r\n", "\n\n"} {
		if i := bytes.Index(raw, []byte(end)); i >= 0 && i < len(header) {
			header, body = raw[:i], raw[i+len(end):]
		}
	}
	read, err := mail.ReadMessage(bytes.NewReader(append(slices.Clone(header), "\r\n\r\n"...)))
	hash := sha256.New()
	messageID := ""
	if err == nil {
		messageID = bare(read.Header.Get("Message-Id"))
		if len(read.Header["From"]) == 1 { // RFC 5322 has one; a second one could be the authenticated one
			from = addressOf(read.Header.Get("From"))
		}
		_, _ = io.WriteString(hash, read.Header.Get("Date")+"\n"+from+"\n"+read.Header.Get("Subject")+"\n")
	} else {
		_, _ = hash.Write(header)
	}
	_, _ = hash.Write(bytes.TrimSpace(bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))))
	if len(messageID) > maxAddress {
		messageID = messageID[:maxAddress]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(messageID, "\x00", ""), "") + ":" + hex.EncodeToString(hash.Sum(nil)[:16]), from
}

// messageIDOf returns the Message-ID of an external id.
func messageIDOf(external string) string {
	if i := strings.LastIndexByte(external, ':'); i > 0 {
		return external[:i]
	}
	return ""
}

func bare(messageID string) string { return strings.Trim(strings.TrimSpace(messageID), "<>") }

func addressOf(field string) string {
	list, err := mail.ParseAddressList(field)
	if err != nil || len(list) != 1 {
		return ""
	}
	return cleanAddress(list[0].Address)
}

func cleanAddress(address string) string {
	address = strings.ToLower(strings.TrimSpace(address))
	if len(address) > maxAddress || !utf8.ValidString(address) || strings.ContainsFunc(address, unicode.IsControl) {
		return ""
	}
	return address
}

var angled = regexp.MustCompile(`<([^<>\s]{1,254})>`)

// readEmail reads an e-mail (RFC 5322). HTML is read as text, and unreadable parts are skipped.
func readEmail(raw []byte) (inboundEmail, error) {
	var l inboundEmail
	entity, err := gomessage.Read(bytes.NewReader(raw))
	if err != nil && !gomessage.IsUnknownCharset(err) && !gomessage.IsUnknownEncoding(err) {
		return l, err //nolint:wrapcheck // the caller only asks whether it could be read
	}
	l.readHeader(gomail.Header{Header: entity.Header})
	reader := gomail.NewReader(entity)
	plain, marked := "", ""
	kindOfAll, _, _ := entity.Header.ContentType()
	report, failed, returned := kindOfAll == "multipart/report", false, ""
	for range maxParts {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if part == nil && err != nil {
			l.Left++ // the rest is unreadable
			break
		}
		kind, file := partOf(part)
		body, err := io.ReadAll(io.LimitReader(part.Body, filetype.MaxBytes+1))
		switch {
		case err != nil && len(body) == 0:
			l.Left++
		case report && kind == "message/delivery-status":
			failed = refusedForGood(body)
		case report && (kind == "message/rfc822" || kind == "text/rfc822-headers"):
			if original, err := gomessage.Read(bytes.NewReader(body)); err == nil {
				returned = bare(original.Header.Get("Message-Id"))
			}
		case file == "" && kind == "text/plain":
			plain += string(body) + "\n"
		case file == "" && kind == "text/html":
			marked += textOfHTML(body) + "\n"
		case strings.HasPrefix(kind, "multipart/") || kind == "text/html" || len(body) == 0:
		default:
			l.keep(file, body)
		}
	}
	if failed {
		l.Returned = returned
	}
	if strings.TrimSpace(plain) == "" {
		plain = marked
	}
	l.Text, l.Quoted = fold(cleanMessage(plain))
	return l, nil
}

// refusedForGood reports whether a delivery status (RFC 3464) says that a recipient will not get the message.
func refusedForGood(status []byte) bool {
	for block := range strings.SplitSeq(strings.ReplaceAll(string(status), "\r\n", "\n"), "\n\n") {
		fields, err := textproto.NewReader(bufio.NewReader(strings.NewReader(block + "\n\n"))).ReadMIMEHeader()
		if err == nil && strings.EqualFold(fields.Get("Action"), "failed") && strings.HasPrefix(fields.Get("Status"), "5.") {
			return true
		}
	}
	return false
}

// partOf returns the part's type, and its file name if it is a file.
func partOf(part *gomail.Part) (kind, file string) {
	switch h := part.Header.(type) {
	case *gomail.AttachmentHeader:
		kind, _, _ = h.ContentType()
		if file, _ = h.Filename(); file == "" {
			file = "file"
		}
	case *gomail.InlineHeader:
		kind, _, _ = h.ContentType()
		if !strings.HasPrefix(kind, "text/") && !strings.HasPrefix(kind, "multipart/") {
			file = "picture"
		}
	}
	return kind, file
}

func (l *inboundEmail) keep(name string, body []byte) {
	kind, ok := sniffed(body)
	if !ok || len(body) > filetype.MaxBytes || len(l.Files) == maxFiles {
		l.Left++
		return
	}
	l.Files = append(l.Files, FileBody{File: File{Name: filetype.Name(name, kind), ContentType: kind, Size: len(body)}, Body: body})
}

func (l *inboundEmail) readHeader(h gomail.Header) {
	if list, err := h.AddressList("From"); err == nil && len(list) == 1 && len(h.Values("From")) == 1 {
		l.From, l.Name = cleanAddress(list[0].Address), list[0].Name
	}
	if subject, err := h.Subject(); err == nil {
		l.Subject = text.First(strings.Join(strings.Fields(cleanMessage(subject)), " "), maxSubject)
	}
	l.MessageID = bare(h.Get("Message-Id"))
	for _, name := range []string{"To", "Cc", "Delivered-To", "X-Original-To", "Envelope-To", "X-Forwarded-To"} {
		for fields := h.FieldsByKey(name); fields.Next(); {
			if list, err := mail.ParseAddressList(fields.Value()); err == nil {
				for _, a := range list {
					l.To = append(l.To, a.Address)
				}
			}
		}
	}
	for _, name := range []string{"In-Reply-To", "References"} {
		for _, found := range angled.FindAllStringSubmatch(h.Get(name), maxReferences) {
			l.References = append(l.References, found[1])
		}
	}
	l.Automatic, l.Perhaps = automatic(h), l.perhapsAutomatic(h)
}

// automatic reports whether a program wrote the e-mail (RFC 3834), such as a vacation reply, a bounce or a mailing list.
func automatic(h gomail.Header) bool {
	returnPath := strings.TrimSpace(h.Get("Return-Path"))
	kind, _, _ := h.ContentType()
	return says(h, "Auto-Submitted") || says(h, "X-Autoreply") || says(h, "X-Autorespond") || h.Get("List-Id") != "" || h.Get("X-Failed-Recipients") != "" ||
		slices.Contains([]string{"bulk", "junk", "list", "auto_reply"}, strings.ToLower(strings.TrimSpace(h.Get("Precedence")))) ||
		returnPath == "<>" || kind == "multipart/report"
}

// says reports whether the header is there with another value than no.
func says(h gomail.Header, name string) bool {
	value, _, _ := strings.Cut(strings.TrimSpace(h.Get(name)), ";")
	return value != "" && !strings.EqualFold(strings.TrimSpace(value), "no")
}

// suppressed are the values by which Exchange asks for no automatic answer ([MS-OXCMAIL] 2.1.3.2.20). Some people's e-mails have them too.
var suppressed = regexp.MustCompile(`(?i)\b(all|oof|autoreply)\b`)

// automaticSubject is how Outlook, Gmail, Lotus Notes and others begin the subject of an automatic answer.
var automaticSubject = regexp.MustCompile(`(?i)^\s*[\[(]?((auto(mated|matic)?[ -]?(reply|response|answer)|out[ -]of[ -](the[ -])?office([ -]auto-?reply|[ -]reply|[ -]message)?` +
	`|(on )?vacation (reply|response|message)|स्वचालित (उत्तर|जवाब|प्रतिक्रिया)|(कार्यालय|ऑफ़िस|ऑफिस) से बाहर)\s*([\]):!(–—-]|\.?\s*$|(until|till|from)\b)|(auto|ooo)\s*:)`)

// perhapsAutomatic reports signs that e-mails of people can have as well.
func (l *inboundEmail) perhapsAutomatic(h gomail.Header) bool {
	for _, name := range []string{"X-Auto-Reply", "X-Auto-Reply-From", "X-Autoreply-From", "X-Mail-Autoreply", "X-Autogenerated", "X-Precedence", "List-Unsubscribe"} {
		if says(h, name) {
			return true
		}
	}
	local, _, _ := strings.Cut(l.From, "@")
	subject, err := h.Subject()
	if err != nil {
		subject = h.Get("Subject")
	}
	return local == "mailer-daemon" || suppressed.MatchString(h.Get("X-Auto-Response-Suppress")) || automaticSubject.MatchString(subject)
}

// cleanMessage removes characters that screens or the database refuse, and shortens the text to maxText.
func cleanMessage(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	s = strings.Map(func(r rune) rune {
		if isOddControl(r) || unicode.In(r, unicode.Bidi_Control) {
			return -1
		}
		return r
	}, s)
	s = strings.TrimSpace(manyLines.ReplaceAllString(s, "\n\n"))
	if utf8.RuneCountInString(s) > maxText {
		s = strings.TrimSpace(string([]rune(s)[:maxText-20])) + "\n\n[…]"
	}
	return s
}

var (
	manyLines = regexp.MustCompile(`\n[ \t]*(\n[ \t]*)+\n`)
	// above is the line that mail programs write above the message to which they reply.
	above = regexp.MustCompile(`(?i)^\s*(on\b.{4,200}\bwrote:|.{4,200}ने लिखा:|-{2,}\s*original message\s*-{2,}|-{2,}\s*मूल संदेश\s*-{2,}|_{20,})\s*$`)
)

// fold separates the quoted earlier messages at the text's end. A text that is all quoted is not folded.
func fold(s string) (written, quoted string) {
	lines := strings.Split(s, "\n")
	at := len(lines)
	for i, line := range lines {
		two := line
		if i+1 < len(lines) { // a long line above the quotation is broken
			two += " " + lines[i+1]
		}
		if above.MatchString(line) || strings.HasPrefix(strings.ToLower(line), "on ") && above.MatchString(two) {
			at = i
			break
		}
	}
	if at == len(lines) {
		for at > 0 && (strings.HasPrefix(lines[at-1], ">") || strings.TrimSpace(lines[at-1]) == "") {
			at--
		}
	}
	written, quoted = strings.TrimSpace(strings.Join(lines[:at], "\n")), strings.TrimSpace(strings.Join(lines[at:], "\n"))
	if written == "" {
		return s, ""
	}
	return written, quoted
}

// textOfHTML returns the text that the page shows, with quotations behind >.
func textOfHTML(body []byte) string {
	var out strings.Builder
	hidden, quote := 0, 0
	tokens := html.NewTokenizer(bytes.NewReader(body))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return out.String()
		case html.TextToken:
			if hidden > 0 {
				continue
			}
			words := strings.Join(strings.Fields(string(tokens.Text())), " ")
			if words == "" {
				continue
			}
			if s := out.String(); s != "" && !strings.HasSuffix(s, "\n") && !strings.HasSuffix(s, " ") {
				out.WriteByte(' ')
			} else if quote > 0 && (s == "" || strings.HasSuffix(s, "\n")) {
				out.WriteString("> ")
			}
			out.WriteString(words)
		case html.StartTagToken:
			name, _ := tokens.TagName()
			switch atom.Lookup(name) {
			case atom.Script, atom.Style, atom.Head, atom.Title, atom.Template:
				hidden++
			case atom.Blockquote:
				quote++
				out.WriteByte('\n')
			case atom.Br, atom.P, atom.Div, atom.Tr, atom.Li, atom.H1, atom.H2, atom.H3, atom.Table:
				out.WriteByte('\n')
			default:
			}
		case html.EndTagToken:
			name, _ := tokens.TagName()
			switch atom.Lookup(name) {
			case atom.Script, atom.Style, atom.Head, atom.Title, atom.Template:
				hidden = max(0, hidden-1)
			case atom.Blockquote:
				quote = max(0, quote-1)
				out.WriteByte('\n')
			case atom.P, atom.Div:
				out.WriteByte('\n')
			default:
			}
		case html.SelfClosingTagToken:
			if name, _ := tokens.TagName(); atom.Lookup(name) == atom.Br {
				out.WriteByte('\n')
			}
		default:
		}
	}
}
