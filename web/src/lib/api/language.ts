import { api, data, envelope } from '@/lib/api/client';
import type { LanguageCode } from '@/lib/languages';

/** What the signed-in person reads the site in, null where they never chose. */
export async function keptLanguage(): Promise<LanguageCode | null> {
  return (await data(api.GET('/profile/details/profile'))).language;
}

/** Keeps it in the account. */
export async function keepLanguage(language: LanguageCode): Promise<void> {
  await envelope(api.PUT('/profile/language', { body: { language } }));
}
