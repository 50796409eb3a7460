import { vi } from 'vitest';

// A document of the tests cannot be loaded anew. Here and not in single tests, because one worker runs many of them: a module that an
// earlier one loaded keeps the function that it was given then.
vi.mock('@/lib/reload');

// Tests that render nothing run without a document (`@vitest-environment node`) and need none of this.
if (typeof document !== 'undefined') {
  const { setUpDocument } = await import('./setup-dom');
  setUpDocument();
}
