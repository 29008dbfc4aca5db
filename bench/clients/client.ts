// What the bench knows of a client: its name and version, its folder, and its calls as named cases.
import { join } from 'node:path';
import { ROOT } from '../../test/support/program.ts';
import type { RunningProgram } from '../../test/support/service.ts';
import type { Web } from '../../test/support/web.ts';

/** What every client is driven against. */
export interface Scene {
  service: RunningProgram;
  web: Web;
  /** A folder for the files of the clients. */
  home: string;
  /** Why there is no browser, or no code in one. */
  noBrowser: string | undefined;
  noSandbox: string | undefined;
}

export interface Case {
  name: string;
  /** Throws unless the call returns what it should. */
  run(): Promise<unknown>;
  /** Why it cannot run on this machine. */
  skip?: string | undefined;
}

export interface OpenClient {
  cases: Case[];
  close?(): Promise<void>;
}

export interface Client {
  name: string;
  version: string;
  /** Throws NotInstalled if the client cannot be installed here. */
  open(scene: Scene): Promise<OpenClient>;
}

/** Where a client of this name is installed. */
export const clientFolder = (name: string): string => join(ROOT, 'node_modules/.cache/clients', name);

/** A wrong result: the error names what was expected, and shows the beginning of what came. */
export function expect(holds: boolean, expected: string, found?: unknown): void {
  if (holds) return;
  throw new Error(`Expected ${expected}, found ${JSON.stringify(found)?.slice(0, 300)}`);
}

/** Passes if `run` throws an error whose text or name matches. */
export async function expectError(pattern: RegExp, run: () => Promise<unknown>): Promise<void> {
  let result: unknown;
  try {
    result = await run();
  } catch (error) {
    const { name, message, code } = error as Error & { code?: string };
    return expect(pattern.test(`${name} ${code} ${message}`), `an error like ${pattern}`, message);
  }
  expect(false, `an error like ${pattern}`, result);
}

export const UPLOAD_HTML = '<h1>Upload</h1><p>Some text in a file.</p>';

/** Addresses on the small web that every client is asked for. */
export const addresses = (web: Web) => ({
  site: web.url('news.test'),
  page: web.url('news.test', '/article/1'),
  missing: web.url('error.test', '/404'),
  shop: web.url('shop.test'),
  mapped: web.url('mapped.test'),
  counter: web.url('counter.test', '/'),
  articles: [1, 2, 3].map((number) => web.url('load.test', `/article/${number}`)),
});
