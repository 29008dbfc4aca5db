// The fingerprint of a page's text, by which a crawl recognises the same text, the same text with other dates, or
// nearly the same words. It depends only on the page, not on the requested formats.

import type { HtmlTree } from '../../markup/html/html-tree.ts';
import type { TextFingerprint } from '../../page/page.ts';
import { createKernel, type Kernel } from '../kernel/kernel.ts';
import { calendarNames } from './calendar-words.ts';
import { unitClasses } from './character-classes.ts';
import { pageText, shownFiles } from './page-text.ts';

/** Reuses its memory from text to text. */
export interface Fingerprinter {
  ofPage(tree: HtmlTree): TextFingerprint;
  ofText(text: string): TextFingerprint;
}

const MAX_TEXT = 200_000;
// What stands around a number at the end is looked at, too.
const LOOK_AHEAD = 2;
// Pages with fewer words, as in a gallery, are also identified by the files they show.
const FEW_WORDS = 20;

// The sizes that fingerprint.rs and terms.rs reckon with, in bytes.
const TERM_SLOTS = 12 * 32_768;
const USED_SLOTS = 2 * 16_384;
const VOTES = 4 * 32;
const CALENDAR = 12 * 4_096;
const LOOSE_NUMBERS = 4 * 54;
const STATE = 24 * 4;
const RESULT = 6;

export function createFingerprinter(kernel: Kernel = createKernel()): Fingerprinter {
  const { calls } = kernel;
  const slots = kernel.reserve(TERM_SLOTS);
  const used = kernel.reserve(USED_SLOTS);
  const votes = kernel.reserve(VOTES);
  const units = kernel.place(unitClasses());
  const textAt = kernel.reserve(2 * (MAX_TEXT + LOOK_AHEAD));
  const calendar = kernel.reserve(CALENDAR);
  const loose = kernel.reserve(LOOSE_NUMBERS);
  // In the order of `Fingerprint` in fingerprint.rs, which begins with `Terms`: slots, used, size, votes.
  const state = kernel.reserve(STATE);
  const resultAt = kernel.reserve(4 * RESULT);
  kernel.view(Int32Array, state, 8).set([slots, used, 0, votes, units, textAt, calendar, loose]);
  const result = kernel.view(Uint32Array, resultAt, RESULT);
  const codes = kernel.view(Uint16Array, textAt, MAX_TEXT + LOOK_AHEAD);
  const bytes = Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength);

  const write = (text: string): number => bytes.write(text, 'utf16le') >> 1;
  for (const { name, kind } of calendarNames()) calls.addCalendarName(state, write(name), kind);

  function readText(text: string): number {
    const length = write(text);
    codes.fill(0, length, length + LOOK_AHEAD);
    return calls.readWords(state, Math.min(length, MAX_TEXT));
  }

  function readFile(name: string): void {
    for (let at = 0; at < name.length; at += MAX_TEXT) calls.readFileName(state, write(name.slice(at, at + MAX_TEXT)));
    calls.endFileName(state);
  }

  function fingerprint(text: string, tree?: HtmlTree): TextFingerprint {
    calls.startFingerprint(state);
    const words = readText(text);
    if (tree && words < FEW_WORDS) for (const name of shownFiles(tree)) readFile(name);
    calls.finishFingerprint(state, resultAt);
    const [exact, gist, simhash] = [
      hex(result[0]!, result[1]!),
      hex(result[2]!, result[3]!),
      hex(result[4]!, result[5]!),
    ];
    return { exact, gist, simhash };
  }

  return {
    ofPage: (tree) => fingerprint(pageText(tree, MAX_TEXT), tree),
    ofText: (text) => fingerprint(text),
  };
}

const hex = (low: number, high: number): string => half(high) + half(low);
const half = (value: number): string => value.toString(16).padStart(8, '0');
