package message

// contactEmails answer what visitors wrote on the site.
func contactEmails() []EmailTemplate {
	return []EmailTemplate{{
		Name: TemplateContactReply, Subject: "Re: your message to {host}", Personal: true,
		Button: "Write to us", Link: "{url}/contact", Note: "You wrote to us on {1}. Your reference: {2}", Values: 2,
	}}
}

// leadBack tells the reader of a reply how to answer it.
func (s Site) leadBack(l *letter, m Message) {
	if m.Link != "" {
		l.Button, l.Link = m.Language.Say("See your request"), s.linkTo(m.Link, m.Language)
	}
	if m.ReplyTag != "" {
		l.Note = m.Language.Say("Reply to this e-mail, and we read your answer.") + " " + l.Note
	}
}
