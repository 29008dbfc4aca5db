// Every MailStore adapter passes these tests.
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { NewMail } from '../../src/store/ports/deliveries/mail-store.ts';
import { DAY, MINUTE, type OpenStore, START } from './samples.ts';

const LIMITS = { perTeam: 2 };
const ANN = { email: 'Ann@example.org', isTrusted: false };
const OPS = { email: 'ops@corp.example', isTrusted: true };

const mail = (subscription: number, key: string): NewMail => ({
  key,
  messageId: `id of ${key}`,
  subscription,
  content: { subject: 'Something changed', text: 'text', html: '<p>text</p>', headers: { A: 'b' } },
});

export function testMailStore(adapter: string, open: OpenStore): void {
  const openMails = async (t: TestContext) => {
    const store = await open(t);
    const [a, b] = [await store.teams.ensureTeam('a', START), await store.teams.ensureTeam('b', START)];
    return { ...store, team: a.id, other: b.id };
  };

  describe(`MailStore on ${adapter}`, () => {
    test('an address is one recipient of a team, however it is written', async (t) => {
      const { mails, team, other } = await openMails(t);
      const [ann, ops] = await mails.subscribe(team, [ANN, OPS]);
      assert.deepEqual(
        [ann!.status, ann!.source, ops!.status, ops!.source],
        ['pending', 'opt_in', 'confirmed', 'team'],
      );
      const [same] = await mails.subscribe(team, [{ email: 'ann@EXAMPLE.org', isTrusted: false }]);
      assert.deepEqual(same, ann);
      const [theirs] = await mails.subscribe(other, [ANN]);
      assert.notEqual(theirs!.number, ann!.number);
      assert.equal((await mails.find(ann!.number))?.email, 'Ann@example.org');
      assert.equal(await mails.find(999), undefined);
    });

    test('the operator can give trust and take it back, but not undo that somebody has unsubscribed', async (t) => {
      const { mails, team } = await openMails(t);
      const statusOf = async (isTrusted: boolean) => (await mails.subscribe(team, [{ ...ANN, isTrusted }]))[0]!.status;
      assert.deepEqual(
        [await statusOf(false), await statusOf(true), await statusOf(false)],
        ['pending', 'confirmed', 'pending'],
      );
      const [ann] = await mails.subscribe(team, [ANN]);
      assert.equal(await mails.setStatus(ann!.number, 'unsubscribed'), 'pending');
      assert.deepEqual([await statusOf(true), await statusOf(false)], ['unsubscribed', 'unsubscribed']);
    });

    test('an address is asked once; another team has to wait, and a team may not ask too many', async (t) => {
      const { mails, team, other } = await openMails(t);
      const [ann, bob, eve] = await mails.subscribe(
        team,
        ['ann', 'bob', 'eve'].map((name) => ({ email: `${name}@example.org`, isTrusted: false })),
      );
      const ask = (number: number, key: string, now = START) => mails.queueConfirmation(mail(number, key), LIMITS, now);
      assert.deepEqual([await ask(ann!.number, 'a'), await ask(ann!.number, 'a again')], [true, true]);
      assert.equal((await mails.due(START, 10)).length, 1);
      const [theirs] = await mails.subscribe(other, [{ email: 'ANN@example.org', isTrusted: false }]);
      assert.equal(await ask(theirs!.number, 'theirs'), false);
      assert.deepEqual([await ask(bob!.number, 'b'), await ask(eve!.number, 'e')], [true, false]);
      assert.equal(await ask(theirs!.number, 'theirs', START + DAY), true);
      assert.equal((await mails.find(ann!.number))?.confirmation, 'queued');
    });

    test('a question that could not be sent is asked again, a day later', async (t) => {
      const { mails, team } = await openMails(t);
      const [ann] = await mails.subscribe(team, [ANN]);
      const ask = (key: string, now: number) => mails.queueConfirmation(mail(ann!.number, key), LIMITS, now);
      await ask('first', START);
      const [sent] = await mails.due(START, 1);
      await mails.settle(sent!.id, 'given-up', START);
      assert.equal((await mails.find(ann!.number))?.confirmation, 'failed');
      assert.equal(await ask('second', START + MINUTE), false);
      assert.equal(await ask('third', START + DAY), true);
      await mails.settle((await mails.due(START + DAY, 1))[0]!.id, 'delivered', START + DAY);
      assert.equal((await mails.find(ann!.number))?.confirmation, 'sent');
    });

    test('a mail is queued once, for recipients who have agreed, even after it was sent', async (t) => {
      const { mails, team } = await openMails(t);
      const [ann, ops] = await mails.subscribe(team, [ANN, OPS]);
      const both = [mail(ann!.number, 'check ann'), mail(ops!.number, 'check ops')];
      assert.equal(await mails.queue(both, START), 1);
      assert.equal(await mails.queue(both, START), 1);
      const due = await mails.due(START, 10);
      assert.deepEqual(due, [
        { id: due[0]!.id, messageId: 'id of check ops', to: OPS.email, content: both[1]!.content, attempts: 0 },
      ]);
      await mails.settle(due[0]!.id, 'delivered', START);
      assert.equal(await mails.queue(both, START), 1);
      assert.deepEqual(await mails.due(START + DAY, 10), []);
      assert.equal(await mails.nextAt(), undefined);
    });

    test('a mail in progress is not handed out, and comes back after a pause', async (t) => {
      const { mails, team } = await openMails(t);
      const [ops] = await mails.subscribe(team, [OPS]);
      await mails.queue([mail(ops!.number, 'k')], START);
      assert.equal(await mails.nextAt(), START);
      const [first] = await mails.due(START, 10);
      assert.deepEqual(await mails.due(START, 10), []);
      await mails.settle(first!.id, { retryAt: START + MINUTE }, START);
      assert.deepEqual(await mails.due(START, 10), []);
      assert.equal(await mails.nextAt(), START + MINUTE);
      const [second] = await mails.due(START + MINUTE, 10);
      assert.deepEqual([second!.id, second!.attempts], [first!.id, 1]);
    });

    test('an owner who unsubscribes gets nothing more, not even what was queued before', async (t) => {
      const { mails, team } = await openMails(t);
      const [ops] = await mails.subscribe(team, [OPS]);
      await mails.queue([mail(ops!.number, 'k')], START);
      assert.equal(await mails.setStatus(ops!.number, 'unsubscribed'), 'confirmed');
      assert.deepEqual(await mails.due(START, 10), []);
      assert.equal(await mails.queue([mail(ops!.number, 'l')], START), 0);
      assert.equal(await mails.nextAt(), undefined);
    });
  });
}
