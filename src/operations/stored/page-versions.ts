// The versions of a page whose changes a team tracks, and how two of them differ.
import { ServiceError } from '../../contracts/errors/errors.ts';
import type { PageDiffResponse, PageVersionsResponse } from '../../contracts/search/stored-pages.ts';
import { checkFormats } from '../../policy/keys/key-formats.ts';
import type { PageHistory } from '../../store/ports/pages/page-history.ts';
import type { Understander } from '../../understand/understander.ts';
import { iso } from '../../util/clock.ts';
import type { Call } from '../call.ts';
import type { Caller } from '../caller.ts';
import { readVersion, type StoredVersion } from '../page/changes/stored-version.ts';
import { pageOf } from './stored-pages.ts';

interface PageVersionsDeps {
  history: PageHistory;
  understander: Pick<Understander, 'tools'>;
}

export async function pageVersions(
  { history }: PageVersionsDeps,
  { caller, query }: Call<'pageVersions'>,
): Promise<PageVersionsResponse> {
  const histories = await history.histories(caller.team.id, pageOf(caller, query.url));
  return {
    success: true,
    data: histories.map(({ tag, isRedacted, versions }) => ({
      tag: tag ?? null,
      redacted: isRedacted,
      versions: versions.map(({ number, status, at, seenAt, bytes }) => ({
        ...{ id: number, at: iso(at), lastSeenAt: iso(seenAt), status, bytes },
      })),
    })),
  };
}

export async function pageDiff(deps: PageVersionsDeps, { caller, query }: Call<'pageDiff'>): Promise<PageDiffResponse> {
  const { from, to } = query;
  const url = pageOf(caller, query.url);
  // What a diff shows is the text of the page.
  checkFormats(caller.limits ?? {}, { formats: [{ type: 'changeTracking' }] });
  const later = await read(deps, caller, url, to);
  const before = from ?? (await versionBefore(deps, caller, url, to));
  const earlier = before === undefined ? undefined : await read(deps, caller, url, before);
  const { work } = deps.understander.tools({ asker: { team: caller.team.id }, isPrivate: false }, caller.signal);
  const known = earlier ? textOf(earlier.version) : NOTHING;
  const { isSame, diff, isCut } = await work.compareTexts(known, later.version.markdown, { wantsDiff: true });
  return {
    success: true,
    data: {
      from: earlier ? { id: before!, lastSeenAt: iso(earlier.at) } : null,
      to: { id: to, lastSeenAt: iso(later.at) },
      ...{ same: isSame, diff: diff ?? null, cut: isCut ?? false },
    },
  };
}

const NOTHING = { markdown: '' };

const textOf = ({ markdown, hash }: StoredVersion) => ({ markdown, ...(hash !== undefined && { hash }) });

async function read({ history }: PageVersionsDeps, { team }: Caller, url: string, number: number) {
  const found = await history.version(team.id, url, number);
  const version = found && readVersion(found.version);
  if (!version) throw new ServiceError('VERSION_NOT_FOUND');
  return { at: found.at, version };
}

/** The newest text before that version, in the same history. */
async function versionBefore({ history }: PageVersionsDeps, { team }: Caller, url: string, number: number) {
  const histories = await history.histories(team.id, url);
  const versions = histories.find(({ versions: all }) => all.some((version) => version.number === number))?.versions;
  return versions?.find((version) => version.number < number && version.status !== 'removed')?.number;
}
