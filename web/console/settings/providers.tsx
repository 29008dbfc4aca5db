// The section "Providers and models", for the operator: what searches ask, which language model answers, and testing them.
import { call } from '../api/call.ts';
import { isOperator } from '../session/session.ts';
import { ProviderTest } from '../ui/controls/provider-test.tsx';
import { Table } from '../ui/data/table.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { modelState, PURPOSES, providerState } from '../ui/states/provider-words.ts';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { Status } from '../ui/states/status.tsx';
import type { Tone } from '../ui/states/tone.ts';
import { useLoad } from '../ui/states/use-load.ts';
import { modelNote, modelSetting, providerNote, providerSetting } from './provider-settings.ts';
import { NotAllowed, SectionHead } from './section-head.tsx';

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
          start: <a href="/console/manual/use/search.md">search providers</a>,{' '}
          <a href="/console/manual/operate/models.md">language models</a>. Keys are never shown.
        </p>
      </SectionHead>
      <h2>Language models</h2>
      <Table
        caption="Language models by purpose"
        rows={data.models}
        rowKey={({ purpose }) => purpose}
        columns={[
          { id: 'purpose', title: 'Purpose', cell: ({ purpose }) => <strong>{PURPOSES[purpose]}</strong> },
          { id: 'model', title: 'Model', cell: ({ model }) => model ?? 'not set' },
          {
            id: 'state',
            title: 'State',
            cell: (model) => <State {...modelState(model)} more={modelNote(model)} />,
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
                <ProviderTest name={PURPOSES[purpose]} test={() => call('testModel', { params: { purpose } })} />
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
          {
            id: 'state',
            title: 'State',
            cell: (provider) => <State {...providerState(provider)} more={providerNote(provider)} />,
          },
          {
            id: 'setting',
            title: 'Turn it on with',
            isMinor: true,
            cell: providerSetting,
          },
          {
            id: 'test',
            title: 'Test',
            align: 'end',
            cell: ({ name, label, obstacle }) =>
              obstacle === undefined ? (
                <ProviderTest name={label} test={() => call('testProvider', { params: { name } })} />
              ) : (
                <span class="faint">not set up</span>
              ),
          },
        ]}
      />
    </div>
  );
}

function State({ tone, text, more }: { tone: Tone; text: string; more: string | undefined }) {
  return (
    <span class="key-name">
      <Status tone={tone}>{text}</Status>
      {more !== undefined && <span class="small soft">{more}</span>}
    </span>
  );
}
