import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ListPage } from '@/ui/list/list-page';
import { type Column } from '@/ui/list/list-table';
import { usePage } from '@/ui/list/use-list-state';
import { formatInstant } from '@/lib/format';
import { announcementsQuery, endAnnouncement, type Announcement } from '../api/catalogue';
import { useMay } from '../api/rights';
import { AnnouncementDialog, audiences, levels } from './announcement-dialog';
import { ReasonDialog } from '../shared/reason-dialog';
import { Offer } from '../shared/offer';

interface ColumnsOptions {
  /** Whether the user may still change it. */
  running: (of: Announcement) => boolean;
  onChange: (of: Announcement) => void;
  onEnd: (of: Announcement) => void;
}

const columnsOf = ({ running, onChange, onEnd }: ColumnsOptions): Column<Announcement>[] => [
  {
    label: 'Text',
    cell: (of) =>
      Object.entries(of.texts).map(([code, text]) => (
        <div key={code} lang={code}>
          {text}
        </div>
      )),
  },
  { label: 'Kind', cell: (of) => levels[of.level] },
  { label: 'Shown to', cell: (of) => audiences[of.audience] },
  { label: 'From', cell: (of) => formatInstant(of.starts_at) },
  { label: 'Until', cell: (of) => formatInstant(of.ends_at) },
  { label: 'Last saved by', cell: (of) => of.saved_by_name },
  {
    label: 'Actions',
    cell: (of) =>
      running(of) ? (
        <>
          <Offer variant="quiet" onClick={() => onChange(of)} of={`: ${of.texts.en}`}>
            Change
          </Offer>
          <Offer variant="quiet" onClick={() => onEnd(of)} of={`: ${of.texts.en}`}>
            End now
          </Offer>
        </>
      ) : (
        'None'
      ),
  },
];

/** Current and past announcements, which every user sees as a line on the pages. */
export function AnnouncementsPage() {
  const admin = useMay('admin');
  const list = useQuery(announcementsQuery(usePage()));
  const [editing, setEditing] = useState<Announcement | 'new'>();
  const [ending, setEnding] = useState<Announcement>();
  return (
    <>
      <ListPage
        title="Announcements"
        query={list}
        what="the announcements"
        acts={admin && <Offer onClick={() => setEditing('new')}>Publish one</Offer>}
        empty="There are no announcements yet."
        wide
        rowKey={(one) => one.id}
        columns={columnsOf({
          running: (one) => admin && Date.parse(one.ends_at) > list.dataUpdatedAt,
          onChange: setEditing,
          onEnd: setEnding,
        })}
      />
      {editing && (
        <AnnouncementDialog of={editing === 'new' ? undefined : editing} onClose={() => setEditing(undefined)} />
      )}
      {ending && (
        <ReasonDialog
          title="End the announcement"
          label="End it now"
          effect={<p>It disappears from the pages within a minute.</p>}
          act={(reason) => endAnnouncement(ending.id, reason)}
          onClose={() => setEnding(undefined)}
        />
      )}
    </>
  );
}
