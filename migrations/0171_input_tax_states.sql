-- Whether the registered recipient of a credit note took the input tax credit of its invoice and reversed it, as staff learn it
-- (section 34(2) CGST Act, as amended from 1 October 2025): a history that only grows, whose last entry counts. Where the reversal is
-- refused, the tax of the note is owed again, at the supplier's own expense.

-- +goose Up
CREATE TABLE input_tax_states (
    id            uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    invoice_id    uuid        NOT NULL,
    sequence      int         NOT NULL CHECK (sequence > 0),
    state         text        NOT NULL CHECK (state IN ('unknown', 'reversed', 'not_taken', 'refused')),
    evidence      text        NOT NULL CHECK (char_length(evidence) BETWEEN 1 AND 500),
    staff_id      uuid        NOT NULL REFERENCES staff (id),
    staff_name    text        NOT NULL,
    recorded_at   timestamptz NOT NULL,
    UNIQUE (invoice_id, sequence),
    FOREIGN KEY (franchiser_id, invoice_id) REFERENCES invoices (franchiser_id, id)
);
CALL isolate('input_tax_states');
GRANT SELECT, INSERT ON input_tax_states TO franchise360_api;
GRANT SELECT ON input_tax_states TO franchise360_worker;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON input_tax_states
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- +goose StatementBegin
-- Only a credit note that reduced tax, to a recipient with a GSTIN, has anything to reverse.
CREATE FUNCTION check_input_tax_state() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM invoices i WHERE i.franchiser_id = NEW.franchiser_id AND i.id = NEW.invoice_id AND i.kind = 'credit_note'
            AND NOT i.commercial AND i.total_paise > i.taxable_paise AND coalesce(i.recipient->>'gstin', '') <> '') THEN
        RAISE EXCEPTION 'document % reverses no input tax credit', NEW.invoice_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'input_tax_states_note';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER of_a_note BEFORE INSERT ON input_tax_states FOR EACH ROW EXECUTE FUNCTION check_input_tax_state();

INSERT INTO ledger_accounts (code, name, type, position)
SELECT 'tax_not_recovered', 'Tax not recovered from recipients', 'expense', max(position) + 1 FROM ledger_accounts;

-- +goose StatementBegin
DO $$
DECLARE
    known text;
BEGIN
    SELECT string_agg(quote_literal(k[1]), ', ') INTO known
    FROM pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''([a-z_]+)''', 'g') k
    WHERE c.conname = 'ledger_journals_kind_check';
    ALTER TABLE ledger_journals DROP CONSTRAINT ledger_journals_kind_check;
    EXECUTE format('ALTER TABLE ledger_journals ADD CONSTRAINT ledger_journals_kind_check CHECK (kind IN (%s, %L, %L))',
        known, 'input_tax_refused', 'input_tax_restored');
END $$;

-- The credit notes of all customers whose recipients have input tax credit to reverse, with what is known of it. For staff.
CREATE FUNCTION reversing_notes(wanted text, most int, passing int)
    RETURNS TABLE (id uuid, franchiser_id uuid, number text, issued_at timestamptz, name text, gstin text, taxable_paise bigint,
        tax_paise bigint, total_paise bigint, transaction_id text, state text, evidence text, recorded_by text, recorded_at timestamptz, of_all bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT i.id, i.franchiser_id, i.number, i.issued_at, i.recipient->>'name', i.recipient->>'gstin', i.taxable_paise,
        i.total_paise - i.taxable_paise, i.total_paise, coalesce(p.transaction_id, ''), coalesce(s.state, 'unknown'), coalesce(s.evidence, ''),
        coalesce(s.staff_name, ''), s.recorded_at, count(*) OVER ()
    FROM public.invoices i
        LEFT JOIN public.payments p ON p.franchiser_id = i.franchiser_id AND p.id = i.payment_id
        LEFT JOIN LATERAL (SELECT l.state, l.evidence, l.staff_name, l.recorded_at FROM public.input_tax_states l
            WHERE l.invoice_id = i.id ORDER BY l.sequence DESC LIMIT 1) s ON true
    WHERE i.kind = 'credit_note' AND NOT i.commercial AND i.total_paise > i.taxable_paise AND coalesce(i.recipient->>'gstin', '') <> ''
        AND (wanted = '' OR coalesce(s.state, 'unknown') = wanted)
    ORDER BY i.issued_at DESC, i.id DESC LIMIT most OFFSET passing $$;
-- +goose StatementEnd
CREATE INDEX invoices_reversing ON invoices (issued_at DESC, id DESC)
    WHERE kind = 'credit_note' AND NOT commercial AND total_paise > taxable_paise AND coalesce(recipient->>'gstin', '') <> '';
CREATE POLICY lookup ON input_tax_states FOR SELECT TO franchise360_lookup USING (true);
GRANT SELECT ON input_tax_states TO franchise360_lookup;
GRANT SELECT (id, kind, commercial, issued_at, recipient, taxable_paise, total_paise, payment_id) ON invoices TO franchise360_lookup;
ALTER FUNCTION reversing_notes(text, int, int) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION reversing_notes(text, int, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reversing_notes(text, int, int) TO franchise360_api;

-- +goose Down
-- The history, its account and the kinds of its journals stay: books are never shortened.
DROP FUNCTION reversing_notes(text, int, int);
DROP INDEX invoices_reversing;
REVOKE SELECT (id, kind, commercial, issued_at, recipient, taxable_paise, total_paise, payment_id) ON invoices FROM franchise360_lookup;
