// The section "Audit log": who changed what in the team, and what was refused. The stream to a collector is below it.
import schema from 'contracts:schema/setSiem';
import { useState } from 'preact/hooks';
import type { ResponseOf } from '../../../src/contracts/route-types.ts';
import { call } from '../api/call.ts';
import { isOperator, mayManage } from '../session/session.ts';
import { Button } from '../ui/controls/button.tsx';
import { Field, Select } from '../ui/controls/field.tsx';
import { Table } from '../ui/data/table.tsx';
import { Time } from '../ui/data/time.tsx';
import { Empty } from '../ui/states/empty.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { Skeleton } from '../ui/states/skeleton.tsx';
import { useLoad } from '../ui/states/use-load.ts';
import { detailsInWords } from './audit-words.ts';
import { NotAllowed, SectionHead } from './section-head.tsx';
import { Siem } from './siem.tsx';

type Event = ResponseOf<'auditLog'>['data'][number];
type Action = Event['action'] | 'all';

const ACTIONS = (schema.properties?.events?.items?.enum ?? []) as readonly Event['action'][];
const PAGE = 50;

export function Audit() {
  return mayManage() ? (
    <div class="stack">
      <AuditLog />
      <Siem />
    </div>
  ) : (
    <NotAllowed who="manager" />
  );
}

function AuditLog() {
  const [action, setAction] = useState<Action>('all');
  const [team, setTeam] = useState<'own' | 'all'>('own');
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const cursor = cursors.at(-1);
  const query = { ...(action !== 'all' && { action }), ...(team === 'all' && { team }), cursor, limit: PAGE };
  const { data, error, reload } = useLoad((signal) => call('auditLog', { query, signal }), [action, team, cursor]);
  return (
    <div class="stack">
      <SectionHead
        actions={
          <Button icon="refresh" onClick={reload}>
            Refresh
          </Button>
        }
      >
        <p>Who changed what, from where, and what was refused for reasons of security. Events are kept for 400 days.</p>
      </SectionHead>
      <div class="form-row">
        <Field label="Event">
          <Select<Action>
            value={action}
            options={[{ value: 'all', label: 'All events' }, ...ACTIONS]}
            onInput={(value) => {
              setAction(value);
              setCursors([]);
            }}
          />
        </Field>
        {isOperator() && (
          <Field label="Teams">
            <Select
              value={team}
              options={[
                { value: 'own', label: 'My team' },
                { value: 'all', label: 'All teams' },
              ]}
              onInput={(value) => {
                setTeam(value);
                setCursors([]);
              }}
            />
          </Field>
        )}
      </div>
      {error !== undefined ? (
        <Problem error={error} onRetry={reload} />
      ) : !data ? (
        <Skeleton lines={8} label="Loading the audit log" />
      ) : data.data.length === 0 ? (
        <Empty title="No events">
          <p>Making, changing or revoking a key writes an event here, and so does a refused request.</p>
        </Empty>
      ) : (
        <>
          <Table
            caption="Audit events"
            rows={data.data}
            rowKey={({ id }) => id}
            columns={[
              { id: 'action', title: 'Event', cell: (event) => <strong>{event.action}</strong> },
              { id: 'time', title: 'Time', cell: ({ time }) => <Time at={time} /> },
              { id: 'actor', title: 'By', cell: ({ actor }) => <code>{actor}</code> },
              { id: 'address', title: 'From', isMinor: true, cell: ({ address }) => address ?? 'this machine' },
              { id: 'target', title: 'To', cell: ({ target }) => <code>{target}</code> },
              ...(team === 'all' ? [{ id: 'team', title: 'Team', cell: (event: Event) => event.team }] : []),
              {
                id: 'details',
                title: 'Details',
                isMinor: true,
                cell: ({ details }) => <span class="small">{detailsInWords(details)}</span>,
              },
            ]}
          />
          <div class="row">
            {cursor !== undefined && <Button onClick={() => setCursors(cursors.slice(0, -1))}>Newer</Button>}
            {data.cursor !== null && <Button onClick={() => setCursors([...cursors, data.cursor!])}>Older</Button>}
          </div>
        </>
      )}
    </div>
  );
}
