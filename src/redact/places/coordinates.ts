// Positions on the Earth: decimal degrees with four digits or more, degrees with minutes, and links to maps.
import type { Finding } from '../finding.ts';

const DECIMAL =
  /(?<![\p{L}\p{N}_.,-])(-?\d{1,2}\.\d{4,15})°? ?[NS]?(?:, ?| |; ?|\/)(-?\d{1,3}\.\d{4,15})°? ?[EWO]?(?![\p{L}\p{N}_]|\.\d)/gu;
const DEGREES =
  /\d{1,2} ?° ?\d{1,2} ?['′’](?: ?\d{1,2}(?:[.,]\d{1,4})? ?(?:["″”]|''))? ?[NS],? ?\d{1,3} ?° ?\d{1,2} ?['′’](?: ?\d{1,2}(?:[.,]\d{1,4})? ?(?:["″”]|''))? ?[EWO]/g;
const MAP_LINK = /(?:geo:|[@=])(-?\d{1,2}\.\d{3,15})(?:,|%2C)(-?\d{1,3}\.\d{3,15})/gi;

export function findCoordinates(text: string): Finding[] {
  const found: Finding[] = [];
  const add = (start: number, end: number) =>
    found.push({ start, end, entity: 'LOCATION', rule: 'coordinates', score: 0.9 });
  for (const match of text.matchAll(DECIMAL)) {
    if (isPosition(match[1]!, match[2]!)) add(match.index, match.index + match[0].trimEnd().length);
  }
  for (const match of text.matchAll(DEGREES)) add(match.index, match.index + match[0].length);
  for (const match of text.matchAll(MAP_LINK)) {
    const start = match.index + match[0].indexOf(match[1]!);
    if (isPosition(match[1]!, match[2]!)) add(start, match.index + match[0].length);
  }
  return found;
}

const isPosition = (latitude: string, longitude: string): boolean =>
  Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180;
