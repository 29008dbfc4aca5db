// Which page of a browser is the one to look at: the newest, and when that is closed, the one before.
import type { Params } from '../multiplexer/cdp-rules.ts';

export interface Tabs {
  /** True when something about the pages has changed. */
  note(method: string, params: Params): boolean;
  /** Those that were there already have all been told of; what comes from now on is new. */
  settle(): void;
  /** None before `settle`. */
  readonly active: string | undefined;
  readonly count: number;
}

interface TargetInfo {
  targetId: string;
  type: string;
  subtype?: string;
  url: string;
}

export function createTabs(): Tabs {
  /** By id; in the order in which they came to be known. */
  const pages = new Map<string, { isNew: boolean; isBlank: boolean }>();
  let isSettled = false;

  const note = ({ targetId, type, subtype, url }: TargetInfo) => {
    // Other subtypes are pages that are not there yet.
    if (type !== 'page' || subtype !== undefined) return;
    const isNew = pages.get(targetId)?.isNew ?? isSettled;
    pages.set(targetId, { isNew, isBlank: url === '' || url === 'about:blank' });
  };
  /** A browser starts with an empty page that nobody has asked for; a new one, even empty, somebody has. */
  const wanted = () => [...pages].filter(([, { isNew, isBlank }]) => isNew || !isBlank).map(([id]) => id);

  return {
    note(method, params) {
      switch (method) {
        case 'Target.targetCreated':
        case 'Target.targetInfoChanged':
          note(params.targetInfo as TargetInfo);
          return true;
        case 'Target.targetDestroyed':
          return pages.delete(params.targetId as string);
        default:
          return false;
      }
    },
    settle() {
      isSettled = true;
    },
    get active() {
      return isSettled ? (wanted().at(-1) ?? [...pages.keys()].at(-1)) : undefined;
    },
    get count() {
      return wanted().length || pages.size;
    },
  };
}
