package whatsapp_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/franchise360/franchise360/pkg/adapter/whatsapp"
	"github.com/franchise360/franchise360/pkg/message"
	"github.com/franchise360/franchise360/pkg/platform/id"
)

type anything = map[string]any

// told returns the reader's result for changes about our number, each in a field of its kind.
func told(t *testing.T, values ...anything) message.WhatsAppNotice {
	t.Helper()
	entries := make([]anything, 0, len(values))
	for _, value := range values {
		value["metadata"] = anything{"phone_number_id": "106540352242922"}
		entries = append(entries, anything{"changes": []anything{{"field": "messages", "value": value}}})
	}
	body, err := json.Marshal(anything{"object": "whatsapp_business_account", "entry": entries})
	require.NoError(t, err)
	n, err := whatsapp.NewReader(settings("")).Read(signed("a-secret", body))
	require.NoError(t, err)
	return n
}

func said(from, kind, text, ref string) anything {
	return anything{"from": from, "id": ref, "type": kind, kind: anything{"body": text, "text": text}}
}

// Only texts from India are read.
func TestRead_ReplyFromAbroadOrBroken_IsIgnored(t *testing.T) {
	t.Parallel()
	fine := said("919876543210", "text", "STOP", "wamid.1")
	for what, m := range map[string]anything{
		"another country":       said("16505551234", "text", "STOP", "wamid.1"),
		"no country":            said("9876543210", "text", "STOP", "wamid.1"),
		"nine digits":           said("91987654321", "text", "STOP", "wamid.1"),
		"eleven digits":         said("9198765432101", "text", "STOP", "wamid.1"),
		"a plus":                said("+919876543210", "text", "STOP", "wamid.1"),
		"letters":               said("9198765432ab", "text", "STOP", "wamid.1"),
		"digits of another set": said("91९८७६५४३२१०", "text", "STOP", "wamid.1"),
		"nobody":                said("", "text", "STOP", "wamid.1"),
		"no text":               said("919876543210", "text", "", "wamid.1"),
		"no id":                 said("919876543210", "text", "STOP", ""),
		"an id of 201 bytes":    said("919876543210", "text", "STOP", strings.Repeat("w", 201)),
		"a reaction":            said("919876543210", "reaction", "STOP", "wamid.1"),
		"a text in a button":    {"from": "919876543210", "id": "wamid.1", "type": "button", "text": anything{"body": "STOP"}},
	} {
		require.Empty(t, told(t, anything{"messages": []anything{m}}).Replies, what)
		both := told(t, anything{"messages": []anything{m, fine}}).Replies
		require.Equal(t, []message.WhatsAppReply{{Mobile: "9876543210", Text: "STOP", Ref: "wamid.1"}}, both, "%s, and one that counts", what)
	}
	longest := said("919876543210", "text", strings.Repeat("क", 16<<10/3)+"xy", strings.Repeat("w", 200))
	got := told(t, anything{"messages": []anything{longest}}).Replies
	require.Len(t, got, 1)
	require.Len(t, got[0].Text, 16<<10, "bytes, not letters")
	require.Len(t, got[0].Ref, 200)
}

// A file is reported by its kind and caption, without the file.
func TestRead_File_IsItsKindAndCaption(t *testing.T) {
	t.Parallel()
	got := told(t, anything{"contacts": []anything{{"wa_id": "919876543210", "profile": anything{"name": "Asha"}}}, "messages": []anything{
		{"from": "919876543210", "id": "1", "type": "image", "timestamp": "1750263773", "image": anything{"caption": "My bill"}},
	}}).Replies
	require.Equal(t, []message.WhatsAppReply{{
		Mobile: "9876543210", Text: "My bill", Ref: "1", Name: "Asha", Media: "image", At: time.Unix(1750263773, 0).UTC(),
	}}, got)
}

// The label of a button counts as the reply's text, even if the reply has a text.
func TestRead_Button_LabelIsItsText(t *testing.T) {
	t.Parallel()
	got := told(t, anything{"messages": []anything{
		{"from": "919876543210", "id": "1", "type": "button", "button": anything{"payload": "x", "text": "Stop"}, "text": anything{"body": "no"}},
		{"from": "919876543210", "id": "2", "type": "text", "button": anything{"text": "no"}, "text": anything{"body": "Start"}},
	}}).Replies
	require.Equal(t, []message.WhatsAppReply{{Mobile: "9876543210", Text: "Stop", Ref: "1"}, {Mobile: "9876543210", Text: "Start", Ref: "2"}}, got)
}

func TestRead_EachStatus_HasItsReceipt(t *testing.T) {
	t.Parallel()
	ours := id.New()
	failed := func(codes ...any) anything {
		list := []anything{}
		for _, code := range codes {
			list = append(list, anything{"code": code})
		}
		return anything{"id": "w", "status": "failed", "errors": list}
	}
	for what, c := range map[string]struct {
		status anything
		want   []message.Receipt
	}{
		"sent":                 {anything{"id": "w", "status": "sent"}, []message.Receipt{{Ref: "w", Sent: true}}},
		"delivered":            {anything{"id": "w", "status": "delivered"}, []message.Receipt{{Ref: "w", Delivered: true}}},
		"read":                 {anything{"id": "w", "status": "read"}, []message.Receipt{{Ref: "w", Read: true}}},
		"a voice, played":      {anything{"id": "w", "status": "played"}, []message.Receipt{{Ref: "w", Read: true}}},
		"failed, and not why":  {failed(), []message.Receipt{{Ref: "w"}}},
		"failed twice":         {failed(131049, 131026), []message.Receipt{{Ref: "w", Code: "131049"}}},
		"a code of 10 digits":  {failed(1234567890), []message.Receipt{{Ref: "w", Code: "1234567890"}}},
		"a code of 11 digits":  {failed(12345678901), []message.Receipt{{Ref: "w"}}},
		"a code below nothing": {failed(-1), []message.Receipt{{Ref: "w"}}},
		"a code with a point":  {failed(1.5), []message.Receipt{{Ref: "w"}}},
		"sent with an error":   {anything{"id": "w", "status": "sent", "errors": []anything{{"code": 1}}}, []message.Receipt{{Ref: "w", Sent: true}}},
		"another word":         {anything{"id": "w", "status": "warning"}, nil},
		"a word in capitals":   {anything{"id": "w", "status": "SENT"}, nil},
		"no word":              {anything{"id": "w"}, nil},
		"of no message":        {anything{"status": "sent"}, nil},
		"of a long id alone":   {anything{"id": strings.Repeat("w", 101), "status": "sent"}, nil},
		"of an id that fits":   {anything{"id": strings.Repeat("w", 100), "status": "sent"}, []message.Receipt{{Ref: strings.Repeat("w", 100), Sent: true}}},
		"of ours and a long id": {
			anything{"id": strings.Repeat("w", 101), "status": "sent", "biz_opaque_callback_data": ours}, []message.Receipt{{MessageID: ours, Sent: true}},
		},
		"of ours alone":       {anything{"status": "delivered", "biz_opaque_callback_data": ours}, []message.Receipt{{MessageID: ours, Delivered: true}}},
		"a text as an id":     {anything{"status": "delivered", "biz_opaque_callback_data": "' OR 1=1"}, nil},
		"of ours and a space": {anything{"id": "w", "status": "sent", "biz_opaque_callback_data": ours + " "}, []message.Receipt{{Ref: "w", Sent: true}}},
	} {
		require.Equal(t, c.want, told(t, anything{"statuses": []anything{c.status}}).Receipts, what)
	}
}

// Meta bundles webhooks: several entries, each with several statuses and replies, in their order.
func TestRead_SeveralEntries_AreAllRead(t *testing.T) {
	t.Parallel()
	status := func(ref string) anything { return anything{"id": ref, "status": "sent"} }
	n := told(t,
		anything{"statuses": []anything{status("1"), {"id": "x", "status": "deleted"}, status("2")}},
		anything{},
		anything{"statuses": []anything{status("3")}, "messages": []anything{said("919876543210", "text", "STOP", "r1")}},
		anything{"messages": []anything{said("919876543211", "text", "बंद", "r2")}},
	)
	require.Equal(t, []message.Receipt{{Ref: "1", Sent: true}, {Ref: "2", Sent: true}, {Ref: "3", Sent: true}}, n.Receipts)
	require.Equal(t, []message.WhatsAppReply{{Mobile: "9876543210", Text: "STOP", Ref: "r1"}, {Mobile: "9876543211", Text: "बंद", Ref: "r2"}}, n.Replies)
}
