// The section "Keys": those of the own team.
import { call } from '../../api/call.ts';
import { me } from '../../session/session.ts';
import { useLoad } from '../../ui/states/use-load.ts';
import { KeyTable } from './key-table.tsx';

/** Credits of this month by key: the bins are days in UTC, as the months of budgets are. */
async function loadUsage(signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
  const { data } = await call('teamUsage', { query: { days: new Date().getUTCDate() }, signal });
  return new Map(data.keys.map(({ key, totalCredits }) => [key ?? '', totalCredits]));
}

export function Keys() {
  const usage = useLoad(loadUsage, []);
  const isOff = me.value?.authentication === 'off';
  return (
    <KeyTable
      {...(usage.data && { usage: usage.data })}
      intro={
        isOff ? (
          <p class="soft">
            Authentication is off on this server, so nobody needs a key now. Keys that you make work once it runs with
            TRAWL_AUTH=required, which is the default.
          </p>
        ) : (
          <p class="soft">Programs use this server with a key. Make one for each, and give it no more than it needs.</p>
        )
      }
    />
  );
}
