// Live view links: which session a token opens, and whether the viewer may control it.

import type { LiveAction } from '../../contracts/browser/live-view.ts';
import type { ServiceError } from '../../contracts/errors/errors.ts';
import type { LiveViewer } from '../../sessions/live-view/audience.ts';
import { type LiveView, openLiveView } from '../../sessions/live-view/live-view.ts';
import type { BrowserSession, SessionOpener, Sessions } from '../../sessions/session.ts';
import type { Clock } from '../../util/clock.ts';

export interface LiveLink {
  /** Why the session is over; undefined while it is open. */
  endReason(): ServiceError | undefined;
  teamId: string;
  opener?: SessionOpener;
  /** Whether the viewer may control the page. */
  isInteractive: boolean;
  /** Undefined if there are too many viewers. */
  join(viewer: LiveViewer): LiveSeat | undefined;
}

export interface LiveSeat {
  seen(): void;
  /** Returns false and does nothing for a view-only link. */
  act(action: LiveAction): boolean;
  leave(): void;
}

/** Undefined for an unknown or expired token. */
export type OpenLiveLink = (token: string) => LiveLink | undefined;

export function createLiveLinks({ sessions, clock }: { sessions: Sessions; clock: Clock }): OpenLiveLink {
  const views = new Map<string, LiveView>();

  const viewOf = (session: BrowserSession): LiveView => {
    const open = views.get(session.id);
    if (open) return open;
    const view = openLiveView(session, clock, () => views.delete(session.id));
    views.set(session.id, view);
    return view;
  };

  return (token) => {
    const controlled = sessions.findByToken('control', token);
    const session = controlled ?? sessions.findByToken('view', token);
    // Whether a session can be watched is decided when it is opened.
    if (!session?.streamWebView) return undefined;
    const isInteractive = controlled !== undefined;
    return {
      teamId: session.teamId,
      opener: session.opener,
      endReason: () => (session.ended.aborted ? session.ended.reason : undefined),
      isInteractive,
      join(viewer) {
        const seat = viewOf(session).join(viewer);
        if (!seat) return undefined;
        const { seen, act, leave } = seat;
        return {
          seen,
          leave,
          act(action) {
            if (isInteractive) act(action);
            return isInteractive;
          },
        };
      },
    };
  };
}
