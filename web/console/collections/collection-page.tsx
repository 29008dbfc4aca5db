// One collection: when it runs, what the last run found, what is in it, and what has changed.
import { useState } from 'preact/hooks';
import { problemText } from '../api/api-error.ts';
import { addressOf, call } from '../api/call.ts';
import { Button, ButtonLink } from '../ui/controls/button.tsx';
import { Tabs } from '../ui/controls/tabs.tsx';
import { count } from '../ui/data/format.ts';
import { Time } from '../ui/data/time.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { toast } from '../ui/states/toasts.tsx';
import { usePolling } from '../ui/states/use-load.ts';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { Changes } from './changes.tsx';
import { type Collection, foundText, Problems, RunStatus } from './last-run.tsx';
import { Members } from './members.tsx';

const POLL_MS = 2_000;

const TABS = [
  { id: 'pages', label: 'Pages' },
  { id: 'changes', label: 'Last changes' },
  { id: 'definition', label: 'Definition' },
] as const;

export function CollectionPage({ name }: { name: string }) {
  const [tab, setTab] = useState<(typeof TABS)[number]['id']>('pages');
  const { data, error, reload } = usePolling(
    async (signal) => (await call('getCollection', { params: { name }, signal })).data,
    POLL_MS,
    [name],
  );
  return (
    <>
      <p class="small back-link">
        <a href="/console/collections">All collections</a>
      </p>
      <Head name={name} collection={data} onChange={reload} />
      {error ? <Problem error={error} onRetry={reload} /> : null}
      {!data && !error && <Skeleton lines={10} label="Loading the collection" />}
      {data && (
        <>
          <Facts collection={data} />
          <Problems collection={data} />
          <Tabs label="Details of the collection" tabs={TABS} current={tab} onSelect={setTab}>
            {tab === 'pages' && <Members name={name} version={data.cursor} />}
            {tab === 'changes' && <Changes name={name} version={data.cursor} />}
            {tab === 'definition' && <CodeBlock label="Definition" text={definitionText(data)} />}
          </Tabs>
        </>
      )}
    </>
  );
}

const definitionText = ({ targets, scrapeOptions, schedule, retentionDays }: Collection): string =>
  JSON.stringify({ targets, scrapeOptions, schedule, retentionDays }, null, 2);

interface HeadProps {
  name: string;
  collection: Collection | undefined;
  onChange: () => void;
}

function Head({ name, collection, onChange }: HeadProps) {
  const run = async () => {
    try {
      await call('runCollection', { params: { name } });
      toast('A run has begun.');
    } catch (error) {
      toast(problemText(error), 'bad');
    }
    onChange();
  };
  return (
    <PageHead
      title={`Collection: ${name}`}
      intro={
        <span class="row">
          {collection && <RunStatus collection={collection} />}
          <a href="/console/manual/use/collections.md">How collections work</a>
        </span>
      }
    >
      <Button
        kind="primary"
        icon="refresh"
        disabled={collection === undefined || collection.currentRunId !== null}
        onClick={() => void run()}
      >
        Run now
      </Button>
      <ButtonLink icon="download" href={addressOf('exportCollection', { name }, { format: 'jsonl' })}>
        Export
      </ButtonLink>
    </PageHead>
  );
}

function Facts({ collection }: { collection: Collection }) {
  const { pages, targets, schedule, nextRunAt, lastRunAt } = collection;
  const facts = [
    ['Pages', count(pages)],
    ['Targets', count(targets.length)],
    ['Last run', <Time key="last" at={lastRunAt} />],
    ['Found', <span key="found">{foundText(collection)}</span>],
    ['Next run', nextRunAt === null ? 'when asked' : <Time key="next" at={nextRunAt} />],
    ['Schedule', schedule === null ? 'none' : `${schedule.cron} ${schedule.timezone}`],
  ] as const;
  return (
    <dl class="facts">
      {facts.flatMap(([label, value]) => [
        <dt key={label} class="soft">
          {label}
        </dt>,
        <dd key={`${label} value`}>{value}</dd>,
      ])}
    </dl>
  );
}
