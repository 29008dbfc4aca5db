// Parses DASH manifests (ISO/IEC 23009-1): the representations of each period, with everything needed to list their segments.
import { childrenOf, localName, type XmlElement } from '../../markup/xml/xml-tree.ts';
import { mediaUrl } from '../download/downloads.ts';
import { unusable } from '../refusals.ts';

export interface Representation {
  id: string;
  kind: 'video' | 'audio' | 'other';
  bandwidth: number;
  pixels: number;
  isProtected: boolean;
  isMain: boolean;
  /** Base URL for its addresses. */
  base: string;
  /** Period, adaptation set, representation. Inner levels override outer ones. */
  levels: readonly XmlElement[];
}

export interface Period {
  /** Seconds; undefined if open-ended. */
  duration?: number;
  /** Seconds since the start of the manifest. */
  start: number;
  representations: Representation[];
}

export interface Manifest {
  isLive: boolean;
  /** Start of a live stream, in Unix milliseconds. */
  availableFrom: number;
  periods: Period[];
}

const MAX_PERIODS = 200;

export function readManifest(root: XmlElement, url: string): Manifest {
  if (localName(root.name) !== 'MPD') throw unusable('The file is not a DASH manifest.');
  const base = baseOf(root, url);
  const total = readDuration(root.attributes.mediaPresentationDuration);
  const elements = childrenOf(root, 'Period').slice(0, MAX_PERIODS);
  let end = 0;
  const periods = elements.map((element, index) => {
    const start = readDuration(element.attributes.start) ?? end;
    const nextStart = readDuration(elements[index + 1]?.attributes.start);
    const until = nextStart ?? total;
    const duration = readDuration(element.attributes.duration) ?? (until === undefined ? undefined : until - start);
    end = start + (duration ?? 0);
    return { start, duration, representations: representationsOf(element, baseOf(element, base)) };
  });
  return {
    isLive: root.attributes.type === 'dynamic',
    availableFrom: Date.parse(root.attributes.availabilityStartTime ?? '') || 0,
    periods,
  };
}

function representationsOf(period: XmlElement, base: string): Representation[] {
  return childrenOf(period, 'AdaptationSet').flatMap((set) => {
    const setBase = baseOf(set, base);
    const isMain = childrenOf(set, 'Role').some(({ attributes }) => attributes.value === 'main');
    return childrenOf(set, 'Representation').map((element): Representation => {
      const read = (name: string) => element.attributes[name] ?? set.attributes[name] ?? '';
      return {
        id: element.attributes.id ?? '',
        kind: kindOf(`${read('contentType')} ${read('mimeType')}`),
        bandwidth: Number(read('bandwidth')) || 0,
        pixels: (Number(read('width')) || 0) * (Number(read('height')) || 0),
        isProtected: [set, element].some((level) => childrenOf(level, 'ContentProtection').length > 0),
        isMain,
        base: baseOf(element, setBase),
        levels: [period, set, element],
      };
    });
  });
}

const kindOf = (type: string): Representation['kind'] =>
  /\bvideo\b/.test(type) ? 'video' : /\baudio\b/.test(type) ? 'audio' : 'other';

function baseOf(element: XmlElement, base: string): string {
  const [first] = childrenOf(element, 'BaseURL');
  const text = first?.children.find((child) => typeof child === 'string')?.trim();
  return text ? mediaUrl(text, base) : base;
}

const DURATION = /^P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/;

/** An ISO 8601 duration in seconds, without support for years and months. */
export function readDuration(text: string | undefined): number | undefined {
  const found = DURATION.exec(text?.trim() ?? '');
  if (!found) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  return ((days * 24 + hours) * 60 + minutes) * 60 + seconds;
}
