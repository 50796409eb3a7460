import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { Button } from '@/components/button';
import { Pagination } from '@/components/pagination';
import { QueryStates } from '@/components/states';
import { formatInstant } from '@/lib/format';
import { usePageMeta } from '@/lib/page-meta';
import { toast } from '@/lib/toast';
import { announcementsKey, announcementsQuery, endAnnouncement, type Announcement } from '../api/catalogue';
import { useMay } from '../api/rights';
import { AnnouncementDialog, audiences, levels } from './announcement-dialog';
import { ConsoleTable } from './console-table';
import { ReasonDialog } from './reason-dialog';

interface RowProps {
  of: Announcement;
  running: boolean;
  onChange: () => void;
  onEnd: () => void;
}

function Row({ of, running, onChange, onEnd }: RowProps) {
  return (
    <tr>
      <th scope="row">
        {of.text_en}
        <br />
        <span lang="hi">{of.text_hi}</span>
      </th>
      <td data-label="Kind">{levels[of.level]}</td>
      <td data-label="Shown to">{audiences[of.audience]}</td>
      <td data-label="From">{formatInstant(of.starts_at)}</td>
      <td data-label="Until">{formatInstant(of.ends_at)}</td>
      <td data-label="Last saved by">{of.saved_by_name}</td>
      <td data-label="Actions">
        {running ? (
          <>
            <Button size="sm" variant="quiet" onClick={onChange}>
              Change<span className="visually-hidden">: {of.text_en}</span>
            </Button>
            <Button size="sm" variant="quiet" onClick={onEnd}>
              End now<span className="visually-hidden">: {of.text_en}</span>
            </Button>
          </>
        ) : (
          'None'
        )}
      </td>
    </tr>
  );
}

/** Current and past announcements, which every user sees as a line on the pages. */
export function AnnouncementsPage() {
  usePageMeta({ title: 'Announcements' });
  const [params] = useSearchParams();
  const queries = useQueryClient();
  const admin = useMay('admin');
  const list = useQuery(announcementsQuery(Math.max(1, Number(params.get('page')) || 1)));
  const [editing, setEditing] = useState<Announcement | 'new'>();
  const [ending, setEnding] = useState<Announcement>();
  const done = (message: string) => {
    setEditing(undefined);
    setEnding(undefined);
    toast.success(message);
    void queries.invalidateQueries({ queryKey: announcementsKey });
  };
  const rows = list.data?.data;
  return (
    <>
      <div className="console-bar">
        <h1>Announcements</h1>
        {admin && (
          <Button size="sm" variant="outline" onClick={() => setEditing('new')}>
            Publish one
          </Button>
        )}
      </div>
      <QueryStates query={list} what="the announcements" lines={4} />
      {rows?.length === 0 && <p>There are no announcements yet.</p>}
      {rows && rows.length > 0 && (
        <ConsoleTable
          wide
          caption="Announcements"
          heads={['Text', 'Kind', 'Shown to', 'From', 'Until', 'Last saved by', 'Actions']}
        >
          {rows.map((one) => (
            <Row
              key={one.id}
              of={one}
              running={admin && Date.parse(one.ends_at) > list.dataUpdatedAt}
              onChange={() => setEditing(one)}
              onEnd={() => setEnding(one)}
            />
          ))}
        </ConsoleTable>
      )}
      {list.data && (
        <Pagination label="Pages of announcements" current={list.data.current_page} last={list.data.last_page} />
      )}
      {editing && (
        <AnnouncementDialog
          of={editing === 'new' ? undefined : editing}
          onDone={done}
          onClose={() => setEditing(undefined)}
        />
      )}
      {ending && (
        <ReasonDialog
          title="End the announcement"
          label="End it now"
          effect={<p>It disappears from the pages within a minute.</p>}
          act={(reason) => endAnnouncement(ending.id, reason)}
          onDone={({ message }) => done(message)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  );
}
