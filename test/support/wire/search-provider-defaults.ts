// For tests of the providers that need no key: stand-ins for them.
import { after, before } from 'node:test';
import { type ProviderStandIn, startProviderStandIn } from '../search/provider-stand-ins.ts';

export let duckduckgo: ProviderStandIn;

export let wikipedia: ProviderStandIn;

export let marginalia: ProviderStandIn;

export let standIns: Record<string, string>;

/** Before the first test of a file, and after its last. */
export function useDefaults(): void {
  before(async () => {
    [duckduckgo, wikipedia, marginalia] = await Promise.all([
      startProviderStandIn('duckduckgo'),
      startProviderStandIn('wikipedia'),
      startProviderStandIn('marginalia'),
    ]);
    standIns = {
      TRAWL_DUCKDUCKGO_URL: duckduckgo.url,
      TRAWL_WIKIPEDIA_URL: wikipedia.url,
      TRAWL_MARGINALIA_URL: marginalia.url,
    };
  });
  after(() => Promise.all([duckduckgo, wikipedia, marginalia].map((provider) => provider?.stop())));
}
