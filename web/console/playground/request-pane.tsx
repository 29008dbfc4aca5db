// The left half of the playground: the form of an operation, as fields or as JSON, what runs it, and the same call as code.

import { useEffect, useRef, useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { Button } from '../ui/controls/button.tsx';
import { Toggle } from '../ui/controls/field.tsx';
import { Tabs } from '../ui/controls/tabs.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { DraftContext, type DraftProblems } from './form/controls/drafts.ts';
import type { Field } from './form/field.ts';
import { fieldErrors } from './form/field-errors.ts';
import { JsonForm } from './form/json-form.tsx';
import { RequestForm } from './form/request-form.tsx';
import { withMember } from './form/values.ts';
import { Examples } from './operations/examples.tsx';
import { FileDrop } from './operations/file-drop.tsx';
import { FollowUps, hasFollowUps } from './operations/follow-ups.tsx';
import { OPERATION_INFO } from './operations/operations.ts';
import { knownFields, loadFields } from './operations/schemas.ts';
import { formAddress } from './run/form-address.ts';
import { type FormState, formState, isExplained } from './run/form-state.ts';
import { type Body, remember } from './run/recent.ts';
import { RecentRequests } from './run/recent-requests.tsx';
import type { Operation } from './run/run.ts';
import { RunBar } from './run/run-bar.tsx';
import { cancelRun, startRun } from './run/start-run.ts';

const BrowserSession = lazy(() => import('./operations/browser-session.tsx').then((module) => module.BrowserSession));
const Programs = lazy(() => import('./programs/programs.tsx').then((module) => module.Programs));
const Snippets = lazy(() => import('./snippets/snippets.tsx').then((module) => module.Snippets));

/** What other programs use the service for. */
const PROGRAMS_ASK: ReadonlySet<Operation> = new Set<Operation>(['search', 'scrape', 'parse']);

const MODES = [
  { id: 'form', label: 'Form' },
  { id: 'json', label: 'JSON' },
] as const;
type Mode = (typeof MODES)[number]['id'];

export function RequestPane({ operation }: { operation: Operation }) {
  const info = OPERATION_INFO[operation];
  const state = formState(operation);
  const fields = useFields(operation);
  const [mode, setMode] = useState<Mode>('form');
  const [problem, setProblem] = useState<string>();
  const drafts = useRef<DraftProblems>(new Map()).current;
  const { body, file, run } = state;
  const change = (next: Body) => {
    body.value = next;
    setProblem(undefined);
    history.replaceState(null, '', formAddress(operation, next));
  };
  const choose = (chosen: File | undefined) => {
    file.value = chosen;
    setProblem(undefined);
  };
  /** The switch stands for the option of that name, so that code to paste stays short. */
  const explain = (isOn: boolean) => {
    isExplained.value = isOn;
    change(withMember(body.value, 'explain', undefined));
  };
  const submit = () => {
    const [invalid] = drafts.values();
    const found = invalid ?? missing(operation, state);
    setProblem(found);
    if (found === undefined && run.value.state !== 'running') void send(operation, state, fields ?? []);
  };
  const errors = fieldErrors(run.value.error);
  const form = useRef<HTMLFormElement>(null);
  // The field that was refused may be far down.
  useEffect(() => {
    if (errors.length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [run.value.error]);
  const shown = fields?.filter(({ name }) => name !== 'explain') ?? [];
  const isEmpty = Object.keys(body.value).length === 0;
  const controls = (
    <div class="stack-tight">
      <RunBar run={run.value} action={info.action} problem={problem} onCancel={() => void cancelRun(run)}>
        {hasExplanation(fields) && (
          <Toggle isOn={body.value.explain !== false && isExplained.value} onChange={explain}>
            Explain the answer
          </Toggle>
        )}
      </RunBar>
      {(isEmpty ? info.main !== undefined : hasFollowUps(operation)) && (
        <div class="examples">
          {isEmpty ? <Examples operation={operation} onChoose={change} /> : <FollowUps run={run.value} />}
        </div>
      )}
    </div>
  );
  return (
    <section class="request" aria-label="Request">
      <h2 class="visually-hidden">Request</h2>
      <form
        ref={form}
        class={`card stack request-form${fields ? '' : ' request-loading'}`}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
        noValidate
      >
        <div class="request-tools">
          {!isEmpty && (
            <Button kind="quiet" isSmall onClick={() => change({})}>
              Clear
            </Button>
          )}
          <RecentRequests operation={operation} onChoose={change} />
        </div>
        <DraftContext.Provider value={drafts}>
          <Tabs label="How the request is shown" tabs={MODES} current={mode} onSelect={setMode}>
            {operation === 'parse' && <FileDrop file={file.value} onChange={choose} />}
            {!fields ? (
              <Skeleton lines={8} />
            ) : mode === 'json' ? (
              <>
                <JsonForm body={body.value} onChange={change} errors={errors} />
                {controls}
              </>
            ) : (
              <RequestForm info={info} fields={shown} body={body.value} onChange={change} errors={errors}>
                {controls}
              </RequestForm>
            )}
          </Tabs>
        </DraftContext.Provider>
      </form>
      {operation === 'browser' && <BrowserSession run={run} />}
      {/* Not before the form, which would push it away. */}
      {fields && <Snippets operation={operation} body={body.value} fileName={file.value?.name} />}
      {fields && PROGRAMS_ASK.has(operation) && <Programs />}
    </section>
  );
}

function useFields(operation: Operation): readonly Field[] | undefined {
  const [fields, setFields] = useState(knownFields(operation));
  useEffect(() => {
    let isGone = false;
    void loadFields(operation).then((loaded) => {
      if (!isGone) setFields(loaded);
    });
    return () => {
      isGone = true;
    };
  }, [operation]);
  return fields;
}

const hasExplanation = (fields: readonly Field[] | undefined): boolean =>
  fields?.some(({ name }) => name === 'explain') ?? false;

/** What has to be filled in first. Everything else is for the service to judge. */
function missing(operation: Operation, { body, file }: FormState): string | undefined {
  const { main } = OPERATION_INFO[operation];
  if (operation === 'parse') {
    return file.value || body.value.uploadRef !== undefined ? undefined : 'Choose the file to parse first.';
  }
  if (main === undefined || operation === 'extract') return undefined;
  return body.value[main] === undefined ? MISSING[main] : undefined;
}

const MISSING: Readonly<Record<string, string>> = {
  url: 'Enter the address of a page first, such as https://example.com.',
  query: 'Enter what to search for first.',
  prompt: 'Say what the agent is to find first.',
};

async function send(operation: Operation, { body, file, run }: FormState, fields: readonly Field[]): Promise<void> {
  const asked = body.value;
  remember(operation, asked);
  const isAsked = isExplained.value && hasExplanation(fields) && asked.explain === undefined;
  const request = { ...asked, ...(isAsked && { explain: true }) };
  const upload = operation === 'parse' ? file.value : undefined;
  await startRun(run, { operation, body: request, ...(upload && { file: upload }) });
}
