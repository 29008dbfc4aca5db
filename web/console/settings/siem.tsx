// Where the audit events of the team are streamed to: its address, its secrets, and whether they arrive.
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { problemText } from '../api/api-error.ts';
import { call } from '../api/call.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, TextArea, TextInput, Toggle } from '../ui/controls/field.tsx';
import { count } from '../ui/data/format.ts';
import { Time } from '../ui/data/time.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { Status } from '../ui/states/status.tsx';
import { toast } from '../ui/states/toasts.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { areAllShown, errorAt, fieldErrors } from './form/field-errors.ts';
import { useAction } from './form/use-action.ts';
import { headersOf } from './webhooks/header-lines.ts';

type Stream = ResponseOf<'getSiem'>['data'];

export function Siem() {
  const { data, error, reload } = useLoad(async (signal) => (await call('getSiem', { signal })).data, []);
  return (
    <section class="card" aria-labelledby="siem">
      <div class="card-head">
        <h2 id="siem">Stream to a collector (SIEM)</h2>
        {data && <StreamState of={data} />}
      </div>
      {error !== undefined ? (
        <Problem error={error} onRetry={reload} />
      ) : data ? (
        <StreamForm key={data.updatedAt ?? 'new'} stream={data} onSaved={reload} />
      ) : (
        <Skeleton lines={6} label="Loading the stream" />
      )}
    </section>
  );
}

function StreamState({ of }: { of: Stream }) {
  if (!of.configured) return <Status tone="idle">not set up</Status>;
  if (!of.enabled) return <Status tone="idle">off</Status>;
  return of.failingSince === null ? <Status tone="good">on</Status> : <Status tone="bad">failing</Status>;
}

const FIELDS = ['destination.url', 'destination.token', 'destination.headers'];

function StreamForm({ stream, onSaved }: { stream: Stream; onSaved: () => void }) {
  const { destination } = stream;
  const [url, setUrl] = useState('');
  const [token, setToken] = useState('');
  const [lines, setLines] = useState('');
  const [isOn, setOn] = useState(stream.enabled || !stream.configured);
  const [wrongLine, setWrongLine] = useState<string>();
  const saving = useAction();
  const testing = useAction();
  const errors = fieldErrors(saving.error);
  const save = (event: Event) => {
    event.preventDefault();
    const { headers, problem } = headersOf(lines);
    setWrongLine(problem);
    if (problem !== undefined) return;
    void saving.run(async () => {
      const secrets = { ...(token !== '' && { token }), ...(lines.trim() !== '' && { headers }) };
      const body = { enabled: isOn, destination: { url: url.trim(), ...secrets }, events: stream.events };
      await call('setSiem', { body });
      toast('Saved. Send a test event to see whether it arrives.');
      onSaved();
    });
  };
  const test = () =>
    testing.run(async () => {
      const { data } = await call('testSiem');
      if (data.delivered) toast('The collector took the test event.');
      else toast(data.error ?? 'The collector did not take the test event.', 'bad');
    });
  return (
    <form class="stack" onSubmit={save}>
      <p class="soft">
        Sends each event of this log to an HTTPS address of yours, as JSON lines, in order and without gaps.
      </p>
      {destination && (
        <dl class="facts">
          <dt>Sent to</dt>
          <dd>{destination.url}</dd>
          <dt>Secrets</dt>
          <dd>{secretsInWords(destination)}</dd>
          <dt>Last delivered</dt>
          <dd>
            <Time at={stream.lastDeliveredAt} />, {count(stream.backlog)} waiting
          </dd>
          {stream.lastError !== null && (
            <>
              <dt>Last error</dt>
              <dd>{stream.lastError}</dd>
            </>
          )}
        </dl>
      )}
      <Field
        label="Address of the collector"
        help={destination ? 'Write it in full again to change anything: parts of it are hidden.' : 'It needs https.'}
        error={errorAt(errors, 'destination.url')}
      >
        <TextInput type="url" value={url} placeholder="https://collector.example/in" onInput={setUrl} />
      </Field>
      <div class="form-row">
        <Field
          label="Token"
          help="Sent as Authorization: Bearer. Never shown again."
          error={errorAt(errors, 'destination.token')}
        >
          <TextInput type="password" autoComplete="off" value={token} onInput={setToken} />
        </Field>
        <Field
          label="Headers"
          help="One a line, such as X-Index: trawl."
          error={wrongLine ?? errorAt(errors, 'destination.headers')}
        >
          <TextArea isCode rows={1} value={lines} onInput={setLines} />
        </Field>
      </div>
      <Toggle isOn={isOn} onChange={setOn}>
        Send events
      </Toggle>
      {saving.error !== undefined && !areAllShown(errors, FIELDS) && <Problem error={saving.error} />}
      {testing.error !== undefined && <p class="field-error">{problemText(testing.error)}</p>}
      <div class="row">
        <Button kind="primary" type="submit" busy={saving.isBusy} disabled={url.trim() === ''}>
          Save
        </Button>
        {stream.configured && (
          <Button busy={testing.isBusy} onClick={() => void test()}>
            Send test event
          </Button>
        )}
      </div>
    </form>
  );
}

const secretsInWords = ({ hasToken, headerNames }: NonNullable<Stream['destination']>): string =>
  [hasToken && 'a token', headerNames.length > 0 && `headers ${headerNames.join(', ')}`]
    .filter(Boolean)
    .join(' and ') || 'none';
