// Selects the tracks of a DASH manifest: the best video and the best audio, period by period.

import { childrenOf, type XmlElement } from '../../markup/xml/xml-tree.ts';
import type { MediaFormat } from '../../page/media.ts';
import { mediaUrl, type Slice } from '../download/downloads.ts';
import { checkSegments, type MediaSegment, type Track } from '../download/tracks.ts';
import { accessDenied, unusable } from '../refusals.ts';
import { type Manifest, type Period, type Representation, readManifest } from './dash-manifest.ts';

/** How many segments to go back in a live stream that does not list them. */
const LIVE_SEGMENTS = 30;

/** `now` in milliseconds, for live streams. */
export function dashTracks(root: XmlElement, url: string, format: MediaFormat, now: number): Track[] {
  const manifest = readManifest(root, url);
  const kinds = format === 'video' ? (['video', 'audio'] as const) : (['audio'] as const);
  const tracks = kinds.map((kind) => ({
    kind,
    parts: manifest.periods.flatMap((period) => {
      const best = bestOf(period, kind);
      return best ? [segmentsOf(best, period, manifest, now)] : [];
    }),
  }));
  const found = tracks.filter(({ parts }) => parts.length > 0);
  // A stream with both video and audio is labelled video.
  if (format === 'audio' && found.length === 0) return dashTracks(root, url, 'video', now).slice(0, 1);
  if (found[0]?.kind !== format) throw unusable(`The manifest contains no ${format}.`);
  return found;
}

function bestOf({ representations }: Period, kind: 'video' | 'audio'): Representation | undefined {
  const all = representations.filter((each) => each.kind === kind);
  const open = all.filter(({ isProtected }) => !isProtected);
  if (all.length > 0 && open.length === 0) throw accessDenied('The media is protected by DRM.');
  const [best] = open.sort(
    (a, b) => Number(b.isMain) - Number(a.isMain) || b.pixels - a.pixels || b.bandwidth - a.bandwidth,
  );
  return best;
}

function segmentsOf(chosen: Representation, period: Period, manifest: Manifest, now: number): MediaSegment[] {
  const template = merged(chosen, 'SegmentTemplate');
  if (template) return fromTemplate(template, chosen, period, manifest, now);
  const list = merged(chosen, 'SegmentList');
  if (list) return fromList(list, chosen);
  // A single file, with or without a segment index.
  return [{ url: chosen.base }];
}

interface Described {
  attributes: Record<string, string>;
  /** The innermost element with that name. */
  child(name: string): XmlElement | undefined;
  children(name: string): XmlElement[];
}

/** The segment settings of all levels; inner levels override outer ones. */
function merged({ levels }: Representation, name: string): Described | undefined {
  const found = levels.flatMap((level) => childrenOf(level, name));
  if (found.length === 0) return undefined;
  const children = (of: string) => found.map((each) => childrenOf(each, of)).findLast(({ length }) => length > 0) ?? [];
  return {
    attributes: Object.assign({}, ...found.map(({ attributes }) => attributes)),
    child: (of) => children(of)[0],
    children,
  };
}

function fromTemplate(
  template: Described,
  chosen: Representation,
  period: Period,
  manifest: Manifest,
  now: number,
): MediaSegment[] {
  const { media, initialization } = template.attributes;
  if (media === undefined) throw unusable('The manifest does not give the addresses of its segments.');
  const at = (pattern: string, number: number, time: number) => ({
    url: mediaUrl(fill(pattern, { number, time, id: chosen.id, bandwidth: chosen.bandwidth }), chosen.base),
  });
  const head = initialization === undefined ? [] : [at(initialization, 0, 0)];
  const start = readNumber(template.attributes.startNumber, 1);
  const timeline = template.child('SegmentTimeline');
  const times = timeline ? timesOf(timeline, template, period) : timesByLength(template, period, manifest, now);
  return [...head, ...times.map(({ index, time }) => at(media, start + index, time))];
}

interface SegmentTime {
  index: number;
  time: number;
}

function timesOf(timeline: XmlElement, { attributes }: Described, { duration }: Period): SegmentTime[] {
  const timescale = readNumber(attributes.timescale, 1) || 1;
  const end =
    duration === undefined ? undefined : duration * timescale + readNumber(attributes.presentationTimeOffset, 0);
  const entries = childrenOf(timeline, 'S');
  const times: SegmentTime[] = [];
  let time = 0;
  for (const [position, entry] of entries.entries()) {
    const length = readNumber(entry.attributes.d, 0);
    time = readNumber(entry.attributes.t, time);
    const until = readNumber(entries[position + 1]?.attributes.t, end ?? time + length);
    const repeat = readNumber(entry.attributes.r, 0);
    if (!(length > 0)) throw unusable('The manifest contains a segment without a duration.');
    const count = repeat >= 0 ? repeat + 1 : Math.max(1, Math.ceil((until - time) / length));
    checkSegments(times.length + count);
    for (let nth = 0; nth < count; nth++, time += length) times.push({ index: times.length, time });
  }
  return times;
}

function timesByLength({ attributes }: Described, period: Period, manifest: Manifest, now: number): SegmentTime[] {
  const timescale = readNumber(attributes.timescale, 1) || 1;
  const length = readNumber(attributes.duration, 0) / timescale;
  if (!(length > 0)) throw unusable('The manifest does not give the duration of its segments.');
  const elapsed = (now - manifest.availableFrom) / 1000 - period.start;
  const isOpen = manifest.isLive && (period.duration === undefined || elapsed < period.duration);
  if (!isOpen && period.duration === undefined) throw unusable('The manifest does not give its duration.');
  const count = isOpen ? Math.max(0, Math.floor(elapsed / length)) : Math.ceil(period.duration! / length);
  const first = isOpen ? Math.max(0, count - LIVE_SEGMENTS) : 0;
  checkSegments(count - first);
  return Array.from({ length: count - first }, (_, nth) => ({
    index: first + nth,
    time: Math.round((first + nth) * length * timescale),
  }));
}

function fromList(list: Described, { base }: Representation): MediaSegment[] {
  const at = (url: string | undefined, range: string | undefined): MediaSegment => ({
    url: url === undefined ? base : mediaUrl(url, base),
    slice: readRange(range),
  });
  const head = list.child('Initialization')?.attributes;
  const segments = list.children('SegmentURL');
  checkSegments(segments.length);
  return [
    ...(head ? [at(head.sourceURL, head.range)] : []),
    ...segments.map(({ attributes }) => at(attributes.media, attributes.mediaRange)),
  ];
}

function readRange(text: string | undefined): Slice | undefined {
  const [, first, last] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? [];
  if (first === undefined) return undefined;
  const length = Number(last) - Number(first) + 1;
  if (length <= 0) throw unusable('The manifest contains an invalid byte range.');
  return { start: Number(first), length };
}

interface Fields {
  number: number;
  time: number;
  id: string;
  bandwidth: number;
}

/** Fills in $Number$, $Number%05d$, $Time$, $RepresentationID$ and $Bandwidth$; $$ is a dollar sign. */
const fill = (pattern: string, { number, time, id, bandwidth }: Fields): string =>
  pattern.replace(/\$(Number|Time|RepresentationID|Bandwidth)?(?:%0(\d{1,2})d)?\$/g, (_, name, width) => {
    if (name === undefined) return '$';
    const value = { Number: number, Time: time, RepresentationID: id, Bandwidth: bandwidth }[name as 'Number'];
    return String(value).padStart(Number(width ?? 0), '0');
  });

const readNumber = (text: string | undefined, otherwise: number): number => {
  const number = text === undefined ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : otherwise;
};
