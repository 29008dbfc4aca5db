// Finds hidden sheets, rows and columns of a workbook.
import type { WorkSheet } from '@e965/xlsx';
import { attribute, find, findAll, type XmlElement } from '../../markup/xml/xml-tree.ts';
import { readRelationships } from '../office/office-package.ts';
import { readXml } from '../read-xml.ts';
import type { HiddenTest } from './sheet-grid.ts';
import type { OpenedWorkbook } from './workbook.ts';

export interface HiddenParts {
  isSheetHidden(name: string): boolean;
  inSheet(name: string): HiddenTest;
}

const NOTHING: HiddenTest = { rows: () => false, columns: () => false };

export function hiddenParts({ workbook, archive, parts }: OpenedWorkbook): HiddenParts {
  const content = parts.get('content.xml');
  if (content) return hiddenInOdf(content);
  const sheets = new Map(workbook.Workbook?.Sheets?.map((sheet) => [sheet.name ?? '', sheet]));
  const targets = new Map(
    archive && readRelationships(archive, 'xl/workbook.xml').map(({ id, target }) => [id, target]),
  );
  return {
    isSheetHidden: (name) => Boolean(sheets.get(name)?.Hidden),
    inSheet(name) {
      const xml = parts.get(targets.get((sheets.get(name) as { id?: string } | undefined)?.id ?? '') ?? '');
      return xml ? hiddenInXml(xml) : hiddenInSheet(workbook.Sheets[name]);
    },
  };
}

const hiddenInSheet = (sheet: WorkSheet | undefined): HiddenTest => ({
  rows: (index) => sheet?.['!rows']?.[index]?.hidden === true,
  columns: (index) => sheet?.['!cols']?.[index]?.hidden === true,
});

const MAX_COLUMNS = 16_384;
const ROW_OR_COLUMNS = /<(?:\w{1,9}:)?(row|col)\s([^>]{0,1000})>/g;

/** Uses a pattern: only two elements matter, and a tree of the whole sheet would be many times its size. */
function hiddenInXml(xml: Uint8Array): HiddenTest {
  const rows = new Set<number>();
  const columns = new Uint8Array(MAX_COLUMNS);
  let row = 0;
  for (const [, name, attributes = ''] of Buffer.from(xml.buffer, xml.byteOffset, xml.byteLength)
    .toString('latin1')
    .matchAll(ROW_OR_COLUMNS)) {
    const number = (key: string): number => Number(new RegExp(`\\b${key}="(\\d{1,7})"`).exec(attributes)?.[1] ?? 0);
    const isHidden = /\bhidden="(?:1|true)"/.test(attributes);
    // Row numbers are optional.
    if (name === 'row') row = number('r') || row + 1;
    if (!isHidden) continue;
    if (name === 'row') rows.add(row - 1);
    else columns.fill(1, Math.max(0, number('min') - 1), number('max'));
  }
  return {
    rows: (index) => rows.has(index),
    columns: (index) => columns[index] === 1,
  };
}

/** The engine does not report what is hidden in OpenDocument sheets. */
function hiddenInOdf(bytes: Uint8Array): HiddenParts {
  const content = readXmlIfPossible(bytes);
  if (!content) return { isSheetHidden: () => false, inSheet: () => NOTHING };
  const hiddenStyles = new Set<string | undefined>();
  for (const style of findAll(content, 'style')) {
    const properties = find(style, 'table-properties');
    if (properties && attribute(properties, 'display') === 'false') hiddenStyles.add(attribute(style, 'name'));
  }
  const tables = new Map<string, XmlElement>();
  for (const table of findAll(content, 'table')) tables.set(attribute(table, 'name') ?? '', table);
  return {
    isSheetHidden: (name) => {
      const table = tables.get(name);
      return table !== undefined && hiddenStyles.has(attribute(table, 'style-name'));
    },
    inSheet(name) {
      const table = tables.get(name);
      if (!table) return NOTHING;
      return { rows: hiddenRanges(table, 'table-row'), columns: hiddenRanges(table, 'table-column') };
    },
  };
}

function readXmlIfPossible(bytes: Uint8Array): XmlElement | undefined {
  try {
    return readXml(bytes);
  } catch {
    // Too large or damaged; the engine reports the error.
    return undefined;
  }
}

/** Rows and columns may be nested in groups and headers, and one element may represent many. */
function hiddenRanges(table: XmlElement, name: string): (index: number) => boolean {
  const hidden: [from: number, to: number][] = [];
  let at = 0;
  const walk = (element: XmlElement) => {
    for (const child of element.children) {
      if (typeof child === 'string') continue;
      if (child.name !== `table:${name}`) {
        if (/^table:table-(?:header-)?(?:rows?|columns?)(?:-group)?$/.test(child.name)) walk(child);
        continue;
      }
      const next = at + Math.max(1, Number(attribute(child, `number-${name.slice(6)}s-repeated`)) || 1);
      if (/^(?:collapse|filter)$/.test(attribute(child, 'visibility') ?? '')) hidden.push([at, next]);
      at = next;
    }
  };
  walk(table);
  return (index) => {
    // Binary search for the first range that ends after the index.
    let low = 0;
    let high = hidden.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (hidden[middle]![1] <= index) low = middle + 1;
      else high = middle;
    }
    return low < hidden.length && hidden[low]![0] <= index;
  };
}
