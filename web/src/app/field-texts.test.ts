import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { addressSchema, emptyAddress } from '@/domain/address-form/address-schema';
import { contactSchema } from '@/features/contact/contact-schema';
import { domainSchema } from '@/features/dashboard/domain-schema';
import * as rules from '@/lib/validation';

const repository = join(import.meta.dirname, '../../..');

/** The server's source, as in server-texts.test.ts. */
const server = ['pkg', 'api']
  .flatMap((root) =>
    readdirSync(join(repository, root), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.go') && !file.endsWith('_test.go'))
      .map((file) => readFileSync(join(repository, root, file), 'utf8')),
  )
  .join('\n')
  .replaceAll(/" \+\s*"/g, '');

/** Texts that the server builds from a label or a number: the source must contain both parts. */
const BUILT = [
  /^(Invalid)(: .+)$/,
  /^(.+)( can not be empty\.)$/,
  /^(.+)( should be )50( characters at most)$/,
  /^(Please use at most )\d+( characters)$/,
];

function saidByServer(message: string): boolean {
  if (server.includes(`"${message}"`)) return true;
  const parts = BUILT.map((form) => form.exec(message)).find(Boolean);
  return parts !== undefined && parts !== null && parts.slice(1).every((part) => server.includes(part));
}

type Schema = { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } } };

const messages = (schema: Schema, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];

const long = 'a'.repeat(201);
const texts: Record<string, [Schema, string[]]> = {
  mobile: [rules.mobile(), ['', '98', '5876543210']],
  'new mobile': [rules.mobile('New mobile number'), ['']],
  'mobile of a payer': [rules.mobile('Your mobile number'), ['']],
  email: [rules.email(), ['', 'asha']],
  name: [rules.personName(), ['', 'A', 'A1', long]],
  'first name': [rules.firstName(), ['', 'A1', long]],
  'last name': [rules.lastName(), ['A1', long]],
  code: [rules.otp(), ['', '12']],
  'code of an app': [rules.authenticatorCode(), ['', '12']],
  password: [rules.password(), ['', 'short', 'nodigitsatall', 'é'.repeat(100)]],
  'new password': [rules.password('New password'), ['']],
  'password of a store': [rules.password('Store password'), ['']],
  'present password': [rules.currentPassword(), ['']],
  'name of a store': [rules.storeName(), ['', 'A', 'A&B', long]],
};

test.each(Object.entries(texts))(
  '%s: the server names the field and its fault as the form does',
  (_, [schema, values]) => {
    for (const value of values) {
      const said = messages(schema, value);
      expect(said, value).not.toEqual([]);
      expect(said.filter((message) => !saidByServer(message))).toEqual([]);
    }
  },
);

const whole: Record<string, [Schema, object[]]> = {
  address: [
    addressSchema,
    [
      emptyAddress,
      { ...emptyAddress, zipcode: '041100', address: long, legal_name: 'x', location: '!!' },
      { ...emptyAddress, zipcode: '12', legal_name: long, city: long },
    ],
  ],
  contact: [
    contactSchema,
    [
      { name: '', email: '', mobile: '', topic: '', message: '', consent: false },
      { name: long, email: 'a', mobile: '98', topic: 'sales', message: 'a', consent: true },
      { name: 'A', email: 'a', mobile: '5876543210', topic: 'sales', message: 'a'.repeat(2001), consent: true },
    ],
  ],
  domain: [domainSchema, [{ custom_domain: '' }, { custom_domain: `${'a'.repeat(40)}.in` }, { custom_domain: 'x' }]],
};

test.each(Object.entries(whole))(
  '%s: the server names each field and its fault as the form does',
  (_, [schema, values]) => {
    for (const value of values) {
      expect(messages(schema, value)).not.toEqual([]);
      expect(messages(schema, value).filter((message) => !saidByServer(message))).toEqual([]);
    }
  },
);
