import { t } from '@lingui/core/macro';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Button, ButtonLink } from '@/ui/button';
import { Instant } from '@/ui/instant';
import { NativeSelectField } from '@/ui/form/native-select-field';
import { ListFilter } from '@/ui/list/list-filter';
import { oneOf, useListState } from '@/ui/list/use-list-state';
import { StatusText } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { Pagination } from '@/ui/pagination';
import { Async, EmptyState } from '@/ui/states';
import { requestsQuery, startRequest, type RequestRow } from '../api/requests';
import { stateTones, stateWords, topicWords } from '../words';
import { MessageForm } from './message-form';
import './requests.scss';

function NewRequest({ onClose }: { onClose: () => void }) {
  const id = useId();
  const [topic, setTopic] = useState<RequestRow['topic']>('support');
  const navigate = useNavigate();
  return (
    <section className="panel request-new" aria-labelledby={`${id}-title`}>
      <div className="request-new-head">
        <h2 id={`${id}-title`}>{t`New request`}</h2>
        <Button type="button" variant="quiet" size="sm" onClick={onClose}>{t`Cancel`}</Button>
      </div>
      <MessageForm
        label={t`New request`}
        submit={t`Send the request`}
        send={(draft, key) => startRequest({ topic, ...draft }, key)}
        onSent={(answer) => void navigate(`/requests/${(answer as { id: string }).id}`)}
      >
        <NativeSelectField
          label={t`What is it about?`}
          options={Object.entries(topicWords) as [RequestRow['topic'], string][]}
          value={topic}
          onChange={setTopic}
        />
      </MessageForm>
    </section>
  );
}

function Row({ of }: { of: RequestRow }) {
  return (
    <li>
      <Link to={`/requests/${of.id}`}>
        <span className="request-row-head">
          <span className="request-topic">{topicWords[of.topic]}</span>
          <StatusText tone={stateTones[of.state]}>{stateWords[of.state]}</StatusText>
        </span>
        <span className="text-muted request-excerpt">{of.message}</span>
        <Instant className="text-muted text-sm tabular" at={of.wrote_at} />
      </Link>
    </li>
  );
}

const states = Object.keys(stateWords) as RequestRow['state'][];

/** The customer's requests over all channels, with their state, and a form for a new one. */
export function RequestsPage() {
  const { filter, page, narrowed } = useListState({ state: oneOf(states) });
  const list = useQuery({ ...requestsQuery(page, filter.state), placeholderData: keepPreviousData });
  const [writing, setWriting] = useState(false);
  const rows = list.data?.data ?? [];
  return (
    <div className="container page requests">
      <PageTitle
        title={t`My requests`}
        intro={t`What you wrote to us in your account, by e-mail or by WhatsApp, and our answers.`}
        actions={!writing && <Button onClick={() => setWriting(true)}>{t`New request`}</Button>}
      >{t`My requests`}</PageTitle>
      {writing && <NewRequest onClose={() => setWriting(false)} />}
      {(rows.length > 0 || narrowed) && (
        <div className="request-filter">
          <ListFilter label={t`State`} name="state" options={stateWords} all={t`All`} />
        </div>
      )}
      <Async query={list} what={t`your requests`} lines={6} />
      {list.data && rows.length === 0 && !writing && (
        <EmptyState
          title={narrowed ? t`No request is in this state.` : t`You have not written to us yet.`}
          action={!narrowed && <ButtonLink to="/helpcenter" variant="outline">{t`Help centre`}</ButtonLink>}
        >
          {!narrowed && t`Ask us anything about your plan, a payment or your store. Our answer appears here.`}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <ul className="panel request-rows">
          {rows.map((row) => (
            <Row key={row.id} of={row} />
          ))}
        </ul>
      )}
      {list.data && (
        <Pagination label={t`Pages of requests`} current={list.data.current_page} last={list.data.last_page} />
      )}
    </div>
  );
}
