import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyLimits } from '../../../../src/contracts/team/policy.ts';
import { checkDrives } from '../../../../src/operations/browser/sessions.ts';
import type { Caller } from '../../../../src/operations/caller.ts';
import { startedRun } from '../../../../src/operations/run/read-run.ts';
import { checkContinues, checkPage, isInReach, mayList } from '../../../../src/policy/keys/key-reach.ts';
import type { BrowserSession } from '../../../../src/sessions/session.ts';

const restricted = { code: 'KEY_RESTRICTED' };
const reads = (domains: string[], keyDomains?: string[]) =>
  isInReach({ limits: { domains } }, { keyDomains, request: {} });

describe('work of a team', () => {
  test('is in reach if it was restricted at least as far', () => {
    assert.ok(reads(['a.test', '*.b.test'], ['a.test']));
    assert.ok(reads(['*.b.test'], ['*.b.test']));
    assert.ok(reads(['*.b.test'], ['*.deep.b.test', 'x.b.test']));
    assert.ok(!reads(['a.test'], ['a.test', 'b.test']));
    assert.ok(!reads(['b.test'], ['*.b.test']));
    assert.ok(!reads(['*.deep.b.test'], ['*.b.test']));
    assert.ok(!reads(['a.test'], []));
    assert.ok(!reads(['a.test']));
    assert.ok(reads([], undefined));
  });

  test('is out of reach of a key for formats if nobody knows what was requested', () => {
    const work = { keyDomains: undefined, request: null };
    assert.ok(!isInReach({ limits: { formats: ['markdown'] } }, work));
    assert.ok(isInReach({ limits: { operations: ['crawl'] } }, work));
    assert.ok(isInReach({}, work));
  });

  test('goes on for a key with a budget only if that key pays', () => {
    const limits = { monthlyCredits: 2 };
    const work = { key: 'fc-one', request: {} };
    checkContinues({ limits, key: 'fc-one' }, work);
    checkContinues({ limits: {}, key: 'fc-two' }, work);
    assert.throws(() => checkContinues({ limits, key: 'fc-two' }, work), restricted);
    assert.throws(() => checkContinues({ limits, key: 'fc-two' }, { request: {} }), restricted);
  });

  test('of a check is what its monitor asks for, and data is of no format', () => {
    const formats = { formats: [{ type: 'html' }] };
    const links: { limits: KeyLimits } = { limits: { formats: ['links'] } };
    const definition = { targets: [{ scrapeOptions: formats }], keyDomains: ['a.test'] };
    const check = startedRun({ kind: 'check', request: { definition } });
    assert.deepEqual(check.keyDomains, ['a.test']);
    assert.ok(!isInReach(links, check));
    assert.ok(isInReach(links, startedRun({ kind: 'extract', request: { scrapeOptions: formats } })));
    assert.ok(!isInReach(links, startedRun({ kind: 'extract', request: undefined })));
  });
});

test('a stored page is judged by its address and by where it led', () => {
  const reader = { limits: { domains: ['a.test'] } };
  checkPage(reader, { urls: ['http://a.test/'], request: {} });
  const urls = ['http://a.test/', 'http://b.test/'];
  assert.throws(() => checkPage(reader, { urls, request: {} }), restricted);
  checkPage({}, { urls, request: null });
});

test('lists leave out addresses elsewhere, and keep questions', () => {
  const reader = { limits: { domains: ['a.test'] } };
  for (const shown of ['http://a.test/x', 'a.test/x', 'What does it cost?', 'climate', '', null, undefined])
    assert.ok(mayList(reader, shown), `${shown}`);
  for (const hidden of ['http://b.test/x', 'b.test', 'HTTPS://B.TEST:8080/'])
    assert.ok(!mayList(reader, hidden), hidden);
  assert.ok(mayList({}, 'http://b.test/'));
});

test('a session is driven by keys that may go nowhere else, and with a budget only by the one that pays', () => {
  const drives = (limits: KeyLimits, keyId: string, opener: BrowserSession['opener']) =>
    checkDrives({ limits, keyId } as Caller, { opener } as BrowserSession);
  const opener = { keyId: 'one', limits: { domains: ['a.test'] } };
  drives({ domains: ['a.test'] }, 'two', opener);
  drives({}, 'two', opener);
  drives({ monthlyCredits: 5 }, 'one', opener);
  assert.throws(() => drives({ domains: ['b.test'] }, 'two', opener), restricted);
  assert.throws(() => drives({ domains: ['a.test'] }, 'two', { keyId: 'one' }), restricted);
  assert.throws(() => drives({ domains: ['a.test'] }, 'two', undefined), restricted);
  assert.throws(() => drives({ monthlyCredits: 5 }, 'two', opener), restricted);
});
