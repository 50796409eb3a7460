import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { Form, SubmitButton } from '@/ui/form/form';
import { TextAreaField } from '@/ui/form/text-area-field';
import { useConsoleForm } from '../shared/use-console-form';
import { Badge } from '@/ui/notice';
import { Button } from '@/ui/button';
import { Async } from '@/ui/states';
import { useRepeatKey } from '@/lib/idempotency-key';
import { judged } from '@/lib/validation';
import { addNote, deleteNote, notesQuery, pinNote, type Note } from '../api/notes';
import { useMay } from '../api/rights';
import { CustomerTags } from './customer-tags';
import { ReasonDialog } from '../shared/reason-dialog';
import { When } from '../shared/when';
import { useChange } from '../api/use-change';
import './customer-notes.scss';
import { Offer } from '../shared/offer';

/** How many notes are shown before "Show all"; pinned ones come first. */
const FEW = 3;

interface NoteFormProps {
  id: string;
  onClose: () => void;
}

function NoteForm({ id, onClose }: NoteFormProps) {
  const keys = useRepeatKey();
  const form = useConsoleForm({
    schema: judged<Parameters<typeof addNote>[1]>(({ text }) => ({ text: text.trim() ? undefined : 'Write a note.' })),
    defaultValues: { text: '', pinned: false },
    onSubmit: async (note) => {
      await addNote(id, note, keys.of(`${note.pinned} ${note.text}`));
      keys.done();
      form.methods.reset();
    },
  });
  const { setFocus } = form.methods;
  useEffect(() => setFocus('text'), [setFocus]);
  return (
    <Form form={form} className="note-form" summary={false}>
      <TextAreaField
        name="text"
        label="New note"
        hint="The customer reads notes in an export of their data."
        rows={2}
        maxLength={2000}
      />
      <CheckboxField name="pinned" label="Pin it to the top" />
      <div className="note-acts">
        <SubmitButton size="sm">Keep the note</SubmitButton>
        <Button size="sm" variant="quiet" onClick={onClose}>
          Close
        </Button>
      </div>
    </Form>
  );
}

interface NoteRowProps {
  note: Note;
  now: number;
  mayChange: boolean;
  onPin: () => void;
  onDelete: () => void;
}

function NoteRow({ note, now, mayChange, onPin, onDelete }: NoteRowProps) {
  return (
    <li>
      <p className="note-text">{note.text}</p>
      <p className="note-line">
        {note.pinned && <Badge tone="primary">Pinned</Badge>} {note.author}, <When at={note.created_at} now={now} />
        {mayChange && (
          <Button
            size="sm"
            variant="quiet"
            aria-label={`${note.pinned ? 'Unpin' : 'Pin'} the note of ${note.author}`}
            onClick={onPin}
          >
            {note.pinned ? 'Unpin' : 'Pin'}
          </Button>
        )}
        {note.may_delete && (
          <Button size="sm" variant="quiet" aria-label={`Delete the note of ${note.author}`} onClick={onDelete}>
            Delete
          </Button>
        )}
      </p>
    </li>
  );
}

/** What staff noted about a customer: tags and notes. */
export function CustomerNotes({ id, now }: { id: string; now: number }) {
  const notes = useQuery(notesQuery(id));
  const mayChange = useMay('help', 'money');
  const [all, setAll] = useState(false);
  const [writing, setWriting] = useState(false);
  const [leaving, setLeaving] = useState<Note>();
  const pin = useChange((note: Note) => pinNote(id, note.id, !note.pinned), { toast: 'error' });
  const list = notes.data?.notes ?? [];
  const shown = all ? list : list.filter((note, n) => note.pinned || n < FEW);
  return (
    <section className="customer-notes" aria-labelledby="notes-title">
      <h2 id="notes-title">Notes and tags</h2>
      <Async query={notes} what="the notes" lines={2} tellStale />
      {notes.data && (
        <CustomerTags id={id} tags={notes.data.tags} known={notes.data.known_tags} mayChange={mayChange} />
      )}
      <ul className="note-list" aria-label="Notes">
        {shown.map((note) => (
          <NoteRow
            key={note.id}
            note={note}
            now={now}
            mayChange={mayChange}
            onPin={() => pin.mutate(note)}
            onDelete={() => setLeaving(note)}
          />
        ))}
      </ul>
      {shown.length < list.length && <Offer onClick={() => setAll(true)}>Show all {list.length} notes</Offer>}
      {mayChange && !writing && (
        <Offer className="note-add" onClick={() => setWriting(true)}>
          Write a note
        </Offer>
      )}
      {writing && <NoteForm id={id} onClose={() => setWriting(false)} />}
      {leaving && (
        <ReasonDialog
          title="Delete the note"
          effect={<p>The text is gone for good. The audit trail keeps that you deleted a note, and why.</p>}
          label="Delete the note"
          suggestions={['It is out of date.', 'It was about somebody else.']}
          act={(reason) => deleteNote(id, leaving.id, reason)}
          said=""
          onClose={() => setLeaving(undefined)}
        />
      )}
    </section>
  );
}
