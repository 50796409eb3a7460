import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { ChoicesField } from '@/ui/form/choices-field';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import { Async } from '@/ui/states';
import { ListTable } from '@/ui/list/list-table';
import { formatInstant } from '@/lib/format';
import { keysQuery, makeKey, revokeKey, type ApiKey, type KeyScope } from '../api/connected';
import { useSecret } from './use-secret';
import { ReasonDialog } from '../shared/reason-dialog';
import { Offer } from '../shared/offer';

const uses: Record<KeyScope, string> = {
  'entitlements:read': 'Read what customers are entitled to',
  'deliveries:write': 'Report on deliveries',
  'figures:write': 'Report figures',
};

function MakeDialog({ onDone, onClose }: { onDone: (secret: string) => void; onClose: () => void }) {
  return (
    <ReasonDialog
      title="Make an API key"
      label="Make"
      effect={<p>A system can use it for every customer. It is shown once. Customers see its name beside figures.</p>}
      values={{ label: '', days: '365', scopes: ['entitlements:read'] as KeyScope[] }}
      act={async (reason, proof, { label, days, scopes }) =>
        (await makeKey(label.trim(), Number(days), scopes, reason, proof)).secret
      }
      onDone={onDone}
      onClose={onClose}
      reasonLast
      proved
    >
      <TextField name="label" label="What it is for" />
      <NativeSelectField
        name="days"
        label="Valid for"
        options={[
          ['90', '90 days'],
          ['365', 'A year'],
          ['0', 'Until it is revoked'],
        ]}
      />
      <ChoicesField name="scopes" label="What it may do" options={Object.entries(uses)} multiple />
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
  const [making, setMaking] = useState(false);
  const secret = useSecret('API key');
  const [revoking, setRevoking] = useState<ApiKey>();
  return (
    <>
      <Async query={keys} what="the keys" lines={3} />
      {keys.data && (
        <ListTable
          none={<p>There is none: no system can ask anything.</p>}
          caption="API keys"
          rows={keys.data.keys}
          rowKey={(key) => key.id}
          columns={[
            {
              label: 'Key',
              long: true,
              cell: (key) => (
                <>
                  {key.label} <code>{key.hint}…</code>
                </>
              ),
            },
            { label: 'Allows', long: true, cell: (key) => key.scopes.map((scope) => uses[scope]).join('; ') },
            { label: 'Valid', cell: (key) => standing(key) },
            { label: 'Last used', cell: (key) => (key.last_used_at ? formatInstant(key.last_used_at) : 'Never') },
            {
              label: 'Actions',
              cell: (key) =>
                mayChange &&
                !key.revoked_at && (
                  <Offer onClick={() => setRevoking(key)} of={key.label}>
                    Revoke
                  </Offer>
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
            secret.finish(made);
          }}
          onClose={() => setMaking(false)}
        />
      )}
      {secret.shown}
      {revoking && (
        <ReasonDialog
          title={`Revoke ${revoking.label}?`}
          label="Revoke"
          effect={<p>Calls with it are refused from now on.</p>}
          act={(reason) => revokeKey(revoking.id, reason)}
          said="The key is revoked."
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}
