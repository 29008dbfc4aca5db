// The stack of open groups and environments, with a limit on its depth.
import type { TexFrame } from './tex-reader.ts';

export interface TexFrames {
  top(): TexFrame;
  find(test: (frame: TexFrame) => boolean): TexFrame | undefined;
  /** Beyond the depth limit, groups are only counted. */
  openGroup(frame: Partial<TexFrame>): void;
  closeGroup(): void;
  openEnvironment(name: string, frame: Partial<TexFrame>): void;
  /** Also closes everything left open inside. An end without a beginning is ignored. */
  closeEnvironment(name: string): void;
  /** Closes everything and returns the output. */
  finish(): string;
}

const MAX_FRAMES = 200;

export function createFrames(): TexFrames {
  const root: TexFrame = { kind: 'root', name: '', parts: [], closers: [] };
  const frames: TexFrame[] = [root];
  /** Open groups beyond the depth limit. */
  let framelessGroups = 0;
  const top = (): TexFrame => frames.at(-1)!;
  const pop = (): void => {
    const frame = frames.pop()!;
    frame.parts.push(...frame.closers.toReversed());
    frame.close?.(frame.parts.join(''));
  };
  // Without `close`, a frame writes to its parent's output.
  const createFrame = (kind: TexFrame['kind'], name: string, frame: Partial<TexFrame>): TexFrame => ({
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
      if (frames.length < MAX_FRAMES) frames.push(createFrame('group', '', frame));
      else framelessGroups += 1;
    },
    closeGroup() {
      if (framelessGroups > 0) framelessGroups -= 1;
      else if (top().kind === 'group') pop();
    },
    openEnvironment(name, frame) {
      if (frames.length < MAX_FRAMES) frames.push(createFrame('environment', name, frame));
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
