// The threat policy of a team over HTTP: what it is, who may change it, and what is refused with which answer.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { RunningService } from '../support/service.ts';
import { joinService, startSharedWeb } from '../support/shared-service.ts';
import { addTeams } from '../support/team-with.ts';
import type { Web } from '../support/web.ts';

const PATH = '/v2/team/threat-protection';
const DEFAULTS = {
  mode: 'off',
  riskScoreThreshold: 75,
  blacklist: [],
  whitelist: [],
  blockedTlds: [],
  failurePolicy: 'closed',
  allowRequestOverrides: true,
};
const NOT_ENABLED = {
  success: false,
  code: 'FEATURE_NOT_ENABLED',
  error:
    'Threat protection is not enabled for your team. The operator can enable it for the team, or for all teams with TRAWL_TEAM_FEATURES.',
};

const NEEDS_SERVICE =
  'The mode `normal` with `failurePolicy: closed` needs a risk service, and this server has none: it would block every URL. The operator can set up one with TRAWL_WEB_RISK_KEY, TRAWL_RISK_URL or TRAWL_THREAT_LISTS. Until then use `mode: manual-only`, or `failurePolicy: open`.';

const scene = {} as { web: Web; service: RunningService };
const keys = {} as Record<'allowed' | 'restricted' | 'forced' | 'absent' | 'locked' | 'other', string>;

before(async () => {
  scene.web = await startSharedWeb();
  scene.service = await joinService(scene.web, {});
  const allowed = { threatProtection: 'allowed' as const };
  const made = await addTeams(scene.service.dataDir, [
    { name: 'allowed', settings: allowed },
    { name: 'allowed', limits: { formats: ['markdown'] } },
    { name: 'forced', settings: { threatProtection: 'forced' } },
    { name: 'absent' },
    { name: 'locked', settings: allowed },
    { name: 'other', settings: allowed },
  ]);
  [keys.allowed, keys.restricted, keys.forced, keys.absent, keys.locked, keys.other] = made as [
    ...[string, string, string, string, string, string],
  ];
});

after(async () => {
  await scene.service?.stop();
  await scene.web?.stop();
});

async function send(key: string, method: string, path: string, body?: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await scene.service.fetch(path, {
    method,
    headers,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
const put = (key: string, body: unknown) => send(key, 'PUT', PATH, body);
const get = (key: string) => send(key, 'GET', PATH);

test('a team that has saved nothing has the defaults; what it saves replaces all of it', async () => {
  assert.deepEqual(await get(keys.allowed), {
    status: 200,
    body: { success: true, data: { ...DEFAULTS, configured: false, updatedAt: null } },
  });
  const policy = {
    mode: 'manual-only',
    blacklist: ['BAD.example.', '*.Müller.example'],
    whitelist: ['good.example'],
    blockedTlds: ['zip'],
    riskScoreThreshold: 60,
  };
  const saved = await put(keys.allowed, policy);
  const { updatedAt, ...data } = saved.body.data as Record<string, unknown>;
  assert.deepEqual(
    [saved.status, data],
    [
      200,
      {
        ...DEFAULTS,
        ...policy,
        blacklist: ['bad.example', '*.xn--mller-kva.example'],
        configured: true,
      },
    ],
  );
  assert.match(String(updatedAt), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(await get(keys.allowed), saved);
  const replaced = await put(keys.allowed, { mode: 'off' });
  const { updatedAt: _, ...reset } = replaced.body.data as Record<string, unknown>;
  assert.deepEqual(reset, { ...DEFAULTS, configured: true });
  assert.equal(((await get(keys.other)).body.data as { configured: boolean }).configured, false);
});

test('a team without the feature can neither read nor set a policy, nor send one', async () => {
  const refused = { status: 403, body: NOT_ENABLED };
  assert.deepEqual([await get(keys.absent), await put(keys.absent, { mode: 'normal' })], [refused, refused]);
});

test('a restricted key reads the policy, and cannot change it', async () => {
  assert.equal((await get(keys.restricted)).status, 200);
  assert.deepEqual(await put(keys.restricted, { mode: 'off' }), {
    status: 403,
    body: {
      success: false,
      code: 'KEY_RESTRICTED',
      error:
        'Request blocked: this API key is restricted, so it cannot change the threat policy. Use a key of your team without limits and without an expiry.',
    },
  });
});

test('a team for which it is enforced cannot turn it off, and has a policy from the beginning', async () => {
  const { mode, failurePolicy, configured } = (await get(keys.forced)).body.data as Record<string, unknown>;
  assert.deepEqual([mode, failurePolicy, configured], ['normal', 'open', false]);
  assert.deepEqual(await put(keys.forced, { mode: 'off' }), {
    status: 403,
    body: {
      success: false,
      code: 'FEATURE_NOT_ENABLED',
      error: 'Threat protection is enforced for your team, so its mode cannot be `off`. Use `normal` or `manual-only`.',
    },
  });
  assert.equal((await put(keys.forced, { mode: 'manual-only' })).status, 200);
});

describe('a policy is refused with 400', () => {
  const DOMAIN = 'Write a domain or `*.domain`, without protocol, path or port.';
  const TLD = 'Write a top-level domain in lower case and without a dot, in punycode if it has other letters.';
  const cases: [body: unknown, error: string][] = [
    [{}, 'Bad Request: `mode` must be one of: off, manual-only, normal.'],
    [{ mode: 'normal' }, NEEDS_SERVICE],
    [
      { mode: 'zscaler' },
      'Bad Request: `mode`: The mode `zscaler` is not available on this server: it needs an account there. Use `normal`, with a risk service that the operator sets.',
    ],
    [{ mode: 'soft' }, 'Bad Request: `mode` must be one of: off, manual-only, normal.'],
    [
      { mode: 'off', deniedCategories: [] },
      'Bad Request: The request body has unknown keys: deniedCategories. Remove them.',
    ],
    [{ mode: 'off', riskScoreThreshold: 101 }, 'Bad Request: `riskScoreThreshold` must be at most 100.'],
    [{ mode: 'off', riskScoreThreshold: 7.5 }, 'Bad Request: `riskScoreThreshold` must be a whole number.'],
    [{ mode: 'off', failurePolicy: 'ajar' }, 'Bad Request: `failurePolicy` must be one of: open, closed.'],
    [{ mode: 'off', allowRequestOverrides: 'no' }, 'Bad Request: `allowRequestOverrides` must be true or false.'],
    [{ mode: 'off', blacklist: 'a.example' }, 'Bad Request: `blacklist` must be a list.'],
    [
      { mode: 'off', blacklist: Array(1001).fill('a.example') },
      'Bad Request: `blacklist` must have at most 1000 entries.',
    ],
    ...[
      'https://a.example',
      'a.example/x',
      'a.example:80',
      '*.*.a.example',
      '*',
      'a b.example',
      'u@a.example',
      'a..b',
    ].map((entry): [unknown, string] => [
      { mode: 'off', whitelist: [entry] },
      `Bad Request: \`whitelist.0\`: ${DOMAIN}`,
    ]),
    ...['.zip', 'ZIP', 'co.uk', '', 'z!p'].map((entry): [unknown, string] => [
      { mode: 'off', blockedTlds: [entry] },
      `Bad Request: \`blockedTlds.0\`: ${TLD}`,
    ]),
  ];
  test('that says what is wrong', async () => {
    for (const [body, error] of cases) {
      const answer = await put(keys.other, body);
      assert.deepEqual([answer.status, answer.body.error], [400, error], JSON.stringify(body).slice(0, 100));
    }
    assert.equal(((await get(keys.other)).body.data as { configured: boolean }).configured, false, 'nothing was saved');
  });
});

test('the calls about a Zscaler tenant answer 501, and say what to use instead', async () => {
  const { status, body } = await send(keys.other, 'POST', `${PATH}/zscaler/test-connection`, {});
  assert.equal(status, 501);
  assert.match(String(body.error), /PUT \/v2\/team\/threat-protection with the mode `normal`/);
});

test('only what is needed of a policy is in the audit log: who, when, and how large its lists are', async () => {
  await put(keys.locked, { mode: 'manual-only', blacklist: ['secret.example'], allowRequestOverrides: false });
  const { openSqliteStore } = await import('../../src/store/sqlite/sqlite-store.ts');
  const store = await openSqliteStore({ dataDir: scene.service.dataDir, cacheMaxBytes: 1e9, lock: false });
  const team = await store.teams.findByName('locked');
  const events = await store.audit.list({ teamId: team!.id, limit: 10 });
  await store.close();
  const change = events.find(({ action }) => action === 'threat-policy.changed');
  assert.deepEqual(
    [change?.actor, change?.details?.blacklist, change?.details?.mode],
    [keys.locked.slice(0, 11), 1, 'manual-only'],
  );
  assert.ok(!JSON.stringify(events).includes('secret.example'));
});

describe('`threatProtection` of a request', () => {
  const url = 'https://login.bad.example/';
  const scrape = (key: string, body: object) => send(key, 'POST', '/v2/scrape', { url, ...body });
  const refused = (code: string, error: string, details?: object) => ({
    status: 403,
    body: { success: false, code, error, ...(details && { details }) },
  });

  test('changes the policy for this request, and blocks with the rule that decided', async () => {
    assert.deepEqual(
      await scrape(keys.other, { threatProtection: { mode: 'manual-only', blacklist: ['*.bad.example'] } }),
      refused(
        'unsafe_domain_blocked',
        'Blocked by the blacklist of the request: *.bad.example. To allow login.bad.example anyway, add it to the whitelist of the policy.',
        { rule: 'blacklist', host: 'login.bad.example' },
      ),
    );
    await put(keys.other, { mode: 'manual-only', blockedTlds: ['example'] });
    assert.deepEqual(
      await scrape(keys.other, {}),
      refused(
        'unsafe_domain_blocked',
        "Blocked by your team's threat policy: top-level domain .example. To allow login.bad.example anyway, add it to the whitelist of the policy.",
        { rule: 'blockedTlds', host: 'login.bad.example' },
      ),
    );
  });

  test('is refused if the team lacks the feature, does not allow overrides, or has it enforced', async () => {
    const absent = await scrape(keys.absent, { threatProtection: {} });
    assert.deepEqual([absent.status, absent.body.code], [403, 'FEATURE_NOT_ENABLED']);
    assert.match(String(absent.body.error), /^Threat protection is not enabled for your team\./);
    assert.deepEqual(
      await scrape(keys.locked, { threatProtection: {} }),
      refused(
        'FEATURE_NOT_ENABLED',
        'Your team does not allow requests to change its threat policy. Send the request without `threatProtection`, or set `allowRequestOverrides` in the policy.',
      ),
    );
    assert.deepEqual(
      await scrape(keys.forced, { threatProtection: { mode: 'off' } }),
      refused(
        'FEATURE_NOT_ENABLED',
        'Threat protection is enforced for your team, so its mode cannot be lowered from `manual-only` to `off`. Leave out `mode`.',
      ),
    );
  });

  test('that would block everything is 400, and so are unknown keys', async () => {
    const closed = await scrape(keys.other, { threatProtection: { mode: 'normal' } });
    assert.deepEqual([closed.status, closed.body.error], [400, NEEDS_SERVICE]);
    const unknown = await scrape(keys.other, { threatProtection: { mode: 'normal', nope: 1 } });
    assert.deepEqual(
      [unknown.status, unknown.body.error],
      [400, 'Bad Request: `threatProtection` has unknown keys: nope. Remove them.'],
    );
  });
});
