import {
  http,
  HttpResponse,
  type DefaultBodyType,
  type HttpHandler,
  type HttpResponseResolver,
  type JsonBodyType,
  type PathParams,
  type RequestHandlerOptions,
} from 'msw';
import { setupServer } from 'msw/node';
import type { components, paths } from '@/lib/api/schema.gen';
import { inServersWords } from './server-language';

/**
 * The mocked network of the tests. A call that no test handles is an error, except three: by default a staff member has no ties to
 * customers, the customer's e-mail address is confirmed, and the plan's term has no figures.
 */
export const server = setupServer(
  http.get('*/api/support/account/ties', () =>
    HttpResponse.json({ status: true, message: '', data: { days: 7, ties: [] } }),
  ),
  http.get('*/api/franchise/subscription/term-value', () =>
    HttpResponse.json({ status: true, message: '', data: null }),
  ),
  http.get('*/api/franchise/profile/details/profile', () =>
    HttpResponse.json({
      status: true,
      message: '',
      data: {
        first_name: 'Asha',
        last_name: 'Kulkarni',
        mobile: '9876543210',
        email: 'asha@example.in',
        email_state: 'proved',
        language: null,
        document_language: null,
      },
    }),
  ),
);

type Method = 'get' | 'post' | 'put' | 'delete';
type Failure = components['schemas']['Failure'];

/** A path of the contract in which some parameters have values. */
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Path;
type Address = keyof paths | Filled<keyof paths>;
/** The path of the contract that an address belongs to. */
type PathOf<Of extends string> = Of extends keyof paths
  ? Of
  : { [Path in keyof paths]: Of extends Filled<Path> ? Path : never }[keyof paths];

type Json<Answer> = Answer extends { content: { 'application/json': infer Body } } ? Body : never;
/** A body in which fields may be missing, and any text stands for the texts of the contract: a test names what it is about. */
type Loose<Body> = Body extends string
  ? string
  : Body extends number
    ? number
    : Body extends readonly (infer Item)[]
      ? readonly Loose<Item>[]
      : Body extends object
        ? { [Field in keyof Body]?: Loose<Body[Field]> }
        : Body;
/** What a call of the contract answers if it succeeds. */
type Success<Path, Of extends Method> = Path extends keyof paths
  ? paths[Path][Of] extends { responses: infer All }
    ? Json<All[keyof All & (200 | 201 | 202)]>
    : never
  : never;

function address(path: string): string {
  const prefix = path.startsWith('/api/') || path === '/healthz' ? '' : '/api/franchise';
  return `*${prefix}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

function mocked<Of extends Method>(method: Of) {
  return <Path extends Address>(
    path: Path,
    resolver: HttpResponseResolver<PathParams<string>, DefaultBodyType, Loose<Success<PathOf<Path>, Of> | Failure>>,
    options?: RequestHandlerOptions,
  ): HttpHandler => http[method](address(path), resolver, options);
}

/** Handlers of calls of the contract: path, method and answer are checked by the compiler. */
export const mock = { get: mocked('get'), post: mocked('post'), put: mocked('put'), delete: mocked('delete') };

/** A successful answer. */
export const ok = <Data>(data: Data, message = '') =>
  HttpResponse.json<{ status: true; message: string; data: Data }>({ status: true, message, data });

/** Answers a call successfully, and keeps the body that was sent. */
export const keeping =
  <Data>(bodies: unknown[], data: Data, message = '') =>
  async ({ request }: { request: Request }) => {
    bodies.push(await request.json());
    return ok(data, message);
  };

interface Page<Row> {
  status: true;
  message: string;
  data: Row[];
  current_page: number;
  last_page: number;
  next_page_url: string | null;
  per_page: number;
  total: number;
}

/** A list that has all its rows on one page, unless `beside` says otherwise. */
export const page = <Row>(data: Row[], beside: Partial<Page<Row>> = {}) =>
  HttpResponse.json<Page<Row>>({
    status: true,
    message: '',
    data,
    current_page: 1,
    last_page: 1,
    next_page_url: null,
    per_page: 10,
    total: data.length,
    ...beside,
  });

/** A refusal: its message, or all of its fields. */
export const refused = (status: number, failure: string | Loose<Failure>) =>
  HttpResponse.json<Loose<Failure>>(
    {
      status: false,
      message: 'Refused.',
      code: 'refused',
      request_id: 'r',
      ...(typeof failure === 'string' ? { message: failure } : failure),
    },
    { status },
  );

/** The requests of a call, in order. */
export interface Recorded {
  bodies: unknown[];
  requests: Request[];
}

async function record(request: Request, sent: Recorded): Promise<void> {
  sent.requests.push(request.clone());
  const body = await request.clone().text();
  sent.bodies.push(body ? JSON.parse(body) : undefined);
}

function install(handler: HttpHandler): void {
  server.use(handler);
}

/** Makes a call of the contract succeed with this `data`. Returns the requests sent to it. */
export function answer(
  method: Method,
  path: keyof paths,
  data: JsonBodyType,
  message = 'Done.',
  beside: Record<string, JsonBodyType> = {},
): Recorded {
  const sent: Recorded = { bodies: [], requests: [] };
  install(
    http[method](address(path), async ({ request }) => {
      await record(request, sent);
      return HttpResponse.json(inServersWords({ status: true, message, data, ...beside }));
    }),
  );
  return sent;
}

/** Makes a call of the contract fail. Returns the requests sent to it. */
export function refuse(method: Method, path: keyof paths, status: number, failure: Partial<Failure> = {}): Recorded {
  const sent: Recorded = { bodies: [], requests: [] };
  const body = { status: false, message: 'Refused.', code: 'refused', request_id: 'req-1', ...failure };
  install(
    http[method](address(path), async ({ request }) => {
      await record(request, sent);
      return HttpResponse.json(body, {
        status,
        headers: failure.retry_after ? { 'Retry-After': String(failure.retry_after) } : {},
      });
    }),
  );
  return sent;
}
