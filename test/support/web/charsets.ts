// charset.test: the same kind of page in many encodings, declared correctly, wrongly or not at all.
import { reply, type Site } from './reply.ts';

const SAMPLE = {
  japanese: '港の冬は静かです。船は一艘も動きません。市場では魚と野菜が売られ、子供たちは雪の中で遊んでいます。',
  chinese: '冬天的港口非常安静，没有一艘船在移动。市场里出售鱼和蔬菜，孩子们在雪地里玩耍。',
  russian: 'Зимой в гавани тихо, ни один корабль не движется. На рынке продают рыбу и овощи, а дети играют в снегу.',
  french:
    'L’hiver, le port est très calme : aucun bateau ne bouge, et les élèves jouent dans la forêt où naît la rivière.',
};

export const charsetSamples = SAMPLE;

/** Encodes text in a legacy encoding by inverting Node's decoder. */
export function encodeAs(charset: string, text: string): Buffer {
  if (charset === 'utf-16le') return Buffer.from(text, 'utf16le');
  if (charset === 'utf-16be') return Buffer.from(text, 'utf16le').swap16();
  const table = bytesOf(charset);
  const encode = (character: string) => {
    const bytes = table.get(character);
    if (!bytes) throw new Error(`${charset} has no ${character}`);
    return bytes;
  };
  return Buffer.concat(Array.from(text, encode));
}

const tables = new Map<string, Map<string, Buffer>>();

function bytesOf(charset: string): Map<string, Buffer> {
  const known = tables.get(charset);
  if (known) return known;
  const table = new Map<string, Buffer>();
  const decoder = new TextDecoder(charset);
  const learn = (bytes: number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes));
    if ([...character].length === 1 && character !== '\ufffd' && !table.has(character))
      table.set(character, Buffer.from(bytes));
  };
  for (let first = 0; first < 256; first += 1) learn([first]);
  for (let first = 0x81; first < 0xff; first += 1)
    for (let second = 0x30; second < 0xff; second += 1) learn([first, second]);
  tables.set(charset, table);
  return table;
}

const document = (text: string, head = '') =>
  `<!doctype html><html><head>${head}<title>${text.slice(0, 8)}</title></head><body><p>${text}</p></body></html>`;
const meta = (charset: string) => `<meta charset="${charset}">`;
const httpEquiv = (charset: string) => `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`;
const typed = (charset: string) => ({ type: `text/html; charset=${charset}` });
const untyped = { type: 'text/html' };

const LITTLE_ENDIAN_MARK = Buffer.from([0xff, 0xfe]);
const BIG_ENDIAN_MARK = Buffer.from([0xfe, 0xff]);
const UTF8_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

const { japanese, chinese, russian, french } = SAMPLE;

const charsetSite: Site = {
  '/shift-jis/header': reply(() => encodeAs('shift_jis', document(japanese)), typed('Shift_JIS')),
  '/shift-jis/meta': reply(() => encodeAs('shift_jis', document(japanese, meta('Shift_JIS'))), untyped),
  '/shift-jis/undeclared': reply(() => encodeAs('shift_jis', document(japanese)), untyped),
  '/euc-jp/meta': reply(() => encodeAs('euc-jp', document(japanese, meta('euc-jp'))), untyped),
  '/gb18030/header': reply(() => encodeAs('gb18030', document(chinese)), typed('gb18030')),
  '/gb18030/meta-gb2312': reply(() => encodeAs('gb18030', document(chinese, httpEquiv('gb2312'))), untyped),
  '/gb18030/undeclared': reply(() => encodeAs('gb18030', document(chinese)), untyped),
  '/windows-1251/header': reply(() => encodeAs('windows-1251', document(russian)), typed('windows-1251')),
  '/windows-1251/meta': reply(() => encodeAs('windows-1251', document(russian, httpEquiv('windows-1251'))), untyped),
  '/windows-1251/undeclared': reply(() => encodeAs('windows-1251', document(russian)), untyped),
  '/koi8-r/header': reply(() => encodeAs('koi8-r', document(russian.replace('—', '-'))), typed('koi8-r')),
  // A page that says iso-8859-1 means windows-1252: the WHATWG rules, and the typographic apostrophe proves it.
  '/latin1/header': reply(() => encodeAs('windows-1252', document(french)), typed('iso-8859-1')),
  '/utf-16le/mark': reply(() => Buffer.concat([LITTLE_ENDIAN_MARK, encodeAs('utf-16le', document(russian))]), untyped),
  '/utf-16be/mark': reply(() => Buffer.concat([BIG_ENDIAN_MARK, encodeAs('utf-16be', document(russian))]), untyped),
  '/utf-8/mark': reply(() => Buffer.concat([UTF8_MARK, Buffer.from(document(french))]), typed('iso-8859-1')),
  '/utf-8/undeclared': reply(document(french), untyped),
  // One invalid byte in a UTF-8 page: the rest must stay readable.
  '/utf-8/one-bad-byte': reply(
    () => Buffer.concat([Buffer.from(document(french)), Buffer.from([0xff]), Buffer.from(french)]),
    typed('utf-8'),
  ),
  '/conflict/header-wins': reply(
    () => encodeAs('windows-1251', document(russian, meta('utf-8'))),
    typed('windows-1251'),
  ),
  '/conflict/mark-wins': reply(
    () => Buffer.concat([UTF8_MARK, Buffer.from(document(russian, meta('koi8-r')))]),
    typed('windows-1251'),
  ),
  '/conflict/meta-says-utf-16': reply(document(french, meta('utf-16')), untyped),
  '/conflict/unknown-name': reply(document(french, meta('utf-8')), typed('x-no-such-charset')),
  '/late-meta': reply(
    () => encodeAs('windows-1251', document(russian, `<!--${' '.repeat(900)}-->${meta('windows-1251')}`)),
    untyped,
  ),
};

export const charsets: Record<string, Site> = { 'charset.test': charsetSite };
