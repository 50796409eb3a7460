import { queryOptions } from '@tanstack/react-query';
import { dashboardQuery } from '@/domain/payment/api/dashboard';

/** The dashboard's data, used by the welcome screen to show the set-up progress. */
export const setupQuery = queryOptions({ ...dashboardQuery, meta: { toast: 'refresh' } });
