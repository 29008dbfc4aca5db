// What code in the sandbox can reach (nothing) and use up (little), tested from inside.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { NEEDS_SANDBOX, runInSandbox, untilGone } from '../../../support/sandbox.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const MEGABYTE = 1024 * 1024;

describe('code in the sandbox', NEEDS_SANDBOX, () => {
  test('returns its output and exit code', async () => {
    const outcome = await runInSandbox('echo out; echo err >&2; printf value >&3; exit 7');
    assert.deepEqual(outcome, { stdout: 'out\n', stderr: 'err\n', result: 'value', exitCode: 7, truncated: false });
  });

  test('reaches no network, neither this machine nor others', async (t) => {
    const server = createServer((socket) => socket.end('reached')).listen(0, '0.0.0.0');
    t.after(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const own = Object.values(networkInterfaces())
      .flat()
      .filter((each) => each?.family === 'IPv4')
      .map((each) => each!.address);
    const tries = [...own, '1.1.1.1'].map((host) => `(cat < /dev/tcp/${host}/${port}) 2>/dev/null || echo refused`);
    const { stdout } = await runInSandbox(
      `${tries.join('\n')}\nls /sys/class/net 2>/dev/null; cut -d: -f1 /proc/net/dev`,
    );
    assert.equal(stdout.match(/refused/g)?.length, tries.length, stdout);
    assert.deepEqual(stdout.split('\n').at(-2)?.trim(), 'lo');
  });

  test('sees programs and no other files of the machine', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'trawl-secret-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'secret'), 'secret');
    const paths = ['/etc/passwd', '/etc/shadow', '/root', '/home', '/var', ROOT, folder, `/proc/${process.pid}`];
    const code = paths.map((path) => `test -e ${path} && echo ${path}`).join('\n');
    assert.equal((await runInSandbox(code)).stdout, '');
    const listed = await runInSandbox('ls / /etc /trawl');
    assert.equal(
      listed.stdout.replaceAll(/^(lib\w*|sbin|ld\.so\.cache|alternatives)\n/gm, ''),
      '/:\nbin\ndev\netc\nproc\ntmp\ntrawl\nusr\n\n/etc:\n\n/trawl:\nbin\ncode\nnode_modules\n',
    );
  });

  test('does not see a hidden folder, even inside a folder of programs', async () => {
    const { stdout } = await runInSandbox('ls /usr/share; touch /usr/share/x 2>&1', { hidden: ['/usr/share'] });
    assert.match(stdout, /^touch: .*Read-only file system\n$/);
  });

  test('can write only to two small folders of its own', async () => {
    const { stdout } = await runInSandbox(
      'for place in / /etc /usr /usr/bin /dev /trawl /trawl/code; do { echo > $place/x || echo > $place; } 2>/dev/null && echo $place; done; head -c 100M /dev/zero > /tmp/big 2>/dev/null || stat -c %s /tmp/big; head -c 100M /dev/zero | tee /tmp/1 /tmp/2 >/dev/null 2>&1; df --output=size -B1M /tmp /dev/shm | tail -2',
    );
    assert.deepEqual(stdout.trim().split(/\s+/), [String(64 * MEGABYTE), '64', '64']);
  });

  test('has its own environment and no inherited file descriptors', async () => {
    process.env.SANDBOX_TEST_SECRET = 'secret';
    const { stdout } = await runInSandbox('tr "\\0" "\\n" < /proc/$$/environ; ls /proc/$$/fd').finally(() => {
      delete process.env.SANDBOX_TEST_SECRET;
    });
    const lines = stdout.trim().split('\n');
    const names = lines.filter((line) => /^\w{2,}=/.test(line)).map((line) => line.split('=')[0]);
    assert.deepEqual(names.sort(), ['HOME', 'LANG', 'PATH', 'PWD', 'SHLVL']);
    const descriptors = lines.filter((line) => !line.includes('='));
    assert.deepEqual(descriptors.sort(), ['0', '1', '2', '255', '3'], '255 is the script');
  });

  test('has no privileges and cannot gain any', async () => {
    const { stdout } = await runInSandbox(
      `id -u; grep -hE '^(Cap...|NoNewPrivs|Seccomp):' /proc/self/status | tr -s '\\t' ' '; for try in 'unshare -U' 'unshare -n' 'mount -t tmpfs x /tmp' 'nsenter -t 1 -m'; do $try true 2>/dev/null || echo no; done`,
    );
    const [user, ...lines] = stdout.trim().split('\n');
    assert.notEqual(user, '0');
    const none = '0000000000000000';
    assert.deepEqual(lines.slice(0, 7), [
      ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => `${name}: ${none}`),
      'NoNewPrivs: 1',
      'Seccomp: 2',
    ]);
    assert.deepEqual(lines.slice(7), ['no', 'no', 'no', 'no']);
  });

  test('cannot create sockets that no namespace isolates', async () => {
    const tries =
      'import socket\nfor family in (40, 38, 17, 1):\n  try: socket.socket(family, socket.SOCK_STREAM); print(family)\n  except OSError: pass';
    const { stdout, stderr } = await runInSandbox(tries, { program: ['python3', '/trawl/code'] });
    if (/not found|No such file/.test(stderr)) return;
    assert.equal(stdout, '1\n', stderr);
  });

  test('is killed with all its processes when its time is up', async () => {
    const outcome = await runInSandbox('setsid sleep 98765.1 & sleep 98765.1', { timeoutMs: 700 });
    assert.deepEqual([outcome.killedFor, outcome.exitCode], ['time', 137]);
    await untilGone('98765.1');
  });

  test('leaves no process when it exits by itself', async () => {
    assert.equal((await runInSandbox('setsid sleep 98765.2 >/dev/null 2>&1 & exit 0')).exitCode, 0);
    await untilGone('98765.2');
  });

  test('is killed when its caller aborts', async () => {
    const leaving = new AbortController();
    const gone = new Error('gone');
    const running = runInSandbox('sleep 98765.3', { signal: leaving.signal, onReady: () => leaving.abort(gone) });
    await assert.rejects(running, gone);
    await untilGone('98765.3');
  });

  test('has each output stream cut after one megabyte', async () => {
    const { stdout, stderr, truncated, exitCode } = await runInSandbox(
      'head -c 3000000 /dev/zero | tr "\\0" a; head -c 3000000 /dev/zero | tr "\\0" b >&2; exit 3',
    );
    assert.deepEqual([stdout, stderr], ['a'.repeat(MEGABYTE), 'b'.repeat(MEGABYTE)]);
    assert.deepEqual([truncated, exitCode], [true, 3]);
  });
});

test('without bubblewrap nothing runs', async () => {
  await assert.rejects(runInSandbox('true', { executable: '/nonexistent/bwrap' }), {
    code: 'SANDBOX_UNAVAILABLE',
    message: /bubblewrap \(bwrap\) is not installed\. Nothing was run\./,
  });
});

test('if bubblewrap cannot build the sandbox, nothing runs and its reason is reported', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'trawl-bwrap-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const executable = join(folder, 'bwrap');
  writeFileSync(executable, '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2\nexit 1\n');
  chmodSync(executable, 0o755);
  await assert.rejects(runInSandbox('true', { executable }), {
    code: 'SANDBOX_UNAVAILABLE',
    status: 503,
    message: /bwrap: No permissions to create a new namespace/,
  });
});
