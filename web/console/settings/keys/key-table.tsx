// The keys of a team, with what can be done to each.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { problemText } from '../../api/api-error.ts';
import { me } from '../../session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { confirm } from '../../ui/controls/dialog.tsx';
import { count } from '../../ui/data/format.ts';
import { Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { Status } from '../../ui/states/status.tsx';
import { toast } from '../../ui/states/toasts.tsx';
import { useLoad } from '../../ui/states/use-load.ts';
import { keyCalls, type NewKey } from './key-calls.ts';
import { EditKey, RotateKey, ShowKey } from './key-dialogs.tsx';
import { type Key, limitsInWords, nameOf } from './key-words.ts';

interface Props {
  /** Another team, for the operator. */
  team?: { id: string; name: string };
  /** Credits of this month, by the prefix of the key. */
  usage?: ReadonlyMap<string, number>;
  intro?: ComponentChildren;
}

type Open = { what: 'new' } | { what: 'change' | 'rotate'; of: Key } | { what: 'show'; made: NewKey };

export function KeyTable({ team, usage, intro }: Props) {
  const calls = keyCalls(team?.id);
  const { data, error, reload } = useLoad((signal) => calls.list(signal), [team?.id]);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const ownId = me.value?.key?.id;

  const done = (made?: NewKey) => {
    reload();
    if (made) setOpen({ what: 'show', made });
    else {
      close();
      toast('Saved.');
    }
  };
  const revoke = async (key: Key) => {
    const isOwn = key.id === ownId;
    const isSure = await confirm({
      title: `Revoke ${nameOf(key)}?`,
      text: isOwn
        ? 'You are logged in with this key. You will be logged out, and everything that uses it stops working at once.'
        : 'Everything that uses this key stops working at once. This cannot be undone.',
      action: 'Revoke key',
    });
    if (!isSure) return;
    try {
      await calls.revoke(key.id);
      toast(`${nameOf(key)} is revoked.`);
      reload();
    } catch (problem) {
      toast(problemText(problem), 'bad');
    }
  };

  if (error !== undefined) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={6} label="Loading keys" />;
  return (
    <div class="stack">
      <div class="section-head">
        <div>{intro}</div>
        <Button kind="primary" icon="plus" onClick={() => setOpen({ what: 'new' })}>
          New key
        </Button>
      </div>
      {data.length === 0 ? (
        <Empty title="No keys yet">
          <p>A key lets a program use this server, and limits what the program may do. Make one for each program.</p>
          <Button kind="primary" icon="key" onClick={() => setOpen({ what: 'new' })}>
            Make the first key
          </Button>
        </Empty>
      ) : (
        <Table
          caption="Keys"
          rows={data}
          rowKey={({ id }) => id}
          columns={[
            {
              id: 'label',
              title: 'Key',
              cell: (key) => (
                <span class="key-name">
                  <strong>{key.label ?? 'Without a label'}</strong>
                  <code>{key.prefix}…</code>
                  {key.id === ownId && <Status tone="good">yours now</Status>}
                </span>
              ),
            },
            { id: 'scopes', title: 'May do', cell: (key) => <Scopes limits={key.limits} /> },
            { id: 'created', title: 'Created', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { id: 'used', title: 'Last used', cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
            { id: 'expires', title: 'Expires', isMinor: true, cell: (key) => <Expiry of={key} /> },
            ...(usage
              ? [
                  {
                    id: 'usage',
                    title: 'Credits this month',
                    align: 'end' as const,
                    isMinor: true,
                    cell: ({ prefix }: Key) => count(usage.get(prefix) ?? 0),
                  },
                ]
              : []),
            {
              id: 'actions',
              title: 'Actions',
              isTitleHidden: true,
              align: 'end',
              cell: (key) => (
                <span class="row-actions">
                  <Button
                    isSmall
                    onClick={() => setOpen({ what: 'change', of: key })}
                    aria-label={`Change ${nameOf(key)}`}
                  >
                    Change
                  </Button>
                  <Button
                    isSmall
                    onClick={() => setOpen({ what: 'rotate', of: key })}
                    aria-label={`Rotate ${nameOf(key)}`}
                  >
                    Rotate
                  </Button>
                  <Button isSmall kind="danger" onClick={() => void revoke(key)} aria-label={`Revoke ${nameOf(key)}`}>
                    Revoke
                  </Button>
                </span>
              ),
            },
          ]}
        />
      )}
      {open?.what === 'new' && <EditKey calls={calls} team={team?.name} onClose={close} onDone={done} />}
      {open?.what === 'change' && <EditKey calls={calls} of={open.of} onClose={close} onDone={done} />}
      {open?.what === 'rotate' && <RotateKey calls={calls} of={open.of} onClose={close} onDone={done} />}
      {open?.what === 'show' && <ShowKey made={open.made} onClose={close} />}
    </div>
  );
}

function Scopes({ limits }: Pick<Key, 'limits'>) {
  const words = limitsInWords(limits);
  if (words.length === 0) return <span>everything</span>;
  return (
    <ul class="plain-list">
      {words.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  );
}

function Expiry({ of: { expiresAt, previousUntil } }: { of: Key }) {
  return (
    <span class="key-name">
      {expiresAt === null ? <span>never</span> : <Time at={expiresAt} />}
      {previousUntil !== null && (
        <span class="small soft">
          as before the rotation until <Time at={previousUntil} />
        </span>
      )}
    </span>
  );
}
