import type { AuditFilter, AuditTrail } from '../api/help';
import { actionNames } from './action-words';
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
      <div>
        <label htmlFor="audit-staff">Who</label>
        <select
          id="audit-staff"
          className="input"
          value={filter.staff_id ?? ''}
          onChange={(event) => onNarrow('staff_id', event.target.value)}
        >
          <option value="">Everybody</option>
          {staff?.map(({ id, name, role }) => (
            <option key={id} value={id}>
              {name} ({role})
            </option>
          ))}
        </select>
      </div>
      <div>
        <label htmlFor="audit-action">What</label>
        <select
          id="audit-action"
          className="input"
          value={filter.action ?? ''}
          onChange={(event) => onNarrow('action', event.target.value)}
        >
          <option value="">Everything</option>
          {actionNames.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div>
        <label htmlFor="audit-from">From</label>
        <input
          id="audit-from"
          className="input"
          type="date"
          value={filter.from ?? ''}
          onChange={(event) => onNarrow('from', event.target.value)}
        />
      </div>
      <div>
        <label htmlFor="audit-to">To</label>
        <input
          id="audit-to"
          className="input"
          type="date"
          value={filter.to ?? ''}
          onChange={(event) => onNarrow('to', event.target.value)}
        />
      </div>
    </div>
  );
}
