import { NativeSelectField } from '@/ui/form/native-select-field';
import { ListDate } from '@/ui/list/list-date';
import { useSetFilter } from '@/ui/list/use-list-state';
import type { AuditFilter, AuditTrail } from '../api/help';
import { actionNames } from '../shared/action-words';

export interface AuditFiltersProps {
  filter: AuditFilter;
  /** The staff who can be filtered by; undefined until the first response. */
  staff: AuditTrail['staff'] | undefined;
}

/** Filters by who did what, and when. */
export function AuditFilters({ filter, staff }: AuditFiltersProps) {
  const set = useSetFilter();
  return (
    <div className="audit-filters">
      <NativeSelectField
        box=""
        label="Who"
        empty="Everybody"
        options={(staff ?? []).map(({ id, name, role }) => [id, `${name} (${role})`])}
        value={filter.staff_id ?? ''}
        onChange={(id) => set({ staff_id: id })}
      />
      <NativeSelectField
        box=""
        label="What"
        empty="Everything"
        options={actionNames}
        value={filter.action ?? ''}
        onChange={(action) => set({ action })}
      />
      <ListDate box="" name="from" label="From" />
      <ListDate box="" name="to" label="To" />
    </div>
  );
}
