// A time as people say it ("3 minutes ago"), with the exact one for those who point at it.
import { relativeTime } from './format.ts';
import { now } from './now.ts';

export function Time({ at }: { at: string | number | null | undefined }) {
  if (at === null || at === undefined) return <span class="faint">never</span>;
  const date = new Date(at);
  return (
    <time dateTime={date.toISOString()} title={date.toLocaleString()}>
      {/* What has just happened must not seem to be in the future until the shown time moves on. */}
      {relativeTime(date.getTime(), Math.max(now.value, Date.now()))}
    </time>
  );
}
