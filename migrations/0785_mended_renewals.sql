-- What automatic renewal has to remember: what was agreed to, what was skipped, and debits that the gateway does not know or refuses.

-- +goose Up
-- The most that the customer agreed to. The bank's word may lower cap_paise, never raise it above this.
ALTER TABLE mandates ADD COLUMN agreed_cap_paise bigint;
UPDATE mandates SET agreed_cap_paise = cap_paise;
ALTER TABLE mandates ALTER COLUMN agreed_cap_paise SET NOT NULL;

-- +goose StatementBegin
-- keep_agreed_cap fills in what the release before this one does not know, which runs beside it for a moment.
CREATE FUNCTION keep_agreed_cap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.agreed_cap_paise := coalesce(NEW.agreed_cap_paise, NEW.cap_paise);
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER agreed_cap BEFORE INSERT ON mandates FOR EACH ROW EXECUTE FUNCTION keep_agreed_cap();
ALTER TABLE mandates ADD COLUMN skipped_on date; -- the newest renewal whose debit the customer skipped

ALTER TABLE mandate_debits ADD COLUMN unheard boolean NOT NULL DEFAULT false; -- asked for, and the gateway knows nothing of it
ALTER TABLE mandate_debits ADD COLUMN refused_at timestamptz; -- when the gateway last did not accept the request for it

-- A request for another mandate may wait beside one that lives; once it is confirmed, the older one is stopped.
DROP INDEX mandates_one_live;
CREATE UNIQUE INDEX mandates_one_live ON mandates (subscription_id) WHERE state IN ('active', 'paused') AND stop_asked_at IS NULL;
CREATE UNIQUE INDEX mandates_one_requested ON mandates (subscription_id) WHERE state = 'requested';

-- A debit whose request the gateway did not accept was not asked for.
DROP TRIGGER transitions ON mandate_debits;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON mandate_debits FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('planned>noticed', 'planned>failed', 'planned>called_off', 'noticed>asked', 'noticed>failed',
        'noticed>called_off', 'asked>noticed', 'asked>paid', 'asked>failed', 'failed>paid');

CREATE INDEX mandate_debits_refused ON mandate_debits (refused_at) WHERE refused_at IS NOT NULL;
GRANT SELECT (id, franchiser_id, mandate_id, state, amount_paise, asked_at, unheard, refused_at) ON mandate_debits TO franchise360_lookup;
-- +goose StatementBegin
-- unheard_debits has what was asked for before that time and the gateway knows nothing of, for the work list of the staff.
CREATE FUNCTION unheard_debits(before timestamptz)
    RETURNS TABLE (franchiser_id uuid, mandate_id uuid, debit_id uuid, amount_paise bigint, since timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT d.franchiser_id, d.mandate_id, d.id, d.amount_paise, d.asked_at
            FROM public.mandate_debits d WHERE d.state = 'asked' AND d.unheard AND d.asked_at < before;
    END $$;

-- count_refused_debits counts the debits whose request the gateway did not accept since then, for the alert about it.
CREATE FUNCTION count_refused_debits(after timestamptz) RETURNS bigint
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT count(*) FROM public.mandate_debits d WHERE d.refused_at >= after $$;
-- +goose StatementEnd
ALTER FUNCTION unheard_debits(timestamptz) OWNER TO franchise360_lookup;
ALTER FUNCTION count_refused_debits(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION unheard_debits(timestamptz), count_refused_debits(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unheard_debits(timestamptz), count_refused_debits(timestamptz) TO franchise360_api;
GRANT EXECUTE ON FUNCTION count_refused_debits(timestamptz) TO franchise360_worker;

-- +goose Down
DROP FUNCTION count_refused_debits(timestamptz), unheard_debits(timestamptz);
REVOKE SELECT (id, franchiser_id, mandate_id, state, amount_paise, asked_at, unheard, refused_at) ON mandate_debits FROM franchise360_lookup;
DROP INDEX mandate_debits_refused;
DROP TRIGGER transitions ON mandate_debits;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON mandate_debits FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('planned>noticed', 'planned>failed', 'planned>called_off', 'noticed>asked', 'noticed>failed',
        'noticed>called_off', 'asked>paid', 'asked>failed', 'failed>paid');
DROP INDEX mandates_one_requested;
DROP INDEX mandates_one_live;
CREATE UNIQUE INDEX mandates_one_live ON mandates (subscription_id) WHERE state IN ('requested', 'active', 'paused');
ALTER TABLE mandate_debits DROP COLUMN refused_at, DROP COLUMN unheard;
DROP TRIGGER agreed_cap ON mandates;
DROP FUNCTION keep_agreed_cap();
ALTER TABLE mandates DROP COLUMN skipped_on, DROP COLUMN agreed_cap_paise;
