// What a workbook hides: whole sheets, rows and columns.
import type { WorkBook, WorkSheet } from '@e965/xlsx';
import type { Archive } from '../archive.ts';
import { lesserPart } from '../office/package.ts';
import { attribute } from '../office/xml-rewrite.ts';
import { find, findAll, type XmlElement } from '../xml.ts';
import type { Hidden } from './grid.ts';

export interface HiddenParts {
  isSheetHidden(name: string): boolean;
  inSheet(name: string): Hidden;
}

export function hiddenParts(workbook: WorkBook, archive: Archive | undefined): HiddenParts {
  const content = archive?.has('content.xml') ? lesserPart(archive, 'content.xml') : undefined;
  return content ? hiddenInOdf(content) : hiddenInWorkbook(workbook);
}

function hiddenInWorkbook(workbook: WorkBook): HiddenParts {
  const sheets = new Set(workbook.Workbook?.Sheets?.filter(({ Hidden }) => Hidden).map(({ name }) => name));
  return {
    isSheetHidden: (name) => sheets.has(name),
    inSheet(name) {
      const sheet: WorkSheet | undefined = workbook.Sheets[name];
      return {
        rows: (index) => sheet?.['!rows']?.[index]?.hidden === true,
        columns: (index) => sheet?.['!cols']?.[index]?.hidden === true,
      };
    },
  };
}

/** The engine does not tell what an OpenDocument sheet hides. */
function hiddenInOdf(content: XmlElement): HiddenParts {
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
      if (!table) return { rows: () => false, columns: () => false };
      return { rows: ranges(table, 'table-row'), columns: ranges(table, 'table-column') };
    },
  };
}

/** Rows and columns stand in groups and headers as well, and one element may stand for many. */
function ranges(table: XmlElement, name: string): (index: number) => boolean {
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
    // The first that ends beyond it.
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
