// What a newcomer sees: the printed search finds the manual, and a machine that cannot
// resolve names is told about the demo.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDns } from '../support/dns.ts';
import { HINT, printed, printedCommands, runPrinted, TERMINAL } from '../support/first-start.ts';
import { until } from '../support/jobs.ts';
import { startService } from '../support/service.ts';

test('the printed search finds the manual without a network', async (t) => {
  const service = await startService({ TRAWL_INDEX_MANUAL: 'on' });
  t.after(() => service.stop());
  // The manual is indexed while the service is already running.
  const found = await until(
    () => runPrinted(printedCommands(service)[1]!),
    (answer) => answer.data?.web.length > 0,
  );
  assert.ok(found.data.web[0].url.startsWith(`${service.url}/docs/`));
});

test('on a terminal, a machine that cannot resolve names is told about the demo, after one query', async (t) => {
  const dns = await startDns();
  t.after(() => dns.stop());
  const output = await printed(t, ['--import', TERMINAL], dns.address, (text) => HINT.test(text));
  assert.ok(output.indexOf('listening on') < output.search(HINT));
  assert.deepEqual(dns.questions, ['example.com']);
});

test('a machine with names gets no hint, and without a terminal nobody is asked', async (t) => {
  const dns = await startDns({ 'example.com': ['192.0.2.1'] });
  t.after(() => dns.stop());
  const isListening = (text: string) => text.includes('Try it');
  const [onTerminal, inPipe] = await Promise.all([
    printed(t, ['--import', TERMINAL], dns.address, (text) => isListening(text) && dns.questions.length > 0),
    printed(t, [], dns.address, isListening),
  ]);
  assert.doesNotMatch(onTerminal + inPipe, HINT);
  assert.deepEqual(dns.questions, ['example.com']);
});
