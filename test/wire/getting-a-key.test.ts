// How somebody without a key finds out how to get one, gets one, and what can be done without.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type RunningService, startService } from '../support/service.ts';

const CLI = join(import.meta.dirname, '../../node_modules/firecrawl-cli/dist/index.js');
const LONGEST_MS = 60_000;

let service: RunningService;
before(async () => {
  service = await startService();
});
after(() => service?.stop());

/** Without a key. */
const ask = async (path: string, init: RequestInit = {}, at = service.url) => {
  const response = await fetch(new URL(path, at), init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
};

const send = (path: string, body: unknown, headers: Record<string, string> = {}, at = service.url) =>
  ask(
    path,
    { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) },
    at,
  );

describe('without a key', () => {
  test('a 401 says where to find out how to get one, whatever is wrong with the key', async () => {
    const challenge = `Bearer resource_metadata="${service.url}/.well-known/oauth-protected-resource"`;
    for (const headers of [{}, { authorization: 'Bearer fc-wrong' }, { authorization: 'Basic eDp5' }] as const) {
      for (const [method, path] of [
        ['POST', '/v2/scrape'],
        ['GET', '/v2/team/credit-usage'],
        ['GET', `/v2/crawl/${crypto.randomUUID()}`],
      ] as const) {
        const refused = await ask(path, { method, headers });
        assert.deepEqual([refused.status, refused.headers.get('www-authenticate')], [401, challenge], path);
        assert.match(refused.headers.get('access-control-expose-headers')!, /WWW-Authenticate/);
      }
    }
  });

  test('the documents of RFC 9728 and RFC 8414 describe this server', async () => {
    const shared = {
      authorization_servers: [service.url],
      scopes_supported: [
        ...['scrape', 'batch-scrape', 'crawl', 'map', 'search', 'extract'],
        ...['agent', 'parse', 'browser', 'monitor', 'research'],
      ],
      bearer_methods_supported: ['header'],
    };
    const resource = {
      resource: service.url,
      resource_name: 'Trawl',
      resource_documentation: `${service.url}/docs/23-getting-a-key`,
      ...shared,
    };
    assert.deepEqual((await ask('/.well-known/oauth-protected-resource')).body, resource);
    assert.deepEqual((await ask('/.well-known/oauth-protected-resource/v2')).body, {
      ...resource,
      resource: `${service.url}/v2`,
    });
    assert.deepEqual((await ask('/.well-known/oauth-authorization-server')).body, {
      issuer: service.url,
      resource: service.url,
      ...shared,
      response_types_supported: [],
      grant_types_supported: [],
      service_documentation: `${service.url}/docs/23-getting-a-key`,
      // Nothing is enabled by default, and the document says so.
      agent_auth: {
        skill: `${service.url}/auth.md`,
        register_uri: `${service.url}/agent/auth`,
        revocation_uri: `${service.url}/agent/auth/revoke`,
        identity_types_supported: [],
      },
    });
  });

  test('auth.md names the ways that are enabled, and only these', async () => {
    const { status, headers, text } = await ask('/auth.md');
    assert.deepEqual([status, headers.get('content-type')], [200, 'text/markdown; charset=utf-8']);
    assert.match(text, /Agents cannot get a key here by themselves/);
    assert.match(text, new RegExp(`firecrawl login --web-url ${service.url}`));
    assert.doesNotMatch(text, /identity_assertion|anonymous|## Without a key/);
  });
});

describe('the login of the command line', () => {
  const pkce = () => {
    const code_verifier = randomBytes(32).toString('base64url');
    return {
      session_id: randomBytes(32).toString('hex'),
      code_verifier,
      code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    };
  };
  type Login = ReturnType<typeof pkce>;
  const approve = ({ session_id, code_challenge }: Login, headers: Record<string, string> = {}) =>
    send('/cli-auth/approve', { session_id, code_challenge }, { origin: service.url, ...headers });
  const status = ({ session_id, code_verifier }: Login) => send('/api/auth/cli/status', { session_id, code_verifier });

  test('its page loads nothing, runs one script, and cannot be framed', async () => {
    const { status: code, headers, text } = await ask('/cli-auth?code_challenge=x&t=y');
    const policy = headers.get('content-security-policy')!;
    assert.equal(code, 200);
    const script = /<script>([\s\S]*)<\/script>/.exec(text)![1]!;
    assert.ok(policy.includes(`'sha256-${createHash('sha256').update(script).digest('base64')}'`));
    assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/);
    assert.doesNotMatch(text, /https?:\/\/|src=|href=/);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(text, /data-operator="yes"/);
    const passedOn = await ask('/cli-auth', { headers: { 'x-forwarded-for': '192.0.2.1' } });
    assert.match(passedOn.text, /data-operator="no"/);
  });

  test('the operator approves with one click, and the key is handed out once', async () => {
    const login = pkce();
    assert.deepEqual((await status(login)).body, { status: 'pending' });
    assert.deepEqual((await approve(login)).body, { success: true, teamName: 'default' });
    // What was approved is of no use without the verifier.
    const guessed = { ...login, code_verifier: pkce().code_verifier };
    assert.deepEqual((await status(guessed)).body, { status: 'pending' });
    const answers = await Promise.all(Array.from({ length: 8 }, () => status(login)));
    const complete = answers.map(({ body }) => body).filter((body) => body.status === 'complete');
    assert.equal(complete.length, 1);
    const { apiKey, ...rest } = complete[0];
    assert.deepEqual(rest, { status: 'complete', apiUrl: service.url, teamName: 'default' });
    assert.deepEqual((await status(login)).body, { status: 'pending' });
    const usage = await ask('/v2/team/credit-usage', { headers: { authorization: `Bearer ${apiKey}` } });
    assert.equal(usage.status, 200);
    assert.ok(!readFileSync(join(service.dataDir, 'store.db')).includes(apiKey));
  });

  test('behind a proxy, a key of the team approves', async () => {
    const login = pkce();
    const passedOn = { 'x-forwarded-for': '192.0.2.1' };
    const refused = await approve(login, passedOn);
    assert.deepEqual([refused.status, refused.body.code], [401, 'UNAUTHORIZED']);
    const wrong = await approve(login, { ...passedOn, authorization: 'Bearer fc-wrong' });
    assert.equal(wrong.status, 401);
    assert.deepEqual((await status(login)).body, { status: 'pending' });
    const approved = await approve(login, { ...passedOn, authorization: `Bearer ${service.key}` });
    assert.deepEqual(approved.body, { success: true, teamName: 'default' });
    assert.equal((await status(login)).body.status, 'complete');
  });

  test('another site cannot press its button', async () => {
    const login = pkce();
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: service.url, 'sec-fetch-site': 'cross-site' },
      { origin: service.url.replace('127.0.0.1', 'localhost') },
    ] as Record<string, string>[]) {
      const refused = await approve(login, headers);
      assert.deepEqual([refused.status, refused.body.code], [403, 'FORBIDDEN_ORIGIN'], JSON.stringify(headers));
    }
    const withoutOrigin = await send('/cli-auth/approve', {
      session_id: login.session_id,
      code_challenge: login.code_challenge,
    });
    assert.equal(withoutOrigin.status, 403);
    assert.deepEqual((await status(login)).body, { status: 'pending' });
  });

  test('malformed and huge requests are refused', async () => {
    const login = pkce();
    for (const body of [
      {},
      { session_id: 'x', code_verifier: login.code_verifier },
      { session_id: login.session_id.toUpperCase(), code_verifier: login.code_verifier },
      { session_id: login.session_id, code_verifier: 'short' },
      { session_id: [login.session_id], code_verifier: login.code_verifier },
    ]) {
      assert.equal((await send('/api/auth/cli/status', body)).status, 400, JSON.stringify(body));
    }
    const huge = await send('/api/auth/cli/status', { session_id: 'x'.repeat(10_000) });
    assert.deepEqual([huge.status, huge.body.code], [413, 'PAYLOAD_TOO_LARGE']);
  });

  test('the public command line logs in', { timeout: LONGEST_MS }, async (t) => {
    const home = mkdtempSync(join(tmpdir(), 'trawl-cli-login-'));
    t.after(() => rmSync(home, { recursive: true, force: true }));
    const program = spawn(process.execPath, [CLI, 'login', '--browser', '--web-url', service.url], {
      // Nothing opens a browser: there is no program for it in the path.
      env: { HOME: home, PATH: home },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.after(() => program.kill('SIGKILL'));
    let printed = '';
    const link = await new Promise<URL>((resolve, reject) => {
      program.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
        const found = /http\S+#session_id=\w{64}/.exec(printed);
        if (found) resolve(new URL(found[0]));
      });
      program.once('close', () => reject(new Error(printed)));
    });
    assert.equal((await ask(link.pathname + link.search)).status, 200);
    const session_id = new URLSearchParams(link.hash.slice(1)).get('session_id')!;
    await approve({ session_id, code_challenge: link.searchParams.get('code_challenge')!, code_verifier: '' });
    const [code] = await once(program, 'close');
    assert.equal(code, 0, printed);
    assert.match(printed, /Login successful!\s+Team: default/);
    const stored = JSON.parse(readFileSync(join(home, '.config/firecrawl-cli/credentials.json'), 'utf8'));
    assert.equal(stored.apiUrl, service.url);
    assert.match(stored.apiKey, /^fc-\w{32}$/);
  });
});
