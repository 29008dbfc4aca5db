// Maps Windows code pages and font charsets to the encoding names that TextDecoder knows.

const CODEPAGES: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  10000: 'macintosh',
  20866: 'koi8-r',
  20932: 'euc-jp',
  21866: 'koi8-u',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
};

const CHARSETS: Readonly<Record<number, string>> = {
  0: 'windows-1252',
  77: 'macintosh',
  128: 'shift_jis',
  129: 'euc-kr',
  134: 'gbk',
  136: 'big5',
  161: 'windows-1253',
  162: 'windows-1254',
  163: 'windows-1258',
  177: 'windows-1255',
  178: 'windows-1256',
  186: 'windows-1257',
  204: 'windows-1251',
  222: 'windows-874',
  238: 'windows-1250',
};

export function codepageEncoding(codepage: number | undefined): string | undefined {
  if (codepage === undefined) return undefined;
  if (codepage >= 1250 && codepage <= 1258) return `windows-${codepage}`;
  // 28591 is ISO 8859-1; there is no 8859-12.
  if (codepage >= 28591 && codepage <= 28605 && codepage !== 28602) return `iso-8859-${codepage - 28590}`;
  return CODEPAGES[codepage];
}

/** For the charset number of an RTF font. */
export const charsetEncoding = (charset: number | undefined): string | undefined => CHARSETS[charset ?? -1];
