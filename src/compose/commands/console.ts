// A link into the console of a running service, for the command line. A user who can write to its data folder is its operator.
import type { FoundService } from '../../cli/local-tools.ts';
import type { Config } from '../../config/settings.ts';
import { createConsoleLink } from '../../operations/console/console-sessions.ts';
import { browserUrl, consoleUrl } from '../../operations/console/console-url.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import { systemClock } from '../../util/clock.ts';

export async function openConsoleOf(
  { dataDir, cacheMaxBytes }: Config,
  { url, publicUrl = browserUrl(url), needsKey }: FoundService,
): Promise<string> {
  if (!needsKey) return consoleUrl(publicUrl, undefined);
  const store = await openSqliteStore({ dataDir, cacheMaxBytes, lock: false });
  try {
    return consoleUrl(publicUrl, await createConsoleLink(store.consoleSessions, systemClock));
  } finally {
    await store.close();
  }
}
