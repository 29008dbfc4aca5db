// Shortens a JSON value to a number of characters. Small parts stay whole, large ones share the room equally: texts are
// cut at line ends, lists after an entry. The result has the same shape and is valid JSON.
import { type CutText, cutText } from './cut-text.ts';

/** Shorter texts are IDs, URLs and titles, which mean nothing in part: they stay, or go with their key. */
const WHOLE_TEXT = 300;
/** Entries of lists are cut down to this; if that is too much, there are fewer of them. */
const ENTRY_ROOM = 2_000;
/** The same for the members of an object. */
const MEMBER_ROOM = 300;
/** Values nested deeper than this are kept whole or dropped, never shortened. */
const MAX_DEPTH = 60;
/** Maximum number of members that are named because they did not fit. */
const MAX_NAMED = 20;

export interface Shortened<T> {
  value: T;
  /** Lists that lost entries at their end. */
  lists: { path: string; shown: number; total: number }[];
  texts: { path: string; shown: number; total: number }[];
  /** Paths of members that did not fit at all; of many, only the first. */
  dropped: string[];
}

interface Part {
  value: unknown;
  /** Characters as JSON. */
  size: number;
  /** Members of an object or a list. */
  members?: Member[];
}

interface Member {
  /** What the path of the value goes on with. */
  step: string;
  name: string;
  /** Characters of the name and the separators. */
  overhead: number;
  part: Part;
}

/** `room` has to be enough for an empty object; a value that fits is returned as it is. */
export function shorten<T extends object>(value: T, room: number): Shortened<T> {
  const shortened: Omit<Shortened<T>, 'value'> = { lists: [], texts: [], dropped: [] };
  const whole = measure(value, 0);
  const fitted = fit(whole, room, '', shortened);
  return { value: (fitted ?? (Array.isArray(value) ? [] : {})) as T, ...shortened };
}

function measure(value: unknown, depth: number): Part {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) {
    return { value, size: JSON.stringify(value)?.length ?? 0 };
  }
  const isList = Array.isArray(value);
  const members = Object.entries(value).flatMap(([name, inner]): Member[] => {
    // As in JSON: such a member is absent, while a list keeps its place.
    if (inner === undefined && !isList) return [];
    const overhead = isList ? ','.length : JSON.stringify(name).length + ':,'.length;
    const step = isList ? `[${name}]` : `.${name}`;
    return [{ step, name, overhead, part: measure(inner ?? null, depth + 1) }];
  });
  const size = members.reduce((sum, { overhead, part }) => sum + overhead + part.size, BRACKETS);
  return { value, size, members };
}

const BRACKETS = 2;

type Losses = Omit<Shortened<unknown>, 'value'>;

/** Undefined if nothing of it fits. */
function fit(part: Part, room: number, path: string, losses: Losses): unknown {
  if (part.size <= room) return part.value;
  if (part.members !== undefined) return fitMembers(part, part.members, room, path, losses);
  const cut = cutValue(part, room);
  if (cut === undefined) recordDropped(losses, [path]);
  else losses.texts.push({ path, shown: cut.shown, total: (part.value as string).length });
  return cut?.text;
}

function cutValue({ value, size }: Part, room: number): CutText | undefined {
  return typeof value === 'string' && size > WHOLE_TEXT ? cutText(value, room) : undefined;
}

function fitMembers(part: Part, all: readonly Member[], room: number, path: string, losses: Losses): unknown {
  const isList = Array.isArray(part.value);
  const kept = isList ? firstEntries(all, room) : smallestMembers(all, room);
  if (kept.length < all.length) {
    if (isList) losses.lists.push({ path, shown: kept.length, total: all.length });
    else recordDropped(losses, stepsWithout(kept, all, path));
  }
  const overhead = kept.reduce((sum, member) => sum + member.overhead, BRACKETS);
  const share = shareOf(
    kept.map((member) => member.part.size),
    room - overhead,
  );
  const fitted = kept.flatMap((member) => {
    const value = fit(member.part, Math.min(member.part.size, share), path + member.step, losses);
    return value === undefined ? [] : [[member.name, value] as const];
  });
  return isList ? fitted.map(([, value]) => value) : Object.fromEntries(fitted);
}

function stepsWithout(kept: readonly Member[], all: readonly Member[], path: string): string[] {
  const known = new Set(kept);
  return all.filter((member) => !known.has(member)).map(({ step }) => path + step);
}

function recordDropped({ dropped }: Losses, paths: readonly string[]): void {
  dropped.push(...paths.slice(0, MAX_NAMED - dropped.length));
}

/** The longest beginning of a list whose entries have enough room. */
function firstEntries(all: readonly Member[], room: number): Member[] {
  let left = room - BRACKETS;
  const end = all.findIndex(({ part, overhead }) => {
    left -= overhead + Math.min(part.size, ENTRY_ROOM);
    return left < 0;
  });
  return all.slice(0, end < 0 ? all.length : end);
}

/** In their order. Small members come first: what a page is called matters more than its last paragraph. */
function smallestMembers(all: readonly Member[], room: number): Member[] {
  let left = room - BRACKETS;
  const kept = new Set(
    all
      .toSorted((a, b) => a.part.size - b.part.size)
      .filter(({ part, overhead }) => {
        const need = overhead + Math.min(part.size, MEMBER_ROOM);
        if (need > left) return false;
        left -= need;
        return true;
      }),
  );
  return all.filter((member) => kept.has(member));
}

/** The largest size that each may have, so that all together fit. */
function shareOf(sizes: readonly number[], room: number): number {
  let left = room;
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
}
