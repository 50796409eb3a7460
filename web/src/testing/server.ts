import { http, HttpResponse, type HttpHandler, type JsonBodyType } from 'msw';
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

function address(path: keyof paths): string {
  return `*/api/franchise${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
}

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
