// Credits by key and by operation, by day or hour: of the own team, and for the operator of every team.
import { useState } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { isOperator } from '../../session/session.ts';
import { Field, Select } from '../../ui/controls/field.tsx';
import { count, plural } from '../../ui/data/format.ts';
import { type Column, Table } from '../../ui/data/table.tsx';
import { Empty } from '../../ui/states/empty.tsx';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { useLoad, usePolling } from '../../ui/states/use-load.ts';
import { Chart } from '../chart/chart.tsx';
import { barsOf, type Grouping, rowsBy, type Usage as UsageData, type UsageRow } from './usage-data.ts';

const SPANS = {
  day: { label: 'Today, by hour', query: { days: 1, by: 'hour' } },
  week: { label: '7 days', query: { days: 7, by: 'day' } },
  month: { label: '30 days', query: { days: 30, by: 'day' } },
  quarter: { label: '90 days', query: { days: 90, by: 'day' } },
} as const;
type Span = keyof typeof SPANS;

const OWN_TEAM = '';
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const HOUR = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'UTC' });

export function Usage() {
  const [span, setSpan] = useState<Span>('month');
  const [team, setTeam] = useState(OWN_TEAM);
  const { data, error, reload } = usePolling(
    async (signal) => (await call('teamUsage', { query: { ...SPANS[span].query, team }, signal })).data,
    60_000,
    [span, team],
  );
  return (
    <>
      <div class="usage-filters">
        <Field label="Time">
          <Select
            value={span}
            options={(Object.keys(SPANS) as Span[]).map((value) => ({ value, label: SPANS[value].label }))}
            onInput={setSpan}
          />
        </Field>
        {isOperator() && <TeamChoice team={team} onChange={setTeam} />}
      </div>
      {error !== undefined && <Problem error={error} onRetry={reload} />}
      {!data && error === undefined && <Skeleton lines={16} />}
      {data && <Shown usage={data} />}
    </>
  );
}

function TeamChoice({ team, onChange }: { team: string; onChange: (team: string) => void }) {
  const { data } = useLoad(async (signal) => (await call('listTeams', { signal })).data, []);
  const teams = (data ?? []).map(({ id, name }) => ({ value: id, label: name }));
  return (
    <Field label="Team">
      <Select value={team} options={[{ value: OWN_TEAM, label: 'Your own team' }, ...teams]} onInput={onChange} />
    </Field>
  );
}

function Shown({ usage }: { usage: UsageData }) {
  if (usage.totalCredits === 0 && usage.totalTokens === 0) {
    return (
      <Empty title="Nothing was used in this time">
        <p>Scrapes, crawls, searches and other calls cost credits. They appear here with the key that paid for them.</p>
      </Empty>
    );
  }
  return (
    <>
      <p>
        The team <b>{usage.team}</b> used <b>{plural(usage.totalCredits, 'credit')}</b>
        {usage.totalTokens > 0 && ` and ${plural(usage.totalTokens, 'token')} of language models`}. Days begin at
        midnight UTC.
      </p>
      <Group usage={usage} grouping="operation" title="Credits by operation" />
      <Group usage={usage} grouping="key" title="Credits by key" />
    </>
  );
}

function Group({ usage, grouping, title }: { usage: UsageData; grouping: Grouping; title: string }) {
  const rows = rowsBy(usage, grouping);
  const write = usage.by === 'day' ? DAY : HOUR;
  return (
    <div class="usage-group">
      <Chart
        title={title}
        level={2}
        help={grouping === 'key' ? 'Who spent them.' : 'What they were spent on.'}
        data={barsOf(usage, rows)}
        kind="bars"
        writeTime={(at) => write.format(at)}
      />
      <Table caption={`${title}, added up`} columns={columnsOf(grouping)} rows={rows} rowKey={({ id }) => id} />
    </div>
  );
}

const columnsOf = (grouping: Grouping): Column<UsageRow>[] => [
  {
    id: 'name',
    title: grouping === 'key' ? 'Key' : 'Operation',
    cell: ({ name, label }) => (
      <span class="stack-tight">
        <span>{label ?? name}</span>
        {label !== undefined && <span class="small soft">{name}</span>}
      </span>
    ),
  },
  { id: 'credits', title: 'Credits', align: 'end', cell: ({ totalCredits }) => count(totalCredits) },
  { id: 'share', title: 'Share', align: 'end', cell: ({ share }) => `${(share * 100).toFixed(0)}%` },
  { id: 'tokens', title: 'Tokens', align: 'end', isMinor: true, cell: ({ totalTokens }) => count(totalTokens) },
];
