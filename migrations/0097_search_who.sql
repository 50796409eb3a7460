-- What the search finds, with whose it is: eight customers of one name are told apart by their numbers.

-- +goose Up
-- +goose StatementBegin
CREATE FUNCTION support_find(q text, d text)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    SELECT h.franchiser_id, h.kind, h.label, h.exact, coalesce(btrim(f.first_name || ' ' || f.last_name), ''), coalesce(f.mobile, '')
    FROM public.support_search(q, d) WITH ORDINALITY AS h (franchiser_id, kind, label, exact, place)
        LEFT JOIN public.franchisers f ON f.id = h.franchiser_id AND f.erased_at IS NULL
    ORDER BY h.place $$;
-- +goose StatementEnd
ALTER FUNCTION support_find(text, text) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION support_find(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION support_find(text, text) TO franchise360_api;

-- +goose Down
DROP FUNCTION support_find(text, text);
