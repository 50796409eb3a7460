-- Documents whose PDF is not drawn yet have a table of their own. The work list of the staff found them by comparing all documents that
-- were ever issued with all PDFs.

-- +goose Up
CREATE TABLE documents_to_draw (
    invoice_id    uuid        PRIMARY KEY,
    franchiser_id uuid        NOT NULL,
    issued_at     timestamptz NOT NULL
);
CALL isolate('documents_to_draw');
GRANT INSERT ON documents_to_draw TO franchise360_api;
GRANT SELECT, INSERT, DELETE ON documents_to_draw TO franchise360_worker;
GRANT SELECT ON documents_to_draw TO franchise360_lookup;
CREATE POLICY lookup ON documents_to_draw FOR SELECT TO franchise360_lookup USING (true);

-- +goose StatementBegin
CREATE FUNCTION note_document_to_draw() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO public.documents_to_draw (invoice_id, franchiser_id, issued_at) VALUES (NEW.id, NEW.franchiser_id, NEW.issued_at);
    RETURN NULL;
END $$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE FUNCTION note_drawn_document() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM public.documents_to_draw WHERE invoice_id = NEW.invoice_id;
    RETURN NULL;
END $$;
-- +goose StatementEnd
CREATE TRIGGER to_draw AFTER INSERT ON invoices FOR EACH ROW EXECUTE FUNCTION note_document_to_draw();
CREATE TRIGGER drawn AFTER INSERT ON invoice_documents FOR EACH ROW EXECUTE FUNCTION note_drawn_document();

-- +goose Down
DROP TRIGGER drawn ON invoice_documents;
DROP TRIGGER to_draw ON invoices;
DROP FUNCTION note_drawn_document();
DROP FUNCTION note_document_to_draw();
DROP TABLE documents_to_draw;
