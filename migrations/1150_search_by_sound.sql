-- +goose NO TRANSACTION
-- Staff find a customer by a name that sounds like the typed one, or that differs from it by one letter.

-- +goose Up
-- +goose StatementBegin
-- sound_words returns the words of a name as they sound: spellings of one Indian name become one. Vowels become a, i and u; ch becomes C; an h
-- after a letter, doubled letters, a final a and initials are dropped. Devanagari is read as Latin.
CREATE OR REPLACE FUNCTION sound_words(name text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    s text := translate(lower(name), 'अआाइईिीउऊुूएऐेैओऔोौकखगघचछजझञङटठतथडढदधनणपफबभमंँयरऋृलळवशषसह''’़्‍‌',
                                     'aaaiiiiuuuuiiiiuuuukkggCCjjnnttttddddnnpfbbmnnirrrllvsssh');
BEGIN
    s := regexp_replace(' ' || regexp_replace(s, '[^a-zC]+', ' ', 'g') || ' ', ' ([a-zC] )+', ' ', 'g');
    s := regexp_replace(s, ' (mohd|mohmd|muhd|mhd|md) ', ' mohamad ', 'g');
    s := replace(replace(replace(replace(s, 'chr', 'kr'), 'tch', 'ch'), 'chh', 'ch'), 'ch', 'C');
    s := replace(replace(replace(replace(s, 'ce', 'se'), 'ci', 'si'), 'cy', 'si'), 'ck', 'k');
    s := replace(replace(replace(replace(s, 'x', 'ks'), 'zh', 'l'), 'ph', 'f'), ' h', ' H');
    s := regexp_replace(s, '[ao][uw](?![aeiouy])', 'u', 'g');
    s := replace(translate(s, 'Hwyeoqzch', 'hviiukjk'), 'ai', 'i');
    s := replace(regexp_replace(s, '(.)\1+', '\1', 'g'), 'a ', ' ');
    RETURN array_remove(string_to_array(s, ' '), '');
END $$;
-- sound_keys returns the keys by which words are found: of each its consonants, and marked with ~ and = what is left of the word when
-- one letter is missing. Two words that differ by a wrong, missing, additional or swapped letter share a marked key.
CREATE OR REPLACE FUNCTION sound_keys(words text[]) RETURNS text[] LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    word text;
    consonants text;
    keys text[] := '{}';
BEGIN
    FOREACH word IN ARRAY words LOOP
        consonants := left(word, 1) || translate(substr(word, 2), 'aiu', '');
        keys := keys || consonants || ('~' || consonants);
        IF length(consonants) > 4 THEN
            FOR i IN 1..length(consonants) LOOP
                keys := keys || ('~' || left(consonants, i - 1) || substr(consonants, i + 1));
            END LOOP;
        ELSE
            keys := keys || ('=' || word);
            IF length(word) > 2 THEN
                FOR i IN 1..length(word) LOOP
                    keys := keys || ('=' || left(word, i - 1) || substr(word, i + 1));
                END LOOP;
            END IF;
        END IF;
    END LOOP;
    RETURN keys;
END $$;
CREATE OR REPLACE FUNCTION sounds_of(name text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $$ SELECT public.sound_keys(public.sound_words(name)) $$;
-- sounds_like returns the keys of names that sound like q, NULL if q has no words.
CREATE OR REPLACE FUNCTION sounds_like(q text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_agg(key) FROM unnest(public.sounds_of(q)) AS key WHERE left(key, 1) NOT IN ('~', '=') $$;
-- sounds_near returns the keys that a word shares with word n of q when at most one letter differs; word 1 stands for a word that q has not.
CREATE OR REPLACE FUNCTION sounds_near(q text, n integer) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT array_agg(key) FROM unnest((SELECT public.sound_keys(ARRAY[coalesce(w[n], w[1])]) FROM public.sound_words(q) AS w)) AS key
        WHERE left(key, 1) IN ('~', '=') $$;
-- search_sounding_people finds people whose name sounds like q, or with near those whose name differs from it by a letter of each word.
CREATE OR REPLACE FUNCTION search_sounding_people(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT f.id, btrim(f.first_name || ' ' || f.last_name) FROM public.franchisers f
        WHERE NOT near AND public.sounds_of(f.first_name || ' ' || f.last_name) @> public.sounds_like(q) AND f.erased_at IS NULL
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT f.id, btrim(f.first_name || ' ' || f.last_name) FROM public.franchisers f
        WHERE near AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 1)
            AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 2)
            AND public.sounds_of(f.first_name || ' ' || f.last_name) && public.sounds_near(q, 3) AND f.erased_at IS NULL
        LIMIT (SELECT public.search_limit())) $$;
-- search_sounding_stores finds stores in the same way.
CREATE OR REPLACE FUNCTION search_sounding_stores(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT t.franchiser_id, t.store_name FROM public.tenants t
        WHERE NOT near AND public.sounds_of(t.store_name) @> public.sounds_like(q) AND t.closed_at IS NULL
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT t.franchiser_id, t.store_name FROM public.tenants t
        WHERE near AND public.sounds_of(t.store_name) && public.sounds_near(q, 1) AND public.sounds_of(t.store_name) && public.sounds_near(q, 2)
            AND public.sounds_of(t.store_name) && public.sounds_near(q, 3) AND t.closed_at IS NULL
        LIMIT (SELECT public.search_limit())) $$;
-- search_sounding_addresses finds companies in the same way.
CREATE OR REPLACE FUNCTION search_sounding_addresses(q text, near boolean) RETURNS TABLE (franchiser_id uuid, label text) LANGUAGE sql STABLE AS $$
    (SELECT a.franchiser_id, a.legal_name FROM public.business_addresses a
        WHERE NOT near AND public.sounds_of(a.legal_name) @> public.sounds_like(q) AND a.legal_name <> ''
        LIMIT (SELECT public.search_limit()))
    UNION ALL (SELECT a.franchiser_id, a.legal_name FROM public.business_addresses a
        WHERE near AND public.sounds_of(a.legal_name) && public.sounds_near(q, 1) AND public.sounds_of(a.legal_name) && public.sounds_near(q, 2)
            AND public.sounds_of(a.legal_name) && public.sounds_near(q, 3) AND a.legal_name <> ''
        LIMIT (SELECT public.search_limit())) $$;
-- support_find_sounding_any finds customers by a name that sounds like q, or with near one that differs by a letter of each word.
CREATE OR REPLACE FUNCTION support_find_sounding_any(q text, near boolean)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path TO pg_catalog, public AS $$
    SELECT s.franchiser_id, 'sounds_like', s.label, false, coalesce(c.name, ''), coalesce(c.mobile, '')
    FROM (SELECT * FROM public.search_sounding_people(q, near) UNION ALL SELECT * FROM public.search_sounding_stores(q, near)
        UNION ALL SELECT * FROM public.search_sounding_addresses(q, near)) s
        LEFT JOIN LATERAL public.named_customer(s.franchiser_id) c ON true $$;
CREATE OR REPLACE FUNCTION support_find_sounding(q text, near boolean)
    RETURNS TABLE (franchiser_id uuid, kind text, label text, exact boolean, name text, mobile text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff(); RETURN QUERY SELECT * FROM public.support_find_sounding_any(q, near); END $$;
-- +goose StatementEnd
ALTER FUNCTION support_find_sounding_any(text, boolean) OWNER TO franchise360_lookup;
ALTER FUNCTION support_find_sounding(text, boolean) OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION sound_words(text), sound_keys(text[]), sounds_of(text), sounds_like(text), sounds_near(text, integer),
    search_sounding_people(text, boolean), search_sounding_stores(text, boolean), search_sounding_addresses(text, boolean),
    support_find_sounding_any(text, boolean), support_find_sounding(text, boolean) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION sounds_like(text), sounds_near(text, integer), search_sounding_people(text, boolean), search_sounding_stores(text, boolean),
    search_sounding_addresses(text, boolean) TO franchise360_lookup;
GRANT EXECUTE ON FUNCTION support_find_sounding(text, boolean) TO franchise360_api;
-- Their writes fill the indexes.
GRANT EXECUTE ON FUNCTION sound_words(text), sound_keys(text[]), sounds_of(text) TO franchise360_api, franchise360_worker, franchise360_lookup;
DROP INDEX CONCURRENTLY IF EXISTS franchisers_search_sounds;
CREATE INDEX CONCURRENTLY franchisers_search_sounds ON franchisers USING gin (sounds_of(first_name || ' ' || last_name)) WHERE erased_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS tenants_search_sounds;
CREATE INDEX CONCURRENTLY tenants_search_sounds ON tenants USING gin (sounds_of(store_name)) WHERE closed_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS business_addresses_search_sounds;
CREATE INDEX CONCURRENTLY business_addresses_search_sounds ON business_addresses USING gin (sounds_of(legal_name)) WHERE legal_name <> '';

-- +goose Down
DROP INDEX CONCURRENTLY IF EXISTS business_addresses_search_sounds;
DROP INDEX CONCURRENTLY IF EXISTS tenants_search_sounds;
DROP INDEX CONCURRENTLY IF EXISTS franchisers_search_sounds;
DROP FUNCTION IF EXISTS support_find_sounding(text, boolean), support_find_sounding_any(text, boolean), search_sounding_addresses(text, boolean), search_sounding_stores(text, boolean),
    search_sounding_people(text, boolean), sounds_near(text, integer), sounds_like(text), sounds_of(text), sound_keys(text[]),
    sound_words(text);
