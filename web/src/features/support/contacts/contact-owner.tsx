import { useQuery } from '@tanstack/react-query';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { toast } from '@/lib/toast';
import { giveContact, type ContactOpened } from '../api/contacts';
import { meQuery } from '../api/queries';
import { useChange } from '../api/use-change';
import { Refusal } from '../shared/refusal';
import { Offer } from '../shared/offer';

/** The owner of a request, and the form to reassign it. */
export function ContactOwner({ opened }: { opened: ContactOpened }) {
  const { request, colleagues } = opened;
  const me = useQuery(meQuery).data;
  const give = useChange(
    // Whoever chooses sees who sees to it now.
    (owner: string) => giveContact(request.id, { owner_id: owner, take_over: true }),
    {
      onSuccess: (_, owner) => {
        const name = owner === me?.id ? 'you' : colleagues.find(({ id }) => id === owner)?.name;
        toast.success(name ? `Assigned to ${name}.` : 'Assigned to nobody.');
      },
    },
  );
  return (
    <div className="contact-owner">
      <NativeSelectField
        box="console-filter"
        label="Assigned to"
        empty="Nobody"
        options={[
          ...(request.owner_id && !colleagues.some(({ id }) => id === request.owner_id)
            ? [[request.owner_id, request.owner] as const]
            : []),
          ...colleagues.map(
            ({ id, name, role }) =>
              [id, `${name}${id === me?.id ? ' (you)' : role === 'finance' ? ' (finance)' : ''}`] as const,
          ),
        ]}
        value={request.owner_id ?? ''}
        disabled={give.isPending}
        onChange={(id) => give.mutate(id)}
      />
      {me && !request.mine && (
        <Offer pending={give.isPending} onClick={() => give.mutate(me.id)}>
          {request.owner ? 'Take over' : 'Claim'}
        </Offer>
      )}
      <Refusal error={give.error} />
    </div>
  );
}
