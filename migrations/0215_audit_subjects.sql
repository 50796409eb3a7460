-- The audit page names what was acted on, and for whom.

-- +goose Up
-- +goose StatementBegin
-- named_subjects names customers, payments and documents to staff, by targets of the trail such as payment:<id>. A customer without
-- any name is told by a masked mobile number.
CREATE FUNCTION named_subjects(targets text[]) RETURNS TABLE (subject text, name text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$
    WITH wanted AS (
        SELECT split_part(t, ':', 1) AS kind, CASE WHEN t ~ '^(customer|payment|invoice):[0-9a-f-]{36}$' THEN split_part(t, ':', 2)::uuid END AS id
        FROM (SELECT DISTINCT t FROM unnest(targets) AS t) AS each
        WHERE (SELECT public.acting_staff()) IS NOT NULL
    )
    SELECT 'customer:' || f.id, coalesce(nullif(btrim(a.legal_name), ''), nullif(btrim(concat_ws(' ', f.first_name, f.last_name)), ''),
        nullif(t.store_name, ''), left(f.mobile, 2) || '••••' || right(f.mobile, 4), '')
    FROM wanted w JOIN public.franchisers f ON f.id = w.id
        LEFT JOIN public.business_addresses a ON a.franchiser_id = f.id
        LEFT JOIN public.tenants t ON t.franchiser_id = f.id AND t.closed_at IS NULL
    WHERE w.kind = 'customer'
    UNION ALL
    SELECT 'payment:' || p.id, p.transaction_id FROM wanted w JOIN public.payments p ON p.id = w.id WHERE w.kind = 'payment'
    UNION ALL
    SELECT 'invoice:' || i.id, i.number FROM wanted w JOIN public.invoices i ON i.id = w.id WHERE w.kind = 'invoice' $$;
-- +goose StatementEnd
ALTER FUNCTION named_subjects(text[]) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION named_subjects(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION named_subjects(text[]) TO franchise360_api;

-- +goose Down
DROP FUNCTION named_subjects(text[]);
