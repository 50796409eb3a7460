import { useState } from 'react';
import { Button } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Modal } from '@/ui/modal';
import { toast } from '@/lib/toast';
import { judged } from '@/lib/validation';
import { graceDays } from '../customers/customer-acts';
import { ActDialog } from '../shared/act-dialog';
import { actWords } from '../staff/act-words';

interface Window {
  from: string;
  to: string;
  days: number;
}

/** Asks which days the outage hit and how many days to give; the next dialog shows whom that would help. */
function ChooseWindow({ onChosen, onClose }: { onChosen: (window: Window) => void; onClose: () => void }) {
  const form = useAppForm({
    schema: judged<Record<keyof Window, string>>(({ from, to }) => ({
      from:
        !from || !to || from > to
          ? 'Choose the first and the last day on which grace ended, in that order.'
          : undefined,
    })),
    defaultValues: { from: '', to: '', days: '3' },
    onSubmit: ({ from, to, days }) => onChosen({ from, to, days: Number(days) }),
  });
  return (
    <Modal open title={actWords.outage_grace.title} onClose={onClose} closeOnBackdrop={false}>
      <Form form={form} className="reason-form" summary={false}>
        <p>{actWords.outage_grace.effect}</p>
        <TextField name="from" label="Grace ended from" type="date" />
        <TextField name="to" label="To" type="date" />
        <NativeSelectField name="days" label="Days more" options={graceDays} />
        <SubmitButton>Show whom it would help</SubmitButton>
      </Form>
    </Modal>
  );
}

/** Gives more grace to everybody whose days of grace ended while something was down. */
export function OutageGrace() {
  const [chosen, setChosen] = useState<Window | 'choosing'>();
  const close = () => setChosen(undefined);
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setChosen('choosing')}>
        {actWords.outage_grace.title}
      </Button>
      {chosen === 'choosing' && <ChooseWindow onChosen={setChosen} onClose={close} />}
      {chosen && chosen !== 'choosing' && (
        <ActDialog
          content={{ kind: 'outage_grace', ...chosen }}
          who=""
          onClose={close}
          onBack={() => setChosen('choosing')}
          onDone={({ message }) => {
            close();
            toast.success(message);
          }}
        />
      )}
    </>
  );
}
