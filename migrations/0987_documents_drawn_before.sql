-- Documents of before 0986_documents_to_draw, which notes those that are issued from then on. All are read once here; nobody waits for that.

-- +goose Up
INSERT INTO documents_to_draw (invoice_id, franchiser_id, issued_at)
    SELECT i.id, i.franchiser_id, i.issued_at FROM invoices i
    WHERE NOT EXISTS (SELECT FROM invoice_documents d WHERE d.invoice_id = i.id)
    ON CONFLICT DO NOTHING;

-- +goose StatementBegin
-- documents_without_file has what was issued before that time and has no PDF.
CREATE OR REPLACE FUNCTION documents_without_file(before timestamptz)
    RETURNS TABLE (franchiser_id uuid, invoice_id uuid, number text, kind text, issued_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        -- a document that was drawn while 0987_documents_drawn_before read it is still noted
        RETURN QUERY SELECT i.franchiser_id, i.id, i.number, i.kind, i.issued_at
            FROM public.documents_to_draw w JOIN public.invoices i ON i.id = w.invoice_id
            WHERE w.issued_at < before AND NOT EXISTS (SELECT FROM public.invoice_documents d WHERE d.invoice_id = i.id);
    END $$;
-- +goose StatementEnd

-- +goose Down
-- +goose StatementBegin
-- documents_without_file has what was issued before that time and has no PDF.
CREATE OR REPLACE FUNCTION documents_without_file(before timestamptz)
    RETURNS TABLE (franchiser_id uuid, invoice_id uuid, number text, kind text, issued_at timestamptz)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
    AS $$ BEGIN
        PERFORM public.require_staff();
        RETURN QUERY SELECT i.franchiser_id, i.id, i.number, i.kind, i.issued_at FROM public.invoices i
            WHERE i.issued_at < before AND NOT EXISTS (SELECT FROM public.invoice_documents d WHERE d.invoice_id = i.id);
    END $$;
-- +goose StatementEnd
