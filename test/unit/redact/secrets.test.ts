import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findByRules } from '../../../src/redact/find-by-rules.ts';
import { expectFound, randomText } from '../../support/redaction.ts';

const SECRET = { entity: 'SECRET', language: 'en' } as const;
const BASE62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const any = (length: number, salt = '') => randomText(length, BASE62, salt);
const hex = (length: number) => randomText(length, '0123456789abcdef');
const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown) => `${base64url({ alg: 'HS256', typ: 'JWT' })}.${base64url(claims)}.${any(43)}`;

test('finds keys of services by their form', () => {
  const keys = {
    'aws-access-key': `AKIA${randomText(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
    'github-token': `ghp_${any(36)}`,
    'gitlab-token': `glpat-${any(20)}`,
    'slack-token': `xoxb-${randomText(12, '0123456789')}-${any(24)}`,
    stripe: `sk_live_${any(24)}`,
    'google-api-key': `AIza${any(35)}`,
    openai: `sk-proj-${any(48)}`,
    anthropic: `sk-ant-api03-${any(80)}`,
    npm: `npm_${any(36)}`,
    sendgrid: `SG.${any(22)}.${any(43, 'b')}`,
    mailgun: `key-${hex(32)}`,
    'telegram-bot-token': `918273645:AA${any(33)}`,
    digitalocean: `dop_v1_${hex(64)}`,
    'hugging-face': `hf_${any(34)}`,
    shopify: `shpat_${hex(32)}`,
    'v2-server': `fc-${hex(32)}`,
  };
  for (const [rule, key] of Object.entries(keys)) {
    const found = findByRules(`The key is ${key}.`, { mode: 'accurate', language: 'en' });
    assert.deepEqual(
      found.map((finding) => finding.rule),
      [rule],
      key,
    );
  }
});

test('a known form outweighs a sequence in it', () => {
  expectFound(`⟦fc-0123456789abcdef${hex(16)}⟧ ⟦ghp_${any(20)}1234567890${any(6)}⟧`, SECRET);
  expectFound(`fc-${'0'.repeat(32)} fc-your-api-key`, SECRET);
});

test('finds whole private keys and tokens', () => {
  const body = `${any(64)}\n${any(64, 'b')}\n${any(20, 'c')}=`;
  const name = 'PRIVATE KEY';
  expectFound(`Key:\n⟦-----BEGIN RSA ${name}-----\n${body}\n-----END RSA ${name}-----⟧\nEnd`, SECRET);
  expectFound(`Cut off: ⟦-----BEGIN ${name}-----\n${body}⟧`, SECRET);
  expectFound(`Authorization: Bearer ⟦${jwt({ sub: 'u-77', iat: 1 })}⟧`, SECRET);
  expectFound(`The token that everybody shows: ${jwt({ sub: '1234567890', name: 'x' })}`, SECRET);
});

test('finds values that their names give away', () => {
  expectFound('DB_PASSWORD=⟦Tr0ub4dor&3x⟧ dbPassword: "⟦kX9#mPq2⟧" Passwort: ⟦Sommer!2031⟧', SECRET);
  expectFound(`api_key = "⟦${hex(32)}⟧", clientSecret: '⟦${any(40)}⟧'`, SECRET);
  expectFound(`https://a.example/?access_token=⟦${any(32, 'x')}⟧&b=1`, SECRET);
  expectFound('The password is ⟦Tr0ub4dor&3⟧. <add key="ApiKey" value="⟦'.concat(any(32, 'v'), '⟧"/>'), SECRET);
  expectFound('postgres://⟦app:s9Df8sdf⟧@db.example:5432/app', SECRET);
  expectFound('curl -u ⟦bob:k3yb0ard-cat⟧ https://x.example; mysql -u root -p⟦S3cretive9⟧ db', SECRET);
});

test('finds passwords after their label in other languages, however the colon is written', () => {
  expectFound('Contraseña: «⟦Verano2031⟧». Mot de passe\u00a0: ⟦Soleil2031⟧ MDP\u202f: ⟦Soleil2032⟧', SECRET);
  expectFound(
    'Initialpasswort: ⟦Sommer2031⟧. Ihr Kennwort lautet: „⟦Sommer2032⟧“. Contrasen\u0303a: ⟦Verano2033⟧',
    SECRET,
  );
  expectFound('初始密码：⟦Xiatian2031⟧，请修改。パスワード：⟦Natsu2031⟧。', SECRET);
  expectFound('Contraseña: al menos 8 caracteres. Mot de passe\u00a0: au moins 8 signes. Kennwort vergessen?', SECRET);
});

test('placeholders, code, hashes and prose are no secrets', () => {
  expectFound('AKIAIOSFODNN7EXAMPLE api_key = "YOUR_API_KEY" token: <token> secret: xxxxxxxxxxxxxxxxxxxx', SECRET);
  expectFound('password = os.environ["DB_PASS"]; token: getToken(request1); apiKey: process.env.API_KEY2', SECRET);
  expectFound(`commit ${hex(40)} sha256:${hex(64)} integrity="sha512-${any(86)}=="`, SECRET);
  expectFound('id 123e4567-e89b-12d3-a456-426614174000, password={{ PASSWORD }}', SECRET);
  expectFound(
    'Password: at least 8 characters. Forgot your password? The token: a short-lived value. Secret: none',
    SECRET,
  );
  expectFound('postgres://user:password@localhost/db, https://user:pass@example.org', SECRET);
  expectFound('sk-learn-pipelines-in-production-2024', SECRET);
  expectFound('-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----', SECRET);
});
