#!/usr/bin/env node
// Starts Trawl on a Node that can run it: the one npm brought, else the one that runs this file.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const NEEDED_NODE = 24;

const node = findNode();
if (node) {
  // As `npm start` does: modules that were compiled once are not compiled again, which saves time and memory, and
  // glibc keeps two heaps for all threads instead of many that each hold on to what was freed.
  const env = {
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'trawl'),
    MALLOC_ARENA_MAX: '2',
    ...process.env,
  };
  const child = spawn(node, [join(ROOT, 'src', 'main.ts'), ...process.argv.slice(2)], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
} else {
  process.stderr.write(
    `Trawl runs on Node ${NEEDED_NODE} or newer, and this is ${process.version}. Run \`npm start\` once in ${ROOT}: it brings the right one where it can.\n`,
  );
  process.exitCode = 1;
}

function findNode() {
  const name = `node-${process.platform}-${process.arch}`;
  // Beside this file in a checkout, further up where Trawl is itself a package.
  const folders = [join(ROOT, 'node_modules'), dirname(ROOT)];
  const bundled = folders.map((folder) => join(folder, name, 'bin', 'node')).find(existsSync);
  if (bundled) return bundled;
  return Number(process.versions.node.split('.')[0]) >= NEEDED_NODE ? process.execPath : undefined;
}
