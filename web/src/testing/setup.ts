import { vi } from 'vitest';
import type * as reload from '@/lib/reload';

// A document of the tests cannot be loaded anew. The stand-ins are the worker's and not a file's: a module that an earlier file
// loaded keeps those that it was given then.
vi.mock('@/lib/reload', (): typeof reload => {
  const worker = globalThis as { reload?: typeof reload };
  worker.reload ??= { reloadPage: vi.fn(), openAfresh: vi.fn(), leaveFor: vi.fn() };
  return worker.reload;
});

// Tests that render nothing run without a document (`@vitest-environment node`) and need none of this.
if (typeof document !== 'undefined') {
  const { setUpDocument } = await import('./setup-dom');
  setUpDocument();
}
