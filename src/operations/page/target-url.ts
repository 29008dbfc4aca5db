// The URL a caller wants fetched: parsed leniently, and refused with a clear message before any work starts.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { Egress } from '../../net/egress.ts';
import { bareHost, readUrl, type UrlProblem } from '../../urls/url.ts';

const PROBLEMS: Record<UrlProblem, string> = {
  empty: 'The URL is empty.',
  'too-long': 'The URL is longer than 16384 characters.',
  ambiguous: 'The URL contains a backslash or a control character. Percent-encode it.',
  malformed: 'This is not a valid URL. Write it in full, for example https://example.com/page.',
  scheme: 'Only http and https URLs can be fetched.',
  userinfo: 'The URL contains a user name or password. Send an Authorization header in `headers` instead.',
  host: 'The URL has no host.',
};

type Path = (string | number)[];

/** A URL that need not be one that may be fetched. */
export function givenUrl(text: string, path: Path = ['url']): URL {
  const url = readUrl(text);
  if (typeof url === 'string') throw badUrl(PROBLEMS[url], path);
  return url;
}

export function targetUrl(text: string, egress: Pick<Egress, 'check'>, path: Path = ['url']): URL {
  const url = givenUrl(text, path);
  try {
    egress.check(url);
  } catch (refusal) {
    // A bare word is more often a mistake than a host of the own network, and the operator can list those.
    throw isBareWord(url) ? badUrl(NO_DOMAIN, path) : refusal;
  }
  return url;
}

const NO_DOMAIN =
  'This is not a valid URL: its host has no top-level domain. Write it in full, for example https://example.com/page. Hosts without one have to be listed in TRAWL_ALLOW_NETWORKS.';

const badUrl = (message: string, path: Path): ServiceError =>
  new ServiceError('BAD_REQUEST', { message, details: [{ code: 'invalid_url', path, message }] });

function isBareWord(url: URL): boolean {
  const host = bareHost(url);
  return !/[.:]/.test(host) && host !== 'localhost';
}
