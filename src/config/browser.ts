// Settings of the browser and of browser sessions.
import { availableParallelism, freemem, totalmem } from 'node:os';
import { z } from 'zod';
import { parseLanguages } from '../contracts/browser/execute.ts';
import { integer, oneOf, readBy, type Setting, setting, text } from './rules.ts';

const MEGABYTE = 1024 * 1024;
// With less, hardly any page could be shown.
const MIN_PAGE_MB = 128;

export const BROWSER_SETTINGS = {
  browser: setting(
    'TRAWL_BROWSER',
    'auto',
    text('auto'),
    'Which Chromium renders pages that need a browser. auto: one found on this machine; off: none; or the path of one.',
  ),
  browserSandbox: setting(
    'TRAWL_BROWSER_SANDBOX',
    'on',
    oneOf(['on', 'off'], 'on').transform((choice) => choice === 'on'),
    'Whether Chromium confines pages by its own sandbox, which needs user namespaces. off: only for containers that forbid them. It is always off for root.',
  ),
  browserPages: setting(
    'TRAWL_BROWSER_PAGES',
    'two per core, as memory allows',
    integer(defaultBrowserPages(), 1, 256),
    'Maximum number of pages open in the browser at the same time; more wait.',
  ),
  maxBrowserBytes: setting(
    'TRAWL_MAX_BROWSER_MB',
    '1024',
    integer(1_024, MIN_PAGE_MB, 1_048_576).transform(toBytes),
    'Maximum memory of a page in the browser, or of a browser session with all its tabs. A page or session that uses more is ended.',
  ),
  maxBrowserTotalBytes: setting(
    'TRAWL_MAX_BROWSER_TOTAL_MB',
    "half of the machine's memory",
    integer(defaultTotalMb(), MIN_PAGE_MB, 16_777_216).transform(toBytes),
    'Maximum memory of all browsers together. If they use more, the page or session that uses the most is ended.',
  ),
  maxSessions: setting(
    'TRAWL_MAX_SESSIONS',
    '5',
    integer(5, 0, 1_000),
    'Maximum number of open browser sessions per team. Each one is a separate browser. 0 disables sessions.',
  ),
  browserExecute: setting(
    'TRAWL_BROWSER_EXECUTE',
    'off',
    readBy(parseLanguages).default(() => []),
    'Whether callers may run code against their browser sessions, in a sandbox (bubblewrap): on, off, or a list of node, python, bash.',
  ),
  chromiumPath: setting(
    'CHROMIUM_PATH',
    'none',
    z.string().min(1).optional(),
    'Path of a Chromium that TRAWL_BROWSER=auto tries first. Other programs use this variable too.',
  ),
} satisfies Record<string, Setting<unknown>>;

function toBytes(mb: number): number {
  return mb * MEGABYTE;
}

/** Computed from the memory that this process may use: in a container with a limit, that is less than the machine has. */
function defaultTotalMb(): number {
  const limit = process.constrainedMemory();
  const memory = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return Math.max(MIN_PAGE_MB, Math.floor(memory / 2 / MEGABYTE));
}

/** A page and its processes take about 150 MB. */
function defaultBrowserPages(): number {
  const byMemory = Math.floor(freemem() / (150 * MEGABYTE));
  return Math.max(1, Math.min(2 * availableParallelism(), byMemory, 16));
}
