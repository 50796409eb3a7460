import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/components/button';
import { QueryStates } from '@/components/states';
import { ListTable } from '@/components/list/list-table';
import { formatInstant } from '@/lib/format';
import { toast } from '@/lib/toast';
import { keysQuery, makeKey, revokeKey, type ApiKey } from '../api/connected';
import { ConnectedSecret } from './connected-secret';
import { ReasonDialog } from './reason-dialog';

function MakeDialog({ onDone, onClose }: { onDone: (secret: string) => void; onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [days, setDays] = useState('365');
  return (
    <ReasonDialog
      title="Make an API key"
      label="Make"
      effect={<p>A system can use it to ask what any customer is entitled to. It is shown once.</p>}
      act={async (reason, proof) => (await makeKey(label.trim(), Number(days), reason, proof)).secret}
      onDone={onDone}
      onClose={onClose}
      reasonLast
      proved
    >
      <label htmlFor="key-label">What it is for</label>
      <input id="key-label" className="input" value={label} onChange={(event) => setLabel(event.target.value)} />
      <label htmlFor="key-days">Valid for</label>
      <select id="key-days" className="input" value={days} onChange={(event) => setDays(event.target.value)}>
        <option value="90">90 days</option>
        <option value="365">A year</option>
        <option value="0">Until it is revoked</option>
      </select>
    </ReasonDialog>
  );
}

function standing(key: ApiKey): string {
  if (key.revoked_at) return `Revoked ${formatInstant(key.revoked_at)}`;
  return key.expires_at ? `Until ${formatInstant(key.expires_at)}` : 'Until it is revoked';
}

/** The API keys of connected systems; admins create and revoke them. */
export function ConnectedKeys({ mayChange }: { mayChange: boolean }) {
  const keys = useQuery(keysQuery);
  const queries = useQueryClient();
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState('');
  const [revoking, setRevoking] = useState<ApiKey>();
  const refresh = () => void queries.invalidateQueries({ queryKey: keysQuery.queryKey });
  return (
    <>
      <QueryStates query={keys} what="the keys" lines={3} />
      {keys.data?.keys.length === 0 && <p>There is none: no system can ask anything.</p>}
      {keys.data && keys.data.keys.length > 0 && (
        <ListTable
          caption="API keys"
          rows={keys.data.keys}
          rowKey={(key) => key.id}
          columns={[
            {
              label: 'Key',
              cell: (key) => (
                <>
                  {key.label} <code>{key.hint}…</code>
                </>
              ),
            },
            { label: 'Allows', cell: (key) => key.scopes.join(', ') },
            { label: 'Valid', cell: (key) => standing(key) },
            { label: 'Last used', cell: (key) => (key.last_used_at ? formatInstant(key.last_used_at) : 'Never') },
            {
              label: 'Actions',
              cell: (key) =>
                mayChange &&
                !key.revoked_at && (
                  <Button size="sm" variant="outline" onClick={() => setRevoking(key)}>
                    Revoke<span className="visually-hidden"> {key.label}</span>
                  </Button>
                ),
            },
          ]}
        />
      )}
      {mayChange && (
        <Button size="sm" onClick={() => setMaking(true)}>
          Make an API key
        </Button>
      )}
      {making && (
        <MakeDialog
          onDone={(made) => {
            setMaking(false);
            setSecret(made);
            refresh();
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {secret && <ConnectedSecret what="API key" secret={secret} onClose={() => setSecret('')} />}
      {revoking && (
        <ReasonDialog
          title={`Revoke ${revoking.label}?`}
          label="Revoke"
          effect={<p>Calls with it are refused from now on.</p>}
          act={(reason) => revokeKey(revoking.id, reason)}
          onDone={() => {
            toast.success('The key is revoked.');
            setRevoking(undefined);
            refresh();
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}
