-- Whom the invoices of any customer name, for the files of accounting software. For staff alone, who prove it to the functions.

-- +goose Up
-- +goose StatementBegin
-- latest_recipients has whom the newest document of each customer names.
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

-- numbers_of_payments has the number of the newest invoice of each payment that has one.
CREATE FUNCTION numbers_of_payments(wanted uuid[])
    RETURNS TABLE (payment_id uuid, number text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT DISTINCT ON (i.payment_id) i.payment_id, i.number FROM public.invoices i
        WHERE i.payment_id = ANY (wanted) AND i.kind = 'invoice' ORDER BY i.payment_id, i.issued_at DESC, i.id DESC;
    END $$;
-- +goose StatementEnd
ALTER FUNCTION latest_recipients(uuid[]) OWNER TO franchise360_lookup;
ALTER FUNCTION numbers_of_payments(uuid[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION latest_recipients(uuid[]), numbers_of_payments(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION latest_recipients(uuid[]), numbers_of_payments(uuid[]) TO franchise360_api;

-- +goose Down
DROP FUNCTION numbers_of_payments(uuid[]), latest_recipients(uuid[]);
