import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { AddressInput } from '@/domain/address-form/address-schema';
import { statesQuery } from '@/domain/address-form/api/places';
import type { components } from '@/lib/api/schema.gen';

interface Recipient {
  name: string;
  lines: readonly string[];
  gstin: string;
}

const joined = (...parts: string[]) => parts.filter(Boolean).join(', ');

type Place = Record<'address' | 'street' | 'landmark' | 'location' | 'city' | 'state' | 'zipcode', string>;

/** The longest part of town that is printed. */
const LONGEST_PART = 50;

/** The part of town that the location begins with, such as Camp in "Camp, Pune"; empty if that is a pincode or the city. */
function partOfTown({ location, city, zipcode }: Place): string {
  const [first = '', ...more] = location.split(',').map((part) => part.trim());
  const isCity = first.toLowerCase() === city.toLowerCase();
  const hasPincode = zipcode !== '' && first.includes(zipcode);
  return more.length === 0 || isCity || hasPincode || first.length > LONGEST_PART ? '' : first;
}

/** The address in the lines of the invoice, on which the part of town replaces a missing street. */
function printed(place: Place): string[] {
  const { address, street, landmark, city, state, zipcode } = place;
  return [joined(address, street || partOfTown(place)), landmark, `${joined(city, state)} ${zipcode}`.trim()];
}

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
  const { legal_name, gstin } = address;
  return (
    <Billed recipient={{ name: legal_name ?? '', lines: printed(address), gstin: gstin ?? '' }}>{children}</Billed>
  );
}

/** The recipient while it is being typed, inside its form; nothing until there is something to show. */
export function BilledToTyped() {
  const typed = useWatch<AddressInput>();
  const { data: states = [] } = useQuery(statesQuery(typed.country_id ?? ''));
  const { legal_name = '', address = '', street = '', landmark = '', location = '', city = '', zipcode = '' } = typed;
  const { gstin = '' } = typed;
  if (!legal_name && !city) return null;
  const state = states.find(({ id }) => id === typed.state_id)?.name ?? '';
  const lines = printed({ address, street, landmark, location, city, state, zipcode });
  return <Billed recipient={{ name: legal_name, lines, gstin: gstin.toUpperCase() }} />;
}
