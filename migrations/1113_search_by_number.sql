-- Staff find documents by their numbers as people write them: 000005, FP 26-27 000005 and fp/26-27/5 are FP/26-27/000005.

-- +goose Up
-- +goose StatementBegin
-- number_in reads a number of a document from what was typed: its end without leading zeros, a pattern for what comes before it, and whether
-- the financial year was typed too. Three to six digits alone are the end of a number of any series.
CREATE FUNCTION number_in(q text) RETURNS TABLE (beginning text, ending text, year boolean) LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT '%', ltrim(q, '0'), false WHERE q ~ '^[0-9]{3,6}$' AND q !~ '^0+$'
    UNION ALL
    SELECT CASE m[1] WHEN '' THEN '%' ELSE upper(m[1]) END || m[2] || '%', ltrim(m[3], '0'), true
        FROM (SELECT regexp_match(regexp_replace(lower(q), '[^a-z0-9]', '', 'g'), '^([a-z]{0,6})([0-9]{4})([0-9]{1,6})$') AS m) typed
        WHERE q !~ '^[0-9]*$' AND m[3] !~ '^0+$'
    UNION ALL
    SELECT upper(m[1]) || '%', ltrim(m[2], '0'), false
        FROM (SELECT regexp_match(regexp_replace(lower(q), '[^a-z0-9]', '', 'g'), '^([a-z]{1,6})([0-9]{1,6})$') AS m) typed
        WHERE m[2] !~ '^0+$' $$;
CREATE OR REPLACE FUNCTION search_documents(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT 8)
    UNION ALL SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, true FROM public.invoices i
        WHERE i.id = public.id_in(q)
    UNION ALL (SELECT i.franchiser_id, 'irn', i.number, true FROM public.invoices i WHERE length(q) = 64 AND i.irn = q LIMIT 8) 
    UNION ALL (SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, n.year FROM public.number_in(q) n JOIN public.invoices i
            ON ltrim(substring(i.number FROM '[0-9]+$'), '0') = n.ending
        WHERE regexp_replace(upper(i.number), '[^A-Z0-9]', '', 'g') LIKE n.beginning ORDER BY i.id DESC LIMIT 8) $$;
CREATE OR REPLACE FUNCTION search_transfers(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    SELECT p.franchiser_id, 'proforma', p.number, true FROM public.proformas p WHERE p.id = public.id_in(q)
    UNION ALL (SELECT p.franchiser_id, 'proforma', p.number, p.number = upper(q) FROM public.proformas p
        WHERE length(q) >= 5 AND p.number COLLATE "C" >= upper(q) AND p.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY p.number COLLATE "C" LIMIT 8)
    UNION ALL SELECT a.franchiser_id, 'virtual_account', a.number, true FROM public.virtual_accounts a WHERE a.id = public.id_in(q)
    UNION ALL (SELECT a.franchiser_id, 'virtual_account', a.number, upper(a.number) = upper(translate(q, ' -', '')) FROM public.virtual_accounts a
        WHERE length(q) >= 6 AND upper(a.number) COLLATE "C" >= upper(translate(q, ' -', ''))
            AND upper(a.number) COLLATE "C" <= upper(translate(q, ' -', '')) || chr(1114111)
        ORDER BY upper(a.number) COLLATE "C" LIMIT 8)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c WHERE c.id = public.id_in(q)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c
        WHERE length(q) >= 6 AND c.utr = public.clean_utr(q)
    UNION ALL (SELECT p.franchiser_id, 'told_utr', p.told_utr, true FROM public.proformas p
        WHERE length(q) >= 6 AND p.told_utr <> '' AND p.told_utr = public.clean_utr(q) LIMIT 8)
    UNION ALL (SELECT u.franchiser_ref, 'bank_return', u.utr, true FROM public.bank_credit_uses u
        WHERE length(q) >= 6 AND u.utr <> '' AND u.utr = public.clean_utr(q) LIMIT 8) 
    UNION ALL (SELECT p.franchiser_id, 'proforma', p.number, n.year FROM public.number_in(q) n JOIN public.proformas p
            ON ltrim(substring(p.number FROM '[0-9]+$'), '0') = n.ending
        WHERE regexp_replace(upper(p.number), '[^A-Z0-9]', '', 'g') LIKE n.beginning ORDER BY p.id DESC LIMIT 8) $$;
-- A number with leading zeros is a document's, and no job's.
CREATE OR REPLACE FUNCTION find_job(q text) RETURNS TABLE (id bigint, franchiser_id uuid) LANGUAGE sql STABLE AS $$
 SELECT j.id, nullif(j.metadata ->> 'franchiser_id', '')::uuid FROM public.river_job j
        WHERE j.id = CASE WHEN q ~ '^[1-9][0-9]{0,17}$' THEN q::bigint END  $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION number_in(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_in(text) TO franchise360_lookup;

-- +goose Down
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION search_documents(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    (SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, i.number = upper(q) FROM public.invoices i
        WHERE length(q) >= 5 AND i.number COLLATE "C" >= upper(q) AND i.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY i.number COLLATE "C" LIMIT 8)
    UNION ALL SELECT i.franchiser_id, CASE i.kind WHEN 'credit_note' THEN i.kind ELSE 'invoice' END, i.number, true FROM public.invoices i
        WHERE i.id = public.id_in(q)
    UNION ALL (SELECT i.franchiser_id, 'irn', i.number, true FROM public.invoices i WHERE length(q) = 64 AND i.irn = q LIMIT 8)  $$;
CREATE OR REPLACE FUNCTION search_transfers(q text) RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean) LANGUAGE sql STABLE AS $$
    SELECT p.franchiser_id, 'proforma', p.number, true FROM public.proformas p WHERE p.id = public.id_in(q)
    UNION ALL (SELECT p.franchiser_id, 'proforma', p.number, p.number = upper(q) FROM public.proformas p
        WHERE length(q) >= 5 AND p.number COLLATE "C" >= upper(q) AND p.number COLLATE "C" <= upper(q) || chr(1114111)
        ORDER BY p.number COLLATE "C" LIMIT 8)
    UNION ALL SELECT a.franchiser_id, 'virtual_account', a.number, true FROM public.virtual_accounts a WHERE a.id = public.id_in(q)
    UNION ALL (SELECT a.franchiser_id, 'virtual_account', a.number, upper(a.number) = upper(translate(q, ' -', '')) FROM public.virtual_accounts a
        WHERE length(q) >= 6 AND upper(a.number) COLLATE "C" >= upper(translate(q, ' -', ''))
            AND upper(a.number) COLLATE "C" <= upper(translate(q, ' -', '')) || chr(1114111)
        ORDER BY upper(a.number) COLLATE "C" LIMIT 8)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c WHERE c.id = public.id_in(q)
    UNION ALL SELECT c.franchiser_ref, 'bank_credit', c.utr, true FROM public.bank_credits c
        WHERE length(q) >= 6 AND c.utr = public.clean_utr(q)
    UNION ALL (SELECT p.franchiser_id, 'told_utr', p.told_utr, true FROM public.proformas p
        WHERE length(q) >= 6 AND p.told_utr <> '' AND p.told_utr = public.clean_utr(q) LIMIT 8)
    UNION ALL (SELECT u.franchiser_ref, 'bank_return', u.utr, true FROM public.bank_credit_uses u
        WHERE length(q) >= 6 AND u.utr <> '' AND u.utr = public.clean_utr(q) LIMIT 8)  $$;
CREATE OR REPLACE FUNCTION find_job(q text) RETURNS TABLE (id bigint, franchiser_id uuid) LANGUAGE sql STABLE AS $$
 SELECT j.id, nullif(j.metadata ->> 'franchiser_id', '')::uuid FROM public.river_job j
        WHERE j.id = CASE WHEN q ~ '^[0-9]{1,18}$' THEN q::bigint END  $$;
-- +goose StatementEnd
DROP FUNCTION number_in(text);
