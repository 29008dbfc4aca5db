// The price list of the shop as a PDF of two pages, written by hand: one table, one page of terms.
import { PRODUCTS, priceOf } from './shop.ts';

const A4 = { width: 595, height: 842 };
const LEFT = 64;
const RIGHT = 531;
const COLUMNS = [LEFT, 290, 400, 470];
const TERMS = [
  ['Delivery', 'We send parcels on Tuesdays and Fridays. Rope travels by the metre, up to 220 m in one piece;'],
  ['', 'longer pieces are fetched from the ropewalk. Lamps travel without oil.'],
  ['Returns', 'What has not been to sea can be returned within 60 days. What has been to sea can be repaired.'],
  ['Repairs', 'Burners, wicks and glasses for every lamp since 1974 are in stock. Oilskins are waxed again'],
  ['', 'in October, for the price of the tin.'],
  ['Payment', 'By invoice within 30 days, or over the counter. We do not take cards when the line is down.'],
] as const;

type Font = 'Regular' | 'Bold';

export function writePriceList(): Buffer {
  return writePdf([tablePage(), termsPage()], 'Price list, spring 2026');
}

function tablePage(): string {
  const head = ['Article', 'Category', 'In stock', 'Price'].map((name, column) =>
    text(COLUMNS[column]!, 690, 10, name, 'Bold'),
  );
  const rows = PRODUCTS.flatMap((product, index) => {
    const y = 666 - index * 24;
    const cells = [
      product.name,
      product.category,
      product.stock > 0 ? String(product.stock) : 'sold out',
      priceOf(product),
    ];
    return [...cells.map((cell, column) => text(COLUMNS[column]!, y, 10, cell)), line(y - 8, 0.5)];
  });
  return [
    text(LEFT, 772, 24, 'Price list, spring 2026', 'Bold'),
    text(LEFT, 740, 10, 'Saltmarsh Chandlery, 3 Ropewalk Lane. Prices in pounds, valid until the end of June.'),
    ...head,
    line(682, 1),
    ...rows,
  ].join('\n');
}

function termsPage(): string {
  const lines = TERMS.flatMap(([name, sentence], index) => {
    const y = 730 - index * 20;
    return [...(name === '' ? [] : [text(LEFT, y, 10, name, 'Bold')]), text(LEFT + 60, y, 10, sentence)];
  });
  return [text(LEFT, 772, 18, 'Terms', 'Bold'), ...lines].join('\n');
}

const text = (x: number, y: number, size: number, words: string, font: Font = 'Regular'): string =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${words.replace(/[\\()]/g, '\\$&')}) Tj ET`;

const line = (y: number, width: number): string => `${width} w ${LEFT} ${y} m ${RIGHT} ${y} l S`;

/** Objects: 1 the catalog, 2 the pages, 3 and 4 the fonts, 5 the title; then a page and its content by turns. */
function writePdf(contents: string[], title: string): Buffer {
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;
  const pageId = (index: number) => 6 + index * 2;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${contents.length} /Kids [${contents.map((_, index) => `${pageId(index)} 0 R`).join(' ')}] >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title (${title}) /Author (Saltmarsh Chandlery) /CreationDate (D:20260301090000Z) >>`,
  ];
  for (const [index, content] of contents.entries()) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${A4.width} ${A4.height}] /Resources << /Font << /Regular 3 0 R /Bold 4 0 R >> >> /Contents ${pageId(index) + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    );
  }
  let file = '%PDF-1.4\n';
  const entries = objects.map((body, index) => {
    const entry = `${String(file.length).padStart(10, '0')} 00000 n \n`;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return entry;
  });
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  // Every character is one byte in WinAnsi, as far as it is used here, so lengths and offsets are right.
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${entries.join('')}${trailer}`, 'latin1');
}
