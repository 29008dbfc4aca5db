#!/usr/bin/env node
// Starts Trawl with a suitable Node: the one npm installed, else the one that runs this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FLAGS, runtimeEnvironment } from './runtime.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NEEDED_NODE = 24;

const node = findNode();
if (node) run(node, [...FLAGS, join(ROOT, 'src', 'main.ts'), ...process.argv.slice(2)]);
else {
  process.stderr.write(
    `Trawl needs Node ${NEEDED_NODE} or newer, and this is ${process.version}. Run \`npm start\` once in ${ROOT} to install it, or update Node.\n`,
  );
  process.exitCode = 1;
}

function run(program, args) {
  const env = { ...runtimeEnvironment(ROOT), ...process.env };
  // The program takes the place of this process. A second process would only wait, and take 45 MB.
  if (process.execve) process.execve(program, [program, ...args], env);
  const child = spawn(program, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
}

function findNode() {
  const name = `node-${process.platform}-${process.arch}`;
  // In a checkout, node_modules is in the root; where Trawl is installed as a package, the root is inside it.
  const folders = [join(ROOT, 'node_modules'), dirname(ROOT)];
  const bundled = folders.map((folder) => join(folder, name, 'bin', 'node')).find(existsSync);
  if (bundled) return bundled;
  return Number(process.versions.node.split('.')[0]) >= NEEDED_NODE ? process.execPath : undefined;
}
