// The section "Teams", for the operator: their settings, what applies to them, and their keys.
import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { isOperator } from '../../session/session.ts';
import { Button } from '../../ui/controls/button.tsx';
import { count } from '../../ui/data/format.ts';
import { Table } from '../../ui/data/table.tsx';
import { Time } from '../../ui/data/time.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { toast } from '../../ui/states/toasts.tsx';
import { useLoad } from '../../ui/states/use-load.ts';
import { KeyTable } from '../keys/key-table.tsx';
import { NotAllowed, SectionHead } from '../section-head.tsx';
import { EditTeam } from './edit-team.tsx';
import type { Team } from './team-draft.ts';

type Open = { what: 'new' } | { what: 'settings' | 'keys'; of: Team };

export function Teams() {
  return isOperator() ? <TeamList /> : <NotAllowed who="operator" />;
}

function TeamList() {
  const { data, error, reload } = useLoad(async (signal) => (await call('listTeams', { signal })).data, []);
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  if (error !== undefined) return <Problem error={error} onRetry={reload} />;
  if (!data) return <Skeleton lines={6} label="Loading teams" />;
  if (open?.what === 'keys') return <TeamKeys team={open.of} onBack={close} />;
  return (
    <div class="stack">
      <SectionHead
        actions={
          <Button kind="primary" icon="plus" onClick={() => setOpen({ what: 'new' })}>
            New team
          </Button>
        }
      >
        <p>
          Each team has its own keys, jobs, limits and budget, and sees nothing of the others. The team “default” is
          yours: its unrestricted keys manage this server.
        </p>
      </SectionHead>
      <Table
        caption="Teams"
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          { id: 'name', title: 'Team', cell: ({ name }) => <strong>{name}</strong> },
          { id: 'plan', title: 'Plan', cell: ({ settings }) => settings.plan ?? <span class="faint">none</span> },
          {
            id: 'credits',
            title: 'Credits a month',
            align: 'end',
            cell: ({ limits }) => figure(limits.monthlyCredits),
          },
          {
            id: 'pages',
            title: 'Pages at once',
            align: 'end',
            isMinor: true,
            cell: ({ limits }) => figure(limits.maxConcurrency),
          },
          {
            id: 'grants',
            title: 'Set for it alone',
            isMinor: true,
            cell: ({ settings }) => grantsInWords(settings) || <span class="faint">nothing</span>,
          },
          { id: 'created', title: 'Created', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            id: 'actions',
            title: 'Actions',
            isTitleHidden: true,
            align: 'end',
            cell: (team) => (
              <span class="row-actions">
                <Button isSmall onClick={() => setOpen({ what: 'keys', of: team })} aria-label={`Keys of ${team.name}`}>
                  Keys ({count(team.keys)})
                </Button>
                <Button
                  isSmall
                  onClick={() => setOpen({ what: 'settings', of: team })}
                  aria-label={`Settings of ${team.name}`}
                >
                  Settings
                </Button>
              </span>
            ),
          },
        ]}
      />
      {data.length === 1 && (
        <p class="soft">
          This is the only team. Make another one for people or programs that should have limits of their own.
        </p>
      )}
      {open && (
        <EditTeam
          {...(open.what === 'settings' && { of: open.of })}
          onClose={close}
          onDone={(team) => {
            close();
            toast(open.what === 'new' ? `The team ${team.name} is there. Make a key for it next.` : 'Saved.');
            reload();
          }}
        />
      )}
    </div>
  );
}

function TeamKeys({ team, onBack }: { team: Team; onBack: () => void }) {
  return (
    <div class="stack">
      <div>
        <Button kind="quiet" onClick={onBack}>
          ← All teams
        </Button>
      </div>
      <h2>Keys of {team.name}</h2>
      <KeyTable team={team} intro={<p class="soft">These keys work for the team {team.name} only.</p>} />
    </div>
  );
}

const figure = (value: number | null) => (value === null ? 'unlimited' : count(value));

const GRANTS = {
  zeroDataRetention: 'zero data retention',
  anonymous: 'anonymous search',
  threatProtection: 'threat protection',
} as const;

const grantsInWords = (settings: Team['settings']): string =>
  Object.entries(GRANTS)
    .filter(([name]) => name in settings)
    .map(([name, words]) => `${words} ${settings[name as keyof typeof GRANTS]}`)
    .join(', ');
