// Shows the console to those who may use it, and the login to everybody else. The address stays: who logs in goes on there.
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { lostSessions } from '../api/session-headers.ts';
import { Problem } from '../ui/states/problem.tsx';
import { readLoginHash } from './login-link.ts';
import { LoginPage } from './login-page.tsx';
import { askSession, logInByLink, login, SESSION_ENDED } from './session.ts';

export function Gate({ children }: { children: ComponentChildren }) {
  useEffect(() => {
    const enter = (isFirst: boolean) => {
      const link = takeLoginLink();
      if (link !== undefined) logInByLink(link);
      else if (isFirst) askSession();
    };
    // A link that is pasted into an open console changes only the end of its address.
    const onHash = () => enter(false);
    enter(true);
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  const lost = lostSessions.value;
  useEffect(() => {
    if (lost > 0 && login.peek().state === 'in') askSession(SESSION_ENDED);
  }, [lost]);

  const current = login.value;
  if (current.state === 'in') return <>{children}</>;
  if (current.state === 'out') return <LoginPage problem={current.problem} />;
  if (current.state === 'asking') return <output class="gate-wait">Connecting to the service …</output>;
  return (
    <main class="login">
      <h1>Trawl</h1>
      <Problem error={current.error} onRetry={() => askSession()} />
    </main>
  );
}

/** Takes a one-time link out of the address bar and the history at once. */
function takeLoginLink(): string | undefined {
  const link = readLoginHash(location.hash);
  if (link !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return link;
}
