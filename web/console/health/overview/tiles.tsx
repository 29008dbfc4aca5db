// The state of now in a few tiles.
import type { ComponentChildren } from 'preact';
import type { HistoryColumn } from '../../../../src/contracts/operator/health-history.ts';
import type { ResponseOf } from '../../../../src/contracts/route-types.ts';
import { bytes, count, duration, plural } from '../../ui/data/format.ts';
import { Status } from '../../ui/states/status.tsx';
import { writeFigure } from '../chart/chart-data.ts';
import { currentOf, type History } from './history.ts';
import type { Process } from './processes.tsx';

interface Props {
  details: ResponseOf<'healthDetails'> | undefined;
  history: History | undefined;
  disk: ResponseOf<'healthDisk'>['data'] | undefined;
}

export function Tiles({ details, history, disk }: Props) {
  const now = (column: HistoryColumn) => currentOf(history, column);
  const waiting = now('waitingPages');
  const shown = details?.processes.find(({ id }) => id === history?.process.id);
  return (
    <section class="tiles health-tiles" aria-label="Now">
      <Tile
        label="Status"
        note={details?.problem ?? (shown && `Running for ${duration(history!.now - Date.parse(shown.startedAt))}`)}
      >
        {details && (
          <Status tone={details.status === 'ok' ? 'good' : 'bad'}>
            {details.status === 'ok' ? 'Ready' : 'Not ready'}
          </Status>
        )}
      </Tile>
      <Tile label="Version" note={details && `Node ${details.versions.node}`}>
        {shown?.version}
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
      <Tile label="Browsers" note={browserNote(details, shown, now)}>
        {history && count((now('browsers') ?? 0) + (now('sessions') ?? 0))}
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

function browserNote(
  details: Props['details'],
  shown: Process | undefined,
  now: (column: HistoryColumn) => number | null,
): string | undefined {
  if (!shown) return undefined;
  if (!shown.hasBrowser) return (shown.isThis && details?.browser.problem) || 'There is no browser.';
  return `${plural(now('browserPages') ?? 0, 'open page')}, ${plural(now('sessions') ?? 0, 'session')}`;
}

/** As high with its content as without. */
const Tile = ({ label, note, children }: { label: string; note?: string; children?: ComponentChildren }) => (
  <div class="tile">
    <div class="tile-label">{label}</div>
    <div class="tile-value">{children ?? <span class="faint">–</span>}</div>
    <div class="tile-note">{note ?? ' '}</div>
  </div>
);
