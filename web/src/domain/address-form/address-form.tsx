import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import type { components } from '@/lib/api/schema.gen';
import { useSession } from '@/lib/session/session';
import { asciiDigits } from '@/lib/typed';
import { Button } from '@/ui/button';
import { Form, SubmitButton } from '@/ui/form/form';
import { SelectField } from '@/ui/form/select-field';
import { TextField } from '@/ui/form/text-field';
import { useAppForm } from '@/ui/form/use-app-form';
import { Notice } from '@/ui/notice';
import { addressSchema, billingSchema, emptyAddress, toInput, toUpdate, type AddressInput } from './address-schema';
import { citiesQuery, countriesQuery, statesQuery } from './api/places';
import { useSaveAddress } from './api/save-address';
import { CityField } from './city-field';
import { LocationField } from './location-field';
import { sorted } from './sorted';

type Address = components['schemas']['Address'];

export interface AddressFormProps {
  /** The stored address; null for the first one. */
  address: Address | null;
  submitLabel: string;
  onSaved: (address: Address, message: string) => void;
  /** The server's error messages from before the form was opened, by field. */
  objections?: Record<string, string[]> | undefined;
  /** Before a payment the invoice needs a name. */
  needsName?: boolean;
  /** What a registered recipient may claim back with the GSTIN, e.g. "₹29,160"; unknown outside a purchase. */
  credit?: string;
  /** Shown above the button, e.g. how the address will appear on the invoice. */
  review?: ReactNode;
  /** Shown inside the form, e.g. a prompt for unsaved changes. */
  children?: ReactNode;
}

const withoutLetters = (typed: string) => asciiDigits(typed).replace(/[^\d -]/g, '');
/** The drafts of a first address, and of a change of one. */
export const firstDraft = { key: 'address' } as const;
export const changeDraft = { key: 'address-change' } as const;

/** The business address: found by a search or typed by hand. Every field can be edited at any time. */
export function AddressForm({
  address,
  submitLabel,
  onSaved,
  objections,
  needsName,
  credit,
  review,
  children,
}: AddressFormProps) {
  const client = useQueryClient();
  const save = useSaveAddress();
  const { user } = useSession();
  const stored = address ? toInput(address) : emptyAddress;
  const named = user ? `${user.first_name} ${user.last_name}`.trim() : '';
  const form = useAppForm({
    schema: needsName ? billingSchema : addressSchema,
    defaultValues: { ...stored, legal_name: stored.legal_name || named },
    fromQuery: true,
    aliases: { city_id: 'city' },
    draft: address ? changeDraft : firstDraft,
    onSubmit: async (values) => {
      const cities = client.getQueryData(citiesQuery(values.state_id).queryKey) ?? [];
      const { data, message } = await save.mutateAsync(toUpdate(values, cities));
      form.methods.reset(toInput(data));
      onSaved(data, message);
    },
  });
  const { setError } = form.methods;
  useEffect(() => {
    const message = objections?.legal_name?.[0];
    if (message) setError('legal_name', { message });
  }, [objections, setError]);
  return (
    <Form form={form} label={t`Business address`}>
      <Recipient credit={credit} needsName={needsName || objections?.legal_name !== undefined} />
      <LocationField />
      <div className="form-row">
        <TextField
          name="address"
          label={t`House number and floor`}
          hint={t`For example 12/4, Second floor`}
          autoComplete="address-line1"
        />
        <TextField
          name="street"
          label={t`Building and block`}
          hint={t`For example Sunrise Towers, Block B`}
          autoComplete="address-line2"
          optional
        />
      </div>
      <div className="form-row">
        <TextField name="landmark" label={t`Landmark`} optional />
        <TextField
          name="zipcode"
          label={t`Pincode`}
          inputMode="numeric"
          autoComplete="postal-code"
          clean={withoutLetters}
        />
      </div>
      <Places />
      {review}
      <div className="form-actions">
        <SubmitButton size="lg">{submitLabel}</SubmitButton>
      </div>
      {children}
    </Form>
  );
}

/** The name to which invoices are addressed. */
function Recipient({ credit, needsName }: Pick<AddressFormProps, 'credit' | 'needsName'>) {
  return (
    <div className="form-row">
      <TextField
        name="legal_name"
        label={t`Name for the invoice`}
        hint={t`Legal name, or first and last name`}
        autoComplete="organization"
        optional={!needsName}
      />
      <TextField
        name="gstin"
        label={t`GSTIN`}
        hint={
          credit ? t`Registered for GST? Claim ${credit} as input tax credit.` : t`Where you are registered for GST`
        }
        optional
        spellCheck={false}
        autoCapitalize="characters"
      />
    </div>
  );
}

/** Country, State and city; the State decides the tax on an invoice. */
function Places() {
  const country = useWatch<AddressInput, 'country_id'>({ name: 'country_id' });
  const state = useWatch<AddressInput, 'state_id'>({ name: 'state_id' });
  const countries = useQuery(countriesQuery);
  const states = useQuery(statesQuery(country));
  const cities = useQuery(citiesQuery(state));
  const failed = [countries, states, cities].filter((query) => query.isError && !query.data);
  const choose = (query: UseQueryResult) => (query.isLoading ? t`Loading…` : t`Choose one`);
  return (
    <>
      <div className="form-row">
        <SelectField
          name="country_id"
          label={t`Country`}
          options={sorted(countries.data)}
          placeholder={choose(countries)}
        />
        <SelectField name="state_id" label={t`State`} options={sorted(states.data)} placeholder={choose(states)} />
        <CityField cities={cities.data ?? []} loading={cities.isLoading} />
      </div>
      {failed.length > 0 && (
        <Notice tone="warning" live>
          <Trans>
            We could not load the lists of States and cities.{' '}
            <Button variant="quiet" size="sm" onClick={() => failed.forEach((query) => void query.refetch())}>
              Retry
            </Button>
          </Trans>
        </Notice>
      )}
    </>
  );
}
