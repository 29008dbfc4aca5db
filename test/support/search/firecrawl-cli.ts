// The public command line in a process of its own, with a service that has fetched the corpus as its API.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { type Found, hostPaths, useSearch } from './search.ts';
import { searchCorpus } from './search-corpus.ts';

const PROGRAM = join(import.meta.dirname, '../../../node_modules/firecrawl-cli/dist/index.js');
const LONGEST_MS = 60_000;

const site = [
  {
    at: 'shelf.test/',
    title: 'The shelf',
    text: 'A shelf of herbals.',
    html: '<p><a href="/herbal">The herbal</a></p>',
  },
  { at: 'shelf.test/herbal', title: 'The herbal', text: 'Lovage is in the herbal, and so is tansy.' },
];
interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

export function useFirecrawlCli() {
  const scene = useSearch({}, [...searchCorpus(Date.now()), ...site]);
  const home = mkdtempSync(join(tmpdir(), 'trawl-cli-'));
  after(() => rmSync(home, { recursive: true, force: true }));

  /** Runs the program with the service as its API, a home folder of its own, and no Internet access. */
  function run(args: string[], more: Record<string, string> = {}): Promise<Ended> {
    const { PATH, TMPDIR } = process.env;
    const env = {
      PATH,
      TMPDIR,
      HOME: home,
      FIRECRAWL_API_URL: scene.service.url,
      FIRECRAWL_API_KEY: scene.service.key,
      FIRECRAWL_NO_TELEMETRY: '1',
      FIRECRAWL_NO_UPDATE_CHECK: '1',
      ...more,
    };
    return new Promise((resolve) => {
      const options = { env, cwd: home, timeout: LONGEST_MS, maxBuffer: 10_000_000 };
      const child = execFile(process.execPath, [PROGRAM, ...args], options, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  /** Its output when it succeeds. */
  async function text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await run(args);
    assert.equal(code, 0, stderr);
    return stdout;
  }

  const json = async <T = Found>(...args: string[]): Promise<T> => JSON.parse(await text(...args, '--json')) as T;

  /** The addresses in its plain output, as `host/path`. */
  const hostPathsIn = (output: string): string[] =>
    hostPaths([...output.matchAll(/^ {2}URL: (\S+)$/gm)].map(([, url]) => ({ url: url! })));

  return { scene, run, text, json, hostPathsIn };
}
