-- +goose Up
-- latest_recipients has whom the newest document of each customer names, and in which language beside English.
-- +goose StatementBegin
DROP FUNCTION latest_recipients(uuid[]);
CREATE FUNCTION latest_recipients(wanted uuid[])
    RETURNS TABLE (franchiser_id uuid, name text, gstin text, state_code text, also text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT DISTINCT ON (i.franchiser_id) i.franchiser_id, coalesce(i.recipient->>'name', ''),
            coalesce(i.recipient->>'gstin', ''), coalesce(i.recipient->>'state_code', ''), coalesce(i.recipient->>'also', '')
        FROM public.invoices i WHERE i.franchiser_id = ANY (wanted)
        ORDER BY i.franchiser_id, i.issued_at DESC, i.id DESC;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION latest_recipients(uuid[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION latest_recipients(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION latest_recipients(uuid[]) TO franchise360_api;

-- +goose Down
-- +goose StatementBegin
DROP FUNCTION latest_recipients(uuid[]);
CREATE FUNCTION latest_recipients(wanted uuid[])
    RETURNS TABLE (franchiser_id uuid, name text, gstin text, state_code text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT DISTINCT ON (i.franchiser_id) i.franchiser_id, coalesce(i.recipient->>'name', ''),
            coalesce(i.recipient->>'gstin', ''), coalesce(i.recipient->>'state_code', '')
        FROM public.invoices i WHERE i.franchiser_id = ANY (wanted)
        ORDER BY i.franchiser_id, i.issued_at DESC, i.id DESC;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION latest_recipients(uuid[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION latest_recipients(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION latest_recipients(uuid[]) TO franchise360_api;
