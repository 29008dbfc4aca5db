#!/usr/bin/env node
// Starts Trawl with a suitable Node: the one npm installed, else the one that runs this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NEEDED_NODE = 24;

const node = findNode();
if (node) {
  // As in `npm start`: compiled modules are cached, which saves time and memory, glibc uses two heaps for all threads and
  // gives the memory of pages back when they are done, and V8 collects new objects early.
  const env = {
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'trawl'),
    MALLOC_ARENA_MAX: '2',
    MALLOC_TRIM_THRESHOLD_: '131072',
    MALLOC_MMAP_THRESHOLD_: '32768',
    ...process.env,
  };
  const child = spawn(node, ['--max-semi-space-size=8', join(ROOT, 'src', 'main.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
    env,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
} else {
  process.stderr.write(
    `Trawl needs Node ${NEEDED_NODE} or newer, and this is ${process.version}. Run \`npm start\` once in ${ROOT} to install it, or update Node.\n`,
  );
  process.exitCode = 1;
}

function findNode() {
  const name = `node-${process.platform}-${process.arch}`;
  // In a checkout, node_modules is in the root; where Trawl is installed as a package, the root is inside it.
  const folders = [join(ROOT, 'node_modules'), dirname(ROOT)];
  const bundled = folders.map((folder) => join(folder, name, 'bin', 'node')).find(existsSync);
  if (bundled) return bundled;
  return Number(process.versions.node.split('.')[0]) >= NEEDED_NODE ? process.execPath : undefined;
}
