import * as article from '@/content/legal/privacy.md';
import type { Article } from '@/content/articles';
import { LegalPage } from './legal-page';

export function PrivacyPage() {
  return <LegalPage article={article as unknown as Article} />;
}
