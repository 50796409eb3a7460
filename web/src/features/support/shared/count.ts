/** A count with its noun: "1 job", "12,345 jobs". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-IN')} ${n === 1 ? one : many}`;
}
