-- Documents that the object store has lost: noticed by a check, shown to staff, and put back.

-- +goose Up
-- A document that the database believes to be in the object store and the check did not find there. Its row goes once it is back.
CREATE TABLE lost_documents (
    invoice_id uuid        PRIMARY KEY REFERENCES invoice_documents (invoice_id),
    found_at   timestamptz NOT NULL,
    tried_by   bigint, -- the job that last tried to put it back
    different  boolean     NOT NULL DEFAULT false -- this release draws it otherwise, so that it comes from a backup only
);
GRANT SELECT ON lost_documents TO franchise360_api;
GRANT SELECT, INSERT, UPDATE, DELETE ON lost_documents TO franchise360_worker;

-- How far the check is. It goes on after the last document that it looked at, and begins anew after the newest.
CREATE TABLE document_check (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    after    uuid,        -- NULL before the first of a round
    ended_at timestamptz  -- when it last came to the end
);
INSERT INTO document_check DEFAULT VALUES;
GRANT SELECT ON document_check TO franchise360_api;
GRANT SELECT, UPDATE ON document_check TO franchise360_worker;

-- +goose Down
DROP TABLE document_check, lost_documents;
