// The head of an HTTP response, as archives store it: its status line and its header lines.

export interface ResponseHead {
  status: number;
  /** In their order and spelling. */
  headers: [name: string, value: string][];
}

const STATUS_LINE = /^HTTP\/[\d.]+ (\d{3})(?: |$)/;
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*$/;

/** Undefined for anything else. Lines that are not headers are left out. */
export function readHead(bytes: Uint8Array): ResponseHead | undefined {
  const [first = '', ...lines] = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .split(/\r?\n/);
  const status = Number(STATUS_LINE.exec(first)?.[1] ?? 0);
  if (status < 100) return undefined;
  const headers = lines.flatMap((line): [string, string][] => {
    const [, name, value] = HEADER_LINE.exec(line) ?? [];
    return name === undefined || value === undefined || /[\0\r]/.test(value) ? [] : [[name, value]];
  });
  return { status, headers };
}
