// The headers of a request as Chrome sends them: in its order, and over plain http without those that it keeps for https.

const ORDER = [
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
  'upgrade-insecure-requests',
  'user-agent',
  'accept',
  'sec-fetch-site',
  'sec-fetch-mode',
  'sec-fetch-user',
  'sec-fetch-dest',
  'accept-encoding',
  'accept-language',
  'cookie',
  'priority',
];
const SECURE_ONLY = /^(sec-ch-|sec-fetch-|priority$)/;
const PLAIN_ENCODINGS = 'gzip, deflate';
const NAVIGATION_PRIORITY = 'u=0, i';

export function chromeHeaders(url: URL, given: Record<string, string>): [name: string, value: string][] {
  const headers = new Map(Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]));
  // Only Chrome's own identity comes with client hints.
  if (headers.has('sec-ch-ua') && !headers.has('priority')) headers.set('priority', NAVIGATION_PRIORITY);
  if (url.protocol === 'http:') {
    for (const name of headers.keys()) if (SECURE_ONLY.test(name)) headers.delete(name);
    headers.set('accept-encoding', PLAIN_ENCODINGS);
  }
  const others = [...headers.keys()].filter((name) => !ORDER.includes(name));
  // An empty value keeps the library from adding a header of its own.
  return [...ORDER, ...others].map((name): [string, string] => [name, headers.get(name) ?? '']);
}
