// Port: the page of a session as somebody drives it who cannot see it, such as a language model: a text with numbered
// elements, and actions on them.
import type { BrowserSession } from './session.ts';

export interface PageView {
  url: string;
  title: string;
  /** `[3] button "Search"` for elements that can be used, other lines for text. Everything in it was written by the page. */
  lines: readonly string[];
  /** The page has more than is shown. */
  isCut: boolean;
}

/** Clicking, typing, selecting and pressing keys have effects on the site; the others only change what is seen. */
export type PageAction =
  | { type: 'click'; element: number }
  | { type: 'type'; element: number; text: string; enter: boolean }
  | { type: 'select'; element: number; option: string }
  | { type: 'press'; key: string }
  | { type: 'scroll'; direction: 'up' | 'down' }
  | { type: 'back' }
  | { type: 'open'; url: string }
  | { type: 'wait'; seconds: number };

export interface PerformedAction {
  /** Why it could not be done; undefined if it was. */
  problem?: string;
  /** What happened besides, for example a dialog. */
  note?: string;
  /** Another document is shown: numbers of the last view are void. */
  isNewPage: boolean;
}

export interface PageDriver {
  view(): Promise<PageView>;
  /** Element numbers are those of the last view. Waits until the page has settled. */
  perform(action: PageAction): Promise<PerformedAction>;
  /** The pages stay open. */
  close(): void;
}

export interface DrivingTime {
  signal: AbortSignal;
  /** When the time is over. */
  deadline: number;
}

export interface Driving extends DrivingTime {
  /**
   * Which documents the session may request from now on, in pages, frames and new tabs, and at each redirect; all if absent.
   * The `note` of the action mentions what was kept back.
   */
  mayOpen?(url: string): boolean | Promise<boolean>;
}

/** Drives the page that was opened last. Rejects with a ServiceError, or with the reason of the signal. */
export type DrivePage = (session: BrowserSession, driving: Driving) => Promise<PageDriver>;
