// The section "Providers and models", for the operator: what searches ask, which language model answers, and testing them.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { problemText } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { isOperator } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { duration, plural } from '../ui/format.ts';
import { Problem } from '../ui/problem.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { Status } from '../ui/status.tsx';
import { Table } from '../ui/table.tsx';
import { useLoad } from '../ui/use-load.ts';
import { modelSetting, modelState, providerSetting, providerState } from './provider-words.ts';
import { NotAllowed, SectionHead } from './section-head.tsx';

type Test = ResponseOf<'testProvider'>['data'];

export function Providers() {
  return isOperator() ? <ProviderList /> : <NotAllowed who="operator" />;
}

function ProviderList() {
  const { data, error, reload } = useLoad(async (signal) => (await call('listProviders', { signal })).data, []);
  if (error !== undefined) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={12} label="Loading providers" />;
  return (
    <div class="stack">
      <SectionHead>
        <p>
          What this server asks for searches and for language. It is set by environment variables, which are read at
          start: <a href="/console/manual/9-search.md">search providers</a>,{' '}
          <a href="/console/manual/14-models.md">language models</a>. Keys are never shown.
        </p>
      </SectionHead>
      <h2>Language models</h2>
      <Table
        caption="Language models by purpose"
        rows={data.models}
        rowKey={({ purpose }) => purpose}
        columns={[
          { id: 'purpose', title: 'Purpose', cell: ({ purpose }) => <strong>{purpose}</strong> },
          { id: 'model', title: 'Model', cell: ({ model }) => <span class="wrap">{model ?? 'none is set'}</span> },
          {
            id: 'state',
            title: 'State',
            cell: (model) => <State {...modelState(model)} />,
          },
          {
            id: 'setting',
            title: 'Set by',
            isMinor: true,
            cell: ({ purpose }) => <code>{modelSetting(purpose)}</code>,
          },
          {
            id: 'test',
            title: 'Test',
            align: 'end',
            cell: ({ purpose, model }) =>
              model === null ? (
                <span class="faint">nothing to test</span>
              ) : (
                <Tester
                  name={`the model for ${purpose}`}
                  test={async () => (await call('testModel', { params: { purpose } })).data}
                />
              ),
          },
        ]}
      />
      <h2>Search providers</h2>
      <Table
        caption="Search providers and research sources"
        rows={data.providers}
        rowKey={({ name }) => name}
        columns={[
          {
            id: 'name',
            title: 'Provider',
            cell: ({ label, sources, categories }) => (
              <span class="key-name">
                <strong>{label}</strong>
                <span class="small soft">{[...sources, ...categories].join(', ')}</span>
              </span>
            ),
          },
          { id: 'state', title: 'State', cell: (provider) => <State {...providerState(provider)} /> },
          {
            id: 'setting',
            title: 'Turn it on with',
            isMinor: true,
            cell: (provider) => <span class="wrap">{providerSetting(provider)}</span>,
          },
          {
            id: 'test',
            title: 'Test',
            align: 'end',
            cell: ({ name, label, obstacle }) =>
              obstacle === undefined ? (
                <Tester name={label} test={async () => (await call('testProvider', { params: { name } })).data} />
              ) : (
                <span class="faint">not set up</span>
              ),
          },
        ]}
      />
    </div>
  );
}

function State({ tone, text, more }: ReturnType<typeof providerState>): ComponentChildren {
  return (
    <span class="key-name">
      <Status tone={tone}>{text}</Status>
      {more !== undefined && <span class="small soft wrap">{more}</span>}
    </span>
  );
}

function Tester({ name, test }: { name: string; test: () => Promise<Test> }) {
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<{ isGood: boolean; text: string }>();
  const run = async () => {
    setBusy(true);
    try {
      const { ok, ms, problem, results } = await test();
      const found = results === undefined ? '' : `, ${plural(results, 'result')}`;
      setOutcome({ isGood: ok, text: ok ? `answers in ${duration(ms)}${found}` : (problem ?? 'It did not answer.') });
    } catch (error) {
      setOutcome({ isGood: false, text: problemText(error) });
    }
    setBusy(false);
  };
  return (
    <span class="tester">
      <Button isSmall busy={isBusy} onClick={() => void run()} aria-label={`Test ${name}`}>
        Test
      </Button>
      <span role="status" class={`small wrap ${outcome?.isGood === false ? 'text-bad' : 'soft'}`}>
        {outcome?.text}
      </span>
    </span>
  );
}
