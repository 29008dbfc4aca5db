// Writes a PDF of any number of pages that resembles a report: running head, headings, paragraphs, a table, page numbers.

const WORDS =
  'the report of this year shows that water and power were used by more towns than before while costs fell in most of them since the new rules came into force and older plants were closed'.split(
    ' ',
  );
const LINES = 38;

export function makeLargePdf(pages: number): Buffer {
  const pieces: string[] = [];
  const offsets: number[] = [];
  let length = 0;
  const add = (text: string) => {
    pieces.push(text);
    length += text.length;
  };
  const object = (number: number, body: string) => {
    offsets[number] = length;
    add(`${number} 0 obj\n${body}\nendobj\n`);
  };
  add('%PDF-1.4\n');
  object(1, '<< /Type /Catalog /Pages 2 0 R >>');
  const kids = Array.from({ length: pages }, (_, at) => `${5 + 2 * at} 0 R`).join(' ');
  object(2, `<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`);
  object(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  object(4, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>');
  for (let page = 0; page < pages; page++) {
    const stream = contentOf(page);
    const fonts = '/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>';
    object(
      5 + 2 * page,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${fonts} /Contents ${6 + 2 * page} 0 R >>`,
    );
    object(6 + 2 * page, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  const start = length;
  const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  add(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}`);
  add(`trailer\n<< /Size ${offsets.length} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.from(pieces.join(''), 'latin1');
}

function contentOf(page: number): string {
  const lines = [
    text('F1', 9, 60, 805, 'Report on towns'),
    text('F2', 16, 60, 770, `${page + 1}. Results of part ${page + 1}`),
  ];
  for (let line = 0; line < LINES; line++)
    lines.push(text('F1', 11, 60, 745 - line * 15, sentence(page * LINES + line)));
  for (let row = 0; row < 6; row++) {
    const cells = row === 0 ? ['Town', 'Water', 'Power'] : [`Town ${page + row}`, `${page * 7 + row}`, `${row * 31}.5`];
    for (const [column, cell] of cells.entries()) lines.push(text('F1', 10, 60 + column * 150, 160 - row * 14, cell));
  }
  return [...lines, text('F1', 9, 290, 40, String(page + 1))].join('\n');
}

const text = (font: string, size: number, x: number, y: number, words: string): string =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${words}) Tj ET`;

const sentence = (seed: number): string =>
  Array.from({ length: 13 }, (_, at) => WORDS[(seed * 7 + at * (1 + (seed % 5))) % WORDS.length]).join(' ');
