// The viewers of a session. Each gets the latest frame as soon as it has drawn the ones before.
import type { LiveMessage } from '../../contracts/browser/live-view.ts';

export interface LiveViewer {
  send(message: LiveMessage): void;
  showFrame(frame: Uint8Array): void;
  /** Called once, when the view ends. The session may continue without it. */
  onEnd(): void;
}

export interface Audience {
  readonly size: number;
  /** The returned function reports that the viewer has drawn a frame. */
  add(viewer: LiveViewer): () => void;
  remove(viewer: LiveViewer): void;
  broadcast(message: LiveMessage): void;
  showFrame(frame: Uint8Array): void;
  /** New viewers will not get the latest frame any more. */
  forget(): void;
  dismiss(): void;
}

interface Progress {
  /** Frames that were sent but not drawn yet. */
  ahead: number;
  /** The number of the last frame that was sent. */
  frame: number;
}

const MAX_AHEAD = 2;

/** Calls `onSent` when the latest frame was sent to a viewer. */
export function createAudience(onSent: () => void): Audience {
  const viewers = new Map<LiveViewer, Progress>();
  let latest: Uint8Array | undefined;
  let frames = 0;

  const offer = (viewer: LiveViewer, progress: Progress) => {
    if (!latest || progress.frame === frames || progress.ahead >= MAX_AHEAD) return;
    progress.frame = frames;
    progress.ahead += 1;
    viewer.showFrame(latest);
    onSent();
  };
  return {
    get size() {
      return viewers.size;
    },
    add(viewer) {
      const progress = { ahead: 0, frame: 0 };
      viewers.set(viewer, progress);
      offer(viewer, progress);
      return () => {
        progress.ahead = Math.max(0, progress.ahead - 1);
        offer(viewer, progress);
      };
    },
    remove(viewer) {
      viewers.delete(viewer);
    },
    broadcast(message) {
      for (const viewer of viewers.keys()) viewer.send(message);
    },
    showFrame(frame) {
      latest = frame;
      frames += 1;
      for (const [viewer, progress] of viewers) offer(viewer, progress);
    },
    forget() {
      latest = undefined;
    },
    dismiss() {
      const all = [...viewers.keys()];
      viewers.clear();
      for (const viewer of all) viewer.onEnd();
    },
  };
}
