import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Customer } from '../api/customers';
import { openRequestText } from './request-words';

type OpenRequest = Customer['open_requests'][number];

/** The offer to correct an invoice, or the request that does so already. */
export function CorrectOffer({ request, children }: { request: OpenRequest | undefined; children: ReactNode }) {
  return request ? <UnderWay request={request} /> : children;
}

/** An open request and its progress. */
export function UnderWay({ request }: { request: OpenRequest }) {
  if (request.state !== 'waiting') return <p className="entry-request">{openRequestText(request)}</p>;
  return (
    <p className="entry-request">
      {openRequestText(request)} <Link to="/support/approvals?state=waiting">A second admin has to approve it.</Link>
    </p>
  );
}
