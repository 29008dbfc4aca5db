// Builds the console: web/console becomes a page and hashed files, each compressed beside it. Runs at set-up whenever the
// sources have changed, so built files are never part of the repository.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { build } from 'esbuild';
import { contractsPlugin } from './contracts-plugin.ts';
import { BUILT, CONSOLE, isConsoleBuilt, STAMP, sourcesHash } from './sources.mjs';

const PAGE = join(CONSOLE, 'page.html');
const COMPRESSED = /\.(?:js|css|html|svg)$/;

const MAX_TRIES = 20;

async function buildConsole(): Promise<void> {
  // Taken first: what changes while the build runs makes the next start build again.
  const hash = sourcesHash();
  const unfinished = `${BUILT}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(unfinished, 'assets'), { recursive: true });
  const { metafile } = await build({
    entryPoints: [{ in: join(CONSOLE, 'main.tsx'), out: 'console' }],
    outdir: join(unfinished, 'assets'),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.svg': 'file' },
    publicPath: '/console/assets',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    plugins: [contractsPlugin()],
  });
  const entry = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint?.endsWith('main.tsx'));
  if (!entry) throw new Error('The build has no entry point.');
  const [script, { cssBundle }] = entry;
  const page = readFileSync(PAGE, 'utf8')
    .replace('console.js', basename(script))
    .replace('console.css', basename(cssBundle!));
  writeFileSync(join(unfinished, 'page.html'), page);
  for (const file of readdirSync(join(unfinished, 'assets'))) compress(join(unfinished, 'assets', file));
  compress(join(unfinished, 'page.html'));
  writeFileSync(join(unfinished, STAMP), hash);
  replaceBuilt(unfinished);
}

/** Another build may end at the same time. Folders are only moved, so each of them is seen whole, and the last one stays. */
function replaceBuilt(finished: string): void {
  const replaced = `${finished}.replaced`;
  for (let tries = 0; !renamed(finished, BUILT); tries += 1) {
    if (tries === MAX_TRIES) throw new Error(`${BUILT} cannot be replaced.`);
    if (renamed(BUILT, replaced)) rmSync(replaced, { recursive: true, force: true });
  }
}

/** False if there is nothing to rename, or another folder has the name. */
function renamed(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

function compress(file: string): void {
  if (!COMPRESSED.test(file)) return;
  const bytes = readFileSync(file);
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11 } }));
}

/** For work on the pages: builds again after every change, except those that the build itself makes. */
async function watchConsole(): Promise<void> {
  for await (const { filename } of watch(CONSOLE, { recursive: true })) {
    if (filename?.startsWith(basename(BUILT)) || isConsoleBuilt()) continue;
    // A mistake in a source is printed by esbuild; the next change may mend it.
    await buildConsole().catch(() => undefined);
  }
}

await buildConsole();
if (process.argv.includes('--watch')) await watchConsole();
