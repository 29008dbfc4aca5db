// Opens the archive that a request names as its source: the answers that its engines get instead of those of the web.
import { readHead } from '../../../archive/http-head.ts';
import { ServiceError } from '../../../contracts/errors/errors.ts';
import { type ArchivedAnswers, archiveMiss } from '../../../fetch/archive/archived-answers.ts';
import type { ArchivedExchange, ArchiveStore } from '../../../store/ports/files/archive-store.ts';
import type { Clock } from '../../../util/clock.ts';

export interface ArchiveSourceDeps {
  archives: Pick<ArchiveStore, 'find' | 'ofUrl' | 'payload'>;
  clock: Pick<Clock, 'now'>;
}

/** How many answers to one request are told apart: a page may ask again and again. */
const MAX_ANSWERS = 50;

/** Throws ARCHIVE_NOT_FOUND. */
export async function openSource(
  { archives, clock }: ArchiveSourceDeps,
  teamId: string | undefined,
  id: string,
): Promise<ArchivedAnswers> {
  const archive = teamId === undefined ? undefined : await archives.find(id, teamId, clock.now());
  if (!archive) throw new ServiceError('ARCHIVE_NOT_FOUND');
  const asked = new Map<string, number>();
  return {
    async answer(given, method) {
      const url = new URL(given);
      url.hash = '';
      const kept = await archives.ofUrl(id, url.href, MAX_ANSWERS);
      const fitting = kept.filter((exchange) => exchange.payload !== undefined && fits(exchange, method));
      const turn = asked.get(`${method} ${url.href}`) ?? 0;
      asked.set(`${method} ${url.href}`, turn + 1);
      const chosen = fitting[Math.min(turn, fitting.length - 1)];
      const head = chosen && readHead(chosen.response);
      const body = chosen?.payload === undefined ? undefined : await archives.payload(chosen.payload);
      if (!head || !body) throw archiveMiss(url);
      return { ...head, body: method === 'HEAD' ? new Uint8Array() : body };
    },
  };
}

/** A head is a part of what was got. Nothing says that a page was not modified: what it was compared with is not here. */
const fits = ({ method, status }: ArchivedExchange, wanted: string): boolean =>
  status !== 304 && (method === wanted || (wanted === 'HEAD' && method === 'GET'));
