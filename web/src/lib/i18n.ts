import { setupI18n } from '@lingui/core';
import { language } from './language';

/** What the macros call. It holds no catalogue: the build puts the translations where the texts stand. */
export const i18n = /* @__PURE__ */ setupI18n({ locale: language, messages: { [language]: {} } });
