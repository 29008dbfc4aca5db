// Which agent providers the operator trusts, as the setting says it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { issuerOrigins, parseAgentIssuers } from '../../../../src/policy/agents/agent-issuers.ts';

test('a list of issuers is enough: their keys are at the usual place', () => {
  const issuers = parseAgentIssuers(' https://a.example , https://b.example/agents/ ');
  assert.deepEqual(
    issuers.map(({ issuer, jwks }) => [issuer, jwks]),
    [
      ['https://a.example', 'https://a.example/.well-known/jwks.json'],
      ['https://b.example/agents/', 'https://b.example/agents/.well-known/jwks.json'],
    ],
  );
  assert.deepEqual(issuerOrigins(issuers), ['https://a.example', 'https://b.example']);
});

test('JSON says what the keys of an issuer may do', () => {
  const [issuer] = parseAgentIssuers(
    '[{"issuer":"urn:x","jwks":"/etc/keys.json","team":"agents","scopes":["map"],"monthlyCredits":5,"emailDomains":["@A.example"]}]',
  );
  assert.deepEqual(issuer, {
    issuer: 'urn:x',
    jwks: '/etc/keys.json',
    team: 'agents',
    limits: { operations: ['map'], monthlyCredits: 5 },
    emailDomains: ['a.example'],
  });
  assert.deepEqual(issuerOrigins([issuer!]), []);
});

test('what cannot be safe or meant is refused', () => {
  const wrong: [text: string, message: RegExp][] = [
    ['urn:x', /needs "jwks"/],
    ['http://a.example', /must be an https URL/],
    ['[{"issuer":"urn:x","jwks":"http://93.184.215.14/keys"}]', /must be an https URL/],
    ['https://user:pass@a.example', /not a URL of keys/],
    ['https://a.example,https://a.example', /twice/],
    ['[{"issuer":"https://a.example","team":"default"}]', /team `default`/],
    ['[{"issuer":"https://a.example","scopes":["everything"]}]', /scopes/],
    ['[{"issuer":"https://a.example","teams":"x"}]', /teams/],
    ['[{"issuer"', /JSON/],
  ];
  for (const [text, message] of wrong) assert.throws(() => parseAgentIssuers(text), message, text);
  for (const text of ['http://127.0.0.1:8080', 'http://10.1.2.3', 'http://provider:4000', 'http://idp.internal'])
    assert.equal(parseAgentIssuers(text).length, 1, text);
});
