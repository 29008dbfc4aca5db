// An address in a page without what changes although it still leads to the same thing: cache busters, sessions, fingerprints
// of files, shards of hosts.
import { isIgnoredParameter } from '../../../util/ignored-parameters.ts';
import { noiseWords } from './noise-words.ts';

/** `app.3f9a1c2b.css`, `photo-d41d8cd98f.jpg`: a hash between the name and its ending. */
const FINGERPRINT = /([._-])(?=[0-9a-f]{0,31}\d)(?=[0-9a-f]{0,31}[a-f])[0-9a-f]{8,64}(?=\.[a-z0-9]{2,5}$|[._/-]|$)/gi;
const RANDOM_SEGMENT = /^(?=.{0,80}\d)(?=.{0,80}[a-z])[\w-]{20,200}$/i;
/** A session as a parameter of the path. */
const PATH_SESSION = /;j?sessionid=[^/?#;]{1,200}/gi;
const TIME_OR_TOKEN = /^(?:1\d{9}|1\d{12}|[0-9a-f]{16,}|(?=.{0,80}\d)(?=.{0,80}[a-z])[\w-]{16,})$/i;
/** What a build or a clock writes, but nobody calls a thing. */
const BUILD_NUMBER = /^(?:[\d.]{1,20}|[0-9a-f]{6,64})$/i;
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
    .map((segment) => (RANDOM_SEGMENT.test(segment) && !/[a-z]{4,}-[a-z]{2,}/i.test(segment) ? '~' : segment))
    .join('/')
    .replace(/\/$/, '');
  if (isPicture) return stable.replace(PICTURE_NUMBER, '~');
  const kept = stableParameters(query);
  return kept === '' ? stable : `${stable}?${kept}`;
}

function stableParameters(query: string): string {
  if (query === '') return '';
  const { cacheParameters, versionParameters } = noiseWords();
  return query
    .split('&')
    .filter((parameter) => {
      const [name = '', value = ''] = parameter.split('=', 2);
      const key = name.toLowerCase();
      const isVersion = versionParameters.has(key) && BUILD_NUMBER.test(value);
      return !isVersion && !cacheParameters.has(key) && !isIgnoredParameter(name, value) && !TIME_OR_TOKEN.test(value);
    })
    .sort()
    .join('&');
}
