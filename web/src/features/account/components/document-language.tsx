import { t } from '@lingui/core/macro';
import { useId } from 'react';
import { Notice } from '@/ui/notice';
import { explain } from '@/lib/api/errors';
import { DEFAULT_LANGUAGE, languageCodes, languages, type LanguageCode } from '@/lib/languages';
import { toast } from '@/lib/toast';
import { useSetDocumentLanguage } from '../api/document-language';

/** Sets whether new invoices and other documents are in English only, or bilingual. */
export function DocumentLanguage({ chosen }: { chosen: LanguageCode | null }) {
  const set = useSetDocumentLanguage();
  const id = useId();
  const shown = set.isPending ? set.variables : (chosen ?? DEFAULT_LANGUAGE);
  return (
    <fieldset className="document-language" aria-describedby={`${id}-hint`}>
      <legend>{t`Language of invoices and other documents`}</legend>
      {languageCodes.map((code) => {
        const name = languages[code].name;
        return (
          <div key={code} className="check">
            <input
              id={`${id}-${code}`}
              type="radio"
              name={`${id}-language`}
              checked={shown === code}
              aria-disabled={set.isPending || undefined}
              onChange={() =>
                !set.isPending && set.mutate(code, { onSuccess: ({ message }) => toast.success(message) })
              }
            />
            <label htmlFor={`${id}-${code}`}>
              {code === DEFAULT_LANGUAGE ? t`English only` : t`English and ${name}`}
            </label>
          </div>
        );
      })}
      <p id={`${id}-hint`} className="field-hint">
        {t`This applies to what you order from now on. Documents that you already have stay as they are.`}
      </p>
      {set.isError && (
        <Notice tone="danger" live>
          {explain(set.error)}
        </Notice>
      )}
    </fieldset>
  );
}
