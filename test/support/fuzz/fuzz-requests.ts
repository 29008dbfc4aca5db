// Random requests for every route of the table: path parameters, query, headers and body, each valid or not.
import fc from 'fast-check';
import { ROUTES, type Route } from '../../../src/contracts/routes.ts';
import type { Web } from '../web.ts';
import { bodiesFrom, ODD_TEXTS, type SentBody } from './mutations.ts';
import { type Hints, valuesOf } from './schema-values.ts';

export interface FuzzRequest {
  route: keyof typeof ROUTES;
  method: string;
  /** `:known` stands for an id of an earlier answer, if there is one; `known` says which. */
  path: string;
  known: number;
  headers: Record<string, string>;
  body?: SentBody & { file?: { name: string; content: string } };
}

/** Pages of the small web that answer soon, some in odd ways, and URLs that must be refused. */
const PATHS: [host: string, path: string][] = [
  ['news.test', '/'],
  ['news.test', '/plain'],
  ['docs.test', '/'],
  ['docs.test', '/blog'],
  ['load.test', '/article/1'],
  ['load.test', '/article/2'],
  ['fault.test', '/empty'],
  ['fault.test', '/reset'],
  ['fault.test', '/cut/length'],
  ['fault.test', '/garbage'],
  ['fault.test', '/half-headers'],
  ['fault.test', '/huge-header'],
  ['fault.test', '/no-content'],
  ['fault.test', '/slow-headers?ms=200'],
  ['fault.test', '/stalled-body'],
  ['error.test', '/404'],
  ['error.test', '/503'],
  ['echo.test', '/x?y=1'],
  ['any.test', '/'],
  ['any.test', '/no/such/page'],
];
const BAD_URLS = [
  '',
  'x',
  'http://',
  'http://[',
  'ftp://a.test/',
  'http://127.0.0.1:1/',
  'http://[::1]/',
  'http://169.254.169.254/',
  'http://localhost/',
  'http://a.test:0/',
  'http://a.test:99999/',
  'http://user:pw@a.test/',
  'http://a..test/',
  'http://xn--a.test/',
  'http://%61.test/',
  'http://ü.test/',
  'http://a.test/%',
  'javascript:1',
  'http://a.test/\u0000',
  'http://a.test/\ud800',
  `http://a.test/${'x'.repeat(9_000)}`,
  'http://no-such-host.invalid/',
  'HTTP://NEWS.TEST./',
  'http://a_b.test/',
];

export function hintsFor(web: Web): Hints {
  const pages = fc.constantFrom(...PATHS.map(([host, path]) => web.url(host, path)), web.secureUrl('news.test', '/'));
  const url = fc.oneof({ weight: 5, arbitrary: pages }, { weight: 1, arbitrary: fc.constantFrom(...BAD_URLS) });
  const query = fc.constantFrom(
    'harbour',
    'site:news.test x',
    '"a b" -c',
    'intitle:',
    'OR',
    '🙂',
    '(',
    'related:news.test',
    'x'.repeat(400),
    'é ü',
    '1706.03762',
  );
  const known = fc.constantFrom(':known', ':known', ':known', 'unknown');
  const values = {
    url: [url],
    urls: [url, fc.array(url, { minLength: 1, maxLength: 2 })],
    timeout: [fc.constantFrom(1_000, 2_000, 4_000), fc.constantFrom(1, 2)],
    limit: [fc.constantFrom(1, 2, 3)],
    waitFor: [fc.constantFrom(0, 1, 100)],
    milliseconds: [fc.constantFrom(1, 50)],
    delay: [fc.constantFrom(0.01, 0.1)],
    query: [query],
    code: [
      fc.constantFrom(
        '1 + 1',
        'throw new Error("x")',
        'for (;;) {}',
        'print(1)',
        'echo 1',
        'process.exit(3)',
        '\u0000',
      ),
    ],
    ttl: [fc.constantFrom(30, 31)],
    activityTtl: [fc.constantFrom(10, 11)],
    queries: [query],
    goal: [fc.constantFrom('prices', 'é ü', '')],
    id: [fc.uuid()],
    schedule: [fc.constantFrom<object>({ text: 'hourly' }, { cron: '0 9 * * 1-5', timezone: 'Europe/Berlin' })],
    retentionDays: [fc.constantFrom(1, 365)],
    jobId: [known],
    existingSessionId: [known],
  };
  return {
    values,
    always: new Set(['urls', 'goal', 'timeout', 'limit', 'ttl', 'activityTtl', 'code']),
    seldom: new Set([
      'redactPII',
      'threatProtection',
      'safeMode',
      'profile',
      'actions',
      'mobile',
      'prompt',
      'uploadRef',
      'zeroDataRetention',
      'includeDomains',
      'excludeDomains',
      'scrapeOptions',
    ]),
  };
}

const oddText = fc.oneof(fc.constantFrom(...ODD_TEXTS), fc.string({ unit: 'binary', maxLength: 20 }));

/** Encoded, except that now and then a malformed escape is sent as it is. */
const encoded = (value: string): string =>
  /^%[\da-f%]*$/i.test(value) ? value : encodeURIComponent(value.toWellFormed());

const parameter = fc.oneof(
  { weight: 4, arbitrary: fc.constant(':known') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '1706.03762',
      'arxiv:1706.03762',
      '10.1000%2Fx',
      'use',
      'start.md',
      '1-start.md',
      'PMC123',
    ),
  },
  { weight: 2, arbitrary: oddText.map(encoded) },
);

const pathOf = (path: string): fc.Arbitrary<string> => {
  const parts = path.split(/(:\w+)/);
  const chosen = parts.map((part) => (part.startsWith(':') ? parameter : fc.constant(part)));
  return fc.tuple(...chosen).map((texts) => texts.join(''));
};

function queryOf({ query }: Route, hints: Hints): fc.Arbitrary<string> {
  const names = Object.keys(query?.shape ?? {});
  const valid: fc.Arbitrary<unknown> = query ? valuesOf(query, hints) : fc.constant({});
  const odd = fc.array(fc.tuple(fc.constantFrom('x', '', '__proto__', 'a[b]', 'constructor', ...names), oddText), {
    maxLength: 4,
  });
  const write = (pairs: (readonly [string, unknown])[]) =>
    pairs.flatMap(([name, value]) => [value].flat().map((one) => `${encoded(name)}=${encoded(String(one))}`)).join('&');
  return fc.oneof(
    { weight: 4, arbitrary: valid.map((fields) => write(Object.entries(fields as object))) },
    { weight: 2, arbitrary: odd.map(write) },
    {
      weight: names.length > 0 ? 2 : 0,
      arbitrary: fc.tuple(valid, odd).map(([fields, more]) => write([...Object.entries(fields as object), ...more])),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '&&&', '=', '?', 'a=%E0%A4%A', `a=${'x'.repeat(6_000)}`, 'a=1&'.repeat(500)),
    },
  );
}

const HEADERS: Record<string, string[]> = {
  'x-idempotency-key': ['', ' ', 'key', 'k'.repeat(257), '\u00e9\u00ff'],
  host: ['', 'a b', 'x'.repeat(300), '[::1', 'evil.test:99999', '%', 'localhost.', '\u00e9'],
  'x-forwarded-for': ['1.2.3.4', '::1, unknown', ',,,', 'x'.repeat(2_000)],
  'x-forwarded-host': ['evil.test', 'a b', '"'],
  'x-forwarded-proto': ['https', 'gopher'],
  forwarded: ['for=1;host="', ';;;=', 'for="[::1]:x"'],
  accept: ['text/html', '*/*;q=x', ''],
  'accept-encoding': ['gzip', 'zstd;q=0', '*'],
  range: ['bytes=0-1', 'bytes=-', 'bytes=9-1', 'x'],
  'if-range': ['"x"'],
  'if-none-match': ['*', 'W/"'],
  origin: ['null', 'https://app.example', '\u00ff'],
  expect: ['100-continue', 'x'],
  cookie: ['a=b; c', '='],
  'user-agent': ['', 'x'.repeat(4_000)],
  authorization: ['', 'Bearer', 'Bearer fc-wrong', 'Basic eDp5', `Bearer ${'x'.repeat(6_000)}`],
};

const oneHeader = fc
  .constantFrom(...Object.keys(HEADERS))
  .chain((name) => fc.constantFrom(...HEADERS[name]!).map((value) => [name, value] as const));
const headers = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.array(oneHeader, { minLength: 1, maxLength: 3 }).map((list) => Object.fromEntries(list)) },
);

const FILES: Record<string, string[]> = {
  'a.txt': ['', 'plain words', '\u0000\u0001', 'x\n'.repeat(3_000)],
  'a.html': ['<h1>Title</h1><p>Text', '<'.repeat(3_000)],
  'a.csv': ['a,b\n1,2', '"'],
  'a.pdf': ['%PDF-1.7\n%%EOF', '%PDF-', 'not a PDF'],
  'a.docx': ['PK\u0003\u0004', 'PK\u0005\u0006'],
  'a.eml': ['Subject: x\n\nbody', '\n'],
  'a.json': ['{"a":1}', '{'],
  'a.ipynb': ['{"cells":[{"cell_type":"code","source":5}],"nbformat":4}'],
  'a.exe': ['MZ'],
  '../../x': ['x'],
  '': ['x'],
};
const file = fc
  .constantFrom(...Object.keys(FILES))
  .chain((name) => fc.constantFrom(...FILES[name]!).map((content) => ({ name, content })));

function bodyOf(route: Route, hints: Hints): fc.Arbitrary<FuzzRequest['body']> {
  const none: fc.Arbitrary<FuzzRequest['body']> = fc.constant(undefined);
  const any = bodiesFrom(route.request ? valuesOf(route.request, hints) : fc.jsonValue({ maxDepth: 2 }));
  if (route.upload === 'form')
    return fc.oneof(
      any,
      fc.tuple(any, file).map(([body, sent]) => ({ ...body, file: sent })),
    );
  if (route.upload === 'raw')
    return fc.oneof(none, fc.record({ text: fc.string(), type: fc.constantFrom('', 'text/plain') }));
  return route.request ? any : fc.oneof({ weight: 6, arbitrary: none }, { weight: 1, arbitrary: any });
}

const requestOf = (id: keyof typeof ROUTES, hints: Hints): fc.Arbitrary<FuzzRequest> => {
  const route: Route = ROUTES[id];
  const method = fc.oneof(
    { weight: 30, arbitrary: fc.constant<string>(route.method) },
    { weight: 1, arbitrary: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS') },
  );
  return fc
    .tuple(method, pathOf(route.path), queryOf(route, hints), fc.nat(1_000), headers, bodyOf(route, hints))
    .map(([name, path, query, known, some, body]) => ({
      route: id,
      method: name,
      path: query === '' ? path : `${path}?${query}`,
      known,
      headers: some,
      ...(body && { body }),
    }));
};

const weightOf = ({ request, upload, fetches }: Route): number => {
  if (fetches || upload) return 12;
  return request ? 4 : 1;
};

/** Routes with a body are drawn more often, and most often those that fetch: there is more to get wrong. */
export function fuzzRequests(web: Web, routes = /./): fc.Arbitrary<FuzzRequest> {
  const hints = hintsFor(web);
  const ids = (Object.keys(ROUTES) as (keyof typeof ROUTES)[]).filter((id) => routes.test(id));
  return fc.oneof(...ids.map((id) => ({ weight: weightOf(ROUTES[id]), arbitrary: requestOf(id, hints) })));
}
