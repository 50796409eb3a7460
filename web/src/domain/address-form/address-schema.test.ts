import { expect, test } from 'vitest';
import samples from '../../../../pkg/address/testdata/samples.json';
import { addressSchema, emptyAddress, type AddressInput } from './address-schema';

const good: AddressInput = {
  ...emptyAddress,
  location: 'Camp, Pune',
  address: '12/4',
  street: 'Sunrise Towers',
  landmark: 'City Mall',
  state_id: '27',
  city: 'Pune',
  zipcode: '411001',
  legal_name: 'Asha Sweets',
};

const fields: Record<string, keyof AddressInput> = {
  line: 'address',
  optional_line: 'street',
  city: 'city',
  location: 'location',
  legal_name: 'legal_name',
  pincode: 'zipcode',
  pin_of_state: 'zipcode',
};

// The same samples test the server's rules, in pkg/address.
test.each(samples)('$rule $text: $valid, as on the server', ({ rule, text, valid, ...rest }) => {
  const field = fields[rule];
  if (!field) throw new Error(`no field for ${rule}`);
  const state = 'state' in rest && rest.state ? { state_id: rest.state } : {};
  const result = addressSchema.safeParse({ ...good, ...state, [field]: text });
  const faults = result.success ? [] : result.error.issues.map(({ path }) => path.join('.'));
  expect(faults).toEqual(valid ? [] : [field]);
});

test('a pincode of another State is told together with what else is wrong', () => {
  const result = addressSchema.safeParse({ ...good, landmark: '#', zipcode: '560001' });
  expect(result.error?.issues.map(({ path }) => path.join('.')).sort()).toEqual(['landmark', 'zipcode']);
});
