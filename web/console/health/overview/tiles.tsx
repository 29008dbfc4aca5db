// The state of now in a few tiles.
import type { ComponentChildren } from 'preact';
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { bytes, count, duration, plural } from '../../ui/format.ts';
import { Status } from '../../ui/status.tsx';
import { writeFigure } from '../chart/chart-data.ts';
import { currentOf, type History } from './history.ts';

interface Props {
  details: ResponseOf<'healthDetails'> | undefined;
  history: History | undefined;
  disk: ResponseOf<'healthDisk'>['data'] | undefined;
}

export function Tiles({ details, history, disk }: Props) {
  const now = (column: Parameters<typeof currentOf>[1]) => currentOf(history, column);
  const waiting = now('waitingPages');
  return (
    <section class="tiles health-tiles" aria-label="Now">
      <Tile
        label="Status"
        note={details?.problem ?? (details && `Running for ${duration(details.uptimeSeconds * 1_000)}`)}
      >
        {details && (
          <Status tone={details.status === 'ok' ? 'good' : 'bad'}>
            {details.status === 'ok' ? 'Ready' : 'Not ready'}
          </Status>
        )}
      </Tile>
      <Tile label="Version" note={details && `Node ${details.versions.node}`}>
        {details?.versions.trawl}
      </Tile>
      <Tile label="Requests" note={history && `Pages: ${writeFigure(now('pages'), 'perSecond')}`}>
        {history && writeFigure(now('requests'), 'perSecond')}
      </Tile>
      <Tile label="Queue" note={history && `${count(now('runningPages') ?? 0)} being read`}>
        {history && (waiting === 0 ? 'Empty' : plural(waiting ?? 0, 'page'))}
      </Tile>
      <Tile label="Memory" note={history && `Browsers: ${bytes(now('browserBytes') ?? 0)}`}>
        {history && writeFigure(now('rssBytes'), 'bytes')}
      </Tile>
      <Tile label="Browsers" note={browserNote(details, now('sessions'))}>
        {details && count(details.browser.browsers + (now('sessions') ?? 0))}
      </Tile>
      <Tile label="Index" note={details && `${count(details.index.waiting)} changes wait`}>
        {details && (details.index.waiting === 0 ? 'Up to date' : 'Catching up')}
      </Tile>
      <Tile label="Disk" note={disk && `free, ${bytes(disk.totalBytes)} used by Trawl`}>
        {disk && bytes(disk.freeBytes)}
      </Tile>
    </section>
  );
}

function browserNote(details: Props['details'], sessions: number | null): string | undefined {
  if (!details) return undefined;
  if (!details.browser.available) return details.browser.problem ?? 'There is no browser.';
  return `${plural(details.browser.pages, 'open page')}, ${plural(sessions ?? 0, 'session')}`;
}

/** As high with its content as without. */
const Tile = ({ label, note, children }: { label: string; note?: string; children?: ComponentChildren }) => (
  <div class="tile">
    <div class="tile-label">{label}</div>
    <div class="tile-value">{children ?? <span class="faint">–</span>}</div>
    <div class="tile-note">{note ?? ' '}</div>
  </div>
);
