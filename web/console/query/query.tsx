// The page "Query": asks with SQL what is stored, and shows the rows as a table.
import { useRef, useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, Select, TextArea } from '../ui/controls/field.tsx';
import { plural } from '../ui/data/format.ts';
import { PageHead } from '../ui/page-head.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { saveText } from '../ui/text/save-text.ts';
import { EXAMPLES } from './examples.ts';
import { type QueryData, Rows } from './rows.tsx';
import { Schema } from './schema.tsx';

type State = { data?: QueryData; error?: unknown; isRunning?: boolean };

export function Query() {
  const [sql, setSql] = useState<string>(EXAMPLES[0].sql);
  const [{ data, error, isRunning = false }, setState] = useState<State>({});
  const running = useRef<AbortController>(undefined);

  const run = async () => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState((before) => ({ ...before, isRunning: true }));
    try {
      const answer = await call('query', { body: { sql }, signal: controller.signal });
      if (!controller.signal.aborted) setState({ data: answer.data });
    } catch (failure) {
      if (!controller.signal.aborted) setState({ error: failure });
    }
  };
  const stop = () => {
    running.current?.abort();
    setState({});
  };
  const download = async () => {
    try {
      // A CSV file, though the answer in JSON is what the types describe.
      const text: unknown = await call('query', { body: { sql, format: 'csv' } });
      saveText('query.csv', 'text/csv', String(text));
    } catch (failure) {
      setState({ error: failure });
    }
  };

  return (
    <>
      <PageHead
        title="Query"
        intro={
          <>
            What is stored, asked with SQL. It only reads. <a href="/console/manual/use/query.md">How queries work</a>
          </>
        }
      />
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void run();
        }}
      >
        <Field label="Example">
          <Select
            value={EXAMPLES.find((example) => example.sql === sql)?.name ?? ''}
            options={[{ value: '', label: 'your own' }, ...EXAMPLES.map(({ name }) => name)]}
            onInput={(name) => setSql(EXAMPLES.find((example) => example.name === name)?.sql ?? sql)}
          />
        </Field>
        <Field label="SQL" help="One SELECT. Ctrl+Enter runs it.">
          <TextArea value={sql} onInput={setSql} rows={6} isCode maxLength={100_000} />
        </Field>
        <div class="row">
          <Button kind="primary" icon="play" type="submit" disabled={sql.trim() === '' || isRunning}>
            Run
          </Button>
          {isRunning && (
            <Button icon="stop" onClick={stop}>
              Stop
            </Button>
          )}
          {data && data.rowCount > 0 && (
            <Button icon="download" onClick={() => void download()}>
              Download CSV
            </Button>
          )}
          <p class="soft" role="status">
            {isRunning ? 'Running …' : data && plural(data.rowCount, 'row')}
          </p>
        </div>
      </form>
      {error !== undefined && <Problem error={error} />}
      {data && data.rowCount > 0 && <Rows data={data} />}
      <Schema />
    </>
  );
}
