// How the service does: tiles with the state of now, charts of the last hour, and the disk.
import { useRef } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { Problem } from '../../ui/problem.tsx';
import { usePolling } from '../../ui/use-load.ts';
import { Chart } from '../chart/chart.tsx';
import { Disk } from './disk.tsx';
import { CHARTS, chartOf, type History, mergeHistory, NO_HISTORY } from './history.ts';
import { Tiles } from './tiles.tsx';

const CLOCK_TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const clockTime = (at: number): string => CLOCK_TIME.format(at);

export function Overview() {
  const known = useRef<History>(undefined);
  const history = usePolling(
    async (signal) => {
      const since = known.current?.at.at(-1) ?? 0;
      const { data } = await call('healthHistory', { query: { since }, signal });
      known.current = mergeHistory(known.current, data);
      return known.current;
    },
    10_000,
    [],
  );
  const details = usePolling((signal) => call('healthDetails', { signal }), 10_000, []);
  const disk = usePolling(async (signal) => (await call('healthDisk', { signal })).data, 60_000, []);
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
      <section class="stack" aria-labelledby="last-hour">
        <h2 id="last-hour">The last hour</h2>
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
