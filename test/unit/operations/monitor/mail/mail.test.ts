// E-mails of monitors, from the check to a real mail server, on the real store.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { composeMail } from '../../../../../src/compose/runs/mail.ts';
import {
  parseSender,
  parseSmtpUrl,
  parseTrustedRecipients,
  smtpEndpoint,
} from '../../../../../src/jobs/mail/smtp-server.ts';
import { createCheckHandler } from '../../../../../src/operations/monitor/check/check-handler.ts';
import { mailWarning, notifyCheck } from '../../../../../src/operations/monitor/mail/notify-check.ts';
import { answerMail, subscriptionsOf } from '../../../../../src/operations/monitor/mail/subscriptions.ts';
import { newCheck } from '../../../../../src/operations/monitor/new-check.ts';
import type { SecurityEvent } from '../../../../../src/policy/audit/security-log.ts';
import { createFeatures } from '../../../../../src/policy/features.ts';
import { createLog } from '../../../../../src/runtime/log.ts';
import type { StoredMonitor } from '../../../../../src/store/ports/runs/monitor-store.ts';
import { openSqliteStore } from '../../../../../src/store/sqlite/sqlite-store.ts';
import { systemClock } from '../../../../../src/util/clock.ts';
import { addCheck, addMonitor, foundPage } from '../../../../support/monitors.ts';
import { createMemoryRun } from '../../../../support/run-tools.ts';
import { startSmtp } from '../../../../support/smtp.ts';
import { openEgress } from '../../../net/local.ts';

const TRUSTED = 'ops@corp.example';
const STRANGER = 'ann@example.org';
const email = (recipients: string[], includeDiffs = false) => ({
  notification: { email: { enabled: true, recipients, includeDiffs } },
});
const ended = (id: string) => ({ id, status: 'completed' as const });

async function openFolder(t: TestContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'trawl-mail-'));
  t.after(() => rm(dataDir, { recursive: true }));
  return () => openSqliteStore({ dataDir, cacheMaxBytes: 1_000_000 });
}

/** The mail parts of a service, as its composition makes them. */
function openMail(t: TestContext, store: Awaited<ReturnType<Awaited<ReturnType<typeof openFolder>>>>, port?: number) {
  const smtp = port === undefined ? undefined : parseSmtpUrl(`smtp://127.0.0.1:${port}`);
  return composeMail(
    { smtp, smtpFrom: parseSender('Trawl <trawl@example.net>'), smtpTrusted: parseTrustedRecipients('@corp.example') },
    {
      store,
      duty: 'all',
      egress: openEgress(t, { operatorEndpoints: smtp ? [smtpEndpoint(smtp)] : [] }),
      secret: new Uint8Array(32).fill(7),
      clock: systemClock,
      log: createLog('silent'),
    },
  );
}

async function open(t: TestContext) {
  const server = await startSmtp();
  const store = await (await openFolder(t))();
  const mailing = openMail(t, store, server.port);
  mailing.resume();
  t.after(async () => {
    await mailing.stop();
    await store.close();
    await server.stop();
  });
  return { server, store, mail: mailing.mail, now: systemClock.now() };
}

/** The texts of a mail, without quoted-printable. */
const decoded = (source: string): string =>
  source
    .slice(source.indexOf('\r\n\r\n'))
    .replace(/=\r\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString())
    .replaceAll('\r\n', '\n');
const tokenIn = (source: string, action: string): string =>
  new RegExp(`/monitor/email/${action}\\?token=([\\w-]+)`).exec(decoded(source))![1]!;

test('a stranger is asked once, gets mails after agreeing, and none after refusing', async (t) => {
  const { server, store, mail, now } = await open(t);
  const monitor = await addMonitor(store, now, { name: 'Buy cheap pills', ...email([STRANGER]) });
  const shown = { email: STRANGER, status: 'pending', source: 'opt_in', confirmationEmailSent: true };
  assert.deepEqual(await subscriptionsOf(mail, monitor), [shown]);
  assert.deepEqual(await subscriptionsOf(mail, monitor), [shown]);
  const tell = async () =>
    notifyCheck(mail, monitor, ended(await addCheck(store, monitor, [foundPage('https://site.test/a')], now)));
  assert.deepEqual(await tell(), { email: { status: 'no_recipients', queued: 0, skipped: 1 } });

  const [question] = await server.received(1);
  assert.doesNotMatch(question!.source, /pills/, 'callers cannot write to strangers');
  const confirm = tokenIn(question!.source, 'confirm');
  await assert.rejects(answerMail(mail, 'unsubscribe', confirm), { code: 'invalid_token' });
  const agreed = await answerMail(mail, 'confirm', confirm);
  assert.deepEqual(agreed, { success: true, result: 'confirmed', email: STRANGER, monitorName: 'Buy cheap pills' });
  assert.equal((await answerMail(mail, 'confirm', confirm)).result, 'already_confirmed');

  assert.deepEqual(await tell(), { email: { status: 'queued', queued: 1, skipped: 0 } });
  const news = (await server.received(2))[1]!;
  assert.match(news.source, /^Subject: Buy cheap pills: 1 page changed$/m);
  assert.match(news.source, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  assert.equal((await answerMail(mail, 'unsubscribe', tokenIn(news.source, 'unsubscribe'))).result, 'unsubscribed');
  assert.deepEqual(await tell(), { email: { status: 'no_recipients', queued: 0, skipped: 1 } });
  assert.equal(server.mails.length, 2);
});

test('tokens that were changed or cut are refused', async (t) => {
  const { mail } = await open(t);
  const token = mail.tokens.recipient('confirm', 1, crypto.randomUUID());
  assert.ok(token.length >= 16 && token.length <= 64);
  const changed = `${token[0] === 'A' ? 'B' : 'A'}${token.slice(1)}`;
  for (const wrong of [changed, token.slice(0, -4), 'x'.repeat(32), ''])
    await assert.rejects(answerMail(mail, 'confirm', wrong), { code: 'invalid_token' });
  await assert.rejects(answerMail(mail, 'confirm', token), { code: 'not_found' });
});

test('telling of a check twice, as after a kill, sends one mail', async (t) => {
  const { server, store, mail, now } = await open(t);
  const monitor = await addMonitor(store, now, email([TRUSTED]));
  const first = await addCheck(store, monitor, [foundPage('https://site.test/a')], now);
  const answers = [await notifyCheck(mail, monitor, ended(first)), await notifyCheck(mail, monitor, ended(first))];
  await server.received(1);
  answers.push(await notifyCheck(mail, monitor, ended(first)));
  for (const answer of answers) assert.deepEqual(answer, { email: { status: 'queued', queued: 1, skipped: 0 } });
  const second = await addCheck(store, monitor, [foundPage('https://site.test/b')], now);
  await notifyCheck(mail, monitor, ended(second));
  assert.deepEqual(
    (await server.received(2)).map(({ to }) => to),
    [[TRUSTED], [TRUSTED]],
  );
});

test('a mail that was due when the service ended is sent by the next one, with the same id', async (t) => {
  const reopen = await openFolder(t);
  const server = await startSmtp();
  t.after(server.stop);
  const before = await reopen();
  const mailing = openMail(t, before, server.port);
  const monitor = await addMonitor(before, 1, email([TRUSTED]));
  const check = await addCheck(before, monitor, [foundPage('https://site.test/a')], 1);
  // Its loop does not run, and the mail was just handed out: as if the process had been killed while it sent it.
  const idle = { ...mailing.mail, sending: { isTrusted: () => true, wake: () => {} } };
  await notifyCheck(idle, monitor, ended(check));
  const [handedOut] = await before.mails.due(systemClock.now(), 1);
  await before.close();

  const store = await reopen();
  const next = openMail(t, store, server.port);
  next.resume();
  const [mail] = await server.received(1);
  await next.stop();
  assert.ok(mail!.source.includes(`<${handedOut!.messageId}@example.net>`));
  assert.equal(await store.mails.nextAt(), undefined);
  await store.close();
});

test('nothing is sent about pages that stayed the same, or whose changes are noise', async (t) => {
  const { store, mail, now } = await open(t);
  const monitor = await addMonitor(store, now, email([TRUSTED]));
  const noise = { meaningful: false, confidence: 'high' as const, reason: 'A counter.', meaningfulChanges: [] };
  const details = { metadata: null, diff: { text: '-1\n+2' }, snapshot: null, judgment: noise };
  const pages = [foundPage('https://site.test/a', { status: 'same' }), foundPage('https://site.test/b', { details })];
  const check = await addCheck(store, monitor, pages, now);
  assert.deepEqual(await notifyCheck(mail, monitor, ended(check)), { email: { status: 'nothing_to_tell' } });
  const unwanted = await addMonitor(store, now);
  assert.equal(await notifyCheck(mail, unwanted, ended(check)), undefined);
});

test('a monitor that was deleted while its check ended tells nobody', async (t) => {
  const { server, store, mail, now } = await open(t);
  const { monitors, runs } = store;
  const featuresOf = createFeatures([]);
  const deps = { monitors, mail, featuresOf, clock: systemClock, callerOf: async () => ({ team: {} }) };
  const handler = createCheckHandler(deps as unknown as Parameters<typeof createCheckHandler>[0]);
  const endOf = async (monitor: StoredMonitor, isDeleted: boolean) => {
    const run = { ...newCheck(monitor, { trigger: 'manual', now }), group: monitor.id };
    assert.equal(await monitors.startNow(run), 'added');
    await monitors.savePages(run.id, [foundPage('https://site.test/a')], []);
    const view = (await runs.view(run.id, monitor.teamId, now))!;
    if (isDeleted) await monitors.remove(monitor.id, monitor.teamId, now);
    const outcome = await handler.work(view, createMemoryRun());
    return [outcome.status, handler.endEvents(view, outcome).map(({ type }) => type)];
  };
  const deleted = await addMonitor(store, now, { name: 'Deleted', ...email([TRUSTED]) });
  assert.deepEqual(await endOf(deleted, true), ['cancelled', []]);
  const kept = await addMonitor(store, now, { name: 'Kept', ...email([TRUSTED]) });
  assert.deepEqual((await endOf(kept, false))[1], ['monitor.check.completed']);
  const [received] = await server.received(1);
  assert.match(received!.source, /^Subject: Kept/m);
});

/** Begins a check of a team, and returns how it ends. */
async function endOfCheck(t: TestContext, team: object, tools: Partial<ReturnType<typeof createMemoryRun>> = {}) {
  const { store, mail, now } = await open(t);
  const events: string[] = [];
  const featuresOf = createFeatures([]);
  const deps = {
    ...{ monitors: store.monitors, mail, featuresOf, clock: systemClock, callerOf: async () => ({ team }) },
    security: { record: ({ action, target }: SecurityEvent) => events.push(`${action} ${target}`) },
  };
  const handler = createCheckHandler(deps as unknown as Parameters<typeof createCheckHandler>[0]);
  const monitor = await addMonitor(store, now, { name: 'Before' });
  const run = { ...newCheck(monitor, { trigger: 'manual', now }), group: monitor.id };
  assert.equal(await store.monitors.startNow(run), 'added');
  const view = (await store.runs.view(run.id, monitor.teamId, now))!;
  const outcome = await handler.work(view, { ...createMemoryRun(), ...tools });
  return { ...outcome, events };
}

test('a team that may store nothing any more has failing checks', async (t) => {
  const { status, credits, error } = await endOfCheck(t, { settings: { zeroDataRetention: 'forced' } });
  assert.deepEqual([status, credits], ['failed', 0]);
  assert.match(error ?? '', /zero data retention/);
});

test('a check of a team whose credits are used up is skipped', async (t) => {
  const { status, credits, error, events } = await endOfCheck(t, {}, { creditsLeft: async () => 0 });
  assert.deepEqual(events, ['limit.reached monitor']);
  assert.deepEqual([status, credits], ['skipped_no_credits', 0]);
  assert.match(error ?? '', /credits of the month are used up/);
});

test('a check that failed as a whole is told', async (t) => {
  const { server, store, mail, now } = await open(t);
  const monitor = await addMonitor(store, now, email([TRUSTED]));
  const check = await addCheck(store, monitor, [], now);
  await notifyCheck(mail, monitor, { id: check, status: 'failed', error: 'The site is gone.' });
  const [received] = await server.received(1);
  assert.match(decoded(received!.source), /the check failed\.\n\nThe site is gone\./);
});

test('without a mail server nobody is asked, and the answer says why', async (t) => {
  const store = await (await openFolder(t))();
  t.after(() => store.close());
  const { mail } = openMail(t, store);
  const monitor = await addMonitor(store, 1, email([STRANGER]));
  assert.deepEqual(await subscriptionsOf(mail, monitor), []);
  assert.match(mailWarning(mail, monitor.definition)!, /TRAWL_SMTP_URL/);
  assert.equal((await notifyCheck(mail, monitor, ended('x')))!.email.status, 'not_configured');
});

test('text of pages and names becomes neither a header nor markup nor a link', async (t) => {
  const { server, store, mail, now } = await open(t);
  const evil = 'Sale\r\nBcc: all@evil.example\u202e <img src=x onerror=alert(1)>';
  const monitor = await addMonitor(store, now, { name: evil, ...email([TRUSTED], true) });
  const details = {
    metadata: { title: `${evil} https://evil.example/login` },
    diff: {
      text: '-old\n+see https://evil.example/ and www.evil.example\n',
      json: { price: { previous: 1, current: '<b>' } },
    },
    snapshot: null,
    judgment: null,
  };
  const pages = [
    foundPage('https://site.test/?a=1&b="2"', { details }),
    foundPage('javascript:alert(1)', { status: 'new' }),
  ];
  await notifyCheck(mail, monitor, ended(await addCheck(store, monitor, pages, now)));
  const [received] = await server.received(1);
  assert.deepEqual(received!.to, [TRUSTED]);
  const head = received!.source.slice(0, received!.source.indexOf('\r\n\r\n'));
  assert.doesNotMatch(head, /^Bcc/im);
  const body = decoded(received!.source);
  assert.doesNotMatch(body, /\u202e/);
  assert.doesNotMatch(body.slice(body.indexOf('<!DOCTYPE')), /<img|<b>&|href="javascript/);
  assert.match(body, /price: 1 → "<b>"/);
  assert.match(body, /price: 1 → &quot;&lt;b&gt;&quot;/);
  const links = [...body.matchAll(/https?:\/\/[^\s"<>]+/g)].map(([url]) => new URL(url).host);
  assert.deepEqual([...new Set(links)].sort(), ['site.test', 'trawl.test']);
});
