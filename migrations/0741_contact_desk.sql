-- Contact requests get an owner, clocks and a thread, and staff get replies that they save under a name.

-- +goose Up
-- state takes the place of status, and entries that of reply_note; a release from before goes on with the old columns, which a later file drops.
ALTER TABLE contact_requests
    ADD COLUMN state         text        NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'waiting', 'answered', 'closed')),
    ADD COLUMN owner_id      uuid        REFERENCES staff,     -- who of the staff sees to it
    ADD COLUMN owned_at      timestamptz,
    ADD COLUMN answer_by     timestamptz NOT NULL DEFAULT now() + interval '1 day',  -- when it is to have a first answer
    ADD COLUMN answered_at   timestamptz,                      -- when it had one
    ADD COLUMN settle_by     timestamptz NOT NULL DEFAULT now() + interval '3 days', -- when it is to be settled
    ADD COLUMN waiting_since timestamptz,                      -- since when the clock stands still, because it is the person's turn
    ADD COLUMN settled_at    timestamptz,
    ADD CONSTRAINT contact_requests_owned CHECK ((owner_id IS NULL) = (owned_at IS NULL)),
    ADD CONSTRAINT contact_requests_waits CHECK ((state = 'waiting') = (waiting_since IS NOT NULL)),
    ADD CONSTRAINT contact_requests_settled CHECK ((state IN ('answered', 'closed')) = (settled_at IS NOT NULL));
UPDATE contact_requests SET answer_by = created_at + interval '1 day', settle_by = created_at + interval '3 days',
    state = CASE status WHEN 'done' THEN 'closed' ELSE 'open' END, settled_at = CASE status WHEN 'done' THEN updated_at END,
    owner_id = CASE status WHEN 'in_progress' THEN handled_by END, owned_at = CASE WHEN status = 'in_progress' AND handled_by IS NOT NULL THEN updated_at END,
    answered_at = CASE WHEN reply_note <> '' OR status = 'done' THEN updated_at END;
CREATE TRIGGER transitions BEFORE UPDATE OF state ON contact_requests FOR EACH ROW WHEN (OLD.state <> NEW.state)
    EXECUTE FUNCTION keep_to_transitions('open>waiting', 'open>answered', 'open>closed', 'waiting>open', 'waiting>answered', 'waiting>closed',
        'answered>open', 'answered>waiting', 'answered>closed', 'closed>open');
CREATE TRIGGER first_states AFTER INSERT ON contact_requests FOR EACH ROW
    WHEN (current_user IN ('franchise360_api', 'franchise360_worker')) EXECUTE FUNCTION keep_to_first_states('open');
ALTER TABLE contact_requests ENABLE ALWAYS TRIGGER first_states;
CREATE INDEX contact_requests_state ON contact_requests (state, created_at DESC, id DESC);
CREATE INDEX contact_requests_owner ON contact_requests (owner_id, state) WHERE owner_id IS NOT NULL;
CREATE INDEX contact_requests_unanswered ON contact_requests (answer_by) WHERE state = 'open' AND answered_at IS NULL;
CREATE INDEX contact_requests_unsettled ON contact_requests (settle_by) WHERE state = 'open' AND answered_at IS NOT NULL;

-- The thread of a request after its first message: what staff sent by e-mail, what the person answered, and notes for staff.
CREATE TABLE contact_entries (
    id         uuid        PRIMARY KEY,
    contact_id uuid        NOT NULL REFERENCES contact_requests ON DELETE CASCADE,
    kind       text        NOT NULL CHECK (kind IN ('reply', 'answer', 'note')),
    text       text        NOT NULL CHECK (text ~ '\S' AND char_length(text) <= 4000),
    key        text        NOT NULL,   -- that the browser gave it, so that it is added once
    written_by uuid        NOT NULL REFERENCES staff,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,            -- a reply is never sent after
    sent_at    timestamptz,
    send_error text        NOT NULL DEFAULT '',
    UNIQUE (contact_id, key),
    CHECK ((kind = 'reply') = (expires_at IS NOT NULL))
);
CREATE INDEX contact_entries_of_staff ON contact_entries (written_by);
INSERT INTO contact_entries (id, contact_id, kind, text, key, written_by, created_at)
    SELECT uuidv7(), id, 'note', reply_note, 'reply_note', handled_by, updated_at FROM contact_requests WHERE reply_note ~ '\S' AND handled_by IS NOT NULL;
GRANT SELECT, INSERT ON contact_entries TO franchise360_api;
GRANT SELECT, UPDATE, DELETE ON contact_entries TO franchise360_worker;
ALTER TABLE contact_entries ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_name ON contact_entries FOR INSERT TO franchise360_api
    WITH CHECK (written_by = (SELECT acting_staff('help')) AND sent_at IS NULL AND send_error = '');
-- Customers read those of their own requests, in the export of their data.
CREATE POLICY staff_read ON contact_entries FOR SELECT TO franchise360_api
    USING ((SELECT acting_staff()) IS NOT NULL OR contact_id IN (SELECT c.id FROM contact_requests c));
CREATE POLICY every_row ON contact_entries TO franchise360_worker USING (true) WITH CHECK (true);

-- Replies that admins write once, with placeholders such as {name}.
CREATE TABLE contact_macros (
    id         uuid        PRIMARY KEY,
    title      text        NOT NULL CHECK (title ~ '\S' AND char_length(title) <= 80),
    text       text        NOT NULL CHECK (text ~ '\S' AND char_length(text) <= 2000),
    changed_by uuid        NOT NULL REFERENCES staff,
    changed_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX contact_macros_title ON contact_macros (lower(title));
GRANT SELECT, INSERT, UPDATE, DELETE ON contact_macros TO franchise360_api;
ALTER TABLE contact_macros ENABLE ROW LEVEL SECURITY;
CREATE POLICY staff_read ON contact_macros FOR SELECT TO franchise360_api USING ((SELECT acting_staff()) IS NOT NULL);
CREATE POLICY admins_add ON contact_macros FOR INSERT TO franchise360_api WITH CHECK (changed_by = (SELECT acting_staff('admin')));
CREATE POLICY admins_change ON contact_macros FOR UPDATE TO franchise360_api
    USING ((SELECT acting_staff('admin')) IS NOT NULL) WITH CHECK (changed_by = (SELECT acting_staff('admin')));
CREATE POLICY admins_delete ON contact_macros FOR DELETE TO franchise360_api USING ((SELECT acting_staff('admin')) IS NOT NULL);

-- +goose StatementBegin
-- proved_email is the address that a customer proved and that takes messages.
CREATE FUNCTION proved_email(customer uuid) RETURNS text LANGUAGE sql STABLE
    AS $$ SELECT f.email FROM public.franchisers f WHERE f.id = customer AND f.erased_at IS NULL AND f.email_proved_at IS NOT NULL
        AND f.email_refused_at IS NULL $$;

-- reached_by is the one customer with that proved address, else the one with that mobile, told to staff.
CREATE FUNCTION reached_by(address text, number text) RETURNS TABLE (franchiser_id uuid, by_email boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT min(f.id::text)::uuid, true FROM public.franchisers f WHERE f.email = address AND f.erased_at IS NULL
        AND f.email_proved_at IS NOT NULL HAVING count(*) = 1;
    IF NOT FOUND THEN
        RETURN QUERY SELECT f.id, false FROM public.franchisers f WHERE number <> '' AND f.mobile = number AND f.erased_at IS NULL;
    END IF; END $$;

-- contact_customer names the customer of a request to staff.
CREATE FUNCTION contact_customer(address text, number text) RETURNS TABLE (franchiser_id uuid, name text, by_email boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ SELECT r.franchiser_id, coalesce(nullif(c.name, ''), left(c.mobile, 2) || '••••' || right(c.mobile, 4)), r.by_email
        FROM public.reached_by(address, number) r CROSS JOIN LATERAL public.named_customer(r.franchiser_id) c $$;

-- staff_who_help are the members of staff who may see to contact requests.
CREATE FUNCTION staff_who_help() RETURNS TABLE (id uuid, name text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN PERFORM public.require_staff();
    RETURN QUERY SELECT m.id, m.name FROM public.staff m WHERE m.disabled_at IS NULL AND m.role IN ('support', 'admin') ORDER BY m.name, m.id; END $$;
-- +goose StatementEnd
ALTER FUNCTION reached_by(text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION contact_customer(text, text) OWNER TO franchise360_lookup;
ALTER FUNCTION staff_who_help() OWNER TO franchise360_lookup;
REVOKE ALL ON FUNCTION proved_email(uuid), reached_by(text, text), contact_customer(text, text), staff_who_help() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION proved_email(uuid) TO franchise360_api, franchise360_worker;
GRANT EXECUTE ON FUNCTION contact_customer(text, text), staff_who_help() TO franchise360_api;

-- A request is also the customer's who proved the e-mail address in it; whose address was only typed proves nothing.
ALTER POLICY staff_read ON contact_requests USING ((SELECT acting_staff()) IS NOT NULL
    OR mobile <> '' AND mobile = (SELECT p.mobile FROM person_overview p WHERE p.franchiser_id = (SELECT current_franchiser()))
    OR email = (SELECT proved_email((SELECT current_franchiser()))));

-- +goose Down
ALTER POLICY staff_read ON contact_requests USING ((SELECT acting_staff()) IS NOT NULL
    OR mobile <> '' AND mobile = (SELECT p.mobile FROM person_overview p WHERE p.franchiser_id = (SELECT current_franchiser())));
DROP FUNCTION staff_who_help(), contact_customer(text, text), reached_by(text, text), proved_email(uuid);
DROP TABLE contact_macros, contact_entries;
DROP INDEX contact_requests_unsettled, contact_requests_unanswered, contact_requests_owner, contact_requests_state;
DROP TRIGGER first_states ON contact_requests;
DROP TRIGGER transitions ON contact_requests;
ALTER TABLE contact_requests DROP COLUMN settled_at, DROP COLUMN waiting_since, DROP COLUMN settle_by, DROP COLUMN answered_at, DROP COLUMN answer_by,
    DROP COLUMN owned_at, DROP COLUMN owner_id, DROP COLUMN state;
