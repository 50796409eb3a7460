import type { components } from '@/lib/api/schema.gen';
import { languageTag } from '@/lib/language';

type Item = components['schemas']['NamedItem'];

/** A list of countries or States in the order of this language. */
export const sorted = (items: readonly Item[] = []): Item[] =>
  [...items].sort((a, b) => a.name.localeCompare(b.name, languageTag));
