// An open browser session: its live view, code and prompts to drive it, and its end.
import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { problemText } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, Select, TextArea } from '../../ui/controls/field.tsx';
import { Tabs } from '../../ui/controls/tabs.tsx';
import { LiveFrame } from '../../ui/live-frame.tsx';
import { toast } from '../../ui/states/toasts.tsx';
import { HelpText } from '../form/controls/help-text.tsx';
import type { RunSignal } from '../run/run.ts';

interface Session {
  id: string;
  interactiveLiveViewUrl: string;
}

const LANGUAGES = ['node', 'python', 'bash'] as const;
type Language = (typeof LANGUAGES)[number];
const WAYS = [
  { id: 'prompt', label: 'Prompt' },
  { id: 'code', label: 'Code' },
] as const;
const PROMPT_SECONDS = 120;

export function BrowserSession({ run }: { run: RunSignal }) {
  const session = useSignal<Session | undefined>(undefined);
  const { state, answer } = run.value;
  const opened = state === 'done' ? (answer as Partial<Session> | undefined) : undefined;
  if (opened?.id !== undefined && opened.id !== session.value?.id) session.value = opened as Session;
  const { value } = session;
  if (!value) return null;
  const closed = () => {
    session.value = undefined;
  };
  return <OpenSession key={value.id} session={value} run={run} onClosed={closed} />;
}

interface OpenProps {
  session: Session;
  run: RunSignal;
  onClosed: () => void;
}

function OpenSession({ session, run, onClosed }: OpenProps) {
  const [way, setWay] = useState<'prompt' | 'code'>('code');
  const [code, setCode] = useState("await page.goto('https://example.com');\nawait page.title();");
  const [language, setLanguage] = useState<Language>('node');
  const [prompt, setPrompt] = useState('');
  const [busy, setBusy] = useState<'run' | 'close'>();
  const { id, interactiveLiveViewUrl } = session;
  const act = async () => {
    const given = way === 'code' ? { code, language } : { prompt, timeout: PROMPT_SECONDS };
    if ((way === 'code' ? code : prompt).trim() === '') return toast('Write what to do first.', 'bad');
    setBusy('run');
    const startedAt = Date.now();
    const request = { ...given, ...(way === 'prompt' && { existingSessionId: id }) };
    run.value = { operation: 'browser', request, state: 'running', startedAt, ms: 0 };
    const ended = () => ({ ms: Date.now() - startedAt });
    try {
      // A prompt runs in the session that is named; the ID in the path then only has to be one.
      const answer =
        way === 'code'
          ? await call('executeInBrowser', { params: { id }, body: request as { code: string } })
          : await call('interact', { params: { id }, body: request });
      run.value = { ...run.value, ...ended(), state: 'done', answer };
    } catch (error) {
      run.value = { ...run.value, ...ended(), state: 'failed', error: error as never };
    } finally {
      setBusy(undefined);
    }
  };
  const close = async () => {
    setBusy('close');
    try {
      const { creditsBilled } = await call('deleteBrowser', { params: { id } });
      toast(`The session has ended. It cost ${creditsBilled} ${creditsBilled === 1 ? 'credit' : 'credits'}.`);
      onClosed();
    } catch (error) {
      toast(problemText(error), 'bad');
      setBusy(undefined);
    }
  };
  return (
    <div class="card stack browser-session">
      <div class="card-head">
        <h2>Session</h2>
        <Button kind="danger" isSmall busy={busy === 'close'} onClick={() => void close()}>
          Close the session
        </Button>
      </div>
      <LiveFrame title="Live view of the browser" url={interactiveLiveViewUrl} />
      <Tabs label="How to drive the browser" tabs={WAYS} current={way} onSelect={setWay}>
        {way === 'code' ? (
          <>
            <Field
              label="Code"
              help={<HelpText text="`page` is the Playwright page. The value of the last expression is the result." />}
            >
              <TextArea value={code} onInput={setCode} rows={5} isCode />
            </Field>
            <Field label="Language">
              <Select value={language} options={LANGUAGES} onInput={setLanguage} />
            </Field>
          </>
        ) : (
          <Field label="What to do" help="A language model carries it out. The operator sets up the model.">
            <TextArea
              value={prompt}
              onInput={setPrompt}
              rows={3}
              placeholder="Open the first link and read the heading"
            />
          </Field>
        )}
        <div>
          <Button kind="primary" icon="play" busy={busy === 'run'} onClick={() => void act()}>
            {way === 'code' ? 'Run the code' : 'Do it'}
          </Button>
        </div>
      </Tabs>
    </div>
  );
}
