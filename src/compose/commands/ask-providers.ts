// Sends one small search to every search provider that the settings name, for `trawl doctor --network`.
import type { Config } from '../../config/settings.ts';
import { NO_CONDITIONS } from '../../contracts/search-query.ts';
import { createIdentify } from '../../fetch/identity.ts';
import { createFederation } from '../../search/federation/federation.ts';
import type { ProviderRun } from '../../search/federation/provider-run.ts';
import { parseQuery } from '../../search/query/query.ts';
import type { Finding } from '../../store/inspect/finding.ts';
import { systemClock } from '../../util/clock.ts';
import { createLog } from '../../util/log.ts';
import { composeEgress } from '../egress.ts';

const QUESTION = 'open web';

export async function askProviders(config: Config): Promise<Finding[]> {
  const egress = composeEgress(config, { ownAddress: () => undefined });
  const identify = createIdentify({ userAgent: config.userAgent });
  const providers = createFederation({
    settings: config.searchProviders,
    egress,
    clock: systemClock,
    // The findings say what went wrong.
    log: createLog('silent'),
    contact: config.contact,
    pageHeaders: (language) => identify({ mobile: false, location: { country: 'US', languages: [language] } }),
    limitMs: config.providerTimeoutMs,
  });
  try {
    const runs = await providers.ask(
      {
        query: parseQuery(QUESTION),
        conditions: NO_CONDITIONS,
        source: 'web',
        now: systemClock.now(),
        wanted: 1,
        rejectionOf: () => undefined,
        retainFor: undefined,
      },
      new AbortController().signal,
    );
    return runs.map(findingOf);
  } finally {
    await egress.close();
  }
}

function findingOf({ provider, label, state, problem, kept, ms }: ProviderRun): Finding {
  const check = `provider ${provider}`;
  if (state === 'answered') {
    const text = `${label} answered in ${Math.round(ms)} ms, with ${kept.length === 0 ? 'no result' : 'results'}`;
    return { check, state: 'ok', text };
  }
  return {
    check,
    state: 'warn',
    text: `${label} did not answer: ${problem}`,
    todo: 'Check its key and address, and the network: docs/9-search.md.',
  };
}
