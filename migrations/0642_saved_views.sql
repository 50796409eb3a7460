-- Filters of the console's lists that staff keep under a name, for themselves or for all.

-- +goose Up
CREATE TABLE saved_views (
    id         uuid        PRIMARY KEY,
    staff_id   uuid        NOT NULL REFERENCES staff,
    list       text        NOT NULL CHECK (list IN ('jobs', 'contacts', 'audit')),
    name       text        NOT NULL CHECK (char_length(name) BETWEEN 1 AND 60),
    query      text        NOT NULL CHECK (char_length(query) <= 1000), -- of the list's address, without "?"
    shared     boolean     NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX saved_views_once ON saved_views (staff_id, list, lower(name));
CREATE INDEX saved_views_shared ON saved_views (list) WHERE shared;
GRANT SELECT, INSERT, UPDATE (name, shared), DELETE ON saved_views TO franchise360_api;
ALTER TABLE saved_views ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_and_shared ON saved_views FOR SELECT TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR shared AND (SELECT acting_staff()) IS NOT NULL);
CREATE POLICY own_name ON saved_views FOR INSERT TO franchise360_api WITH CHECK (staff_id = (SELECT acting_staff()));
CREATE POLICY own_or_admin ON saved_views FOR UPDATE TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR shared AND (SELECT acting_staff('admin')) IS NOT NULL);
CREATE POLICY own_or_admin_ends ON saved_views FOR DELETE TO franchise360_api
    USING (staff_id = (SELECT acting_staff()) OR shared AND (SELECT acting_staff('admin')) IS NOT NULL);

-- +goose Down
DROP TABLE saved_views;
