import { queryOptions } from '@tanstack/react-query';
import { getContacts, getCustomer, getFailedJobs, getMe, getQueues, search, type JobsQuery } from './support';

/** What the console asks, with the names under which the answers are kept; all begin with "support". */
export const meQuery = queryOptions({ queryKey: ['support', 'me'], queryFn: getMe, retry: false, staleTime: 60_000 });
export const queuesQuery = queryOptions({ queryKey: ['support', 'queues'], queryFn: getQueues, refetchInterval: 5000 });
export const searchQuery = (q: string) => queryOptions({ queryKey: ['support', 'search', q], queryFn: ({ signal }) => search(q, signal), enabled: q !== '' });
export const customerQuery = (id: string) => queryOptions({ queryKey: ['support', 'customer', id], queryFn: () => getCustomer(id) });
export const jobsQuery = (query: JobsQuery) => queryOptions({ queryKey: ['support', 'jobs', query], queryFn: () => getFailedJobs(query) });
export const contactsQuery = (page: number) => queryOptions({ queryKey: ['support', 'contacts', page], queryFn: () => getContacts(page) });
