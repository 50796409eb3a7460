import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, data } from '@/lib/api/client';
import { Button } from '@/ui/button';
import { SelectField } from '@/ui/form/select-field';
import { Notice } from '@/ui/notice';

/** `GET /business`: the business types of stores. */
const businessTypesQuery = queryOptions({
  queryKey: ['business-types'],
  queryFn: ({ signal }) => data(api.GET('/business', { signal })),
  staleTime: Infinity,
  meta: { public: true, toast: 'warning' },
});

/** The store's business type, chosen from the server's list. */
export function BusinessTypeField() {
  const types = useQuery(businessTypesQuery);
  return (
    <>
      <SelectField
        name="store_type"
        label={t`Store type`}
        options={types.data ?? []}
        placeholder={types.isLoading ? t`Loading store types` : t`Choose one`}
      />
      {types.isError && (
        <Notice tone="warning" live>
          <Trans>
            <Trans>
              We could not load the store types.{' '}
              <Button variant="quiet" size="sm" onClick={() => void types.refetch()}>
                Retry
              </Button>
            </Trans>
          </Trans>
        </Notice>
      )}
    </>
  );
}
