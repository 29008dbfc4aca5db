// Sends one small search to every search provider that the settings name, for `trawl doctor --network`.
import type { Config } from '../../../config/settings.ts';
import { createIdentify } from '../../../fetch/identity.ts';
import { createLog } from '../../../runtime/log.ts';
import { webSearchers } from '../../../search/federation/choose-providers.ts';
import { createFederation, type ProviderTest } from '../../../search/federation/federation.ts';
import type { InspectionFinding } from '../../../store/tools/inspect/finding.ts';
import { systemClock } from '../../../util/clock.ts';
import { composeEgress } from '../../egress.ts';

export async function askProviders(config: Config): Promise<InspectionFinding[]> {
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
    const { signal } = new AbortController();
    const { names } = webSearchers(config.searchProviders);
    const tests = await Promise.all(names.map(async (name) => ({ name, test: await providers.test(name, signal) })));
    // Our own index does not count as a provider.
    return tests.flatMap(({ name, test }) => (test ? [findingOf(name, test)] : []));
  } finally {
    await egress.close();
  }
}

function findingOf(name: string, { label, ms, results, problem }: ProviderTest): InspectionFinding {
  const check = `provider ${name}`;
  if (problem === undefined) {
    const text = `${label} answered in ${ms} ms, with ${results === 0 ? 'no result' : 'results'}`;
    return { check, state: 'ok', text };
  }
  return {
    check,
    state: 'warn',
    text: `${label} did not answer: ${problem}`,
    todo: 'Check its key and address, and the network: docs/use/search.md.',
  };
}
