// The list of jobs, filtered by kind and status. It follows what runs while somebody looks.
import { useLocation } from 'preact-iso';
import type { ListedJobView, ListedKind, StatusFilter } from '../../../../src/contracts/crawl/job-list.ts';
import { call } from '../../api/call.ts';
import { Field, Select } from '../../ui/controls/field.tsx';
import { bytes, plural } from '../../ui/data/format.ts';
import { Problem } from '../../ui/states/problem.tsx';
import { Skeleton } from '../../ui/states/skeleton.tsx';
import { isActive, KIND_NAMES } from '../describe.ts';
import { MoreButton } from '../parts.tsx';
import { useLive } from '../use-live.ts';
import { useOlder } from '../use-older.ts';
import { EmptyList } from './empty-list.tsx';
import { JobTable } from './job-table.tsx';

const PAGE = 50;
/** Something may be started elsewhere, so the list is also followed while nothing runs. */
const ACTIVE_MS = 2_000;
const IDLE_MS = 10_000;

const KINDS = [
  { value: '', label: 'All kinds' },
  ...Object.entries(KIND_NAMES).map(([value, label]) => ({ value: value as ListedKind, label })),
] as const;
const STATUSES: readonly { value: StatusFilter | ''; label: string }[] = [
  { value: '', label: 'Any status' },
  { value: 'active', label: 'Waiting or running' },
  { value: 'paused', label: 'Paused' },
  { value: 'completed', label: 'Completed' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
];

export function JobList() {
  const { query, route } = useLocation();
  const kind = KINDS.find(({ value }) => value === query.kind)?.value ?? '';
  const status = STATUSES.find(({ value }) => value === query.status)?.value ?? '';
  const filter = { kind, status };
  const load = (cursor?: string, signal?: AbortSignal) =>
    call('listJobs', { query: { ...filter, limit: PAGE, cursor }, signal });
  const list = useLive(
    (signal) => load(undefined, signal),
    (data) => (data?.data.some(isActive) ? ACTIVE_MS : IDLE_MS),
    [kind, status],
  );
  const { rows, hasMore, isLoading, more } = useOlder<ListedJobView>(list.data, ({ id }) => id, load, [kind, status]);
  const show = (change: { kind?: string; status?: string }) => {
    const chosen = Object.entries({ ...filter, ...change }).filter(([, value]) => value !== '');
    route(`/console/jobs${chosen.length > 0 ? `?${new URLSearchParams(chosen)}` : ''}`, true);
  };
  return (
    <>
      <div class="job-filters">
        <Field label="Kind">
          <Select value={kind} options={KINDS} onInput={(value) => show({ kind: value })} />
        </Field>
        <Field label="Status">
          <Select value={status} options={STATUSES} onInput={(value) => show({ status: value })} />
        </Field>
      </div>
      {list.isCutOff && (
        <p class="notice notice-warn" role="status">
          The service does not answer. This list is as it was then; it is asked again every two seconds.
        </p>
      )}
      {list.error && !list.isCutOff ? <Problem error={list.error} onRetry={list.reload} /> : null}
      {list.data === undefined ? (
        !list.error && <Skeleton lines={8} />
      ) : rows.length > 0 ? (
        <JobTable jobs={rows} onChange={list.reload} />
      ) : (
        <EmptyList isFiltered={kind !== '' || status !== ''} />
      )}
      {list.data?.stored !== undefined && list.data.stored.jobs > 0 && (
        <p class="small soft">
          Stored: {plural(list.data.stored.jobs, 'crawl or batch', 'crawls and batches')},{' '}
          {bytes(list.data.stored.bytes)}
        </p>
      )}
      {hasMore && <MoreButton onClick={more} busy={isLoading} />}
    </>
  );
}
