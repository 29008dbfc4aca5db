// Decides which page of a browser viewers see: the newest, and when it closes, the one before.
import type { Params } from '../cdp.ts';

export interface Tabs {
  /** Processes an event. True if the pages changed. */
  note(method: string, params: Params): boolean;
  /** Call it when all existing pages have been reported: pages from now on are new. */
  settle(): void;
  /** Undefined before `settle`. */
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
  /** By id, in the order of discovery. */
  const pages = new Map<string, { isNew: boolean; isBlank: boolean }>();
  let isSettled = false;

  const note = ({ targetId, type, subtype, url }: TargetInfo) => {
    // Pages with a subtype, such as prerendered ones, are not shown yet.
    if (type !== 'page' || subtype !== undefined) return;
    const isNew = pages.get(targetId)?.isNew ?? isSettled;
    pages.set(targetId, { isNew, isBlank: url === '' || url === 'about:blank' });
  };
  /** The blank page that a browser starts with is ignored; a new page was opened on purpose, even if it is blank. */
  const relevant = () => [...pages].filter(([, { isNew, isBlank }]) => isNew || !isBlank).map(([id]) => id);

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
      return isSettled ? (relevant().at(-1) ?? [...pages.keys()].at(-1)) : undefined;
    },
    get count() {
      return relevant().length || pages.size;
    },
  };
}
