/**
 * How many browser test files run in parallel, each worker with a separate stack and Chromium: E2E_WORKERS, or one. A stack from the
 * environment is never shared.
 */
export function workers(): number {
  const { E2E_WORKERS: wanted = '1', E2E_STACK_JSON: stack, E2E_BASE_URL: site } = process.env;
  if (!/^[1-9]$/.test(wanted)) throw new Error(`E2E_WORKERS is ${wanted}; want a number from 1 to 9`);
  return stack || site ? 1 : Number(wanted);
}
