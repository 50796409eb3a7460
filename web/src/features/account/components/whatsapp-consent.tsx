import { t } from '@lingui/core/macro';
import { useId, useState } from 'react';
import { Notice } from '@/ui/notice';
import { explain } from '@/lib/api/errors';
import type { components } from '@/lib/api/schema.gen';
import { language as ofPage } from '@/lib/language';
import { languageCodes, languages, textIn, type LanguageCode } from '@/lib/languages';
import { toast } from '@/lib/toast';
import { useSetWhatsApp } from '../api/message-preferences';

type Consent = components['schemas']['WhatsAppConsent'];

/** The opt-in to WhatsApp messages; the consent text is below the box, in the language of the messages. */
export function WhatsAppConsent({ consent }: { consent: Consent }) {
  const set = useSetWhatsApp();
  const id = useId();
  const [chosen, setChosen] = useState<LanguageCode>();
  const language = chosen ?? (consent.enabled ? consent.language : ofPage);
  const on = set.isPending ? set.variables.enabled : consent.enabled;
  const save = (body: { enabled: boolean; language: LanguageCode }) =>
    set.mutate({ ...body, version: consent.version }, { onSuccess: ({ message }) => toast.success(message) });
  const handleLanguage = (next: LanguageCode) => {
    setChosen(next);
    if (consent.enabled) save({ enabled: true, language: next });
  };
  return (
    <div className="whatsapp-consent">
      <div className="check">
        <input
          id={`${id}-on`}
          type="checkbox"
          checked={on}
          // Not disabled: that would take the focus from who presses the space bar.
          aria-disabled={set.isPending || undefined}
          aria-describedby={`${id}-text`}
          onChange={(event) => !set.isPending && save({ enabled: event.target.checked, language })}
        />
        <label htmlFor={`${id}-on`}>{t`Receipts and reminders by WhatsApp`}</label>
      </div>
      <p id={`${id}-text`} className="whatsapp-consent-text" lang={language}>
        {textIn(consent.texts, language)}
      </p>
      <fieldset className="whatsapp-consent-languages">
        <legend>{t`Language on WhatsApp`}</legend>
        {languageCodes.map((value) => (
          <div key={value} className="check">
            <input
              id={`${id}-${value}`}
              type="radio"
              name={`${id}-language`}
              checked={language === value}
              aria-disabled={set.isPending || undefined}
              onChange={() => !set.isPending && handleLanguage(value)}
            />
            <label htmlFor={`${id}-${value}`} lang={value}>
              {languages[value].name}
            </label>
          </div>
        ))}
      </fieldset>
      {set.isError && (
        <Notice tone="danger" live>
          {explain(set.error)}
        </Notice>
      )}
    </div>
  );
}
