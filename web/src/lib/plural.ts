import { languageTag } from './language';

const rules = /* @__PURE__ */ new Intl.PluralRules(languageTag);
const numbers = /* @__PURE__ */ new Intl.NumberFormat(languageTag);

type Forms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

/** What the build makes of the macro `plural`: the form that the language has for a number, with the number as shown. */
export function pluralOf(value: number, formsFor: (shown: string) => Forms): string {
  const forms = formsFor(numbers.format(value));
  return forms[rules.select(value)] ?? forms.other;
}
