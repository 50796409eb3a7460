-- Mandates that the customer stopped and the gateway has not ended, for the work list of the staff.

-- +goose Up
CREATE INDEX mandates_stopping ON mandates (stop_asked_at) WHERE stop_asked_at IS NOT NULL AND ended_at IS NULL;
GRANT SELECT (method, stop_asked_at, ended_at) ON mandates TO franchise360_lookup;

-- +goose StatementBegin
CREATE FUNCTION unconfirmed_mandate_stops(before timestamptz)
    RETURNS TABLE (franchiser_id uuid, mandate_id uuid, gateway text, method text, provider_mandate_id text, since timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT m.franchiser_id, m.id, m.gateway, m.method, m.provider_mandate_id, m.stop_asked_at
            FROM public.mandates m WHERE m.stop_asked_at < before AND m.ended_at IS NULL;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION unconfirmed_mandate_stops(timestamptz) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION unconfirmed_mandate_stops(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION unconfirmed_mandate_stops(timestamptz) TO franchise360_api;

-- +goose Down
DROP FUNCTION unconfirmed_mandate_stops(timestamptz);
REVOKE SELECT (method, stop_asked_at, ended_at) ON mandates FROM franchise360_lookup;
DROP INDEX mandates_stopping;
