import { t } from '@lingui/core/macro';
import * as z from 'zod/mini';
import type { components } from '@/lib/api/schema.gen';
import { gstinChecks } from '@/lib/gstin';
import { gstinOf } from '@/lib/typed';
import { choice, text } from '@/lib/validation';
import { addressLine, FIELD_EMPTY, legalName, PIN_OF_ANOTHER_STATE, pincode, pinFits } from './address-rules';

type Schemas = components['schemas'];

const makeSchema = (nameIsOptional: boolean) =>
  z
    .object({
      location: addressLine(t`Location`, 200),
      latitude: z.nullable(z.number()),
      longitude: z.nullable(z.number()),
      address: addressLine(t`House number and floor`, 50, { min: 1 }),
      street: addressLine(t`Building and block`, 50, { optional: true }),
      landmark: addressLine(t`Landmark`, 50, { optional: true }),
      country_id: choice(FIELD_EMPTY),
      state_id: choice(FIELD_EMPTY),
      city: addressLine(t`City`, 25),
      zipcode: pincode(),
      legal_name: legalName(nameIsOptional),
      gstin: text('GSTIN', gstinChecks, {
        optional: true,
        normalise: gstinOf,
      }),
    })
    .check(
      z.refine(({ zipcode, state_id }) => !/^\d{6}$/.test(zipcode) || state_id === '' || pinFits(zipcode, state_id), {
        path: ['zipcode'],
        error: PIN_OF_ANOTHER_STATE,
        // Checked together with the other fields, not after them.
        when: ({ value }) => {
          const { zipcode, state_id } = value as { zipcode?: unknown; state_id?: unknown };
          return typeof zipcode === 'string' && typeof state_id === 'string';
        },
      }),
      z.refine(
        (values) =>
          !values.gstin || !/^\d+$/.test(values.state_id) || values.gstin.startsWith(values.state_id.padStart(2, '0')),
        {
          path: ['gstin'],
          error: t`The first two digits of the GSTIN do not belong to this State`,
        },
      ),
    );

export const addressSchema = makeSchema(true);
/** The address before a payment, whose invoice needs a name. */
export const billingSchema = makeSchema(false);

export type AddressInput = z.input<typeof addressSchema>;
export type AddressValues = z.output<typeof addressSchema>;

export const emptyAddress: AddressInput = {
  location: '',
  latitude: null,
  longitude: null,
  address: '',
  street: '',
  landmark: '',
  country_id: 'IN',
  state_id: '',
  city: '',
  zipcode: '',
  legal_name: '',
  gstin: '',
};

/** The stored address as form values. */
export function toInput(address: Schemas['Address']): AddressInput {
  const { location: place, latitude, longitude, street, landmark, country_id, state_id, city, zipcode } = address;
  return {
    location: place,
    latitude,
    longitude,
    address: address.address,
    street,
    landmark,
    country_id,
    state_id,
    city,
    zipcode,
    legal_name: address.legal_name ?? '',
    gstin: address.gstin ?? '',
  };
}

/** The form's values as the server expects them: a listed city by its id, any other by its name. */
export function toUpdate(
  { city, legal_name, gstin, ...values }: AddressValues,
  cities: readonly Schemas['NamedItem'][],
): Schemas['AddressUpdate'] {
  const known = cities.find(({ name }) => name.toLowerCase() === city.toLowerCase());
  return { ...values, city_id: known?.id ?? city, legal_name: legal_name || null, gstin: gstin || null };
}

/** The values that a found place fills in. A place without a PIN code, such as a city, clears an earlier one. */
export function fromPlace(place: Schemas['PlaceDetails']): Partial<AddressInput> {
  const component = (type: string) => place.address_components.find(({ types }) => types.includes(type))?.long_name;
  const found: Partial<AddressInput> = {
    location: place.formatted_address,
    latitude: place.geometry.location.lat,
    longitude: place.geometry.location.lng,
    country_id: place.country_id ?? undefined,
    state_id: place.state_id ?? undefined,
    city: component('locality'),
    zipcode: component('postal_code'),
  };
  const known = Object.entries(found).filter(([, value]) => Boolean(value));
  return { zipcode: '', ...Object.fromEntries(known) };
}
