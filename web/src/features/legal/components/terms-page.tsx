import * as article from '@/content/legal/terms.md';
import type { Article } from '@/content/articles';
import { LegalPage } from './legal-page';

export function TermsPage() {
  return <LegalPage article={article as unknown as Article} />;
}
