// What draws nothing is tested without a document (`@vitest-environment node`), and needs nothing of this.
if (typeof document !== 'undefined') {
  const { setUpDocument } = await import('./setup-dom');
  setUpDocument();
}

export {};
