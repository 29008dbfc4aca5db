// A link into the console of a running service, for the command line. Those who can write to its store are its operators.
import type { FoundService } from '../../cli/local-tools.ts';
import type { Config } from '../../config/settings.ts';
import { createConsoleLink } from '../../operations/console/console-sessions.ts';
import { browserUrl, consoleUrl } from '../../operations/console/console-url.ts';
import { systemClock } from '../../util/clock.ts';
import { openBeside } from './open-beside.ts';

export async function openConsoleOf(
  config: Config,
  { url, publicUrl = browserUrl(url), needsKey }: FoundService,
): Promise<string> {
  if (!needsKey) return consoleUrl(publicUrl, undefined);
  const store = await openBeside(config);
  try {
    return consoleUrl(publicUrl, await createConsoleLink(store.consoleSessions, systemClock));
  } finally {
    await store.close();
  }
}
