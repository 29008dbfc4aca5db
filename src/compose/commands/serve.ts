// Runs the service until it is told to stop, for `trawl serve`.
import { banner, OFFLINE_HINT } from '../../cli/commands/service/banner.ts';
import { readConfig } from '../../config/settings.ts';
import { modelsByPurpose } from '../../models/model-choice.ts';
import { canResolveNames } from '../../net/addresses/resolver.ts';
import { webSearchers } from '../../search/federation/choose-providers.ts';
import { createService } from '../service.ts';

interface ServeOptions {
  say(words: string): void;
  /** Without a reader nobody needs hints. */
  hasReader: boolean;
  /** The store is gone for good: the program has to end. */
  onFatal(): void;
}

export async function serve({ say, hasReader, onFatal }: ServeOptions, signal: AbortSignal): Promise<void> {
  const config = readConfig();
  const service = await createService(config, { onFatal });
  try {
    const searchers = webSearchers(config.searchProviders);
    const { url, firstKey: key } = service;
    const firstPage = `${config.publicUrl ?? url}/docs/use/start.md`;
    const models = modelsByPurpose(config.models);
    const console = await service.openConsole();
    say(
      banner({
        url,
        console,
        firstPage,
        key,
        hasOwnKey: config.apiKey !== undefined,
        auth: config.auth,
        searchers,
        models,
      }),
    );
    // A proxy resolves names itself.
    if (hasReader && config.proxy.length === 0 && !(await canResolveNames(config.dns))) say(OFFLINE_HINT);
    await aborted(signal);
  } finally {
    await service.close();
  }
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
