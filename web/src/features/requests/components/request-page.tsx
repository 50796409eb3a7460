import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Breadcrumb } from '@/ui/breadcrumb';
import { ButtonLink } from '@/ui/button';
import { Instant } from '@/ui/instant';
import { Notice, StatusText } from '@/ui/notice';
import { PageTitle } from '@/ui/page-title';
import { Async, EmptyState } from '@/ui/states';
import { FileButton } from '@/domain/file-button';
import { toast } from '@/lib/toast';
import { fetchFile, replyToRequest, requestQuery, type RequestMessage } from '../api/requests';
import { channelWords, stateTones, stateWords, topicWords } from '../words';
import { MessageForm } from './message-form';
import '@/domain/uploads.scss';
import './requests.scss';

function Message({ request, of }: { request: string; of: RequestMessage }) {
  return (
    <li className={of.mine ? 'request-message request-mine' : 'request-message'}>
      <p className="request-message-head">
        <b>{of.mine ? t`You` : 'Franchise 360'}</b>{' '}
        <span className="text-muted text-sm">
          {channelWords[of.channel]} · <Instant className="tabular" at={of.at} />
        </span>
      </p>
      {of.sender && (
        <Notice tone="warning">{t`This came from another address, ${of.sender}. We can not tell who wrote it.`}</Notice>
      )}
      <p className="request-text">{of.text}</p>
      {of.quoted && (
        <details>
          <summary>{t`Earlier messages that it repeats`}</summary>
          <p className="request-text text-muted">{of.quoted}</p>
        </details>
      )}
      {of.files.length > 0 && (
        <ul className="uploads" aria-label={t`Files`}>
          {of.files.map((file) => (
            <li key={file.id}>
              <FileButton name={file.name} fetch={() => fetchFile(request, file)} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

/** One request: its state, the messages of all channels in order, and an answer. */
export function RequestPage() {
  const { id = '' } = useParams();
  const thread = useQuery(requestQuery(id));
  const found = thread.data;
  const name = found ? topicWords[found.request.topic] : t`My request`;
  return (
    <div className="container page requests">
      <Breadcrumb items={[{ to: '/requests', label: t`My requests` }, { label: name }]} />
      <PageTitle>{name}</PageTitle>
      <Async
        query={thread}
        what={t`your request`}
        lines={8}
        missing={
          <EmptyState
            title={t`We could not find this request.`}
            action={<ButtonLink to="/requests">{t`My requests`}</ButtonLink>}
          >{t`The address may be incomplete, or the request belongs to another account.`}</EmptyState>
        }
      />
      {found && (
        <>
          <p className="request-state">
            <StatusText tone={stateTones[found.request.state]}>{stateWords[found.request.state]}</StatusText>
          </p>
          <ol className="request-thread" aria-label={t`Messages`}>
            {found.messages.map((message) => (
              <Message key={message.id} request={id} of={message} />
            ))}
          </ol>
          <section className="panel request-new" aria-labelledby="request-answer">
            <h2 id="request-answer">{t`Write to us`}</h2>
            {found.request.state === 'closed' && (
              <p className="text-muted">{t`This request is closed. Your message opens it again.`}</p>
            )}
            <MessageForm
              label={t`Write to us`}
              submit={t`Send message`}
              send={(draft, key) => replyToRequest(id, draft, key)}
              onSent={() => toast.success(t`Your message is sent.`)}
            />
          </section>
        </>
      )}
    </div>
  );
}
