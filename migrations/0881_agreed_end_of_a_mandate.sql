-- The last day that a customer agreed to, so that a gateway's word about it can be taken and taken back.

-- +goose Up
-- The bank's word may bring ends_on forward, never move it beyond this day. Mandates are agreed to for ten years.
ALTER TABLE mandates ADD COLUMN agreed_ends_on date;
UPDATE mandates SET agreed_ends_on = least(ends_on, ((consented_at AT TIME ZONE 'Asia/Kolkata') + interval '10 years')::date);
UPDATE mandates SET ends_on = agreed_ends_on WHERE ends_on > agreed_ends_on;
ALTER TABLE mandates ALTER COLUMN agreed_ends_on SET NOT NULL;

-- +goose StatementBegin
-- keep_agreed_cap fills in what a release before this one does not know, which runs beside it for a moment.
CREATE OR REPLACE FUNCTION keep_agreed_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.agreed_cap_paise := coalesce(NEW.agreed_cap_paise, NEW.cap_paise);
    NEW.agreed_ends_on := coalesce(NEW.agreed_ends_on, NEW.ends_on);
    RETURN NEW;
END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION keep_agreed_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.agreed_cap_paise := coalesce(NEW.agreed_cap_paise, NEW.cap_paise);
    RETURN NEW;
END $$;
-- +goose StatementEnd
ALTER TABLE mandates DROP COLUMN agreed_ends_on;
