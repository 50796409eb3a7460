import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { Button } from '@/ui/button';
import { CheckboxField } from '@/ui/form/checkbox-field';
import { FileField } from '@/ui/form/file-field';
import { formatDay } from '@/lib/format';
import { toast } from '@/lib/toast';
import {
  addDeliveryFile,
  changeDelivery,
  checkDelivery,
  deliveryFile,
  type Delivery,
  type DeliveryOpened,
} from '../api/deliveries';
import { requestReversal } from '../api/help';
import { rupees } from '../customers/customer-words';
import { ReasonDialog } from '../shared/reason-dialog';
import { useChange } from '../api/use-change';
import { Refusal } from '../shared/refusal';
import { count } from '../shared/count';
import { Offer } from '../shared/offer';

interface PartProps {
  opened: DeliveryOpened;
}

/** The steps of the catalogue for this part, ticked one by one. */
export function Checklist({ opened: { delivery, steps }, acts }: PartProps & { acts: boolean }) {
  const check = useChange((done: string[]) => checkDelivery(delivery, done));
  if (steps.length === 0) return null;
  const toggle = (name: string) =>
    check.mutate(steps.filter((step) => (step.name === name ? !step.done : step.done)).map((step) => step.name));
  return (
    <section aria-labelledby="delivery-steps">
      <h2 id="delivery-steps">Checklist</h2>
      <ul className="form-choices plain-list">
        {steps.map((step) => (
          <li key={step.name}>
            <CheckboxField
              box=""
              label={step.name}
              checked={step.done}
              disabled={!acts || check.isPending}
              onChange={() => toggle(step.name)}
            />
          </li>
        ))}
      </ul>
      <Refusal error={check.error} />
    </section>
  );
}

/** The files of the customer and of staff. */
export function DeliveryFiles({ opened: { delivery, files }, acts }: PartProps & { acts: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const add = useChange((file: File) => addDeliveryFile(delivery, file), {
    onSuccess: ({ message }) => toast.success(message),
  });
  if (!acts && files.length === 0) return null;
  return (
    <section aria-labelledby="delivery-files">
      <h2 id="delivery-files">Files</h2>
      {files.length > 0 && (
        <ul className="console-contacts">
          {files.map((file) => (
            <li key={file.id}>
              <a href={deliveryFile(delivery, file.id)} download={file.name}>
                {file.name}
              </a>{' '}
              <span className="console-hint">
                {file.by_us ? 'from us' : 'from the customer'}, {formatDay(file.sent_at)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {acts && (
        <>
          <FileField
            box="visually-hidden"
            label="Proof: an image, a PDF or a sheet"
            ref={input}
            tabIndex={-1}
            accept=".png,.jpg,.jpeg,.webp,.pdf,.xlsx,.csv"
            onChange={([file]) => file && add.mutate(file)}
          />
          <Offer pending={add.isPending} onClick={() => input.current?.click()}>
            Add a file
          </Offer>
          <p className="console-hint">An image, a PDF or a sheet (XLSX, CSV) of up to 5 MB. The customer sees it.</p>
          <Refusal error={add.error} />
        </>
      )}
    </section>
  );
}

/** Notes for staff: the state stays as it is. */
export function NoteDialog({ of: one, onClose }: { of: Delivery; onClose: () => void }) {
  return (
    <ReasonDialog
      title={`Note: ${one.name}`}
      effect={<p>Only staff read it.</p>}
      label="Add"
      act={(reason) =>
        changeDelivery(one, { state: one.state, needs: one.needs, proof: one.proof || one.proof_link, reason })
      }
      said="The note is added."
      onClose={onClose}
    />
  );
}

/** The credit of the operator's rule for lateness: a refund that keeps the plan, with the approval that refunds need. */
export function LateCredit({ opened: { delivery, credit }, acts }: PartProps & { acts: boolean }) {
  const [asking, setAsking] = useState(false);
  if (!credit) return null;
  const { amount_paise: amount, given_paise: given, weeks, payment_id: payment, printed_reason: printed } = credit;
  return (
    <section aria-labelledby="delivery-credit">
      <h2 id="delivery-credit">Credit for lateness</h2>
      <p>
        {count(weeks, 'begun week')}: {given > 0 && `${rupees(given)} credited or on its way, `}
        {rupees(amount)} to credit, GST included. <Link to={`/support/payments/${payment}`}>See the payment</Link>
      </p>
      {acts && amount > 0 && (
        <Button size="sm" onClick={() => setAsking(true)}>
          Ask for the credit
        </Button>
      )}
      {asking && (
        <ReasonDialog
          title="Credit the lateness"
          effect={
            <p>
              The gateway pays {rupees(amount)} back, a credit note names the lateness, and the plan stays. Above the
              limit for refunds a second person approves it.
            </p>
          }
          label="Ask"
          act={(reason) =>
            requestReversal(
              {
                customer_id: delivery.customer_id,
                payment_id: payment,
                kind: 'refund',
                amount,
                keep_plan: true,
                reason,
                printed_reason: printed,
              },
              `late-${delivery.id}-${delivery.promised_on}-${weeks}`,
            )
          }
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
