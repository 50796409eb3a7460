import { t } from '@lingui/core/macro';
import type { components } from '@/lib/api/schema.gen';
import { languageTag } from '@/lib/language';

/** The countries, States and Union Territories of the lists (migrations/0104_address.sql), in the words of this language. */
const words: Record<string, string> = {
  India: t`India`,
  'Jammu and Kashmir': t`Jammu and Kashmir`,
  'Himachal Pradesh': t`Himachal Pradesh`,
  Punjab: t`Punjab`,
  Chandigarh: t`Chandigarh`,
  Uttarakhand: t`Uttarakhand`,
  Haryana: t`Haryana`,
  Delhi: t`Delhi`,
  Rajasthan: t`Rajasthan`,
  'Uttar Pradesh': t`Uttar Pradesh`,
  Bihar: t`Bihar`,
  Sikkim: t`Sikkim`,
  'Arunachal Pradesh': t`Arunachal Pradesh`,
  Nagaland: t`Nagaland`,
  Manipur: t`Manipur`,
  Mizoram: t`Mizoram`,
  Tripura: t`Tripura`,
  Meghalaya: t`Meghalaya`,
  Assam: t`Assam`,
  'West Bengal': t`West Bengal`,
  Jharkhand: t`Jharkhand`,
  Odisha: t`Odisha`,
  Chhattisgarh: t`Chhattisgarh`,
  'Madhya Pradesh': t`Madhya Pradesh`,
  Gujarat: t`Gujarat`,
  'Dadra and Nagar Haveli and Daman and Diu': t`Dadra and Nagar Haveli and Daman and Diu`,
  Maharashtra: t`Maharashtra`,
  Karnataka: t`Karnataka`,
  Goa: t`Goa`,
  Lakshadweep: t`Lakshadweep`,
  Kerala: t`Kerala`,
  'Tamil Nadu': t`Tamil Nadu`,
  Puducherry: t`Puducherry`,
  'Andaman and Nicobar Islands': t`Andaman and Nicobar Islands`,
  Telangana: t`Telangana`,
  'Andhra Pradesh': t`Andhra Pradesh`,
  Ladakh: t`Ladakh`,
};

type Item = components['schemas']['NamedItem'];

/** Translates and sorts a list of countries or States; unknown entries keep their name. */
export const inWords = (items: readonly Item[] = []): Item[] =>
  items
    .map(({ id, name }) => ({ id, name: words[name] ?? name }))
    .sort((a, b) => a.name.localeCompare(b.name, languageTag));
