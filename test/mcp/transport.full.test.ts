// The other official clients of the MCP server, and the program `trawl mcp` as a process: what it answers to anything, and how it
// ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, type TestContext, test } from 'node:test';
import { until } from '../support/jobs.ts';
import { describeClient, useMcpScene } from '../support/mcp-clients.ts';

const scene = useMcpScene();

describeClient(scene, 'a modern client over HTTP');
describeClient(scene, 'a legacy client of the program');

describe('the program', () => {
  const start = (t: TestContext, settings: Record<string, string> = {}) => {
    const { command, args, env } = scene.program();
    const child = spawn(command, args, { env: { ...env, ...settings }, stdio: ['pipe', 'pipe', 'pipe'] });
    t.after(() => child.kill('SIGKILL'));
    const answers: { id: unknown; error?: { code: number } }[] = [];
    createInterface(child.stdout).on('line', (line) => answers.push(JSON.parse(line)));
    const ended = once(child, 'close') as Promise<[number | null]>;
    const send = (message: unknown) =>
      child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
    const answered = (count: number) =>
      until(
        async () => answers.length,
        (length) => length >= count,
      );
    return { child, answers, ended, send, answered };
  };
  const HELLO = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
  };

  test('answers lines that are no messages, however long, and goes on', async (t) => {
    const { answers, send, answered } = start(t);
    send(HELLO);
    await answered(1);
    send('no JSON');
    send({ id: 'x', method: 'ping' });
    send('x'.repeat(17 * 1024 * 1024));
    send('');
    send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    await answered(5);
    const told = answers.map(({ id, error }) => [id, error?.code]);
    assert.deepEqual(told, [
      [1, undefined],
      [null, -32_700],
      ['x', -32_600],
      [null, -32_600],
      [2, undefined],
    ]);
  });

  test('greets without a service, and says that no service is running when it is called', async (t) => {
    const { answers, send, answered } = start(t, { TRAWL_URL: 'http://127.0.0.1:9' });
    send(HELLO);
    await answered(1);
    const params = { name: 'firecrawl_credit_usage', arguments: {} };
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    await answered(2);
    assert.match(JSON.stringify(answers[1]), /cannot be reached/);
  });

  test('ends with its input, also while it works, and its work ends with it', async (t) => {
    const { child, ended, send, answered } = start(t);
    send(HELLO);
    await answered(1);
    const params = scene.scrapeOf('fault.test', '/stalled-headers?end');
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params });
    await scene.reaches(1);
    child.stdin.end();
    assert.deepEqual((await ended)[0], 0);
    await scene.reaches(0);
  });
});
