// How the service does: tiles with the state of now, its processes, charts of the last hour, and the disk. Of several
// processes, the figures are those of one: of the first that answered, until somebody chooses another one.
import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Problem } from '../../ui/states/problem.tsx';
import { usePolling } from '../../ui/states/use-load.ts';
import { Chart } from '../chart/chart.tsx';
import { Disk } from './disk.tsx';
import { CHARTS, chartOf, type History, mergeHistory, NO_HISTORY } from './history.ts';
import { Processes } from './processes.tsx';
import { Tiles } from './tiles.tsx';

const CLOCK_TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockTime = (at: number): string => CLOCK_TIME.format(at);

export function Overview() {
  const [chosen, choose] = useState<string>();
  const known = useRef<History>(undefined);
  const history = usePolling(
    async (signal) => {
      const process = chosen ?? known.current?.process.id;
      const since = process === known.current?.process.id ? known.current?.at.at(-1) : undefined;
      const data = await askOf(process, (query) => call('healthHistory', { query: { since, ...query }, signal }));
      known.current = mergeHistory(known.current, data);
      // The chosen one has ended.
      if (chosen !== undefined && chosen !== data.process.id) choose(data.process.id);
      return known.current;
    },
    10_000,
    [chosen],
  );
  const details = usePolling((signal) => call('healthDetails', { signal }), 10_000, []);
  const shown = known.current?.process.id;
  const disk = usePolling(
    async (signal) =>
      shown === undefined ? undefined : askOf(shown, (query) => call('healthDisk', { query, signal })),
    shown === undefined ? 0 : 60_000,
    [shown],
  );
  const isShared = details.data?.storage.shared ?? false;
  const error = details.error ?? history.error;
  return (
    <>
      {error !== undefined && (
        <Problem
          error={error}
          onRetry={() => {
            details.reload();
            history.reload();
          }}
        />
      )}
      <Tiles details={details.data} history={history.data} disk={disk.data} />
      {isShared && <Processes processes={details.data!.processes} shown={shown} onShow={choose} />}
      <section class="stack" aria-labelledby="last-hour">
        <h2 id="last-hour">The last hour{isShared && history.data && ` of ${history.data.process.name}`}</h2>
        <div class="charts">
          {CHARTS.map((plan) => (
            <Chart
              key={plan.title}
              title={plan.title}
              help={plan.help}
              data={chartOf(history.data ?? NO_HISTORY, plan)}
              writeTime={clockTime}
            />
          ))}
        </div>
      </section>
      <Disk disk={disk.data} error={disk.error} onRetry={disk.reload} />
    </>
  );
}

/** Asks about one process. If that has ended, whichever answers tells about itself. */
async function askOf<T>(
  process: string | undefined,
  ask: (query: { process?: string; since?: number }) => Promise<{ data: T }>,
): Promise<T> {
  try {
    return (await ask(process === undefined ? {} : { process })).data;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'PROCESS_NOT_FOUND') throw error;
    return (await ask({ since: 0 })).data;
  }
}
