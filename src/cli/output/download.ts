// Reads the files that answers link to. Only paths of the service itself are asked for, whatever an answer says.
import type { ServiceSession } from '../command.ts';
import type { NamedFile } from './document-text.ts';

export interface Downloaded {
  /** With its dot, or empty. */
  extension: string;
  content: AsyncIterable<Uint8Array>;
}

export type DownloadFile = (file: NamedFile) => Promise<Downloaded>;

const FILE_LINK = /\/files\/([^/?#]+)\/([^/?#]+)\?([^#]*)$/;
const DATA_URI = /^data:[a-z]+\/([a-z0-9]+)[^,]*;base64,/i;

export const downloadFrom =
  ({ api }: Pick<ServiceSession, 'api'>): DownloadFile =>
  async ({ link = '', base64 }) => {
    const uri = DATA_URI.exec(link);
    if (base64 !== undefined || uri) return decoded(base64 ?? link.slice(uri![0].length), uri?.[1]);
    const [, file = '', name = '', query = ''] = FILE_LINK.exec(link) ?? [];
    const { body } = await api.download('file', {
      params: { file: decodeURIComponent(file), name: decodeURIComponent(name) },
      query: Object.fromEntries(new URLSearchParams(query)),
    });
    return { extension: /\.\w{1,8}$/.exec(name)?.[0] ?? '', content: body };
  };

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const decoded = (base64: string, subtype?: string): Downloaded => ({
  extension: subtype === undefined ? '' : `.${subtype === 'jpeg' ? 'jpg' : subtype.slice(0, 8)}`,
  content: once(Buffer.from(base64, 'base64')),
});
