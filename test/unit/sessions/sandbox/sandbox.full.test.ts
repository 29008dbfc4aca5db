// Code in the sandbox that takes all it can get, tested from inside.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NEEDS_SANDBOX, NODE_BIND, runInSandbox, untilGone } from '../../../support/sandbox.ts';

describe('code in the sandbox', NEEDS_SANDBOX, () => {
  test('cannot fork endlessly', async () => {
    const { stdout, stderr } = await runInSandbox('for i in $(seq 300); do sleep 98765.4 & done; jobs -p | wc -l', {
      timeoutMs: 8_000,
    });
    assert.match(stderr, /fork: .*Resource temporarily unavailable/);
    assert.ok(stdout === '' || Number(stdout) < 100, stdout);
    await untilGone('98765.4');
  });

  test('cannot use up the memory of the machine, alone or with others', async () => {
    const program = ['/trawl/node', '/trawl/code'];
    const alone = 'const a = []; setInterval(() => a.push(Buffer.alloc(1 << 24, 1)), 5)';
    const byOne = await runInSandbox(alone, { program, binds: [NODE_BIND] });
    assert.deepEqual([byOne.killedFor, byOne.exitCode], ['memory', 137], byOne.stderr);
    const code = `for i in $(seq 6); do /trawl/node -e 'globalThis.a = Buffer.alloc(120 << 20, 1); setTimeout(() => {}, 60000)' & done; wait`;
    const byAll = await runInSandbox(code, { binds: [NODE_BIND] });
    assert.equal(byAll.killedFor, 'memory', byAll.stderr);
  });
});
