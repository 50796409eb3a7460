-- +goose Up
-- The language of the page on which a code was requested, in which its SMS is written; empty for what nobody requested on a page.
ALTER TABLE one_time_codes ADD COLUMN language text NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{2,3})?$');
-- The language that new documents of a franchiser have beside English; empty for none.
ALTER TABLE franchisers ADD COLUMN document_language text NOT NULL DEFAULT '' CHECK (document_language ~ '^([a-z]{2,3})?$' AND document_language <> 'en');

CREATE VIEW language_overview WITH (security_invoker = true) AS
SELECT id AS franchiser_id, language, document_language FROM franchisers;
COMMENT ON VIEW language_overview IS 'account: what a franchiser reads, and the language that their documents have beside English';
GRANT SELECT ON language_overview TO franchise360_api, franchise360_worker;

-- +goose Down
DROP VIEW language_overview;
ALTER TABLE franchisers DROP COLUMN document_language;
ALTER TABLE one_time_codes DROP COLUMN language;
