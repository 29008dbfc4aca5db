// Who looks at a session, and which picture each gets: the latest, as soon as there is room for it.
import type { LiveMessage } from '../../contracts/live-view.ts';

export interface Viewer {
  send(message: LiveMessage): void;
  showFrame(picture: Uint8Array): void;
  /** Called once, when nothing more will come. The session may go on without the view. */
  onEnd(): void;
}

export interface Audience {
  readonly size: number;
  /** The result says that a picture was drawn. */
  add(viewer: Viewer): () => void;
  remove(viewer: Viewer): void;
  broadcast(message: LiveMessage): void;
  showFrame(picture: Uint8Array): void;
  /** What was shown last is of no interest to who comes now. */
  forget(): void;
  dismiss(): void;
}

interface Seat {
  /** Pictures that are on their way. */
  ahead: number;
  /** The last one that was sent. */
  picture: number;
}

const MAX_AHEAD = 2;

/** `onTaken`: somebody has taken the latest picture. */
export function createAudience(onTaken: () => void): Audience {
  const seats = new Map<Viewer, Seat>();
  let latest: Uint8Array | undefined;
  let pictures = 0;

  const offer = (viewer: Viewer, seat: Seat) => {
    if (!latest || seat.picture === pictures || seat.ahead >= MAX_AHEAD) return;
    seat.picture = pictures;
    seat.ahead += 1;
    viewer.showFrame(latest);
    onTaken();
  };
  return {
    get size() {
      return seats.size;
    },
    add(viewer) {
      const seat = { ahead: 0, picture: 0 };
      seats.set(viewer, seat);
      offer(viewer, seat);
      return () => {
        seat.ahead = Math.max(0, seat.ahead - 1);
        offer(viewer, seat);
      };
    },
    remove(viewer) {
      seats.delete(viewer);
    },
    broadcast(message) {
      for (const viewer of seats.keys()) viewer.send(message);
    },
    showFrame(picture) {
      latest = picture;
      pictures += 1;
      for (const [viewer, seat] of seats) offer(viewer, seat);
    },
    forget() {
      latest = undefined;
    },
    dismiss() {
      const all = [...seats.keys()];
      seats.clear();
      for (const viewer of all) viewer.onEnd();
    },
  };
}
