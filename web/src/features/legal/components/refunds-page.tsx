import * as article from '@/content/legal/refunds.md';
import type { Article } from '@/content/articles';
import { LegalPage } from './legal-page';

export function RefundsPage() {
  return <LegalPage article={article as unknown as Article} />;
}
