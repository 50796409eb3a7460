import { useCallback } from 'react';
import { useSearchParams } from 'react-router';

/** Reads one filter from the URL; returns undefined if the text is not a valid value. */
export type ListParam<Value> = (text: string) => Value | undefined;

/** The longest search the server accepts. */
export const SEARCH_MAX = 100;

/** One of the given values, or of the keys of a table of names. */
export function oneOf<Value extends string>(
  values: readonly Value[] | Readonly<Record<Value, unknown>>,
): ListParam<Value> {
  const known = Array.isArray(values) ? (values as readonly Value[]) : (Object.keys(values) as Value[]);
  return (text) => known.find((one) => one === text);
}

/** Any text, cut to the longest search. */
export const anyText: ListParam<string> = (text) => text.slice(0, SEARCH_MAX) || undefined;

/** A switch, which is absent from the URL when it is off. */
export const onlyTrue: ListParam<true> = (text) => (text === 'true' ? true : undefined);

type ListSchema = Record<string, ListParam<unknown>>;

/** The filters that are set. */
type ListFilter<Schema extends ListSchema> = {
  [Name in keyof Schema]?: NonNullable<ReturnType<Schema[Name]>>;
};

/** Parameters that name a place in a list; a changed filter makes them wrong. */
const places = ['page', 'before', 'after'];

/** Changes query parameters and keeps all others; the list returns to its first page unless told to stay. An empty value removes one. */
export function useSetFilter({ stay = false } = {}) {
  const [, setParams] = useSearchParams();
  return useCallback(
    (changes: Record<string, string | undefined>) =>
      setParams(
        (before) => {
          const next = new URLSearchParams(before);
          if (!stay) for (const place of places) next.delete(place);
          for (const [name, value] of Object.entries(changes)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams, stay],
  );
}

/** The page of a list in the URL. */
export function usePage(): number {
  const [params] = useSearchParams();
  const page = Number(params.get('page'));
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** A list's filters and page as stored in the URL, and the setter for the filters. */
export function useListState<Schema extends ListSchema>(schema: Schema) {
  const [params] = useSearchParams();
  const set = useSetFilter();
  const page = usePage();
  const values = Object.entries(schema).map(([name, read]) => [name, read(params.get(name) ?? '')] as const);
  const filter = Object.fromEntries(values.filter(([, value]) => value !== undefined)) as ListFilter<Schema>;
  return { filter, page, set, narrowed: Object.keys(filter).length > 0 };
}
