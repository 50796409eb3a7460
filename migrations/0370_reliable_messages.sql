-- +goose Up
-- When the customer read it in the dashboard, which lists what it was told; receipts of providers are another thing.
ALTER TABLE customer_messages ADD COLUMN read_at timestamptz;
CREATE INDEX customer_messages_unread ON customer_messages (franchiser_ref) WHERE read_at IS NULL;
GRANT UPDATE (read_at) ON customer_messages TO franchise360_api;
-- A document that had no address to go to is sent when there is one.
GRANT UPDATE (expires_at) ON customer_messages TO franchise360_worker;

-- What a customer wants of the messages that may be turned off; who has no row gets all.
CREATE TABLE message_preferences (
    franchiser_ref  uuid        PRIMARY KEY,
    reminders_sms   boolean     NOT NULL DEFAULT true,
    reminders_email boolean     NOT NULL DEFAULT true,
    updated_at      timestamptz NOT NULL,
    request_id      uuid        DEFAULT current_request()
);
CALL isolate('message_preferences', 'franchiser_ref');
GRANT SELECT, INSERT, UPDATE ON message_preferences TO franchise360_api;
GRANT SELECT, DELETE ON message_preferences TO franchise360_worker;

-- The link of a reminder leads to its payment before anybody is known; its signature is checked first.
GRANT SELECT (id, franchiser_id) ON renewal_reminders TO franchise360_lookup;
-- +goose StatementBegin
CREATE FUNCTION find_reminder(reminder uuid) RETURNS TABLE (franchiser_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT r.franchiser_id FROM public.renewal_reminders r WHERE r.id = reminder $$;
-- +goose StatementEnd
ALTER FUNCTION find_reminder(uuid) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION find_reminder(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_reminder(uuid) TO franchise360_api;

-- +goose Down
DROP FUNCTION find_reminder(uuid);
REVOKE SELECT (id, franchiser_id) ON renewal_reminders FROM franchise360_lookup;
DROP TABLE message_preferences;
REVOKE UPDATE (expires_at) ON customer_messages FROM franchise360_worker;
ALTER TABLE customer_messages DROP COLUMN read_at;
