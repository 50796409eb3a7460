-- An open alert is told again when it grows, so it remembers how much was told. Nobody but an admin silences an alert that watches staff.

-- +goose Up
ALTER TABLE alerts
    ADD COLUMN size int NOT NULL DEFAULT 0,               -- how much is wrong, 0 where a number means nothing
    ADD COLUMN parts text[] NOT NULL DEFAULT '{}',        -- what is wrong, such as the kinds of jobs that fail
    ADD COLUMN told_severity text NOT NULL DEFAULT 'critical' CHECK (told_severity IN ('critical', 'warning')),
    ADD COLUMN told_size int NOT NULL DEFAULT 0,          -- the largest size that was told
    ADD COLUMN told_parts text[] NOT NULL DEFAULT '{}';   -- every part that was told
GRANT UPDATE (size, parts, told_severity, told_size, told_parts) ON alerts TO franchise360_api;

ALTER TABLE alert_events DROP CONSTRAINT alert_events_kind_check,
    ADD CONSTRAINT alert_events_kind_check
        CHECK (kind IN ('fired', 'grown', 'delivered', 'not_delivered', 'acknowledged', 'silenced', 'unsilenced', 'resolved'));
ALTER TABLE alert_deliveries DROP CONSTRAINT alert_deliveries_what_check,
    ADD CONSTRAINT alert_deliveries_what_check CHECK (what IN ('fired', 'grown', 'resolved'));
ALTER TABLE alert_deliveries DROP CONSTRAINT alert_deliveries_alert_id_what_channel_key;
-- An alert fires and resolves once, and may grow several times.
CREATE UNIQUE INDEX alert_deliveries_once ON alert_deliveries (alert_id, what, channel) WHERE what <> 'grown';
CREATE INDEX alert_deliveries_of_alert ON alert_deliveries (alert_id);

-- +goose StatementBegin
-- alert_for_admins reports whether an alert watches staff themselves, so that nobody but an admin silences it. pkg/alert has the same list.
CREATE FUNCTION alert_for_admins(rule text, subject text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN rule IN ('audit_changed', 'audit_unchecked', 'books_unsound', 'books_unchecked') OR subject = 'verify_audit';
-- +goose StatementEnd

-- +goose StatementBegin
-- require_admin_to_silence: the role of the api silences such an alert for an admin alone, and lets nobody else end such a silence.
CREATE FUNCTION require_admin_to_silence() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF current_user <> 'franchise360_api' THEN
        RETURN NEW; -- no other role may ask who acts
    END IF;
    IF public.alert_for_admins(NEW.rule, NEW.subject) AND (NEW.silenced_by, NEW.silenced_until) IS DISTINCT FROM (OLD.silenced_by, OLD.silenced_until)
        AND public.acting_staff('admin') IS NULL THEN
        RAISE EXCEPTION 'nobody but an admin silences this alert' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER admins_silence BEFORE UPDATE ON alerts FOR EACH ROW EXECUTE FUNCTION require_admin_to_silence();

-- +goose Down
DROP TRIGGER admins_silence ON alerts;
DROP FUNCTION require_admin_to_silence(), alert_for_admins(text, text);
DROP INDEX alert_deliveries_of_alert, alert_deliveries_once;
DELETE FROM alert_deliveries WHERE what = 'grown';
DELETE FROM alert_events WHERE kind = 'grown';
ALTER TABLE alert_deliveries ADD CONSTRAINT alert_deliveries_alert_id_what_channel_key UNIQUE (alert_id, what, channel),
    DROP CONSTRAINT alert_deliveries_what_check, ADD CONSTRAINT alert_deliveries_what_check CHECK (what IN ('fired', 'resolved'));
ALTER TABLE alert_events DROP CONSTRAINT alert_events_kind_check,
    ADD CONSTRAINT alert_events_kind_check CHECK (kind IN ('fired', 'delivered', 'not_delivered', 'acknowledged', 'silenced', 'unsilenced', 'resolved'));
ALTER TABLE alerts DROP COLUMN told_parts, DROP COLUMN told_size, DROP COLUMN told_severity, DROP COLUMN parts, DROP COLUMN size;
