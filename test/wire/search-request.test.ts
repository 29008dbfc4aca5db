// What a search request may contain, and the errors for invalid ones.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { search, trySearch } from '../support/search/search.ts';
import type { RunningService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

const scene = useService(
  { TRAWL_TEAM_FEATURES: 'threat-protection', TRAWL_MAX_REQUEST_MB: '1' },
  { TRAWL_TEAM_FEATURES: 'anon' },
);

/** Node warns of a connection with more than ten listeners. */
const warnings: Error[] = [];
const note = (warning: Error) => warnings.push(warning);
before(() => process.on('warning', note));
after(() => process.off('warning', note));

const ask = (more: object, service = scene.service) => trySearch(service, { query: 'harbour', ...more });

/** The path and the message of a 400 in the words of the public interface. */
async function refusal(more: object): Promise<{ path: string; message: string }> {
  const { status, body } = await ask(more);
  const { details, ...rest } = body;
  assert.deepEqual([status, rest], [400, { success: false, error: 'Invalid request body' }], JSON.stringify(body));
  const { path, message } = details![0]!;
  assert.ok(message.length > 10);
  return { path: path.join('.'), message };
}

describe('query', () => {
  test('is required, must not be empty, and has at most 500 characters', async () => {
    for (const query of [undefined, null, '', ' \n ', 7, ['x'], {}])
      assert.equal((await refusal({ query })).path, 'query');
    assert.match((await refusal({ query: undefined })).message, /query/);
    assert.match((await refusal({ query: 'x'.repeat(501) })).message, /500/);
    assert.equal((await ask({ query: 'x'.repeat(500) })).status, 200);
    // Characters as people count them.
    assert.equal((await ask({ query: '🌊'.repeat(500) })).status, 200);
    assert.equal((await refusal({ query: '🌊'.repeat(501) })).path, 'query');
  });
});

describe('invalid fields are refused with their path', () => {
  const CASES: [field: string, values: unknown[]][] = [
    ['limit', [0, 101, -1, 1.5, 'x', '10', true]],
    ['sources', ['web', 7, {}]],
    ['sources.0', [[7], [{}]]],
    ['categories', ['github', {}]],
    ['categories.1', [['github', 7]]],
    ['country', ['Germany', 'D', 'D1', 49, 'ZZ']],
    ['location', [7, 'x'.repeat(501)]],
    ['includeDomains', ['example.com', 7]],
    [
      'includeDomains.0',
      [
        ['https://example.com'],
        ['example.com/docs'],
        ['exa mple.com'],
        [''],
        ['*.example.com'],
        ['user@example.com'],
        ['example.com:8080'],
        [7],
      ],
    ],
    [
      'excludeDomains.1',
      [
        ['example.com', 'http://example.org/'],
        ['example.com', 'a?b'],
      ],
    ],
    ['highlights', ['yes', 1]],
    ['ignoreInvalidURLs', ['yes']],
    ['enterprise', ['zdr', true]],
    ['enterprise.0', [['secret'], [7]]],
    ['timeout', [0, -5, 'soon', 1.5]],
    ['explain', ['yes']],
    ['scrapeOptions', ['markdown', 7]],
    ['scrapeOptions.formats', [{ formats: 'markdown' }]],
    ['scrapeOptions.formats.0', [{ formats: ['poem'] }]],
    ['scrapeOptions.timeout', [{ timeout: 999 }, { timeout: 300_001 }]],
    ['scrapeOptions.maxAge', [{ maxAge: -1 }]],
    ['scrapeOptions.waitFor', [{ waitFor: 40_000, timeout: 60_000 }]],
  ];
  for (const [path, values] of CASES) {
    test(path, async () => {
      const [field] = path.split('.') as [string];
      for (const value of values) {
        const said = (await refusal({ [field]: value })).path;
        assert.ok(said === path || said.startsWith(`${path}.`), `${JSON.stringify(value)}: ${said}`);
      }
    });
  }

  test('tbs, with what is allowed', async () => {
    const bad = [
      'soon',
      'qdr:x',
      'qdr:',
      'cdr:1',
      'cd_min:13/45/2026',
      'cdr:1,cd_min:2026-01-01',
      'sbd:2',
      'qdr:d,qdr:w',
      'qdr:d,cdr:1,cd_min:01/01/2026',
    ];
    for (const tbs of bad) {
      const { path, message } = await refusal({ tbs });
      assert.equal(path, 'tbs');
      assert.match(message, /qdr:h.*cd_min:MM\/DD\/YYYY.*sbd:1/);
    }
    assert.match((await refusal({ sources: [{ type: 'web', tbs: 'soon' }] })).message, /`soon`/);
    for (const tbs of ['qdr:d', 'sbd:1,qdr:w', '', 'cdr:1,cd_min:1/2/2026,cd_max:03/04/2026']) {
      assert.equal((await ask({ tbs })).status, 200, tbs);
    }
  });

  test('a format that needs a browser is missing with a warning', async () => {
    const { status, body } = await ask({ scrapeOptions: { formats: ['markdown', 'screenshot'] } });
    assert.deepEqual([status, /`screenshot` is missing/.test(body.warning!)], [200, true]);
  });
});

test('includeDomains and excludeDomains exclude each other', async () => {
  const { message } = await refusal({ includeDomains: ['example.com'], excludeDomains: ['example.org'] });
  assert.match(message, /`includeDomains` or `excludeDomains`, not both/);
});

test('sources may be strings or objects, and the warning names those that are not served', async () => {
  const warning = async (sources: unknown) => (await search(scene.service, { query: '"x"', sources })).warning ?? '';
  assert.match(await warning(['web', 'videos']), /Unknown sources were ignored: 'videos'\. Use web, news or images\./);
  assert.match(
    await warning(Array.from({ length: 9 }, (_, n) => `${n}`.repeat(99))),
    /: '0{40}', .*'4{40}' and more\./,
  );
  // MCP clients send it with every search.
  assert.doesNotMatch(await warning(['web', 'alexandria']), /alexandria/);
  assert.match(await warning(['alexandria']), /'alexandria' .* is not served here; the web was searched instead/);

  const keys = async (sources: unknown) => Object.keys((await search(scene.service, { query: 'x', sources })).data);
  assert.deepEqual(await keys(undefined), ['web']);
  assert.deepEqual(await keys([]), ['web']);
  assert.deepEqual(await keys(['images', 'news']), ['news', 'images']);
  assert.deepEqual(await keys([{ type: 'images' }, 'web', { type: 'web' }]), ['web', 'images']);
  assert.deepEqual(await keys(['web', 'alexandria']), ['web']);
  assert.deepEqual(await keys(['alexandria']), ['web']);
});

test('options of newer clients, and null, are accepted', async () => {
  const known = {
    sources: ['web', 'alexandria'],
    domainTools: true,
    toolDetail: 'compact',
    filter: 'x',
    asyncScraping: false,
  };
  const nothing = Object.fromEntries(
    [
      'limit',
      'sources',
      'categories',
      'country',
      'location',
      'tbs',
      'includeDomains',
      'excludeDomains',
      'highlights',
      'ignoreInvalidURLs',
      'scrapeOptions',
      'enterprise',
      'threatProtection',
      'timeout',
      'lang',
      'safe',
      'integration',
    ].map((name) => [name, null]),
  );
  for (const more of [
    known,
    nothing,
    { origin: 'js-sdk@4.42.0', integration: 'cli', lang: 'de', safe: true, enterprise: ['default'] },
  ]) {
    const { status, body } = await ask(more);
    assert.deepEqual([status, body.data], [200, { web: [] }], JSON.stringify(body));
  }
});

test('bodies that are huge, deep or not objects are refused', async () => {
  const nested = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  const cases: [body: string, status: number][] = [
    [`{"query":"x","filter":${nested}}`, 400],
    [`{"query":"x","includeDomains":${JSON.stringify(Array(301).fill('a.test'))}}`, 400],
    [JSON.stringify({ query: 'x', filter: 'y'.repeat(1_100_000) }), 413],
    ['{"query":', 400],
    ['"harbour"', 400],
    ['[]', 400],
  ];
  for (const [body, expected] of cases) {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const response = await scene.service.fetch('/v2/search', init);
    assert.equal(response.status, expected, body.slice(0, 60));
    assert.equal(((await response.json()) as { success: boolean }).success, false);
  }
});

test('a key is required', async () => {
  const response = await fetch(`${scene.service.url}/v2/search`, {
    method: 'POST',
    body: '{"query":"x"}',
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(response.status, 401);
});

test('features that the team lacks are refused', async () => {
  const cases: [more: object, words: RegExp, service: RunningService][] = [
    [{ enterprise: ['zdr'] }, /Zero data retention/, scene.service],
    [{ zeroDataRetention: true }, /Zero data retention/, scene.service],
    [{ enterprise: ['anon'] }, /Anonymous search/, scene.service],
    [{ threatProtection: { mode: 'normal' } }, /Threat protection/, scene.other],
    [{ scrapeOptions: { threatProtection: {} } }, /Threat protection/, scene.other],
  ];
  for (const [more, words, service] of cases) {
    const { status, body } = await ask(more, service);
    assert.deepEqual([status, body.success, body.code], [403, false, 'FEATURE_NOT_ENABLED']);
    assert.match(body.error, words);
  }
});

test('a threat policy that cannot be applied is refused if the team has the feature', async () => {
  const threatProtection = { mode: 'normal' };
  for (const more of [{ threatProtection }, { scrapeOptions: { threatProtection } }]) {
    const { status, body } = await ask(more);
    assert.deepEqual([status, body.code], [400, 'BAD_REQUEST']);
    assert.match(body.error, /risk service/);
  }
  const blacklist = Array.from({ length: 1001 }, (_, n) => `host-${n}.test`);
  assert.equal((await refusal({ threatProtection: { blacklist } })).path, 'threatProtection.blacklist');
});

test('a very long timeout is accepted', async () => {
  assert.equal((await ask({ timeout: 10_000_000_000 })).status, 200);
});

test('many searches over one connection leave nothing behind on it', () => {
  assert.deepEqual(warnings, []);
});
