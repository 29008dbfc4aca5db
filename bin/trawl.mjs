#!/usr/bin/env node
// Starts Trawl with a suitable Node: the one npm installed, else the one that runs this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { entryOf, FLAGS, runtimeEnvironment } from './runtime.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NEEDED_NODE = 24;

const node = findNode();
if (node) run(node, [...FLAGS, entryOf(ROOT), ...process.argv.slice(2)]);
else {
  process.stderr.write(
    `Trawl needs Node ${NEEDED_NODE} or newer, and this is ${process.version}. Update Node, or install Trawl again with this Node: on Linux (x64, arm64) it then brings the Node that it needs.\n`,
  );
  process.exitCode = 1;
}

function run(program, args) {
  const env = { ...runtimeEnvironment(ROOT), ...process.env };
  // The program takes the place of this process. A second process would only wait, and take 45 MB.
  if (process.execve && process.platform !== 'win32') process.execve(program, [program, ...args], env);
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}

function findNode() {
  const bundled = findBundledNode();
  if (bundled) return bundled;
  return Number(process.versions.node.split('.')[0]) >= NEEDED_NODE ? process.execPath : undefined;
}

/** Where npm has put it is decided by npm: in the root, or beside it. */
function findBundledNode() {
  const name = `node-${process.platform}-${process.arch}`;
  try {
    const program = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin', 'node');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
