package delivery

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// topic is the subject of a digest.
type topic string

// The topics, as in delivery_events.
const (
	topicNeeded topic = "needed"
	topicDone   topic = "done"
	topicLate   topic = "late"
)

// email returns the topic's e-mail, which names the deliveries.
func (t topic) email() string {
	switch t {
	case topicNeeded:
		return message.TemplateDeliveryNeededEmail
	case topicDone:
		return message.TemplateDeliveryDoneEmail
	case topicLate:
	}
	return message.TemplateDeliveryLateEmail
}

// templates returns the topic's messages. An SMS also goes to the customer who has to act or to wait, proved address or not.
func (t topic) templates() []string {
	switch t {
	case topicNeeded:
		return []string{t.email(), message.TemplateDeliveryNeeded}
	case topicLate:
		return []string{t.email(), message.TemplateDeliveryLate}
	case topicDone:
	}
	return []string{t.email()}
}

// Letters returns the contents of the digests. A digest is no longer needed if all its deliveries changed since.
func Letters() map[string]message.Letter {
	l := map[string]message.Letter{}
	for _, t := range []topic{topicNeeded, topicDone, topicLate} {
		for _, template := range t.templates() {
			l[template] = message.Letter{Write: letter}
		}
	}
	return l
}

// told is a delivery in a digest.
type told struct {
	Digest     string           `db:"digest"`
	Topic      topic            `db:"topic"`
	Name       string           `db:"name"`
	Needs      string           `db:"needs"`
	PromisedOn subscription.Day `db:"promised_on"`
}

// toldSQL selects the deliveries of digests for which the news still holds.
const toldSQL = `SELECT DISTINCT e.digest, e.topic, d.name, d.needs, d.promised_on
	FROM delivery_events e JOIN deliveries d ON d.franchiser_id = e.franchiser_id AND d.id = e.delivery_id
	WHERE e.franchiser_id = $1 AND e.digest = ANY($2)`

const (
	stillSQL = ` AND CASE e.topic WHEN 'needed' THEN d.state = 'waiting_for_customer' WHEN 'done' THEN d.state = 'delivered'
		ELSE d.state IN ('planned', 'in_progress') AND d.late_on = d.promised_on END`
	toldOrder = ` ORDER BY d.promised_on, d.name`
)

func readTold(ctx context.Context, tx *sqlx.Tx, franchiserID string, digests []string, still string) (map[string][]told, error) {
	var rows []told
	if err := tx.SelectContext(ctx, &rows, toldSQL+still+toldOrder, franchiserID, pq.StringArray(digests)); err != nil {
		return nil, fmt.Errorf("read deliveries of a digest: %w", err)
	}
	of := map[string][]told{}
	for _, t := range rows {
		of[t.Digest] = append(of[t.Digest], t)
	}
	return of, nil
}

func letter(ctx context.Context, tx *sqlx.Tx, m message.CustomerMessage) (*message.Message, error) {
	found, err := readTold(ctx, tx, m.FranchiserID, []string{m.About}, stillSQL)
	news := found[m.About]
	if err != nil || len(news) == 0 {
		return nil, err
	}
	if !message.IsEmail(m.Template) {
		return &message.Message{}, nil // an SMS only leads to the list
	}
	values := []string{names(news, m.Language)}
	switch news[0].Topic {
	case topicNeeded:
		values = append(values, needs(news, m.Language))
	case topicLate:
		values = append(values, days(news, m.Language))
	case topicDone:
	}
	return &message.Message{Values: values}, nil
}

const (
	// mostListed is how many deliveries a message lists; it counts the others.
	mostListed = 3
	// longestList is how many characters a list has, as a value of an e-mail.
	longestList = 300
)

// listed joins the first texts, each once, and counts the others.
func listed(texts []string, separator string, l i18n.Language) string {
	var once []string
	for _, t := range texts {
		if t != "" && !slices.Contains(once, t) {
			once = append(once, t)
		}
	}
	n := min(mostListed, len(once))
	for n > 1 && utf8.RuneCountInString(andMore(once[:n], len(once)-n, separator, l)) > longestList {
		n--
	}
	list := andMore(once[:n], len(once)-n, separator, l)
	if over := utf8.RuneCountInString(list) - longestList; over > 0 {
		first := []rune(once[0])
		list = andMore([]string{string(first[:len(first)-over-1]) + "…"}, len(once)-1, separator, l)
	}
	return list
}

func andMore(texts []string, others int, separator string, l i18n.Language) string {
	list := strings.Join(texts, separator)
	if others < 1 {
		return list
	}
	return l.Say("{1} and {2} more", list, strconv.Itoa(others))
}

func names(news []told, l i18n.Language) string {
	var texts []string
	for _, t := range news {
		texts = append(texts, l.Resay(t.Name, nil))
	}
	return listed(texts, ", ", l)
}

func needs(news []told, l i18n.Language) string {
	var texts []string
	for _, t := range news {
		texts = append(texts, l.Resay(t.Needs, nil))
	}
	return listed(texts, " ", l)
}

func days(news []told, l i18n.Language) string {
	var texts []string
	for _, t := range news {
		texts = append(texts, t.PromisedOn.In(l))
	}
	return listed(texts, ", ", l)
}

// Notes returns the dashboard's texts of these messages.
func Notes() map[string]message.Notes {
	n := map[string]message.Notes{}
	for _, t := range []topic{topicNeeded, topicDone, topicLate} {
		n[t.email()] = notes
	}
	return n
}

// Link is the page that lists a customer's deliveries.
const Link = "/deliveries"

func notes(ctx context.Context, tx *sqlx.Tx, franchiserID string, about []string, l i18n.Language) (map[string]message.Note, error) {
	of, err := readTold(ctx, tx, franchiserID, about, "")
	if err != nil {
		return nil, err
	}
	found := map[string]message.Note{}
	for digest, news := range of {
		n := message.Note{Link: Link}
		switch news[0].Topic {
		case topicNeeded:
			n.Title, n.Text = l.Say("We need something from you: {1}", names(news, l)), needs(news, l)
		case topicDone:
			n.Title, n.Text = l.Say("Delivered: {1}", names(news, l)), l.Say("Your list of deliveries shows the proof.")
		case topicLate:
			n.Title, n.Text = l.Say("Late: {1}", names(news, l)), l.Say("Promised for {1}.", days(news, l))
		}
		found[digest] = n
	}
	return found, nil
}
