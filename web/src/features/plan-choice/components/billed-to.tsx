import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { AddressInput } from '@/components/address-form/address-schema';
import { statesQuery } from '@/components/address-form/api/places';
import type { components } from '@/lib/api/schema.gen';

interface Recipient {
  name: string;
  lines: readonly string[];
  gstin: string;
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(', ');

function Billed({ recipient: { name, lines, gstin }, children }: { recipient: Recipient; children?: ReactNode }) {
  return (
    <section className="panel billed-to" aria-label={t`Billed to`}>
      <div>
        <p className="text-muted text-sm">{t`Billed to`}</p>
        <p className="fw-bold">{name || t`Your name`}</p>
        {lines.filter(Boolean).map((line) => (
          <p key={line}>{line}</p>
        ))}
        <p className="text-sm">{gstin ? t`GSTIN ${gstin}` : t`No GSTIN, so no input tax credit`}</p>
      </div>
      {children}
    </section>
  );
}

/** The saved recipient of the invoice. */
export function BilledTo({ address, children }: { address: components['schemas']['Address']; children: ReactNode }) {
  const { legal_name, street, landmark, city, state, zipcode, gstin } = address;
  const lines = [joined(address.address, street, landmark), `${joined(city, state)} ${zipcode}`];
  return <Billed recipient={{ name: legal_name ?? '', lines, gstin: gstin ?? '' }}>{children}</Billed>;
}

/** The recipient while it is being typed, inside its form; nothing until there is something to show. */
export function BilledToTyped() {
  const typed = useWatch<AddressInput>();
  const { data: states = [] } = useQuery(statesQuery(typed.country_id ?? ''));
  const { legal_name = '', street = '', landmark = '', city = '', zipcode = '', gstin = '' } = typed;
  if (!legal_name && !city) return null;
  const state = states.find(({ id }) => id === typed.state_id)?.name ?? '';
  const lines = [joined(typed.address ?? '', street, landmark), `${joined(city, state)} ${zipcode}`.trim()];
  return <Billed recipient={{ name: legal_name, lines, gstin: gstin.toUpperCase() }} />;
}
