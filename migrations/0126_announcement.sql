-- Announcements of the operator, in a line above the pages.

-- +goose Up
-- +goose StatementBegin
SET LOCAL check_function_bodies = off;

-- An announcement. revision counts its versions: a user who closed an older version sees the new one. A page shows the latest started
-- warning, otherwise the latest started text.
CREATE TABLE announcements (
    id         uuid        PRIMARY KEY,
    texts      jsonb       NOT NULL -- by the code of the language; the server checks which languages there are
        CHECK (jsonb_typeof(texts) = 'object' AND texts ? 'en' AND NOT jsonb_path_exists(texts,
            '$.* ? (@.type() != "string" || !(@ like_regex "\\S") || @ like_regex "^.{201}" flag "s")')),
    link       text        NOT NULL DEFAULT '' CHECK (link = '' OR link ~ '^/[^/\\]' OR link = '/'), -- an internal page
    level      text        NOT NULL CHECK (level IN ('info', 'warning')),
    audience   text        NOT NULL CHECK (audience IN ('public', 'customers', 'both')),
    starts_at  timestamptz NOT NULL,
    ends_at    timestamptz NOT NULL CHECK (ends_at > starts_at),
    revision   int         NOT NULL CHECK (revision > 0),
    saved_by   uuid        NOT NULL REFERENCES staff,
    saved_at   timestamptz NOT NULL
);
CREATE INDEX announcements_by_end ON announcements (ends_at DESC, id DESC);
ALTER TABLE announcements ENABLE ROW LEVEL SECURITY;
CREATE POLICY everybody_reads ON announcements FOR SELECT TO franchise360_api USING (true);
CREATE POLICY own_name ON announcements FOR INSERT TO franchise360_api WITH CHECK (saved_by = (SELECT acting_staff('admin')));
CREATE POLICY own_change ON announcements FOR UPDATE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL)
    WITH CHECK (saved_by = (SELECT acting_staff('admin')));
CREATE TRIGGER no_delete BEFORE DELETE OR TRUNCATE ON announcements FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
GRANT INSERT ON announcements TO franchise360_api;
GRANT SELECT (id, texts, link, level, audience, starts_at, ends_at, revision, saved_by, saved_at), UPDATE (texts,
    link, level, audience, starts_at, ends_at, revision, saved_by, saved_at) ON announcements TO franchise360_api;
-- +goose StatementEnd
