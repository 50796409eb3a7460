-- +goose Up
-- +goose StatementBegin

-- paid_by_notes returns how much of an upgrade the credit notes of earlier payments paid, by payment.
CREATE FUNCTION paid_by_notes(customer uuid, upgrade uuid) RETURNS TABLE (payment_id uuid, total_paise bigint)
    LANGUAGE sql STABLE
    AS $$ SELECT i.payment_id, sum(i.total_paise)::bigint FROM public.invoices i
        WHERE i.franchiser_id = customer AND i.applied_payment_id = upgrade GROUP BY i.payment_id $$;
REVOKE ALL ON FUNCTION paid_by_notes(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION paid_by_notes(uuid, uuid) TO franchise360_api, franchise360_worker, franchise360_lookup;
GRANT SELECT (applied_payment_id) ON invoices TO franchise360_lookup;

-- kept_of_payment returns what was paid for the payment's invoice, in money or by credit notes, and was not returned. A chargeback of an
-- earlier payment reduces what its credit notes are worth.
CREATE FUNCTION kept_of_payment(payment uuid) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (SELECT coalesce(p.captured_paise, 0)
        + (SELECT coalesce(sum(least(n.total_paise, greatest(0, public.kept_of_payment(n.payment_id)))), 0)
            FROM public.paid_by_notes(p.franchiser_id, p.id) n)
        - (SELECT coalesce(sum(r.amount_paise), 0) FROM public.refunds r WHERE r.franchiser_id = p.franchiser_id AND r.state <> 'failed'
            AND (r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.credits_payment_id IS NULL
                OR r.credits_payment_id = p.id))
        FROM public.payments p WHERE p.id = payment)::bigint;
END $$;

-- owed_of_invoiced returns what failed refunds of a payment still owe of invoiced money, at most what was not returned. A failed refund
-- adds its amount. A later refund subtracts its amount, never below zero, because it returns the same money in another way. A refund of
-- certain parts of the invoice (credit_parts) subtracts nothing: it returns other money. Other captures of the transaction are separate
-- money.
CREATE OR REPLACE FUNCTION owed_of_invoiced(payment uuid) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE WHEN o.owed > 0 THEN least(o.owed, greatest(0, public.kept_of_payment(payment))) ELSE 0 END FROM (
        SELECT coalesce((array_agg(w.sum ORDER BY w.at DESC, w.id DESC, w.step DESC))[1] - least(0, min(w.sum)), 0)::bigint AS owed FROM (
            SELECT e.at, e.id, e.step, sum(e.paise) OVER (ORDER BY e.at, e.id, e.step) AS sum FROM public.payments p
                JOIN public.refunds r ON r.payment_id = p.id AND r.gateway_payment_id = p.gateway_payment_id AND r.reason <> 'surplus'
                    AND r.credits_payment_id IS NULL
                CROSS JOIN LATERAL (VALUES (r.created_at, r.id, 1, CASE WHEN r.credit_parts IS NULL THEN -r.amount_paise ELSE 0 END),
                    (coalesce(r.failed_at, r.created_at), r.id, 2, r.amount_paise)) e (at, id, step, paise)
            WHERE p.id = payment AND (e.step = 1 OR r.state = 'failed')) w) o $$;

-- sound_words returns a name's words by sound, so that spellings of one Indian name match. Vowels become a, i and u; ch becomes C; an h
-- after a letter, doubled letters, a final a, initials and the title Dr are dropped. Zh is j at the beginning, l elsewhere. Devanagari is
-- read as Latin.
CREATE OR REPLACE FUNCTION sound_words(name text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    s text := translate(lower(name), 'ऑॉअआाइईिीउऊुूएऐेैओऔोौकखगघचछजझञङटठतथडढदधनणपफबभमंँयरऋृलळवशषसह''’़्‍‌',
                                     'ooaaaiiiiuuuuiiiiuuuukkggCCjjnnttttddddnnpfbbmnnirrrllvsssh');
BEGIN
    s := regexp_replace(' ' || regexp_replace(s, '[^a-zC]+', ' ', 'g') || ' ', ' ([a-zC] )+', ' ', 'g');
    s := regexp_replace(s, ' (?:dr|da|do) (?=[a-z])', ' ');
    s := regexp_replace(replace(s, ' zh', ' j'), ' (mohd|mohmd|muhd|mhd|md) ', ' mohamad ', 'g');
    s := replace(replace(replace(replace(s, 'chr', 'kr'), 'tch', 'ch'), 'chh', 'ch'), 'ch', 'C');
    s := replace(replace(replace(replace(s, 'ce', 'se'), 'ci', 'si'), 'cy', 'si'), 'ck', 'k');
    s := replace(replace(replace(replace(s, 'x', 'ks'), 'zh', 'l'), 'ph', 'f'), ' h', ' H');
    s := regexp_replace(s, '[ao][uw](?![aeiouy])', 'u', 'g');
    s := replace(translate(s, 'Hwyeoqzch', 'hviiukjk'), 'ai', 'i');
    s := replace(regexp_replace(s, '(.)\1+', '\1', 'g'), 'a ', ' ');
    RETURN array_remove(string_to_array(s, ' '), '');
END $$;

-- sound_forms returns the sets of keys to search for a name that sounds like q: its words, then the name with two neighbours written as one
-- word, and with a word written as two, of at least two and three sounds.
CREATE FUNCTION sound_forms(q text) RETURNS SETOF text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 10 AS $$
DECLARE
    words text[] := public.sound_words(q);
    size integer := cardinality(words);
    form text[];
    keys text[];
BEGIN
    FOR form IN
        SELECT f.form FROM (
            SELECT 0 AS place, words AS form WHERE size > 0
            UNION ALL SELECT 1, words[:n - 1] || regexp_replace(words[n] || words[n + 1], '(.)\1+', '\1', 'g') || words[n + 2:]
                FROM generate_series(1, size - 1) n WHERE size <= 3
            UNION ALL SELECT 2, words[:n - 1] || left(words[n], i) || substr(words[n], i + 1) || words[n + 1:]
                FROM generate_series(1, size) n, generate_series(2, length(words[n]) - 3) i WHERE size <= 2) f ORDER BY f.place
    LOOP
        SELECT array_agg(left(word, 1) || translate(substr(word, 2), 'aiu', '')) INTO keys FROM unnest(form) AS word;
        -- Two short sounds are part of too many names.
        CONTINUE WHEN cardinality(form) > size AND (SELECT max(length(key)) FROM unnest(keys) AS key) < 3;
        RETURN NEXT keys;
    END LOOP;
END $$;
REVOKE ALL ON FUNCTION sound_forms(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sound_forms(text) TO franchise360_lookup;

-- search_sounding_people finds names that sound like q; with near, names that differ by one letter per word.
CREATE OR REPLACE FUNCTION search_sounding_people(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT f.id, btrim(f.first_name || ' ' || f.last_name) FROM public.sound_forms(q) AS keys
        JOIN public.franchisers f ON public.sounds_of(f.first_name || ' ' || f.last_name) @> keys
        WHERE NOT near AND f.erased_at IS NULL
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, btrim(f.first_name || ' ' || f.last_name) FROM public.franchisers f
        WHERE near AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 1)
            AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 2)
            AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 3) AND f.erased_at IS NULL
        LIMIT (SELECT public.search_limit())) $$;

-- search_sounding_addresses finds companies like search_sounding_people.
CREATE OR REPLACE FUNCTION search_sounding_addresses(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT a.franchiser_id, a.legal_name FROM public.sound_forms(q) AS keys
        JOIN public.business_addresses a ON public.sounds_of(a.legal_name) @> keys
        WHERE NOT near AND a.legal_name <> ''
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT a.franchiser_id, a.legal_name FROM public.business_addresses a
        WHERE near AND public.sounds_of(a.legal_name) && public.sounds_near(q, 1) AND public.sounds_of(a.legal_name) && public.sounds_near(q, 2)
            AND public.sounds_of(a.legal_name) && public.sounds_near(q, 3) AND a.legal_name <> ''
        LIMIT (SELECT public.search_limit())) $$;

-- search_sounding_stores finds stores like search_sounding_people.
CREATE OR REPLACE FUNCTION search_sounding_stores(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT t.franchiser_id, t.store_name FROM public.sound_forms(q) AS keys
        JOIN public.tenants t ON public.sounds_of(t.store_name) @> keys
        WHERE NOT near AND t.closed_at IS NULL
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, t.store_name FROM public.tenants t
        WHERE near AND public.sounds_of(t.store_name) && public.sounds_near(q, 1) AND public.sounds_of(t.store_name) && public.sounds_near(q, 2)
            AND public.sounds_of(t.store_name) && public.sounds_near(q, 3) AND t.closed_at IS NULL
        LIMIT (SELECT public.search_limit())) $$;

-- The days of paid terms and add-ons with their monthly value: amount less discount, before tax and gateway charge; yearly prices divided
-- by twelve. Trials and one-time charges do not count. A term runs through its grace. An unrenewed term ended with its last day; a later
-- term of the subscription ends the earlier one. A switch continues the term that it replaces. Plan, billing period and State come from
-- the term's order.
CREATE OR REPLACE VIEW recurring_overview WITH (security_invoker = true) AS
WITH ran AS (
    SELECT t.franchiser_id, t.order_id, t.plan_id, t.plan_type, t.starts_on, o.renew_on AS paid_to,
        CASE o.kind WHEN 'switch' THEN (SELECT min(b.starts_on) FROM terms b JOIN orders bo ON bo.id = b.order_id
            WHERE b.subscription_id = t.subscription_id AND bo.renew_on = o.renew_on) ELSE t.starts_on END AS begins_on,
        coalesce(o.recipient->>'state_code', '') AS state_code, CASE t.plan_type WHEN 'yearly' THEN 12 ELSE 1 END AS months,
        least(CASE WHEN t.status IN ('current', 'scheduled') AND s.state IN ('active', 'grace') AND s.paid_until = t.renew_on THEN 'infinity'::date
                ELSE t.renew_on END,
            (SELECT min(n.starts_on) FROM terms n WHERE n.subscription_id = t.subscription_id AND n.id > t.id),
            CASE WHEN t.status = 'replaced' THEN (SELECT min(day_in_india(e.at)) FROM subscription_events e
                WHERE e.franchiser_id = t.franchiser_id AND e.order_id = t.order_id AND e.kind = 'revoked') END) AS ends_on
    FROM terms t JOIN orders o ON o.franchiser_id = t.franchiser_id AND o.id = t.order_id
        JOIN subscriptions s ON s.franchiser_id = t.franchiser_id AND s.id = t.subscription_id
    WHERE o.kind <> 'trial'
), span AS (
    SELECT r.franchiser_id, l.kind, r.plan_id, r.plan_type, r.state_code, r.starts_on, r.ends_on,
        round((l.amount_paise - l.discount_paise)::numeric / r.months)::bigint AS monthly_paise
    FROM ran r JOIN order_lines l ON l.franchiser_id = r.franchiser_id AND l.order_id = r.order_id AND l.kind <> 'fee' AND NOT l.once
    UNION ALL
    -- An add-on bought mid-term counts with its full-term price.
    SELECT r.franchiser_id, l.kind, r.plan_id, r.plan_type, r.state_code, l.period_from,
        least(r.ends_on,
            CASE WHEN o.credited THEN (SELECT n.starts_on FROM orders u JOIN terms n ON n.order_id = u.id
                WHERE u.franchiser_id = o.franchiser_id AND u.kind = 'upgrade' AND u.paid_at >= o.paid_at ORDER BY u.paid_at LIMIT 1) END,
            CASE WHEN o.credited THEN (SELECT min(greatest(day_in_india(e.at), l.period_from)) FROM subscription_events e
                WHERE e.franchiser_id = o.franchiser_id AND e.order_id = o.id AND e.kind = 'revoked') END),
        round(CASE WHEN l.period_from = r.begins_on THEN l.amount_paise - l.discount_paise
            ELSE add_on_price(o.catalogue_revision, l.add_on_id, r.plan_type) * l.quantity
                - l.discount_paise::numeric * (r.paid_to - r.begins_on) / greatest(l.period_to - l.period_from, 1) END / r.months::numeric)::bigint
    FROM orders o JOIN order_lines l ON l.franchiser_id = o.franchiser_id AND l.order_id = o.id AND l.kind = 'add_on' AND NOT l.once
        JOIN ran r ON r.franchiser_id = o.franchiser_id AND l.period_from >= r.starts_on AND l.period_from < r.ends_on
    WHERE o.kind = 'add_on' AND o.state = 'paid'
)
SELECT franchiser_id, kind, plan_id, plan_type, state_code, starts_on, ends_on, monthly_paise FROM span WHERE ends_on > starts_on;
-- +goose StatementEnd
