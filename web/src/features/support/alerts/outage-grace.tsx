import { useState } from 'react';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { graceDays } from '../customers/customer-acts';
import { ActFieldsDialog } from '../shared/act-dialog';
import { actWords } from '../staff/act-words';
import { Offer } from '../shared/offer';

interface Window {
  from: string;
  to: string;
  days: string;
}

const problemsOf = ({ from, to }: Window) => ({
  from:
    !from || !to || from > to ? 'Choose the first and the last day on which grace ended, in that order.' : undefined,
});

/** Gives more grace to everybody whose days of grace ended while something was down. */
export function OutageGrace() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Offer onClick={() => setOpen(true)}>{actWords.outage_grace.title}</Offer>
      {open && (
        <ActFieldsDialog
          kind="outage_grace"
          who=""
          values={{ from: '', to: '', days: '3' }}
          problemsOf={problemsOf}
          contentOf={({ days, ...window }) => ({ ...window, days: Number(days) })}
          label="Show whom it would help"
          onClose={() => setOpen(false)}
        >
          <TextField name="from" label="Grace ended from" type="date" />
          <TextField name="to" label="To" type="date" />
          <NativeSelectField name="days" label="Days more" options={graceDays} />
        </ActFieldsDialog>
      )}
    </>
  );
}
