// Search providers and language models: whether they answer, what went wrong last, and a button that asks them now.
import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ProviderTest } from '../../ui/controls/provider-test.tsx';
import { count } from '../../ui/data/format.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import {
  coverageOf,
  type Model,
  modelState,
  type Provider,
  PURPOSES,
  providerState,
} from '../../ui/states/provider-words.ts';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { usePolling } from '../../ui/states/use-load.ts';

export function Providers() {
  const { data, error, reload } = usePolling(
    async (signal) => (await call('listProviders', { signal })).data,
    10_000,
    [],
  );
  const [isAllShown, setAllShown] = useState(false);
  if (!data) return error === undefined ? <Skeleton lines={12} /> : <Problem error={error} onRetry={reload} />;
  const used = data.providers.filter((provider) => provider.used);
  const shown = isAllShown ? data.providers : used;
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      <section class="stack" aria-labelledby="providers">
        <div class="section-head">
          <h2 id="providers">Search providers</h2>
          <Button
            isSmall
            kind="quiet"
            aria-pressed={isAllShown ? 'true' : 'false'}
            onClick={() => setAllShown(!isAllShown)}
          >
            {isAllShown ? 'Show only those in use' : `Show all ${data.providers.length}`}
          </Button>
        </div>
        <p class="soft">
          Searches and research ask these beside the own index. Keys and addresses are settings of the service:{' '}
          <a href="/console/manual/use/search.md">how to set them</a>.
        </p>
        {shown.length === 0 ? (
          <Empty title="No provider is in use">
            <p>Searches find only pages that this service has read. Set the key of a provider to search the web.</p>
          </Empty>
        ) : (
          <Table
            caption="State of the search providers"
            columns={providerColumns(reload)}
            rows={shown}
            rowKey={({ name }) => name}
          />
        )}
      </section>
      <section class="stack" aria-labelledby="models">
        <h2 id="models">Language models</h2>
        <p class="soft">Without a model, the same things are done by rules, and answers say so.</p>
        <Table
          caption="State of the language models"
          columns={modelColumns(reload)}
          rows={data.models}
          rowKey={({ purpose }) => purpose}
        />
      </section>
    </>
  );
}

const providerColumns = (reload: () => void): Column<Provider>[] => [
  { id: 'label', title: 'Provider', cell: ({ label }) => label },
  { id: 'state', title: 'State', cell: (provider) => <State {...providerState(provider)} row={provider} /> },
  { id: 'covers', title: 'Asked for', isMinor: true, cell: coverageOf },
  {
    id: 'requests',
    title: 'Requests',
    align: 'end',
    isMinor: true,
    cell: ({ requests, failures }) => (
      <span class="stack-tight">
        <span>{count(requests)}</span>
        {failures > 0 && <span class="small soft">{count(failures)} failed</span>}
      </span>
    ),
  },
  {
    id: 'problem',
    title: 'Last problem',
    cell: (provider) => <LastProblem row={provider} text={provider.obstacle && `${sentence(provider.obstacle)}.`} />,
  },
  {
    id: 'test',
    title: 'Test',
    isTitleHidden: true,
    align: 'end',
    cell: ({ name, label, obstacle }) => (
      <ProviderTest
        name={label}
        isDisabled={obstacle !== undefined}
        test={() => call('testProvider', { params: { name } })}
        onTested={reload}
      />
    ),
  },
];

const modelColumns = (reload: () => void): Column<Model>[] => [
  { id: 'purpose', title: 'Purpose', cell: ({ purpose }) => PURPOSES[purpose] },
  { id: 'model', title: 'Model', cell: ({ model }) => (model === null ? <span class="faint">none</span> : model) },
  { id: 'state', title: 'State', cell: (model) => <State {...modelState(model)} row={model} /> },
  {
    id: 'problem',
    title: 'Last problem',
    cell: (model) => (
      <LastProblem row={model} text={model.model === null ? 'Set TRAWL_MODEL to use one.' : undefined} />
    ),
  },
  {
    id: 'test',
    title: 'Test',
    isTitleHidden: true,
    align: 'end',
    cell: ({ purpose, model }) => (
      <ProviderTest
        name={PURPOSES[purpose]}
        isDisabled={model === null}
        test={() => call('testModel', { params: { purpose } })}
        onTested={reload}
      />
    ),
  },
];

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

type Timed = Pick<Provider, 'pausedUntil' | 'lastAnswerAt' | 'lastProblem'>;

const State = ({ tone, text, row }: ReturnType<typeof providerState> & { row: Timed }) => (
  <span class="stack-tight">
    <span>
      <Status tone={tone}>{text}</Status>
    </span>
    {row.pausedUntil !== undefined ? (
      <span class="small soft">
        Tried again <Time at={row.pausedUntil} />
      </span>
    ) : (
      row.lastAnswerAt !== undefined && (
        <span class="small soft">
          Answered <Time at={row.lastAnswerAt} />
        </span>
      )
    )}
  </span>
);

function LastProblem({ row, text }: { row: Timed; text: string | undefined }) {
  if (text !== undefined) return <span class="small soft">{text}</span>;
  if (!row.lastProblem) return <span class="faint">none</span>;
  return (
    <span class="stack-tight">
      <span>{row.lastProblem.text}</span>
      <span class="small soft">
        <Time at={row.lastProblem.at} />
      </span>
    </span>
  );
}
