// What a team sees that does not run the service: its own queue and its own credits.
import { call } from '../api/call.ts';
import { count, plural } from '../ui/data/format.ts';
import { Time } from '../ui/data/time.tsx';
import { Problem } from '../ui/states/problem.tsx';
import { usePolling } from '../ui/states/use-load.ts';

/** Stands for a team without a budget. */
const UNLIMITED = 99_999_999;

export function TeamOverview() {
  const queue = usePolling((signal) => call('queueStatus', { signal }), 10_000, []);
  const credits = usePolling(async (signal) => (await call('creditUsage', { signal })).data, 60_000, []);
  const error = queue.error ?? credits.error;
  const { data } = queue;
  const left = credits.data?.remainingCredits;
  const isLimited = credits.data !== undefined && credits.data.planCredits < UNLIMITED;
  return (
    <>
      {error !== undefined && <Problem error={error} onRetry={queue.reload} />}
      <section class="tiles health-tiles" aria-label="Your team now">
        <Tile
          label="Pages being read"
          value={data && count(data.activeJobsInQueue)}
          note={data && `${count(data.maxConcurrency)} at a time`}
        />
        <Tile label="Pages that wait" value={data && count(data.waitingJobsInQueue)} note="Of crawls and batches" />
        <div class="tile">
          <div class="tile-label">Last success</div>
          <div class="tile-value">{data ? <Time at={data.mostRecentSuccess} /> : '–'}</div>
          <div class="tile-note">Content was returned</div>
        </div>
        <Tile
          label="Credits left"
          value={left === undefined ? undefined : isLimited ? count(left) : 'No limit'}
          note={isLimited ? `Of ${plural(credits.data!.planCredits, 'credit')} this month` : 'This month'}
        />
      </section>
      <p class="notice">
        Throughput, latency, memory, disk, browsers and providers belong to the whole service. Only its operator sees
        them.
      </p>
    </>
  );
}

const Tile = ({ label, value, note }: { label: string; value: string | undefined; note?: string }) => (
  <div class="tile">
    <div class="tile-label">{label}</div>
    <div class="tile-value">{value ?? '–'}</div>
    <div class="tile-note">{note ?? ' '}</div>
  </div>
);
