import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Async } from '@/ui/states';
import { PageBar } from '@/ui/list/page-bar';
import { toast } from '@/lib/toast';
import './support-jobs.scss';
import { boardQuery, controlQueue, runSchedule } from '../api/jobs';
import { meQuery } from '../api/queries';
import { jobName } from '../customers/customer-words';
import { QueuesTable } from './queues-table';
import { RunningTable, SchedulesTable, WorkersTable } from './queues-tables';
import { ReasonDialog } from '../shared/reason-dialog';

interface Control {
  name: string;
  what: 'pause' | 'resume';
}

const usual = {
  pause: ['The provider is down', 'Maintenance', 'It does harm'],
  resume: ['The provider is back', 'Maintenance is over'],
};

/** The state of queues, running jobs, workers and schedules; admins pause and resume. */
export function QueuesPage() {
  const board = useQuery(boardQuery);
  const me = useQuery(meQuery);
  const [control, setControl] = useState<Control>();
  const [kind, setKind] = useState('');
  return (
    <>
      <PageBar title="Queues" />
      <Async query={board} what="the queues" lines={8} tellStale />
      {board.data && (
        <>
          <QueuesTable
            queues={board.data.queues}
            mayControl={me.data?.role === 'admin'}
            onControl={(name, what) => setControl({ name, what })}
          />
          <h2>Running now</h2>
          <RunningTable jobs={board.data.running} />
          <h2>Schedules</h2>
          <SchedulesTable
            schedules={board.data.schedules}
            now={board.dataUpdatedAt}
            onRun={me.data?.role === 'admin' ? setKind : undefined}
          />
          <h2>Workers</h2>
          <WorkersTable workers={board.data.workers} now={board.dataUpdatedAt} />
        </>
      )}
      {kind && (
        <ReasonDialog
          title={`Run “${jobName(kind)}” now?`}
          label="Run it now"
          effect={<p>It takes what is due at that moment, as it does on schedule, and the schedule stays as it is.</p>}
          suggestions={['A customer waits for it', 'The cause of a failure is fixed']}
          act={(reason) => runSchedule(kind, reason)}
          onDone={({ job_id: job }) => {
            toast.success(`Job ${job} starts as soon as a worker is free.`);
            setKind('');
          }}
          onClose={() => setKind('')}
        />
      )}
      {control && (
        <ReasonDialog
          title={control.what === 'pause' ? `Pause queue ${control.name}?` : `Resume queue ${control.name}?`}
          label={control.what === 'pause' ? `Pause ${control.name}` : `Resume ${control.name}`}
          effect={
            <p>
              {control.what === 'pause'
                ? 'Running jobs finish; no other job of this queue starts until it is resumed. Everybody in support sees that it is paused.'
                : 'The jobs that waited start as soon as a worker is free.'}
            </p>
          }
          suggestions={usual[control.what]}
          act={(reason) => controlQueue(control.name, control.what, reason)}
          said={`Queue ${control.name} is ${control.what === 'pause' ? 'paused' : 'resumed'}.`}
          onClose={() => setControl(undefined)}
        />
      )}
    </>
  );
}
