// How somebody without a key finds out how to get one, gets one, and what can be done without.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { after, before, describe } from 'node:test';
import { exportSPKI, importJWK, SignJWT } from 'jose';
import { type AgentProvider, startAgentProvider } from '../support/agent-provider.ts';
import { NEEDS_BROWSER } from '../support/browser/browser.ts';
import { fullTest, test } from '../support/full-run.ts';
import { NEEDS_SANDBOX } from '../support/sandbox.ts';
import type { RunningService } from '../support/service.ts';
import { startServiceHere, startServiceHereWith } from '../support/service-here.ts';
import { startWeb, type Web } from '../support/web.ts';

const CLI = join(import.meta.dirname, '../../node_modules/firecrawl-cli/dist/index.js');
const LONGEST_MS = 60_000;
type AuditEvent = Record<'actor' | 'address' | 'action' | 'target' | 'team', string | null> & { details: unknown };
const NO_CODE = NEEDS_BROWSER.skip || NEEDS_SANDBOX.skip;

let service: RunningService;
before(async () => {
  service = await startServiceHere();
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
        ...['agent', 'parse', 'browser', 'monitor', 'collection', 'research'],
      ],
      bearer_methods_supported: ['header'],
    };
    const resource = {
      resource: service.url,
      resource_name: 'Trawl',
      resource_documentation: `${service.url}/docs/operate/getting-a-key`,
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
      service_documentation: `${service.url}/docs/operate/getting-a-key`,
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
    const { apiKey } = (await status(login)).body;
    const response = await service.fetch('/v2/team/audit?limit=2');
    const [made, clicked] = ((await response.json()) as { data: AuditEvent[] }).data;
    const by = { actor: service.key.slice(0, 11), address: '127.0.0.1' };
    const shown = ({ actor, address, action, target }: AuditEvent) => ({ actor, address, action, target });
    assert.deepEqual(shown(clicked!), { ...by, action: 'login.approved', target: null });
    assert.deepEqual(shown(made!), { ...by, action: 'key.created', target: apiKey.slice(0, 11) });
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

  /** As `fetch` cannot send it: with this Host, or from another address of this machine. */
  const sendRaw = async (path: string, body: object | undefined, { host, from }: { host?: string; from?: string }) => {
    const { hostname, port } = new URL(service.url);
    const outgoing = request({
      ...{ hostname, port, path, method: body ? 'POST' : 'GET', localAddress: from },
      headers: {
        ...{ origin: `http://${host ?? `${hostname}:${port}`}`, 'sec-fetch-site': 'same-origin' },
        ...(host && { host }),
        ...(body && { 'content-type': 'application/json', 'content-length': JSON.stringify(body).length }),
      },
    });
    outgoing.end(body && JSON.stringify(body));
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, text: await readText(answer) };
  };

  test('a foreign name for this machine, and another user of it, have to send a key', async () => {
    const login = pkce();
    const { session_id, code_challenge, code_verifier } = login;
    const strangers = [
      { host: `rebound.example:${new URL(service.url).port}` },
      // Only Linux says whose a connection is, and then an unusual address is taken for somebody else's.
      ...(process.platform === 'linux' ? [{ from: '127.0.0.2' }] : []),
    ];
    for (const stranger of strangers) {
      assert.match((await sendRaw('/cli-auth', undefined, stranger)).text, /data-operator="no"/);
      const refused = await sendRaw('/cli-auth/approve', { session_id, code_challenge }, stranger);
      assert.equal(refused.status, 401, JSON.stringify(stranger));
    }
    // Somebody sent the operator a link: the click gives that person nothing.
    assert.equal((await approve(login)).status, 200);
    for (const stranger of strangers) {
      const { text } = await sendRaw('/api/auth/cli/status', { session_id, code_verifier }, stranger);
      assert.deepEqual(JSON.parse(text), { status: 'pending' });
    }
    assert.equal((await status(login)).body.status, 'complete');
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

  fullTest('the public command line logs in', { timeout: LONGEST_MS }, async (t) => {
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

describe('agents that get a key by themselves', () => {
  const PUBLIC_URL = 'https://trawl.example.org';
  const ASSERTION_TYPE = 'urn:ietf:params:oauth:token-type:id-jag';
  /** As the log shows the key in TRAWL_API_KEY. */
  const OPERATOR = 'TRAWL_API_KEY';
  const GROUPS = ['scrape', 'batch-scrape', 'crawl', 'map', 'search', 'extract', 'agent', 'parse', 'browser'];
  let provider: AgentProvider;
  let byFile: AgentProvider;
  let open: RunningService;
  const folder = mkdtempSync(join(tmpdir(), 'trawl-agents-'));
  const settings = () => ({
    TRAWL_API_KEY: 'operator-of-the-test',
    TRAWL_DATA_DIR: join(folder, 'data'),
    TRAWL_PUBLIC_URL: PUBLIC_URL,
    TRAWL_TRUSTED_PROXIES: '127.0.0.1',
    TRAWL_AGENT_ANONYMOUS: 'limited',
    TRAWL_AGENT_ANONYMOUS_MAX: '3',
    TRAWL_AGENT_ISSUERS: JSON.stringify([
      { issuer: provider.issuer },
      {
        issuer: 'urn:by-file',
        jwks: join(folder, 'jwks.json'),
        team: 'partners',
        scopes: ['scrape', 'map'],
        emailDomains: ['example.org'],
        expiresInDays: 30,
      },
    ]),
  });
  before(async () => {
    [provider, byFile] = await Promise.all([startAgentProvider('ES256'), startAgentProvider('EdDSA')]);
    writeFileSync(join(folder, 'jwks.json'), JSON.stringify(byFile.jwks()));
    open = await startServiceHere(settings());
  });
  after(async () => {
    await Promise.all([open?.stop(), provider?.stop(), byFile?.stop()]);
    rmSync(folder, { recursive: true, force: true });
  });

  let addresses = 0;
  const nextAddress = () => {
    addresses += 1;
    return `198.51.100.${addresses}`;
  };
  /** Each call comes from another address, so that only tests of the limit meet it. */
  const register = (body: unknown, address = nextAddress()) =>
    send('/agent/auth', body, { 'x-forwarded-for': address }, open.url);
  const present = async (assertion: string | Promise<string>, more: object = {}) =>
    register({ type: 'identity_assertion', assertion_type: ASSERTION_TYPE, assertion: await assertion, ...more });
  const operator = (path: string, init: RequestInit = {}) =>
    ask(path, { ...init, headers: { ...init.headers, authorization: 'Bearer operator-of-the-test' } }, open.url);
  const latest = async (action: string) => {
    const [event] = (await operator(`/v2/team/audit?team=all&action=${action}&limit=1`)).body.data as AuditEvent[];
    const { actor, address, target, details } = event!;
    return { actor, address, target, details };
  };
  const withKey = (key: string, path: string) => ask(path, { headers: { authorization: `Bearer ${key}` } }, open.url);
  const refused = (
    answer: Awaited<ReturnType<typeof ask>>,
    status: number,
    error: string,
    description: RegExp = /./,
  ) => {
    assert.deepEqual([answer.status, answer.body.error], [status, error], answer.text);
    assert.match(answer.body.error_description, description);
    assert.deepEqual(Object.keys(answer.body), ['error', 'error_description', 'message']);
  };

  test('the documents name what is enabled', async () => {
    const { agent_auth } = (await ask('/.well-known/oauth-authorization-server', {}, open.url)).body;
    assert.deepEqual(agent_auth, {
      skill: `${PUBLIC_URL}/auth.md`,
      register_uri: `${PUBLIC_URL}/agent/auth`,
      claim_uri: `${PUBLIC_URL}/agent/auth/claim`,
      revocation_uri: `${PUBLIC_URL}/agent/auth/revoke`,
      identity_types_supported: ['identity_assertion', 'anonymous'],
      identity_assertion: { assertion_types_supported: [ASSERTION_TYPE], credential_types_supported: ['api_key'] },
      anonymous: { credential_types_supported: ['api_key'] },
    });
    const guide = (await ask('/auth.md', {}, open.url)).text;
    assert.ok(guide.includes(`- ${provider.issuer}`) && guide.includes('"type": "anonymous"'), guide);
  });

  test('an assertion gives a key that works, and a second one another key of the same registration', async () => {
    const first = await present(provider.sign(PUBLIC_URL), { requested_credential_type: 'api_key' });
    assert.equal(first.status, 200, first.text);
    const { registration_id, credential, ...rest } = first.body;
    assert.deepEqual(rest, {
      registration_type: 'agent-provider',
      credential_type: 'api_key',
      credential_expires: null,
      scopes: [...GROUPS, 'monitor', 'collection', 'research'],
    });
    assert.equal(first.headers.get('cache-control'), 'no-store');
    assert.equal((await withKey(credential, '/v2/team/credit-usage')).status, 200);
    const keys = [credential];
    for (let count = 0; count < 5; count++) {
      const next = (await present(provider.sign(`${PUBLIC_URL}/v2`))).body;
      assert.equal(next.registration_id, registration_id);
      keys.push(next.credential);
    }
    // Five keys work; the oldest has ended.
    const statuses = await Promise.all(keys.map(async (key) => (await withKey(key, '/v2/team/credit-usage')).status));
    assert.deepEqual(statuses, [401, 200, 200, 200, 200, 200]);
    const another = (await present(provider.sign(PUBLIC_URL, { sub: 'another' }))).body;
    assert.notEqual(another.registration_id, registration_id);
    const { details, ...registered } = await latest('agent.registered');
    assert.deepEqual([registered.actor, registered.target], ['agent', another.credential.slice(0, 11)]);
    const { person, ...which } = details as { person: string };
    assert.deepEqual(which, { issuer: provider.issuer, registration: another.registration_id });
    assert.match(person, /^\w{12}$/);
    // Persons without a common team see nothing of each other.
    const own = await ask('/v2/team/keys', { headers: { authorization: `Bearer ${another.credential}` } }, open.url);
    assert.equal(own.body.data.length, 1);
    assert.match(own.body.data[0].label, /^agent of 127\.0\.0\.1:\d+, person \w{12}$/);
  });

  test('what an issuer may give is what the operator has set for it', async () => {
    const claims = { iss: 'urn:by-file', email: 'someone@EXAMPLE.org' };
    const { body } = await present(byFile.sign(PUBLIC_URL, claims));
    assert.deepEqual(body.scopes, ['scrape', 'map']);
    const days = (Date.parse(body.credential_expires) - Date.now()) / 86_400_000;
    assert.ok(days > 29 && days <= 30, body.credential_expires);
    const [key] = (await operator('/v2/teams')).body.data.filter(({ name }: { name: string }) => name === 'partners');
    assert.equal(key.keys, 1);
    refused(
      await present(byFile.sign(PUBLIC_URL, { ...claims, email: 'a@example.org.evil.example' })),
      403,
      'access_denied',
    );
    const phone = { ...claims, email: undefined, phone_number: '+15550100', phone_number_verified: true };
    refused(await present(byFile.sign(PUBLIC_URL, phone)), 403, 'access_denied');
  });

  test('every way in which an assertion can be wrong has its error', async () => {
    const now = Math.floor(Date.now() / 1000);
    const other = await startAgentProvider('ES256');
    const rsa = await startAgentProvider('RS256');
    try {
      const cases: [assertion: string, status: number, error: string, description?: RegExp][] = [
        [await other.sign(PUBLIC_URL), 403, 'issuer_not_enabled', /TRAWL_AGENT_ISSUERS/],
        [await provider.sign(PUBLIC_URL, { iss: undefined }), 403, 'issuer_not_enabled'],
        [await other.sign(PUBLIC_URL, { iss: provider.issuer }), 400, 'invalid_signature'],
        [await other.sign(PUBLIC_URL, { iss: provider.issuer }, { kid: 'unknown' }), 400, 'invalid_signature'],
        [await rsa.sign(PUBLIC_URL, { iss: provider.issuer }), 400, 'invalid_signature'],
        [await provider.sign('https://other.example'), 400, 'audience_mismatch', /`resource`/],
        [await provider.sign(PUBLIC_URL, { aud: [PUBLIC_URL, 'https://other.example'] }), 400, 'audience_mismatch'],
        [await provider.sign(PUBLIC_URL, { aud: undefined }), 400, 'audience_mismatch'],
        [await provider.sign(PUBLIC_URL, { iat: now - 600, exp: now - 300 }), 400, 'credential_expired'],
        [await provider.sign(PUBLIC_URL, { exp: now + 3_600 }), 400, 'invalid_request', /within 5 minutes/],
        [await provider.sign(PUBLIC_URL, { exp: undefined }), 400, 'invalid_request', /`exp`/],
        [await provider.sign(PUBLIC_URL, { exp: 'soon' }), 400, 'invalid_request', /`exp`/],
        [await provider.sign(PUBLIC_URL, { iat: now + 600, exp: now + 300 }), 400, 'invalid_request', /`iat`/],
        [await provider.sign(PUBLIC_URL, { iat: undefined }), 400, 'invalid_request', /`iat`/],
        [await provider.sign(PUBLIC_URL, { nbf: now + 600 }), 400, 'invalid_request', /`nbf`/],
        [await provider.sign(PUBLIC_URL, { jti: undefined }), 400, 'invalid_request', /`jti`/],
        [await provider.sign(PUBLIC_URL, { jti: 'x'.repeat(2_000) }), 400, 'invalid_request', /`jti`/],
        [await provider.sign(PUBLIC_URL, { sub: '' }), 400, 'invalid_request', /`sub`/],
        [await provider.sign(PUBLIC_URL, {}, { typ: 'JWT' }), 400, 'invalid_request', /`typ`/],
        [await provider.sign(PUBLIC_URL, { email_verified: false }), 400, 'missing_verified_email'],
        [await provider.sign(PUBLIC_URL, { email_verified: 'true' }), 400, 'missing_verified_email'],
        [await provider.sign(PUBLIC_URL, { email: undefined }), 400, 'missing_verified_email'],
        ['not a token', 400, 'invalid_request', /JWT/],
        [`${'a'.repeat(3_000)}.${'b'.repeat(3_000)}.c`, 400, 'invalid_request', /JWT/],
      ];
      for (const [assertion, ...expected] of cases) refused(await present(assertion), ...expected);
    } finally {
      await Promise.all([other.stop(), rsa.stop()]);
    }
  });

  test('forged tokens are refused: no algorithm, a public key as a secret, a changed payload', async () => {
    const good = await provider.sign(PUBLIC_URL);
    const [, payload, signature] = good.split('.') as [string, string, string];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const [jwk] = provider.jwks().keys;
    const publicKey = (await importJWK(jwk!, 'ES256')) as Parameters<typeof exportSPKI>[0];
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const secrets = [await exportSPKI(publicKey), JSON.stringify(jwk), jwk!.x!];
    const withSecret = secrets.map((secret) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'key-1', typ: 'oauth-id-jag+jwt' })
        .sign(Buffer.from(secret)),
    );
    const forged = [
      `${encode({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${payload}.`,
      `${encode({ alg: 'ES256', typ: 'oauth-id-jag+jwt', kid: 'key-1', jwk })}.${payload}.${signature}`,
      `${encode({ alg: 'ES256', kid: 'key-1', crit: ['exp'], exp: 1 })}.${payload}.${signature}`,
      `${good.split('.')[0]}.${encode({ ...claims, sub: 'somebody else' })}.${signature}`,
      ...(await Promise.all(withSecret)),
    ];
    for (const token of forged) refused(await present(token), 400, 'invalid_signature');
    // The real one was not used up by them.
    assert.equal((await present(good)).status, 200);
  });

  test('a key that the provider has made since is fetched, and made-up key ids are not', async () => {
    const before = provider.fetches();
    for (let count = 0; count < 5; count++)
      refused(await present(provider.sign(PUBLIC_URL, {}, { kid: `made-up-${count}` })), 400, 'invalid_signature');
    assert.ok(provider.fetches() - before <= 1);
  });

  test('an assertion is used once: also by 32 at the same time, and after a restart', async () => {
    const assertion = await provider.sign(PUBLIC_URL, { sub: 'parallel' });
    const answers = await Promise.all(Array.from({ length: 32 }, () => present(assertion)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 1);
    for (const answer of answers) if (answer.status !== 200) refused(answer, 400, 'replay_detected');
    await open.stop();
    open = await startServiceHere(settings());
    refused(await present(assertion), 400, 'replay_detected');
    assert.equal((await present(provider.sign(PUBLIC_URL, { sub: 'parallel' }))).status, 200);
  });

  test('other types and malformed requests are refused', async () => {
    refused(await present('x', { requested_credential_type: 'access_token' }), 400, 'unsupported_credential_type');
    refused(await present('x', { assertion_type: 'verified_email' }), 400, 'invalid_request', /id-jag/);
    refused(await register({ type: 'identity_assertion', assertion_type: ASSERTION_TYPE }), 400, 'invalid_request');
    for (const body of [{}, { type: 'other' }, { type: 'anonymous', assertion: 5 }, [], 'text'])
      refused(await register(body), 400, 'invalid_request');
    const huge = await register({ type: 'anonymous', assertion: 'x'.repeat(20_000) });
    refused(huge, 413, 'invalid_request', /16384 bytes/);
  });

  test('an anonymous agent gets a small key, which the operator approves', async () => {
    const address = '203.0.113.7';
    const { status, body, text } = await register({ type: 'anonymous', requested_credential_type: 'api_key' }, address);
    assert.equal(status, 200, text);
    const { registration_id: id, credential, credential_expires, claim_token, ...rest } = body;
    assert.match(claim_token, /^clm_\w{48}$/);
    assert.deepEqual(rest, {
      registration_type: 'anonymous',
      credential_type: 'api_key',
      scopes: ['scrape', 'search', 'map'],
      claim_url: `${PUBLIC_URL}/agent/auth/claim`,
      claim_token_expires: credential_expires,
      post_claim_scopes: [...GROUPS, 'monitor', 'collection', 'research'],
    });
    const crawl = () =>
      send('/v2/crawl', { url: 'https://example.org' }, { authorization: `Bearer ${credential}` }, open.url);
    assert.deepEqual([(await crawl()).status, (await crawl()).body.code], [403, 'KEY_RESTRICTED']);

    const claim = (token: string, email?: string) =>
      send('/agent/auth/claim', { claim_token: token, ...(email && { email }) }, {}, open.url);
    refused(await claim('clm_unknown'), 404, 'invalid_claim_token');
    const initiated = { registration_id: id, status: 'initiated', expires_at: credential_expires };
    assert.deepEqual((await claim(claim_token, 'me@example.org')).body, initiated);
    // An agent cannot approve itself.
    const own = { authorization: `Bearer ${credential}` };
    assert.equal((await send(`/v2/claims/${id}/approve`, {}, own, open.url)).body.code, 'KEY_RESTRICTED');
    const [listed] = (await operator('/v2/claims')).body.data;
    assert.deepEqual([listed.id, listed.email, listed.key], [id, 'me@example.org', credential.slice(0, 11)]);
    const json = { 'content-type': 'application/json' };
    const approve = (body_: object) =>
      operator(`/v2/claims/${id}/approve`, { method: 'POST', headers: json, body: JSON.stringify(body_) });
    assert.equal((await approve({ plan: 'no such plan' })).status, 400);
    assert.deepEqual((await approve({ limits: { operations: ['crawl'] } })).body, {
      success: true,
      data: { id, key: credential.slice(0, 11) },
    });
    assert.deepEqual([(await approve({})).status, (await approve({})).body.code], [404, 'KEY_NOT_FOUND']);
    assert.deepEqual((await claim(claim_token)).body, { ...initiated, status: 'claimed', expires_at: null });
    assert.equal((await crawl()).status, 200);
    assert.deepEqual((await operator('/v2/claims')).body.data, []);
    const of = { target: credential.slice(0, 11), details: { registration: id } };
    const agent = { actor: 'agent', address };
    assert.deepEqual(await latest('agent.registered'), { ...agent, ...of });
    assert.deepEqual(await latest('key.claimed'), { actor: OPERATOR, address: '127.0.0.1', ...of });
  });

  test('the operator can deny an anonymous agent, which loses its key at once', async () => {
    const { body } = await register({ type: 'anonymous' }, '203.0.113.8');
    const { registration_id: id, credential, claim_token } = body;
    const map = () => send('/v2/map', { url: 'nonsense' }, { authorization: `Bearer ${credential}` }, open.url);
    assert.equal((await map()).status, 400);
    const deny = () => operator(`/v2/claims/${id}/deny`, { method: 'POST' });
    assert.deepEqual((await deny()).body, { success: true, data: { id, key: credential.slice(0, 11) } });
    assert.equal((await map()).status, 401);
    assert.deepEqual((await operator('/v2/claims')).body.data, []);
    refused(await send('/agent/auth/claim', { claim_token }, {}, open.url), 404, 'invalid_claim_token');
    assert.deepEqual([(await deny()).status, (await deny()).body.code], [404, 'KEY_NOT_FOUND']);
    assert.equal((await latest('key.revoked')).target, credential.slice(0, 11));
  });

  test('anonymous agents are limited by address and in all, and keys can be given back', async () => {
    const one = await register({ type: 'anonymous' });
    await register({ type: 'anonymous' });
    const [two, three] = await Promise.all([register({ type: 'anonymous' }), register({ type: 'anonymous' })]);
    const statuses = [two.status, three.status].sort();
    assert.deepEqual(statuses, [200, 429]);
    refused(two.status === 429 ? two : three, 429, 'rate_limited', /wait for approval/);
    const many = await Promise.all(Array.from({ length: 8 }, () => register({ type: 'anonymous' }, '203.0.113.99')));
    const limited = many.filter(({ body }) => /Retry-After/.test(body.error_description ?? ''));
    assert.equal(limited.length, 3);
    assert.ok(Number(limited[0]!.headers.get('retry-after')) > 0);

    const revoke = (token: string) => send('/agent/auth/revoke', { token }, {}, open.url);
    for (const token of [one.body.credential, one.body.credential, 'fc-unknown', 'operator-of-the-test']) {
      const { status, body } = await revoke(token);
      assert.deepEqual([status, body], [200, {}]);
    }
    assert.equal((await withKey(one.body.credential, '/v2/team/credit-usage')).status, 401);
    assert.equal((await operator('/v2/team/credit-usage')).status, 200);
  });

  test('where nothing is enabled, the answer says so', async () => {
    const anonymous = await send('/agent/auth', { type: 'anonymous' });
    refused(anonymous, 403, 'anonymous_not_enabled', /auth\.md/);
    const assertion = await provider.sign(service.url);
    const known = { type: 'identity_assertion', assertion_type: ASSERTION_TYPE, assertion };
    refused(await send('/agent/auth', known), 403, 'issuer_not_enabled');
  });
});

describe('use without a key', () => {
  const SECRET = 'secret-of-the-proxy';
  const folder = mkdtempSync(join(tmpdir(), 'trawl-keyless-'));
  const settings = {
    TRAWL_API_KEY: 'operator-of-the-test',
    TRAWL_DATA_DIR: folder,
    TRAWL_TRUSTED_PROXIES: '127.0.0.1',
    TRAWL_KEYLESS: 'limited',
    TRAWL_KEYLESS_REQUESTS: '5',
    TRAWL_KEYLESS_CREDITS: '3',
    TRAWL_KEYLESS_SECRET: SECRET,
    TRAWL_PLANS: JSON.stringify({ free: { rates: { scrape: 1_000, search: 1_000, account: 1_000 } } }),
    TRAWL_BROWSER: 'auto',
    TRAWL_BROWSER_EXECUTE: 'on',
  };
  let web: Web;
  let open: RunningService;
  before(async () => {
    web = await startWeb();
    open = await startServiceHereWith(web, settings);
  });
  after(async () => {
    await open?.stop();
    await web?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const call = (path: string, body: unknown, address: string, headers: Record<string, string> = {}) =>
    send(path, body, { 'x-forwarded-for': address, ...headers }, open.url);
  const scrape = (address: string, headers = {}, more = {}) =>
    call('/v2/scrape', { url: web.url('news.test', '/article/1'), ...more }, address, headers);
  const rate = (address: string) =>
    call('/v2/feedback', { endpoint: 'scrape', jobId: crypto.randomUUID(), rating: 'good' }, address);
  const isUsedUp = ({ status, headers, body }: Awaited<ReturnType<typeof ask>>, reason: string) => {
    const { error, retry_after_seconds, ...rest } = body;
    assert.deepEqual([status, rest], [429, { success: false, reason }]);
    assert.match(error, /used up for your address\. Send a key/);
    assert.ok(retry_after_seconds >= 1 && retry_after_seconds <= 86_400);
    assert.equal(headers.get('retry-after'), String(retry_after_seconds));
  };
  const eligibility = (headers: Record<string, string>) => ask('/v2/keyless/eligibility', { headers }, open.url);
  const eligible = async (address: string) =>
    (await eligibility({ 'x-firecrawl-keyless-secret': SECRET, 'x-firecrawl-keyless-ip': address })).body;

  test('a page is scraped without a key, whatever clients send in its place', async () => {
    for (const headers of [{}, { authorization: 'Bearer ' }, { authorization: 'Bearer undefined' }] as const) {
      const { status, body, text } = await scrape('192.0.2.1', headers);
      assert.equal(status, 200, text);
      assert.equal(body.success, true);
    }
    const searched = await call('/v2/search', { query: 'boats' }, '192.0.2.2');
    assert.equal(searched.status, 200, searched.text);
    assert.match((await ask('/auth.md', {}, open.url)).text, /up to 5 requests and 3 credits a day/);
  });

  test('a file is parsed and an answer is rated without a key', async () => {
    const form = new FormData();
    form.append('file', new File(['<h1>Boats</h1><p>They float.</p>'], 'boats.html'));
    const headers = { 'x-forwarded-for': '192.0.2.40', authorization: 'Bearer undefined' };
    const parsed = await ask('/v2/parse', { method: 'POST', body: form, headers }, open.url);
    assert.equal(parsed.status, 200, parsed.text);
    const { scrapeId, creditsUsed, sourceFile } = parsed.body.data.metadata;
    assert.deepEqual(
      [parsed.body.success, parsed.body.data.markdown.trim(), creditsUsed, sourceFile],
      [true, '# Boats\n\nThey float.', 1, 'boats.html'],
    );
    const rateIt = () =>
      call('/v2/feedback', { endpoint: 'parse', jobId: scrapeId, rating: 'good' }, '192.0.2.40', {
        authorization: 'Bearer ',
      });
    const rated = await rateIt();
    const { feedbackId, ...rest } = rated.body;
    assert.equal(rated.status, 200, rated.text);
    assert.deepEqual(rest, { success: true, creditsRefunded: 0, creditsRefundedToday: 0, dailyRefundCap: 0 });
    assert.deepEqual((await rateIt()).body, { ...rated.body, feedbackId, alreadySubmitted: true });
    const content = await call('/v2/scrape', { url: web.url('news.test', '/') }, '192.0.2.40', {
      authorization: 'Bearer null',
    });
    assert.equal(content.status, 200, content.text);
  });

  test('a page with credentials in its address is not kept: others without a key would find it', async () => {
    const cacheState = async (address: string, path: string) =>
      (await call('/v2/scrape', { url: web.url('news.test', path) }, address)).body.data.metadata.cacheState;
    const secret = '/article/2?access_token=8f4b1c7e9d2a4f60b3c5';
    assert.deepEqual(
      [await cacheState('192.0.2.41', secret), await cacheState('192.0.2.41', secret)],
      ['miss', 'miss'],
    );
    assert.equal(await cacheState('192.0.2.42', secret), 'miss');
    assert.deepEqual(
      [await cacheState('192.0.2.41', '/article/2'), await cacheState('192.0.2.42', '/article/2')],
      ['miss', 'hit'],
    );
  });

  test('only the caller that scraped a page goes on with it', { skip: NO_CODE }, async () => {
    const [own, other] = ['192.0.2.43', '192.0.2.44'];
    const { scrapeId } = (await scrape(own)).body.data.metadata;
    const path = `/v2/scrape/${scrapeId}/interact`;
    const code = { code: 'console.log(await page.title())' };
    const stop = (address: string) =>
      ask(path, { method: 'DELETE', headers: { 'x-forwarded-for': address } }, open.url);
    const expect = (answer: Awaited<ReturnType<typeof ask>>, status: number, errorCode: string) =>
      assert.deepEqual([answer.status, answer.body.success, answer.body.code], [status, false, errorCode], answer.text);
    // At the same time, too, while the session of the first is being opened.
    const [used, refused] = await Promise.all([call(path, code, own), call(path, code, other)]);
    expect(refused, 404, 'JOB_NOT_FOUND');
    assert.deepEqual([used.status, used.body.success, used.body.exitCode], [200, true, 0], used.text);
    expect(await call(path, code, other), 404, 'JOB_NOT_FOUND');
    const { sessionId: existingSessionId } = used.body;
    expect(await call(path, { ...code, existingSessionId }, other), 404, 'SESSION_NOT_FOUND');
    expect(await stop(other), 404, 'SESSION_NOT_FOUND');
    const stopped = await stop(own);
    assert.deepEqual([stopped.status, stopped.body.status, stopped.body.creditsBilled], [200, 'destroyed', 2]);
    isUsedUp(await scrape(own), 'credits');
  });

  test('everything else needs a key, and a wrong key is wrong', async () => {
    const { body } = await scrape('192.0.2.3');
    const id = body.data.metadata.scrapeId as string;
    for (const [method, path] of [
      ['POST', '/v2/map'],
      ['POST', '/v2/crawl'],
      ['POST', '/v2/agent'],
      ['GET', `/v2/scrape/${id}`],
      ['POST', '/v2/parse/upload-url'],
      ['POST', '/v2/batch/scrape'],
      ['POST', '/v2/extract'],
      ['POST', '/v2/browser'],
      ['POST', '/v2/monitor'],
      ['GET', '/v2/team/activity'],
      ['GET', '/v2/team/credit-usage'],
      ['GET', '/v2/team/keys'],
      ['GET', '/v2/interact'],
      ['GET', '/metrics'],
    ] as const) {
      const refused = await ask(path, { method, headers: { 'x-forwarded-for': '192.0.2.3' } }, open.url);
      assert.deepEqual([refused.status, refused.body.code], [401, 'UNAUTHORIZED'], path);
    }
    assert.equal((await scrape('192.0.2.3', { authorization: 'Bearer fc-wrong' })).status, 401);
  });

  test('what a team finds again by name is refused: others without a key would find it', async () => {
    for (const more of [{ profile: { name: 'mine' } }, { formats: ['markdown', 'changeTracking'] }]) {
      const { status, body } = await scrape('192.0.2.4', {}, more);
      assert.deepEqual([status, body.code], [403, 'KEY_RESTRICTED']);
      assert.match(body.error, /needs a key/);
    }
    const nested = { query: 'boats', scrapeOptions: { profile: { name: 'mine' }, formats: ['markdown'] } };
    assert.equal((await call('/v2/search', nested, '192.0.2.4')).status, 403);
  });

  test('an IPv6 address is refused, and so is one that the sender made up', async () => {
    for (const address of ['2001:db8::1', 'unknown']) {
      const { status, body } = await scrape(address);
      assert.deepEqual([status, body.code], [401, 'UNAUTHORIZED']);
      assert.match(body.error, /only served for IPv4/);
    }
    // Mapped addresses are IPv4 addresses, so they count as those.
    for (let count = 0; count < 3; count++) assert.equal((await scrape('192.0.2.5')).status, 200);
    isUsedUp(await scrape('::ffff:192.0.2.5'), 'credits');
  });

  test('32 requests at the same time use no more than the requests of a day', async () => {
    const answers = await Promise.all(Array.from({ length: 32 }, () => rate('192.0.2.10')));
    assert.equal(answers.filter(({ status }) => status === 404).length, 5);
    for (const answer of answers) if (answer.status !== 404) isUsedUp(answer, 'requests');
    assert.equal((await rate('192.0.2.11')).status, 404);
    const { retryAfterSeconds, ...rest } = await eligible('192.0.2.10');
    assert.deepEqual(rest, { eligible: false, reason: 'requests' });
    assert.ok(retryAfterSeconds > 0);
  });

  test('at the same time as well, no more than the credits of a day are used, and a restart forgets nothing', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => scrape('192.0.2.20')));
    assert.equal(answers.filter(({ status }) => status === 200).length, 3);
    for (const answer of answers) if (answer.status !== 200) isUsedUp(answer, 'credits');
    await open.stop();
    open = await startServiceHereWith(web, settings);
    isUsedUp(await scrape('192.0.2.20'), 'requests');
    isUsedUp(await rate('192.0.2.10'), 'requests');
    // Three scrapes of this address were made before.
    const { retryAfterSeconds: _, ...rest } = await eligible('192.0.2.1');
    assert.deepEqual(rest, { eligible: false, reason: 'credits' });
    assert.deepEqual(await eligible('192.0.2.99'), { eligible: true });
    assert.ok(!readFileSync(join(folder, 'store.db')).includes('192.0.2.20'));
  });

  test('a proxy that knows the secret asks about addresses and sends requests for them', async () => {
    assert.deepEqual(await eligible('2001:db8::1'), { eligible: false, reason: 'ipv6' });
    const ip = { 'x-firecrawl-keyless-ip': '192.0.2.30' };
    for (const headers of [ip, { ...ip, 'x-firecrawl-keyless-secret': 'guessed' }]) {
      const refused = await eligibility(headers);
      assert.deepEqual([refused.status, refused.body.code], [401, 'UNAUTHORIZED']);
    }
    assert.equal((await eligibility({ 'x-firecrawl-keyless-secret': SECRET })).status, 400);
    // Without the secret, the header changes nothing.
    isUsedUp(await scrape('192.0.2.20', ip), 'requests');
    assert.equal((await scrape('192.0.2.20', { ...ip, 'x-firecrawl-keyless-secret': SECRET })).status, 200);
    const off = await ask('/v2/keyless/eligibility');
    assert.deepEqual([off.status, off.body.code], [404, 'NOT_FOUND']);
  });
});
