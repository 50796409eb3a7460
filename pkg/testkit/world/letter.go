package world

import "github.com/franchise360/franchise360/pkg/message"

// Addressed is a message as its letter wrote it, with the template and an address where the letter leaves them to the outbox.
func Addressed(m message.Message, template string) message.Message {
	if m.Template == "" {
		m.Template = template
	}
	if message.IsEmail(m.Template) && m.Email == "" {
		m.Email = "asha@example.in"
	}
	return m
}
