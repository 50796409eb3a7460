-- +goose Up
-- What customers said to messages by WhatsApp, one row each time: given to the text that stands here, or ended. The newest counts, and
-- without any there is no consent.
CREATE TABLE whatsapp_consents (
    id             uuid        PRIMARY KEY,
    franchiser_ref uuid        NOT NULL,
    given          boolean     NOT NULL,
    via            text        NOT NULL CHECK (via IN ('account', 'reply', 'number')), -- number: the account has another one
    version        int         NOT NULL CHECK (version > 0),
    text           text        NOT NULL CHECK (char_length(text) BETWEEN 1 AND 500),
    language       text        NOT NULL CHECK (language IN ('en', 'hi')), -- of the text, and of the messages
    reply_ref      text        CHECK (char_length(reply_ref) <= 200),     -- Meta's id of the reply that ended it
    at             timestamptz NOT NULL,
    request_id     uuid        DEFAULT current_request(),
    CHECK (NOT given OR via = 'account')
);
CREATE INDEX whatsapp_consents_of_franchiser ON whatsapp_consents (franchiser_ref, at DESC, id DESC);
CALL isolate('whatsapp_consents', 'franchiser_ref');
GRANT SELECT, INSERT ON whatsapp_consents TO franchise360_api;
GRANT SELECT, DELETE ON whatsapp_consents TO franchise360_worker;

-- WhatsApp tells that a message is on its way, and that it was read.
ALTER TABLE sms_deliveries DROP CONSTRAINT sms_deliveries_state_check, ADD CONSTRAINT sms_deliveries_state_check CHECK (state IN
    ('unconfirmed', 'accepted', 'sent', 'delivered', 'read', 'undelivered', 'refused', 'account_fault', 'limited', 'unavailable'));

-- +goose Down
UPDATE sms_deliveries SET state = CASE state WHEN 'sent' THEN 'accepted' ELSE 'delivered' END WHERE state IN ('sent', 'read');
ALTER TABLE sms_deliveries DROP CONSTRAINT sms_deliveries_state_check, ADD CONSTRAINT sms_deliveries_state_check CHECK (state IN
    ('unconfirmed', 'accepted', 'delivered', 'undelivered', 'refused', 'account_fault', 'limited', 'unavailable'));
DROP TABLE whatsapp_consents;
