// Requests whose URL is judged before they are sent. Each hop of a redirect is a request of its own, so it is judged, too.
import { isUrlRefusal } from '../contracts/threats/url-refusals.ts';
import { createBoundedMap } from '../util/bounded-map.ts';
import type { CheckUrl } from './check-url.ts';
import type { Egress } from './egress.ts';

export const checkRequests = <Client extends Pick<Egress, 'request'>>(
  client: Client,
  check: CheckUrl | undefined,
): Client =>
  check === undefined
    ? client
    : {
        ...client,
        async request(request, signal) {
          await check(request.url, signal);
          return client.request(request, signal);
        },
      };

/** Those that were asked about longest ago are asked about again. A page can request any number. */
const MAX_HOSTS = 2_000;

/** For the many URLs of one site or page, such as segments and links: one URL of a host stands for all. */
export function oncePerHost(check: CheckUrl): CheckUrl {
  const hosts = createBoundedMap<string, Promise<void>>({ maxEntries: MAX_HOSTS });
  return async (url, signal) => {
    const known = hosts.getOrCreate(url.host, () => check(url, signal));
    try {
      await known;
    } catch (error) {
      // Anything else says nothing about the host.
      if (!isUrlRefusal(error)) hosts.delete(url.host);
      throw error;
    }
  };
}
