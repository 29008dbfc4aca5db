// The login: a key, and where to find one or a link.
import type { TargetedEvent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../ui/controls/button.tsx';
import { Field, TextInput } from '../ui/controls/field.tsx';
import { CodeBlock } from '../ui/text/code-block.tsx';
import { Words } from '../ui/text/words.tsx';
import { logIn, loginProblem } from './session.ts';

export function LoginPage({ problem }: { problem?: string }) {
  const [key, setKey] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string | undefined>(undefined);
  const form = useRef<HTMLFormElement>(null);
  // Browsers focus a field by its attribute only while a page is loaded, and the login may come later.
  const focusKey = () => form.current?.querySelector('input')?.focus();
  useEffect(focusKey, []);
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    focusKey();
    if (key.trim() === '') return setError('Paste an API key first.');
    setBusy(true);
    setError(undefined);
    try {
      await logIn({ key });
    } catch (failure) {
      setError(loginProblem(failure));
      setBusy(false);
    }
  };
  return (
    <main class="login" id="content">
      <h1>Log in to Trawl</h1>
      {problem !== undefined && error === undefined && (
        <div class="notice notice-warn" role="status">
          <p>
            <Words text={problem} />
          </p>
        </div>
      )}
      <form class="card login-form" ref={form} onSubmit={submit}>
        <Field label="API key" error={error}>
          <TextInput
            type="password"
            value={key}
            onInput={setKey}
            placeholder="fc-…"
            autoComplete="current-password"
            isCode
            isLarge
          />
        </Field>
        <Button kind="primary" type="submit" busy={isBusy}>
          Log in
        </Button>
      </form>
      <section class="login-help" aria-labelledby="login-help">
        <h2 id="login-help">No key at hand?</h2>
        <p>
          The first start of the service printed one after “Your API key”. On the machine where it runs, in the folder
          of Trawl, one of these commands gets you in:
        </p>
        <CodeBlock label="A link that logs you in once" text="npm run console" />
        <CodeBlock label="A new key" text="npm run keys -- add" />
        <p class="small soft">
          If Trawl was installed as a package or runs in a container, the commands are <code>trawl console</code> and{' '}
          <code>trawl keys add</code>.
        </p>
      </section>
    </main>
  );
}
