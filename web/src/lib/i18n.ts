import { setupI18n } from '@lingui/core';
import { language } from './language';

/** What the macros call in tests and in the development server, in English; a build leaves nothing of it. */
export const i18n = /* @__PURE__ */ setupI18n({ locale: language, messages: { [language]: {} } });
