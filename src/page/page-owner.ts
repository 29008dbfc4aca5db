// Who may see a stored page. Every page in the cache and in the index has an owner, and every look-up names a viewer. Both
// come from one place (`createPageSharing`), and their types cannot be written by hand.
import { carriesSecret } from '../urls/secrets-in-url.ts';

declare const made: unique symbol;

/** The owner of a stored page: everyone, the teams that share, one team by its id, or (`?`) nobody any more. */
export type PageOwner = string & { readonly [made]: 'owner' };

/** The owners whose pages a team may see. */
export type Viewer = readonly PageOwner[] & { readonly [made]: 'viewer' };

/** The manual, which all teams see in any case. */
export const EVERYONE = '*' as PageOwner;
/** The teams that share. Pages that were stored before pages had owners belong to them, too. */
export const SHARED = '' as PageOwner;

/** Pages from before pages had owners that no team may see. */
const NOBODY = '?' as PageOwner;

/** What decides about the owner of a page. */
export interface OwnedPage {
  /** The URL that was requested and the one that it led to. */
  urls: readonly string[];
  /** Whether links or images of the page carry credentials, which may be those of the team that fetched it. */
  hasSecretUrls: boolean;
  isManual: boolean;
}

export interface PageSharing {
  /** `teamId` is undefined only for the service itself, which fetches its manual. */
  ownerOf(page: OwnedPage, teamId: string | undefined): PageOwner;
  viewerOf(teamId: string | undefined): Viewer;
  /** Whose pages a team may delete: its own and, as the operator, those that teams share or that nobody owns any more. */
  removableBy(teamId: string, isOperator: boolean): readonly PageOwner[];
  /** Whose the answers of search providers are that a team has asked for. */
  ownerOfAnswers(teamId: string): PageOwner;
}

export function createPageSharing({ isolatesTeams }: { isolatesTeams: boolean }): PageSharing {
  const ownerOfTeam = (teamId: string | undefined) => (teamId ?? EVERYONE) as PageOwner;
  return {
    ownerOf({ urls, hasSecretUrls, isManual }, teamId) {
      if (isManual) return EVERYONE;
      return isolatesTeams || hasSecretUrls || urls.some(carriesSecret) ? ownerOfTeam(teamId) : SHARED;
    },
    viewerOf(teamId) {
      const owners = new Set([ownerOfTeam(teamId), ...(isolatesTeams ? [] : [SHARED]), EVERYONE]);
      return [...owners] as readonly PageOwner[] as Viewer;
    },
    removableBy: (teamId, isOperator) => [ownerOfTeam(teamId), ...(isOperator ? [SHARED, NOBODY] : [])],
    ownerOfAnswers: (teamId) => (isolatesTeams ? ownerOfTeam(teamId) : SHARED),
  };
}
