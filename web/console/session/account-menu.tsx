// Who is logged in, at the foot of the navigation; it opens what they may do, and the way out.
import { useState } from 'preact/hooks';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/controls/dialog.tsx';
import { Time } from '../ui/data/time.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { askSession, logOut, type Me, me, SESSION_ENDED, sessionEnd } from './session.ts';

export function AccountMenu() {
  const [isOpen, setOpen] = useState(false);
  const who = me.value;
  if (!who) return null;
  const open = () => {
    setOpen(true);
    // Rights may have changed since the page was opened.
    askSession(SESSION_ENDED);
  };
  return (
    <>
      <Button kind="quiet" icon="person" label={`Account: ${who.team.name}`} onClick={open}>
        <span class="label account-name">{who.team.name}</span>
      </Button>
      {isOpen && <Account who={who} onClose={() => setOpen(false)} />}
    </>
  );
}

function Account({ who, onClose }: { who: Me; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const leave = async () => {
    setBusy(true);
    try {
      await logOut();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const isOff = who.authentication === 'off';
  return (
    <Dialog
      title="Who you are"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          {!isOff && (
            <Button icon="logout" busy={isBusy} onClick={leave}>
              Log out
            </Button>
          )}
        </>
      }
    >
      {error !== undefined && <Problem error={error} />}
      <dl class="facts">
        <dt>Team</dt>
        <dd>{who.team.name}</dd>
        <dt>Key</dt>
        <dd>{keyText(who)}</dd>
        <dt>May</dt>
        <dd>{rightsText(who)}</dd>
        {sessionEnd.value !== undefined && (
          <>
            <dt>Session</dt>
            <dd>
              ends <Time at={sessionEnd.value} /> unless you use it
            </dd>
          </>
        )}
        <dt>Version</dt>
        <dd>{who.version}</dd>
      </dl>
    </Dialog>
  );
}

function keyText({ key, authentication }: Me) {
  if (authentication === 'off') return 'none: authentication is off';
  if (!key) return 'none';
  if (key.id === null) return key.prefix === 'operator' ? 'none: you used a one-time link' : key.prefix;
  return (
    <>
      <code>{key.prefix}…</code>
      {key.label !== null && ` (${key.label})`}
    </>
  );
}

function rightsText({ isOperator, mayManage, groups }: Me): string {
  if (isOperator) return 'manage this server and all its teams';
  return mayManage ? 'manage this team and its keys' : `use ${groups.join(', ')}`;
}
