package handler

import (
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/franchise360/franchise360/pkg/account/erasure"
	"github.com/franchise360/franchise360/pkg/mandate"
	"github.com/franchise360/franchise360/pkg/payment"
	"github.com/franchise360/franchise360/pkg/plan"
	"github.com/franchise360/franchise360/pkg/platform/i18n"
	"github.com/franchise360/franchise360/pkg/subscription"
)

// textsWithValues returns the texts from which customers' sentences are made, each before a more general one.
func textsWithValues() []string {
	return slices.Concat(subscription.NoticeTexts(), mandate.NoteTexts(), payment.ReasonTexts(), erasure.Texts(), plan.DescriptionTexts(), subscription.PreviewTexts())
}

// inLanguage returns the message and the answer's sentences in the language of the calling page.
func inLanguage(c *gin.Context, message string, data any) (said string, worded any) {
	return inWordsOf(languageOf(c), message, data)
}

func inWordsOf(l i18n.Language, message string, data any) (said string, worded any) {
	if l.Or() == i18n.English {
		return message, data
	}
	texts := textsWithValues()
	say := func(english string) string { return l.Resay(english, texts) }
	return say(message), i18n.Word(data, say)
}

// fieldsInLanguage returns the messages of the fields in the language.
func fieldsInLanguage(l i18n.Language, fields map[string][]string) map[string][]string {
	texts := []string{i18n.Mark("{1} can not be empty."), i18n.Mark("{1} should be {2} characters at most")}
	worded := make(map[string][]string, len(fields))
	for name, messages := range fields {
		for _, english := range messages {
			worded[name] = append(worded[name], l.Resay(english, texts))
		}
	}
	return worded
}

// sentencesOf marks texts to translate.
func sentencesOf(texts []string) []i18n.Sentence {
	out := make([]i18n.Sentence, 0, len(texts))
	for _, english := range texts {
		out = append(out, i18n.Sentence(english))
	}
	return out
}
