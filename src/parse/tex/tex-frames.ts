// The stack of what is open in a TeX source: groups and environments, down to a depth that no author needs.
import type { Frame } from './tex-reader.ts';

export interface Frames {
  top(): Frame;
  find(test: (frame: Frame) => boolean): Frame | undefined;
  /** `}` ends a group; one that no group was opened for is passed over. */
  openGroup(frame: Partial<Frame>): void;
  closeGroup(): void;
  openEnvironment(name: string, frame: Partial<Frame>): void;
  /** With all that was left open in it; an end without a beginning is passed over. */
  closeEnvironment(name: string): void;
  /** Closes everything; what was written outside of all frames. */
  finish(): string;
}

const MAX_FRAMES = 200;

export function createFrames(): Frames {
  const root: Frame = { kind: 'root', name: '', parts: [], closers: [] };
  const frames: Frame[] = [root];
  /** Groups that are open without a frame. */
  let beyond = 0;
  const top = (): Frame => frames.at(-1)!;
  const pop = (): void => {
    const frame = frames.pop()!;
    frame.parts.push(...frame.closers.toReversed());
    frame.close?.(frame.parts.join(''));
  };
  // Where nothing waits for it, a frame writes where its parent writes.
  const made = (kind: Frame['kind'], name: string, frame: Partial<Frame>): Frame => ({
    parts: frame.close ? [] : top().parts,
    closers: [],
    ...frame,
    kind,
    name,
  });

  return {
    top,
    find: (test) => frames.findLast(test),
    openGroup(frame) {
      if (frames.length < MAX_FRAMES) frames.push(made('group', '', frame));
      else beyond += 1;
    },
    closeGroup() {
      if (beyond > 0) beyond -= 1;
      else if (top().kind === 'group') pop();
    },
    openEnvironment(name, frame) {
      if (frames.length < MAX_FRAMES) frames.push(made('environment', name, frame));
    },
    closeEnvironment(name) {
      const at = frames.findLastIndex((frame) => frame.kind === 'environment' && frame.name === name);
      while (at > 0 && frames.length > at) pop();
    },
    finish() {
      while (frames.length > 1) pop();
      return root.parts.join('');
    },
  };
}
