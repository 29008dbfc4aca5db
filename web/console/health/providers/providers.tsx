// Search providers and language models: whether they answer, what went wrong last, and a button that asks them now.
import { useState } from 'preact/hooks';
import { problemText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { count } from '../../ui/format.ts';
import { Problem } from '../../ui/problem.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Status } from '../../ui/status.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { usePolling } from '../../ui/use-load.ts';
import {
  coverageOf,
  type Model,
  modelState,
  type Provider,
  PURPOSES,
  providerState,
  type TestResult,
  testText,
} from './provider-words.ts';

type Tests = Readonly<Record<string, TestResult | 'running'>>;

export function Providers() {
  const { data, error, reload } = usePolling(
    async (signal) => (await call('listProviders', { signal })).data,
    10_000,
    [],
  );
  const [tests, setTests] = useState<Tests>({});
  const [isAllShown, setAllShown] = useState(false);
  if (!data) return error === undefined ? <Skeleton lines={12} /> : <Problem error={error} onRetry={reload} />;
  const run = async (id: string, ask: () => Promise<{ data: TestResult }>) => {
    setTests((before) => ({ ...before, [id]: 'running' }));
    const result = await ask().then(
      ({ data: found }) => found,
      (failure: unknown): TestResult => ({ ok: false, ms: 0, problem: problemText(failure) }),
    );
    setTests((before) => ({ ...before, [id]: result }));
    reload();
  };
  const testProvider = ({ name }: Provider) => run(name, () => call('testProvider', { params: { name } }));
  const testModel = ({ purpose }: Model) => run(purpose, () => call('testModel', { params: { purpose } }));
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
          <a href="/console/manual/9-search.md">how to set them</a>.
        </p>
        {shown.length === 0 ? (
          <Empty title="No provider is in use">
            <p>Searches find only pages that this service has read. Set the key of a provider to search the web.</p>
          </Empty>
        ) : (
          <Table
            caption="State of the search providers"
            columns={providerColumns(tests, testProvider)}
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
          columns={modelColumns(tests, testModel)}
          rows={data.models}
          rowKey={({ purpose }) => purpose}
        />
      </section>
    </>
  );
}

const providerColumns = (tests: Tests, test: (provider: Provider) => void): Column<Provider>[] => [
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
    cell: (provider) => (
      <TestButton
        name={provider.label}
        result={tests[provider.name]}
        isDisabled={provider.obstacle !== undefined}
        onTest={() => test(provider)}
      />
    ),
  },
];

const modelColumns = (tests: Tests, test: (model: Model) => void): Column<Model>[] => [
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
    cell: (model) => (
      <TestButton
        name={PURPOSES[model.purpose]}
        result={tests[model.purpose]}
        isDisabled={model.model === null}
        onTest={() => test(model)}
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

interface TestProps {
  name: string;
  result: TestResult | 'running' | undefined;
  isDisabled: boolean;
  onTest: () => void;
}

function TestButton({ name, result, isDisabled, onTest }: TestProps) {
  const outcome = typeof result === 'object' ? result : undefined;
  return (
    <span class="test">
      <Button isSmall label={`Test ${name}`} busy={result === 'running'} disabled={isDisabled} onClick={onTest}>
        Test
      </Button>
      <span role="status" class={`small ${outcome?.ok === false ? 'test-bad' : 'test-good'}`}>
        {outcome && testText(outcome)}
      </span>
    </span>
  );
}
