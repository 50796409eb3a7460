// Tests that render nothing run without a document (`@vitest-environment node`) and need none of this.
if (typeof document !== 'undefined') {
  const { setUpDocument } = await import('./setup-dom');
  setUpDocument();
}

export {};
