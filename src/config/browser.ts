// The settings of the browser, and of the sessions that callers open with it.
import { availableParallelism, freemem } from 'node:os';
import { z } from 'zod';
import { parseLanguages } from '../contracts/execute.ts';
import { integer, readBy, type Setting, setting, text } from './rules.ts';

export const BROWSER_SETTINGS = {
  browser: setting(
    'TRAWL_BROWSER',
    'auto',
    text('auto'),
    'auto: the Chromium that is found on this machine, for pages that need one; off: none; else the path of one.',
  ),
  browserPages: setting(
    'TRAWL_BROWSER_PAGES',
    'two a core, as memory allows',
    integer(defaultBrowserPages(), 1, 256),
    'Pages that are open in the browser at the same time; more wait in line.',
  ),
  maxSessions: setting(
    'TRAWL_MAX_SESSIONS',
    '5',
    integer(5, 0, 1_000),
    'Browser sessions that one team may have open; each is a browser of its own. 0: none.',
  ),
  browserExecute: setting(
    'TRAWL_BROWSER_EXECUTE',
    'off',
    readBy(parseLanguages).default(() => []),
    'Whether callers may run code beside their browser sessions, in a sandbox (bubblewrap): on, off, or a list of node, python, bash.',
  ),
  chromiumPath: setting(
    'CHROMIUM_PATH',
    'none',
    z.string().min(1).optional(),
    'Where to look first for a Chromium, for TRAWL_BROWSER=auto: what other programs go by.',
  ),
} satisfies Record<string, Setting<unknown>>;

/** A page and its processes take some 150 MB. */
function defaultBrowserPages(): number {
  const byMemory = Math.floor(freemem() / (150 * 1024 * 1024));
  return Math.max(1, Math.min(2 * availableParallelism(), byMemory, 16));
}
