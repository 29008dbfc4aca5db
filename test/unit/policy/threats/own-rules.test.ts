// The rules that a team writes itself, as a table.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { threatPolicy } from '../../../../src/contracts/threats/threat-protection.ts';
import { compileRules } from '../../../../src/policy/threats/own-rules.ts';

type Given = Partial<Record<'whitelist' | 'blacklist' | 'blockedTlds', string[]>>;

const judge = (lists: Given, url: string) => {
  const match = compileRules(threatPolicy.parse({ mode: 'manual-only', ...lists }))(new URL(url));
  return match && ('entry' in match ? `${match.rule} ${match.entry}` : match.rule);
};

const TABLE: [lists: Given, url: string, match: string | undefined][] = [
  [{ blacklist: ['bad.example'] }, 'https://bad.example/a', 'blacklist bad.example'],
  [{ blacklist: ['bad.example'] }, 'https://cdn.bad.example/', 'blacklist bad.example'],
  [{ blacklist: ['bad.example'] }, 'https://notbad.example/', undefined],
  [{ blacklist: ['*.bad.example'] }, 'https://a.b.bad.example/', 'blacklist *.bad.example'],
  [{ blacklist: ['*.bad.example'] }, 'https://bad.example/', undefined],
  [{ blacklist: ['*.bad.example', 'bad.example'] }, 'https://x.bad.example/', 'blacklist *.bad.example'],
  [{ whitelist: ['a.example'], blacklist: ['a.example'] }, 'http://a.example/', 'whitelist'],
  [{ whitelist: ['a.example'], blacklist: ['*.a.example'] }, 'http://b.a.example/', 'blacklist *.a.example'],
  [{ whitelist: ['*.a.example'], blacklist: ['a.example'] }, 'http://b.a.example/', 'whitelist'],
  [{ whitelist: ['*.a.example'], blacklist: ['a.example'] }, 'http://a.example/', 'blacklist a.example'],
  [{ whitelist: ['good.zip'], blockedTlds: ['zip'] }, 'http://good.zip/', 'whitelist'],
  [{ blacklist: ['bad.zip'], blockedTlds: ['zip'] }, 'http://bad.zip/', 'blacklist bad.zip'],
  [{ blockedTlds: ['zip'] }, 'http://any.ZIP./', 'blockedTlds zip'],
  [{ blockedTlds: ['zip'] }, 'http://zip.example/', undefined],
  [{ blockedTlds: ['zip'] }, 'http://foozip.com/', undefined],
  [{ blockedTlds: ['xn--p1ai'] }, 'http://пример.рф/', 'blockedTlds xn--p1ai'],
  [{ blockedTlds: ['4'] }, 'http://1.2.3.4/', undefined],
  [{ blockedTlds: ['localhost'] }, 'http://localhost/', undefined],
  [{ blacklist: ['195.127.0.11'] }, 'http://3279880203/', 'blacklist 195.127.0.11'],
  [{ blacklist: ['195.127.0.11'] }, 'http://[::ffff:195.127.0.11]/', 'blacklist 195.127.0.11'],
  [{ blacklist: ['[2001:db8::1]'] }, 'http://[2001:0DB8:0:0::1]:8080/', 'blacklist 2001:db8::1'],
  [{ blacklist: ['MÜNCHEN.example.'] }, 'http://xn--mnchen-3ya.example/', 'blacklist xn--mnchen-3ya.example'],
  [{ blacklist: ['localhost'] }, 'http://localhost:3002/', 'blacklist localhost'],
];

test('the whitelist wins over the blacklist, and that over top-level domains', () => {
  for (const [lists, url, match] of TABLE) assert.equal(judge(lists, url), match, `${JSON.stringify(lists)} ${url}`);
});
