// Sends a test event to an address, to see whether its receiver takes it.
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextArea, TextInput } from '../../ui/controls/field.tsx';
import { duration } from '../../ui/data/format.ts';
import { Problem } from '../../ui/states/problem.tsx';
import { errorAt, fieldErrors } from '../form/field-errors.ts';
import { useAction } from '../form/use-action.ts';
import { headersOf } from './header-lines.ts';

type Outcome = ResponseOf<'testWebhook'>['data'];

export function TestReceiver() {
  const [url, setUrl] = useState('');
  const [lines, setLines] = useState('');
  const [wrongLine, setWrongLine] = useState<string>();
  const [outcome, setOutcome] = useState<Outcome>();
  const action = useAction();
  const errors = fieldErrors(action.error);
  const send = (event: Event) => {
    event.preventDefault();
    const { headers, problem } = headersOf(lines);
    setWrongLine(problem);
    setOutcome(undefined);
    if (problem !== undefined) return;
    void action.run(async () => setOutcome((await call('testWebhook', { body: { url: url.trim(), headers } })).data));
  };
  const urlError = errorAt(errors, 'url') ?? errorAt(errors, 'webhook.url');
  return (
    <section class="card" aria-labelledby="test-receiver">
      <div class="card-head">
        <h2 id="test-receiver">Try a receiver</h2>
      </div>
      <form class="stack" onSubmit={send}>
        <div class="form-row">
          <Field label="Address" help="Gets one event of the type webhook.test, by POST." error={urlError}>
            <TextInput type="url" value={url} placeholder="https://example.com/hook" onInput={setUrl} />
          </Field>
          <Field
            label="Headers"
            help="One a line, such as Authorization: Bearer …"
            error={wrongLine ?? errorAt(errors, 'headers')}
          >
            <TextArea isCode rows={1} value={lines} onInput={setLines} />
          </Field>
        </div>
        <div>
          <Button type="submit" busy={action.isBusy} disabled={url.trim() === ''}>
            Send test event
          </Button>
        </div>
        {action.error !== undefined && urlError === undefined && <Problem error={action.error} />}
        {outcome && (
          <div class={`notice ${outcome.delivered ? 'notice-good' : 'notice-bad'}`} role="status">
            <p class="notice-title">
              {outcome.delivered
                ? `Delivered: the receiver answered with status ${outcome.statusCode} in ${duration(outcome.durationMs)}.`
                : (outcome.error ?? 'The receiver did not take the event.')}
            </p>
            <p class="small">
              {outcome.signed
                ? 'The call was signed: check X-Firecrawl-Signature with TRAWL_WEBHOOK_SECRET.'
                : 'Calls of this server are not signed. Set TRAWL_WEBHOOK_SECRET to let receivers check who sent them.'}
            </p>
          </div>
        )}
      </form>
    </section>
  );
}
