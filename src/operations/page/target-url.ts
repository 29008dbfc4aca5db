// The URL a caller wants fetched: parsed leniently, and refused with a clear message before any work starts.
import { ServiceError } from '../../contracts/errors.ts';
import type { Egress } from '../../net/egress.ts';
import { readUrl, type UrlProblem } from '../../util/url.ts';

const PROBLEMS: Record<UrlProblem, string> = {
  empty: 'The URL is empty.',
  'too-long': 'The URL is longer than 16384 characters.',
  ambiguous: 'The URL contains a backslash or a control character. Percent-encode it.',
  malformed: 'This is not a valid URL. Write it in full, for example https://example.com/page.',
  scheme: 'Only http and https URLs can be fetched.',
  userinfo: 'The URL contains a user name or password. Send an Authorization header in `headers` instead.',
  host: 'The URL has no host.',
};

export function targetUrl(text: string, egress: Pick<Egress, 'check'>, path: (string | number)[] = ['url']): URL {
  const url = readUrl(text);
  if (typeof url === 'string') {
    const message = PROBLEMS[url];
    throw new ServiceError('BAD_REQUEST', { message, details: [{ code: 'invalid_url', path, message }] });
  }
  egress.check(url);
  return url;
}
