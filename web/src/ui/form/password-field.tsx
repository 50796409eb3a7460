import { t } from '@lingui/core/macro';
import MetIcon from 'bootstrap-icons/icons/check-circle-fill.svg?component';
import UnmetIcon from 'bootstrap-icons/icons/circle.svg?component';
import { useState } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { passwordRules } from '@/lib/validation';
import { Field } from './field';

export interface PasswordFieldProps {
  name?: string;
  label?: string;
  autoComplete: 'current-password' | 'new-password';
  /** Shows the rules, each ticked once it is met. */
  rules?: boolean;
  readOnly?: boolean;
}

function Rules({ name }: { name: string }) {
  const typed = String(useWatch({ name }) ?? '');
  return (
    <>
      <p className="mb-1">{t`15 characters of any kind will do, such as four words. Otherwise:`}</p>
      <ul className="rule-list" aria-label={t`Password rules`}>
        {passwordRules.map((rule) => {
          const met = rule.met(typed);
          return (
            <li key={rule.label} className={met ? 'rule-met' : ''}>
              {met ? <MetIcon /> : <UnmetIcon />}
              <span>
                {rule.label}
                <span className="visually-hidden">{met ? t`, met` : t`, not met yet`}</span>
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** A password field whose value can be shown and pasted, and saved by the browser. */
export function PasswordField({
  name = 'password',
  label = t`Password`,
  autoComplete,
  rules,
  readOnly,
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false);
  const { register } = useFormContext();
  const what = label.toLowerCase();
  return (
    <Field name={name} label={label} hint={rules ? <Rules name={name} /> : undefined}>
      {(control) => (
        <div className="input-group-box">
          <input
            {...register(name)}
            {...control}
            type={shown ? 'text' : 'password'}
            className="input input-with-action"
            autoComplete={autoComplete}
            spellCheck={false}
            autoCapitalize="none"
            readOnly={readOnly}
          />
          <button
            type="button"
            className="input-action"
            aria-label={shown ? t`Hide ${what}` : t`Show ${what}`}
            aria-controls={control.id}
            onClick={() => setShown(!shown)}
          >
            {shown ? t`Hide` : t`Show`}
          </button>
        </div>
      )}
    </Field>
  );
}
