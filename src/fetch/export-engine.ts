// Reads documents that have an export address from there. The page keeps the URL under which it is known.
import { ServiceError } from '../contracts/errors/errors.ts';
import type { Fetched } from '../page/page.ts';
import type { FetchEngine } from './engine.ts';
import { exportAddress } from './export-address.ts';

export const createExportEngine = (http: FetchEngine): FetchEngine => ({
  name: http.name,
  async fetch(request, signal) {
    const page = await http.fetch({ ...request, url: exportAddress(request.url) ?? request.url }, signal);
    if (asksToSignIn(page)) {
      throw new ServiceError('SCRAPE_SITE_ERROR', {
        message:
          'The document is not public: Google asks to sign in. Share it with "Anyone with the link", or send the Cookie header of a signed-in browser in `headers`.',
      });
    }
    return { ...page, requestedUrl: request.url.href, finalUrl: request.url.href };
  },
});

/** An export is a file. A page in its place, other than an error page, is a way to sign in. */
const asksToSignIn = ({ finalUrl, status, contentType }: Fetched): boolean =>
  new URL(finalUrl).hostname === 'accounts.google.com' ||
  status === 401 ||
  (status === 200 && /^\s*text\/html/i.test(contentType));
