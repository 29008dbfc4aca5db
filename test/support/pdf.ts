// Writes small PDF files: lines of text, a larger heading, or a page without text.

export interface PdfPage {
  heading?: string;
  lines?: string[];
  /** Target of a link on the first line. */
  link?: string;
}

export function makePdf(pages: PdfPage[], title = ''): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const pageIds = pages.map((_, index) => 4 + index * 2);
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Count ${pages.length} /Kids [${pageIds.map((id) => `${id} 0 R`).join(' ')}] >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  for (const [index, page] of pages.entries()) {
    const content = contentOf(page);
    const annotation = page.link
      ? `/Annots [<< /Type /Annot /Subtype /Link /Rect [72 690 540 706] /Border [0 0 0] /A << /S /URI /URI (${page.link}) >> >>]`
      : '';
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${pageIds[index]! + 1} 0 R ${annotation} >>`,
    );
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  add(`<< /Title (${escaped(title)}) /Author (A. Writer) /CreationDate (D:20260102030405Z) >>`);

  let file = '%PDF-1.4\n';
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${entries}${trailer}`, 'latin1');
}

function contentOf({ heading, lines = [] }: PdfPage): string {
  const parts = heading ? [`BT /F1 24 Tf 72 730 Td (${escaped(heading)}) Tj ET`] : [];
  for (const [index, line] of lines.entries()) {
    parts.push(`BT /F1 11 Tf 72 ${692 - index * 15} Td (${escaped(line)}) Tj ET`);
  }
  return parts.join('\n');
}

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&');
