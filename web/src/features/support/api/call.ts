import { keepPreviousData, queryOptions, type UnusedSkipTokenOptions } from '@tanstack/react-query';
import { data, envelope } from '@/lib/api/client';
import type { paths } from '@/lib/api/schema.gen';
import { client, supportKey } from './support';

type Method = 'get' | 'post' | 'put' | 'delete';
/** The paths of the contract that have the method. */
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends { [One in M]: object } ? P : never;
}[keyof paths];

type Parameter<Call, In extends 'path' | 'query'> = Call extends { parameters: { [One in In]?: infer Value } }
  ? Exclude<Value, undefined>
  : never;
type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never;
type AnswerOf<Call> = Call extends { responses: infer All } ? Json<All[keyof All & (200 | 201 | 202)]> : never;
type DataOf<Call> = AnswerOf<Call> extends { data: infer Data } ? Data : never;
type BodyOf<Call> = Call extends { requestBody?: { content: { 'application/json': infer Body } } } ? Body : undefined;

interface Params<Call> {
  path?: Parameter<Call, 'path'>;
  query?: Parameter<Call, 'query'>;
}

type Options<Data> = Omit<UnusedSkipTokenOptions<Data>, 'queryKey' | 'queryFn'>;

const keyOf = (path: string, params: object | undefined) => [...supportKey, ...path.split('/').slice(3), params ?? {}];

const get = (path: string, params: object | undefined) => client.GET(path as never, { params } as never) as never;

/** The query of the data at a path of the contract. Its key has the parts of the path after "/api". */
export const read = <P extends PathOf<'get'>>(
  path: P,
  params?: Params<paths[P]['get']>,
  options?: Options<DataOf<paths[P]['get']>>,
) =>
  queryOptions({
    ...options,
    queryKey: keyOf(path, params),
    queryFn: () => data<DataOf<paths[P]['get']>>(get(path, params)),
  });

/** The query of a page of a list. The last page stays until the next one is loaded. */
export const readPage = <P extends PathOf<'get'>>(
  path: P,
  query: Parameter<paths[P]['get'], 'query'>,
  options?: Options<AnswerOf<paths[P]['get']>> & { path?: Parameter<paths[P]['get'], 'path'> },
) => {
  const { path: at, ...rest } = options ?? {};
  const params = { path: at, query };
  return queryOptions({
    ...(rest as Options<AnswerOf<paths[P]['get']>>),
    queryKey: keyOf(path, params),
    queryFn: () => envelope<AnswerOf<paths[P]['get']>>(get(path, params)),
    placeholderData: keepPreviousData,
  });
};

function send(method: 'POST' | 'PUT' | 'DELETE', path: string, body: unknown, at: object | undefined, key?: string) {
  const params = { path: at, ...(key && { header: { 'Idempotency-Key': key } }) };
  return (client[method] as unknown as (path: string, init: object) => never)(path, { params, body });
}

type Send<M extends Method, What extends 'answer' | 'data'> = <P extends PathOf<M>>(
  path: P,
  body: BodyOf<paths[P][M]>,
  at?: Parameter<paths[P][M], 'path'>,
  /** Requests with the same key count as one, however often they are sent. */
  key?: string,
) => Promise<What extends 'data' ? DataOf<paths[P][M]> : AnswerOf<paths[P][M]>>;

/** A change, with the whole answer. */
export const post: Send<'post', 'answer'> = (...[path, body, at, key]) => envelope(send('POST', path, body, at, key));
/** A change, with the data of its answer. */
export const postFor: Send<'post', 'data'> = (...[path, body, at, key]) => data(send('POST', path, body, at, key));
export const put: Send<'put', 'answer'> = (...[path, body, at]) => envelope(send('PUT', path, body, at));
export const remove: Send<'delete', 'answer'> = (...[path, body, at]) => envelope(send('DELETE', path, body, at));
