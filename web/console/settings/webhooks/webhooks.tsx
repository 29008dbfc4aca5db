// The section "Webhooks": what was sent, whether it arrived, and sending it again.
import { useState } from 'preact/hooks';
import { problemText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { mayManage } from '../../session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, Select, TextInput } from '../../ui/controls/field.tsx';
import { Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { toast } from '../../ui/states/toasts.tsx';
import { usePolling } from '../../ui/states/use-load.ts';
import { CodeBlock } from '../../ui/text/code-block.tsx';
import { NotAllowed, SectionHead } from '../section-head.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { attemptInWords, type Delivery, stateInWords } from './delivery-words.ts';
import { TestReceiver } from './test-receiver.tsx';

type Filter = 'all' | Delivery['status'];

const FILTERS: readonly { value: Filter; label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Given up' },
];
const REFRESH_MS = 5_000;
const PAGE = 50;

export function Webhooks() {
  return mayManage() ? <Deliveries /> : <NotAllowed who="manager" />;
}

function Deliveries() {
  const [filter, setFilter] = useState<Filter>('all');
  const [jobId, setJobId] = useState('');
  /** Where each page begins; the first one has no cursor. */
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [shown, setShown] = useState<string>();
  const [sending, setSending] = useState<string>();
  const cursor = cursors.at(-1);
  const query = { ...(filter !== 'all' && { status: filter }), jobId: jobId.trim(), cursor, limit: PAGE };
  const { data, error, reload } = usePolling(
    (signal) => call('listDeliveries', { query, signal }),
    cursor === undefined ? REFRESH_MS : 0,
    [filter, jobId, cursor],
  );
  const restart = () => setCursors([]);
  const resend = async (id: string) => {
    setSending(id);
    try {
      await call('resendDelivery', { params: { id } });
      toast('It is on its way. The list shows whether it arrives.');
      setShown(undefined);
      reload();
    } catch (problem) {
      toast(problemText(problem), 'bad');
    }
    setSending(undefined);
  };
  return (
    <div class="stack">
      <SectionHead>
        <p>
          Calls that jobs of your team made to webhooks in the last 7 days. A call that fails is tried again after 1, 5
          and 15 minutes; later calls of its job wait for it.
        </p>
      </SectionHead>
      <div class="form-row">
        <Field label="State">
          <Select
            value={filter}
            options={FILTERS}
            onInput={(value) => {
              setFilter(value);
              restart();
            }}
          />
        </Field>
        <Field label="Job">
          <TextInput
            isCode
            value={jobId}
            placeholder="ID of a job"
            maxLength={64}
            onInput={(value) => {
              setJobId(value);
              restart();
            }}
          />
        </Field>
      </div>
      {error !== undefined ? (
        <Problem error={error} onRetry={reload} />
      ) : !data ? (
        <Skeleton lines={8} label="Loading webhook calls" />
      ) : data.data.length === 0 ? (
        <NoDeliveries isFiltered={filter !== 'all' || jobId.trim() !== ''} />
      ) : (
        <>
          <Table
            caption="Webhook calls"
            rows={data.data}
            rowKey={({ id }) => id}
            columns={[
              { id: 'event', title: 'Event', cell: ({ event }) => <strong class="nowrap">{event}</strong> },
              { id: 'state', title: 'State', cell: (each) => <State of={each} /> },
              { id: 'last', title: 'Last attempt', cell: (each) => <span>{attemptInWords(each)}</span> },
              { id: 'url', title: 'Receiver', isMinor: true, cell: ({ url }) => <span>{url}</span> },
              { id: 'created', title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
              {
                id: 'actions',
                title: 'Actions',
                isTitleHidden: true,
                align: 'end',
                cell: (each) => (
                  <span class="row-actions">
                    <Button
                      isSmall
                      onClick={() => setShown(each.id)}
                      aria-label={`Show ${each.event}, call ${each.id}`}
                    >
                      Show
                    </Button>
                    {each.canResend && (
                      <Button
                        isSmall
                        busy={sending === each.id}
                        onClick={() => void resend(each.id)}
                        aria-label={`${resendWord(each)}: ${each.event}, call ${each.id}`}
                      >
                        {resendWord(each)}
                      </Button>
                    )}
                  </span>
                ),
              },
            ]}
          />
          <div class="row">
            {cursor !== undefined && <Button onClick={() => setCursors(cursors.slice(0, -1))}>Newer</Button>}
            {data.cursor !== null && <Button onClick={() => setCursors([...cursors, data.cursor!])}>Older</Button>}
          </div>
        </>
      )}
      <TestReceiver />
      {shown !== undefined && (
        <DeliveryDialog
          id={shown}
          isBusy={sending === shown}
          onResend={() => void resend(shown)}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
  );
}

const resendWord = ({ status }: Delivery): string => (status === 'waiting' ? 'Send now' : 'Send again');

function State({ of }: { of: Delivery }) {
  const { tone, text } = stateInWords(of);
  return <Status tone={tone}>{text}</Status>;
}

const EXAMPLE = `{
  "url": "https://example.com",
  "webhook": "https://your-server.example/hook"
}`;

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty title="No call fits">
        <p>Choose another state, or clear the job.</p>
      </Empty>
    );
  return (
    <Empty title="No webhook calls yet">
      <p>
        Crawls, batches, agents, extractions and monitors can tell your server what they do. Give one a{' '}
        <code>webhook</code>, and its calls appear here. Jobs with zero data retention leave no record.
      </p>
      <CodeBlock label="A crawl with a webhook" text={EXAMPLE} />
    </Empty>
  );
}
