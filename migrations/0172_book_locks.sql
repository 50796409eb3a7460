-- The books are locked up to the end of a month: nothing is dated inside any more. What happened then and is learned of later is
-- booked on the first open day, and keeps its true date beside it. The history only grows; its last entry counts.

-- +goose Up
CREATE TABLE book_locks (
    sequence       int         PRIMARY KEY CHECK (sequence > 0),
    locked_through date CHECK (locked_through = (date_trunc('month', locked_through::timestamp) + interval '1 month - 1 day')::date),
    reason         text        NOT NULL CHECK (char_length(reason) BETWEEN 3 AND 500),
    staff_id       uuid        NOT NULL REFERENCES staff (id),
    staff_name     text        NOT NULL,
    recorded_at    timestamptz NOT NULL
);
COMMENT ON COLUMN book_locks.locked_through IS 'The last locked day in India, none where all is open.';
GRANT SELECT, INSERT ON book_locks TO franchise360_api;
GRANT SELECT ON book_locks TO franchise360_worker;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON book_locks
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE ledger_journals ADD COLUMN happened_at timestamptz CHECK (happened_at < posted_at);
COMMENT ON COLUMN ledger_journals.happened_at IS 'When it happened, where the books were locked for that day already; none where posted_at says it.';

-- +goose StatementBegin
-- The first moment in which something may be dated.
CREATE FUNCTION books_open_from() RETURNS timestamptz
    LANGUAGE sql STABLE
    AS $$ SELECT coalesce((SELECT (locked_through + 1)::timestamp AT TIME ZONE 'Asia/Kolkata'
        FROM book_locks ORDER BY sequence DESC LIMIT 1), '-infinity') $$;

-- Whoever books shares a lock that whoever locks the books takes alone: no journal that was begun before the lock comes in behind it.
CREATE FUNCTION refuse_locked() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    dated timestamptz;
BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('book_locks', 0));
    IF TG_TABLE_NAME = 'invoices' THEN
        dated := NEW.issued_at;
    ELSE
        dated := NEW.posted_at;
    END IF;
    IF dated < books_open_from() THEN
        RAISE EXCEPTION 'the books are locked for %', (dated AT TIME ZONE 'Asia/Kolkata')::date
            USING ERRCODE = 'check_violation', CONSTRAINT = 'books_locked';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER not_locked BEFORE INSERT ON ledger_journals FOR EACH ROW EXECUTE FUNCTION refuse_locked();
CREATE TRIGGER not_locked BEFORE INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_locked();

-- +goose Down
DROP TRIGGER not_locked ON invoices;
DROP TRIGGER not_locked ON ledger_journals;
DROP FUNCTION refuse_locked();
DROP FUNCTION books_open_from();
ALTER TABLE ledger_journals DROP COLUMN happened_at;
DROP TABLE book_locks;
