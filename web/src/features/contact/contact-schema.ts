import { t } from '@lingui/core/macro';
import * as z from 'zod/mini';
import { choice, email, optionalMobile, personName, text } from '@/lib/validation';

/** The longest message the server accepts. */
export const LONGEST = 2000;
const max = LONGEST;

export const contactSchema = z.object({
  name: personName(),
  email: email(),
  mobile: optionalMobile(),
  topic: choice(),
  message: text(t`Message`, [
    [(value) => value.length >= 10, t`Please write at least 10 characters`],
    [(value) => value.length <= max, t`Please use at most ${max} characters`],
  ]),
  consent: z.boolean().check(z.refine((given) => given, t`Tick the box so that we can reply`)),
});
