import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { before, type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createSmtpCall, verifySmtp } from '../../../../src/jobs/mail/smtp-call.ts';
import { parseSmtpUrl, smtpEndpoint } from '../../../../src/jobs/mail/smtp-server.ts';
import { startSmtp } from '../../../support/smtp.ts';
import { selfSignedCertificate } from '../../../support/web/certificate.ts';
import { openEgress } from '../../net/local.ts';

const FROM = { name: 'Trawl', address: 'trawl@example.org' };
const MAIL = {
  messageId: 'm1',
  to: 'ann@example.net',
  content: {
    subject: 'Änderung: Preis',
    text: 'Zeile\n',
    html: '<p>Zeile</p>',
    headers: { 'List-Unsubscribe': '<https://x.example/u>' },
  },
};
const signal = new AbortController().signal;
const certificate = selfSignedCertificate(['localhost']);
const signIn = {
  onAuth: ({ username, password }, _session, callback) =>
    password === 'geheim' ? callback(null, { user: username }) : callback(new Error('no')),
} satisfies Parameters<typeof startSmtp>[0];

before(() => setDefaultCACertificates([...getCACertificates(), certificate.cert]));

async function open(t: TestContext, behaviour: Parameters<typeof startSmtp>[0]) {
  const server = await startSmtp(behaviour);
  t.after(server.stop);
  return server;
}
function callTo(t: TestContext, url: string, limitMs?: number) {
  const server = parseSmtpUrl(url);
  const egress = openEgress(t, { operatorEndpoints: [smtpEndpoint(server)] });
  return {
    send: createSmtpCall({ egress, server, from: FROM, limitMs, graceMs: 0 }),
    verify: () => verifySmtp({ egress, server, from: FROM, limitMs }),
  };
}

test('a mail arrives with its texts, its id and its headers', async (t) => {
  const server = await open(t, {});
  const { send } = callTo(t, `smtp://127.0.0.1:${server.port}`);
  assert.equal(await send(MAIL, signal), undefined);
  const [mail] = server.mails;
  assert.deepEqual(mail!.to, ['ann@example.net']);
  assert.equal(mail!.from, 'trawl@example.org');
  for (const line of [
    /^From: Trawl <trawl@example\.org>$/m,
    /^To: ann@example\.net$/m,
    /^Message-ID: <m1@example\.org>$/m,
    /^Subject: =\?UTF-8\?/m,
    /^List-Unsubscribe: <https:\/\/x\.example\/u>$/m,
    /^Auto-Submitted: auto-generated$/m,
    /^Content-Type: multipart\/alternative/m,
  ])
    assert.match(mail!.source.replaceAll('\r', ''), line);
});

test('STARTTLS is demanded before the password is sent, and the certificate is verified', async (t) => {
  const server = await open(t, { ...certificate, ...signIn });
  assert.equal(await callTo(t, `starttls://ann:geheim@localhost:${server.port}`).send(MAIL, signal), undefined);
  assert.equal(server.mails[0]!.user, 'ann');
  assert.ok(server.mails[0]!.isSecure);
  const stranger = await open(t, { ...selfSignedCertificate(['localhost']), ...signIn });
  const failure = await callTo(t, `starttls://ann:geheim@localhost:${stranger.port}`).send(MAIL, signal);
  assert.equal(stranger.mails.length, 0);
  assert.match(failure!.reason, /certificate/);
  const bare = await open(t, signIn);
  const refused = await callTo(t, `starttls://ann:geheim@localhost:${bare.port}`).send(MAIL, signal);
  assert.deepEqual({ isFinal: refused!.isFinal, count: bare.mails.length }, { isFinal: false, count: 0 });
});

test('smtps is encrypted from the start', async (t) => {
  const server = await open(t, { ...certificate, ...signIn, secure: true });
  assert.equal(await callTo(t, `smtps://ann:geheim@localhost:${server.port}`).send(MAIL, signal), undefined);
  assert.ok(server.mails[0]!.isSecure);
});

test('a wrong password is tried again later; its text is not told', async (t) => {
  const server = await open(t, { ...certificate, ...signIn });
  const { send, verify } = callTo(t, `starttls://ann:falsch@localhost:${server.port}`);
  assert.deepEqual(await send(MAIL, signal), { reason: 'The mail server refused user and password.', isFinal: false });
  assert.match((await verify())!, /user and password/);
});

test('a refused recipient is final, a mailbox that is busy is not', async (t) => {
  const answer = (code: number) => Object.assign(new Error(`<ann@example.net> no`), { responseCode: code });
  for (const [code, isFinal] of [
    [550, true],
    [451, false],
  ] as const) {
    const server = await open(t, { onRcptTo: (_address, _session, callback) => callback(answer(code)) });
    const failure = await callTo(t, `smtp://127.0.0.1:${server.port}`).send(MAIL, signal);
    assert.deepEqual(failure, {
      reason: `The mail server refused the sender or the recipient with status ${code}.`,
      isFinal,
    });
  }
  const picky = await open(t, {
    onMail: () => {
      throw answer(554);
    },
  });
  const failure = await callTo(t, `smtp://127.0.0.1:${picky.port}`).send(MAIL, signal);
  assert.deepEqual(failure, { reason: 'The mail server refused the message with status 554.', isFinal: true });
});

test('a server that says nothing costs its time limit, and a stop ends the wait', async (t) => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => sockets.add(socket.on('error', () => {}))).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const url = `smtp://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const failure = await callTo(t, url, 50).send(MAIL, signal);
  assert.deepEqual(failure, { reason: 'The mail server did not answer in time.', isFinal: false });
  const stop = new AbortController();
  const sending = callTo(t, url).send(MAIL, stop.signal);
  stop.abort(new Error('stopped'));
  await assert.rejects(sending, /stopped/);
});

test('nobody listens: the mail waits', async (t) => {
  const server = await startSmtp();
  await server.stop();
  const failure = await callTo(t, `smtp://127.0.0.1:${server.port}`).send(MAIL, signal);
  assert.equal(failure!.isFinal, false);
});

test('only the server of the setting can be reached', async (t) => {
  const server = await open(t, {});
  const egress = openEgress(t, { operatorEndpoints: ['127.0.0.1:1'] });
  await assert.rejects(egress.connect({ host: '127.0.0.1', port: server.port }, signal), { code: 'UNSUPPORTED_SITE' });
});
