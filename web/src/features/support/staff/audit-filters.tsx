import { NativeSelectField } from '@/ui/form/native-select-field';
import { TextField } from '@/ui/form/text-field';
import type { AuditFilter, AuditTrail } from '../api/help';
import { actionNames } from '../shared/action-words';
import type { AuditFilterName } from './use-audit-filter';

export interface AuditFiltersProps {
  filter: AuditFilter;
  /** The staff who can be filtered by; undefined until the first response. */
  staff: AuditTrail['staff'] | undefined;
  onNarrow: (name: AuditFilterName, value: string) => void;
}

/** Filters by who did what, and when. */
export function AuditFilters({ filter, staff, onNarrow }: AuditFiltersProps) {
  return (
    <div className="audit-filters">
      <NativeSelectField
        box=""
        label="Who"
        empty="Everybody"
        options={(staff ?? []).map(({ id, name, role }) => [id, `${name} (${role})`])}
        value={filter.staff_id ?? ''}
        onChange={(id) => onNarrow('staff_id', id)}
      />
      <NativeSelectField
        box=""
        label="What"
        empty="Everything"
        options={actionNames}
        value={filter.action ?? ''}
        onChange={(action) => onNarrow('action', action)}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextField
          key={name}
          box=""
          label={name === 'from' ? 'From' : 'To'}
          type="date"
          value={filter[name] ?? ''}
          onChange={(day) => onNarrow(name, day)}
        />
      ))}
    </div>
  );
}
