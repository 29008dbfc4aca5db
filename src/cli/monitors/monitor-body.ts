// The body that creates a monitor: a file with all of it, flags for single fields, and pages to watch as arguments.
import type { Invocation } from '../command.ts';
import { withProtocol } from '../parse/read-urls.ts';
import { UsageError } from '../usage-error.ts';

/** Flags win over the file. Throws UsageError for what the service could only refuse in other words. */
export function newMonitor({
  args,
  body,
  flags,
}: Pick<Invocation, 'args' | 'body' | 'flags'>): Record<string, unknown> {
  const given = { ...(flags.body as object | undefined), ...body } as Record<string, unknown>;
  const urls = args.map(withProtocol);
  const every = flags.every as string | undefined;
  const monitor: Record<string, unknown> = {
    ...given,
    ...(every !== undefined && { schedule: { ...(given.schedule as object | undefined), text: everyText(every) } }),
    ...(urls.length > 0 && {
      targets: [...((given.targets as unknown[] | undefined) ?? []), { type: 'scrape', urls }],
    }),
  };
  if (monitor.targets === undefined) throw new UsageError('Name the pages to watch, or other targets with --targets.');
  if (monitor.schedule === undefined) throw new UsageError('Say when to check, for example --every "30 minutes".');
  return { ...monitor, name: monitor.name ?? URL.parse(urls[0] ?? '')?.host ?? 'monitor' };
}

/** `--every hour` and `--every "every hour"` mean the same. */
const everyText = (text: string): string => (/^(every|hourly|daily|weekly)\b/i.test(text) ? text : `every ${text}`);
