// Workbooks with absurd numbers of sheets, rows, merged cells and repetitions.
import { officeCase as file, odfXml, type Parts, relationships, sheetXml } from './hostile-base.ts';
import { EITHER, type HostileFile, slow } from './hostile-file.ts';

const rows = (xml: string, before = ''): Parts => ({
  'xl/worksheets/sheet1.xml': sheetXml(`${before}<sheetData>${xml}</sheetData>`),
});
const lastCell = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';

export const HOSTILE_SHEETS: readonly HostileFile[] = [
  file(
    'says that it fills all rows and columns',
    'xlsx',
    () => rows('<row r="1"><c r="A1"><v>1</v></c></row>', '<dimension ref="A1:XFD1048576"/>'),
    ...EITHER,
  ),
  file(
    'has only its first and its last cell',
    'xlsx',
    () => rows(`<row r="1"><c r="A1"><v>1</v></c></row>${lastCell}`),
    ...EITHER,
  ),
  file(
    'has a cell beyond the last',
    'xlsx',
    () => rows('<row r="99999999"><c r="ZZZZZZ99999999"><v>1</v></c></row>'),
    ...EITHER,
  ),
  slow(
    file(
      'has a hundred thousand rows of one cell at the far end',
      'xlsx',
      () =>
        rows(
          Array.from(
            { length: 100_000 },
            (_, row) => `<row r="${row + 1}"><c r="XFD${row + 1}"><v>1</v></c></row>`,
          ).join(''),
        ),
      ...EITHER,
    ),
  ),
  file(
    'merges everything',
    'xlsx',
    () => ({
      'xl/worksheets/sheet1.xml': sheetXml(
        '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
      ),
    }),
    ...EITHER,
  ),
  file(
    'refers to texts that are not there',
    'xlsx',
    () =>
      rows(
        '<row r="1"><c r="A1" t="s"><v>99999999</v></c><c r="B1" t="s"><v>-1</v></c><c r="C1" t="s"><v>x</v></c></row>',
      ),
    ...EITHER,
  ),
  file(
    'has a sheet that is not there',
    'xlsx',
    () => ({
      'xl/_rels/workbook.xml.rels': relationships([{ id: 'r1', type: 'worksheet', target: '../../../etc/passwd' }]),
    }),
    ...EITHER,
  ),
  slow(
    file(
      'has a hundred thousand sheets that are the same',
      'xlsx',
      () => ({
        'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>${Array.from({ length: 100_000 }, (_, index) => `<sheet name="S${index}" sheetId="${index + 1}" r:id="r1"/>`).join('')}</sheets></workbook>`,
      }),
      ...EITHER,
    ),
  ),
  file(
    'repeats a cell in all rows and columns',
    'ods',
    () => ({
      'content.xml': odfXml(
        '<table:table table:name="x"><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384" office:value-type="float" office:value="1"><text:p>1</text:p></table:table-cell></table:table-row></table:table>',
        'spreadsheet',
      ),
    }),
    ...EITHER,
  ),
];
