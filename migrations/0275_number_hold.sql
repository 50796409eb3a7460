-- What a restore puts between the database and the next number of a document, and the numbers that it lost.

-- +goose Up
-- One row while no document may be numbered: a restore writes it, because the documents that were issued after the moment that it
-- brings back are unknown here, and their numbers would be given twice. It goes once somebody has said how far they reach.
CREATE TABLE invoice_number_holds (
    single     boolean     PRIMARY KEY DEFAULT true CHECK (single),
    reason     text        NOT NULL CHECK (reason <> ''),
    held_since timestamptz NOT NULL
);
GRANT SELECT ON invoice_number_holds TO franchise360_api, franchise360_worker;

ALTER TABLE invoice_counters ADD COLUMN lost int8multirange NOT NULL DEFAULT '{}'; -- numbers of documents that a restore lost

-- +goose StatementBegin
CREATE FUNCTION refuse_held_numbers() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM public.invoice_number_holds) THEN
        RAISE EXCEPTION 'no document is numbered until `numbers resume` has been told which numbers were given'
            USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER invoice_counters_are_not_held BEFORE INSERT OR UPDATE ON invoice_counters
    FOR EACH ROW EXECUTE FUNCTION refuse_held_numbers();

-- +goose Down
DROP TRIGGER invoice_counters_are_not_held ON invoice_counters;
DROP FUNCTION refuse_held_numbers();
ALTER TABLE invoice_counters DROP COLUMN lost;
DROP TABLE invoice_number_holds;
