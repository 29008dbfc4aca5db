// An address in a page without what changes although it still leads to the same thing: cache busters, sessions, fingerprints
// of files, shards of hosts.

/** `app.3f9a1c2b.css`, `photo-d41d8cd98f.jpg`: a hash between the name and its ending. */
const FINGERPRINT = /([._-])(?=[0-9a-f]{0,31}\d)(?=[0-9a-f]{0,31}[a-f])[0-9a-f]{8,64}(?=\.[a-z0-9]{2,5}$|[._/-]|$)/gi;
const RANDOM_SEGMENT = /^(?=.{0,80}\d)(?=.{0,80}[a-z])(?:[\w-]{20,200}|[0-9a-f]{6,19})$/i;
/** Digits and letters of both cases, as no name of a page has them. */
const MIXED_SEGMENT = /^(?=\w{0,19}\d)(?=\w{0,19}[a-z])(?=\w{0,19}[A-Z])\w{7,19}$/;
/** A session as a parameter of the path. */
const PATH_SESSION = /;j?sessionid=[^/?#;]{1,200}/gi;
/** Not the bare number of a build or a time. */
const FILE_OR_VERSION = /^v?\d{1,4}(?:\.\d{1,4}){1,3}$|\.[a-z][a-z0-9]{1,4}$/i;
const HOST_SHARD = /^(?:\/\/)?([a-z]{1,12})-?\d{1,3}\./i;
/** `banner-3.jpg`: a number of one or two digits in the name of a picture. A year says more. */
const PICTURE_NUMBER = /(?<!\d)\d{1,2}(?=[^/]*$)/g;

export function stableAddress(address: string, isPicture: boolean): string {
  const [beforeHash = ''] = address.split('#', 1);
  const cut = beforeHash.indexOf('?');
  const [path, query] = cut === -1 ? [beforeHash, ''] : [beforeHash.slice(0, cut), beforeHash.slice(cut + 1)];
  const host = path.replace(/^https?:/i, '').replace(HOST_SHARD, '//$1.');
  const stable = host
    .replace(PATH_SESSION, '')
    .replace(FINGERPRINT, '$1')
    .split('/')
    .map((segment) => (isRandom(segment) ? '~' : segment))
    .join('/')
    .replace(/\/$/, '');
  if (isPicture) return stable.replace(PICTURE_NUMBER, '~');
  const kept = stableParameters(query);
  return kept === '' ? stable : `${stable}?${kept}`;
}

const isRandom = (segment: string): boolean =>
  MIXED_SEGMENT.test(segment) || (RANDOM_SEGMENT.test(segment) && !/[a-z]{4,}-[a-z]{2,}/i.test(segment));

/** A reader does not see parameters, and most of them say where he came from. A file or a version among them is another one. */
const stableParameters = (query: string): string =>
  query
    .split('&')
    .filter((parameter) => !/^v(?:er)?=/i.test(parameter))
    .filter((parameter) => FILE_OR_VERSION.test(parameter.slice(parameter.indexOf('=') + 1)))
    .sort()
    .join('&');
