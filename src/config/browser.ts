// Settings of the browser and of browser sessions.
import { availableParallelism, freemem } from 'node:os';
import { z } from 'zod';
import { parseLanguages } from '../contracts/execute.ts';
import { integer, readBy, type Setting, setting, text } from './rules.ts';

export const BROWSER_SETTINGS = {
  browser: setting(
    'TRAWL_BROWSER',
    'auto',
    text('auto'),
    'Which Chromium renders pages that need a browser. auto: one found on this machine; off: none; or the path of one.',
  ),
  browserPages: setting(
    'TRAWL_BROWSER_PAGES',
    'two per core, as memory allows',
    integer(defaultBrowserPages(), 1, 256),
    'Maximum number of pages open in the browser at the same time; more wait.',
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

/** A page and its processes take about 150 MB. */
function defaultBrowserPages(): number {
  const byMemory = Math.floor(freemem() / (150 * 1024 * 1024));
  return Math.max(1, Math.min(2 * availableParallelism(), byMemory, 16));
}
