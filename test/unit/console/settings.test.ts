// The pure parts of the settings page: forms and the requests that come of them, and states in words.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../web/console/api/api-error.ts';
import { entriesOf } from '../../../web/console/settings/form/entries.ts';
import { areAllShown, errorAt, fieldErrors } from '../../../web/console/settings/form/field-errors.ts';
import { checkCurl, firstCurl } from '../../../web/console/settings/keys/key-curl.ts';
import {
  changeBody,
  createBody,
  draftErrors,
  draftOf,
  emptyDraft,
} from '../../../web/console/settings/keys/key-draft.ts';
import { limitsInWords } from '../../../web/console/settings/keys/key-words.ts';
import { providerSetting } from '../../../web/console/settings/provider-settings.ts';
import {
  changeTeamBody,
  createTeamBody,
  teamDraft,
  teamDraftErrors,
} from '../../../web/console/settings/teams/team-draft.ts';
import { attemptInWords, bodyText, stateInWords } from '../../../web/console/settings/webhooks/delivery-words.ts';
import { headersOf } from '../../../web/console/settings/webhooks/header-lines.ts';
import { providerState } from '../../../web/console/ui/states/provider-words.ts';

test('lists are read as people type them', () => {
  assert.deepEqual(entriesOf(' a.com, b.com\n\nc.com;a.com\t'), ['a.com', 'b.com', 'c.com']);
  assert.deepEqual(entriesOf(' \n '), []);
});

test('headers are read line by line, and a line that is none is named', () => {
  assert.deepEqual(headersOf('X-A: 1\n\nAuthorization: Bearer a:b').headers, {
    'X-A': '1',
    Authorization: 'Bearer a:b',
  });
  for (const line of ['no colon', ': value', 'two words: x']) assert.match(headersOf(line).problem!, /is not a header/);
});

test('errors of the server stand at their field, and entries of lists are named', () => {
  const error = new ApiError('Bad', {
    code: 'BAD_REQUEST',
    status: 400,
    body: {
      details: [{ path: ['limits', 'networks', 1], message: 'Write an IP.' }, { path: [], message: 'x' }, null].slice(
        0,
        2,
      ),
    },
  });
  const errors = fieldErrors(error);
  assert.equal(errorAt(errors, 'limits.networks', ['10.0.0.1', 'nonsense']), 'nonsense: Write an IP.');
  assert.equal(errorAt(errors, 'limits.domains'), undefined);
  assert.ok(areAllShown(errors, ['limits.networks']));
  assert.ok(!areAllShown(errors, ['label']) && !areAllShown({}, ['label']));
  assert.deepEqual(fieldErrors(new Error('other')), {});
});

test('a new key has only the limits that were chosen', () => {
  assert.deepEqual(createBody(emptyDraft()), {});
  const draft = {
    ...emptyDraft(),
    label: ' web ',
    operations: ['map' as const],
    networks: '10.0.0.0/8',
    expiry: 'days' as const,
    days: 7,
  };
  assert.deepEqual(createBody(draft), {
    label: 'web',
    limits: { operations: ['map'], networks: ['10.0.0.0/8'] },
    expiresInDays: 7,
  });
  assert.ok(draftErrors({ ...draft, days: undefined }).expiresInDays);
  assert.deepEqual(draftErrors(draft), {});
});

test('changing nothing of a key sends what it has, and leaves its expiry alone', () => {
  const limits = { operations: ['crawl' as const], domains: ['a.com'], monthlyCredits: 0 };
  assert.deepEqual(changeBody(draftOf({ label: null, limits })), { label: null, limits });
  assert.deepEqual(changeBody({ ...draftOf({ label: 'x', limits: {} }), expiry: 'never' }), {
    label: 'x',
    limits: {},
    expiresAt: null,
  });
});

test('a first call is one that the key may make, quoted for a shell', () => {
  assert.match(firstCurl('http://h', 'fc-1', {})!, /^curl -s http:\/\/h\/v2\/scrape \\\n/);
  assert.match(firstCurl('http://h', 'fc-1', { operations: ['map'] })!, /\/v2\/map/);
  assert.match(firstCurl('http://h', 'fc-1', { domains: ['*.b.com', 'a.com'] })!, /https:\/\/a\.com/);
  assert.equal(firstCurl('http://h', 'fc-1', { operations: ['browser'] }), undefined);
  assert.equal(checkCurl('http://h', 'fc-1'), 'curl -s http://h/v2/me \\\n  -H "Authorization: Bearer fc-1"');
});

test('limits are said in words', () => {
  assert.deepEqual(limitsInWords({}), []);
  const networks = ['1.1.1.1', '2.2.2.2', '3.3.3.3', '4.4.4.4'];
  assert.deepEqual(limitsInWords({ operations: ['batch-scrape'], networks, requestsPerMinute: 1000 }), [
    'only batch scrape',
    'from 1.1.1.1, 2.2.2.2 and 2 more',
    '1,000 requests a minute',
  ]);
});

test('a team gets what was set, and loses what was set before and is not any more', () => {
  const draft = { ...teamDraft(), name: 'acme', monthlyCredits: { kind: 'own' as const, value: 5 } };
  assert.deepEqual(createTeamBody(draft), { name: 'acme', monthlyCredits: 5 });
  const before = { plan: 'hobby', maxQueued: null, rates: { scrape: 3 }, zeroDataRetention: 'forced' as const };
  const same = teamDraft({ name: 'acme', settings: before });
  assert.deepEqual(changeTeamBody(before, same), { plan: 'hobby', maxQueued: null, zeroDataRetention: 'forced' });
  assert.deepEqual(changeTeamBody(before, { ...same, plan: ' ', zeroDataRetention: 'default' }), {
    maxQueued: null,
    unset: ['plan', 'zeroDataRetention'],
  });
  assert.ok(teamDraftErrors({ ...draft, name: 'two words' }).name);
  assert.ok(teamDraftErrors({ ...draft, maxQueued: { kind: 'own', value: undefined } }).maxQueued);
});

test('webhook calls are described by their state and their last attempt', () => {
  const call = {
    status: 'waiting',
    attempts: 0,
    canResend: true,
    triedAt: null,
    statusCode: null,
    error: null,
  } as never as Parameters<typeof stateInWords>[0];
  assert.equal(stateInWords(call).text, 'waiting');
  assert.equal(attemptInWords(call), 'not tried yet');
  assert.equal(stateInWords({ ...call, attempts: 1 }).text, 'waiting to retry');
  assert.equal(stateInWords({ ...call, status: 'failed', canResend: false }).text, 'given up, content gone');
  assert.equal(attemptInWords({ ...call, triedAt: 'x', statusCode: 204 }), 'answered with status 204');
  assert.equal(bodyText('{"a":1}', false), '{\n  "a": 1\n}');
  assert.equal(bodyText('{"a":', true), '{"a":');
});

test('a provider says which setting turns it on', () => {
  const provider = {
    name: 'brave',
    used: false,
    hasKey: false,
    hasUrl: false,
    state: 'unknown',
  } as never as Parameters<typeof providerState>[0];
  assert.equal(providerSetting({ ...provider, obstacle: 'TRAWL_BRAVE_API_KEY is not set' }), 'TRAWL_BRAVE_API_KEY');
  assert.equal(providerSetting({ ...provider, hasKey: true }), 'TRAWL_BRAVE_API_KEY (set)');
  assert.equal(providerSetting({ ...provider, used: true }), 'works without a key');
  assert.equal(providerState({ ...provider, obstacle: 'x' }).text, 'Not set up');
});
