/**
 * Work that several builds would each do in the same way, such as the one for browsers and the one that prerenders, or
 * the one in English and the one in Hindi: the first does it, the others take its result.
 */
export class Shared {
  private readonly results = new Map<string, Promise<unknown>>();

  /** `keeps` is false for a server that runs while its sources change: it does everything each time. */
  constructor(private readonly keeps: boolean) {}

  /** Does the work of that name, unless it was done; the name has all on which the result depends. */
  once<T>(name: string, work: () => Promise<T>): Promise<T> {
    const kept = this.results.get(name) as Promise<T> | undefined;
    if (kept) return kept;
    const result = work();
    if (this.keeps) this.results.set(name, result);
    return result;
  }
}
