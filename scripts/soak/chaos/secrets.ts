// Looks for secrets in every file below a folder: in its bytes, in the rows of databases, and inside compressed frames.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { zstdDecompressSync } from 'node:zlib';

const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const LONGEST_FRAME = 4 * 1024 * 1024;
const LONGEST_CONTENT = 64 * 1024 * 1024;

/** One sentence for each secret and place. No process may be writing to the folder. */
export function findSecrets(folder: string, secrets: Readonly<Record<string, string>>): string[] {
  const found = new Set<string>();
  const look = (bytes: Buffer, place: string) => {
    for (const [name, secret] of Object.entries(secrets)) {
      if (bytes.includes(secret) || bytes.includes(secret, 'utf16le'))
        found.add(`The secret "${name}" is in ${place}.`);
    }
  };
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const place = entry.name.replaceAll(/[\da-f]{16,}/g, 'BLOB');
    const bytes = readFileSync(path);
    look(bytes, place);
    for (const content of frames(bytes)) look(content, `${place} (compressed)`);
    if (!entry.name.endsWith('.db')) continue;
    // A value that is longer than a page of the file does not stand there in one piece.
    for (const [table, value] of valuesOf(path)) {
      look(value, `${place}, table ${table}`);
      for (const content of frames(value)) look(content, `${place}, table ${table} (compressed)`);
    }
  }
  return [...found];
}

function* frames(bytes: Buffer): Generator<Buffer> {
  for (let at = bytes.indexOf(ZSTD); at >= 0; at = bytes.indexOf(ZSTD, at + 1)) {
    const content = unpack(bytes.subarray(at, at + LONGEST_FRAME));
    if (content) yield content;
  }
}

/** Undefined if it only looked like a frame. */
function unpack(bytes: Buffer): Buffer | undefined {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: LONGEST_CONTENT });
  } catch {
    return undefined;
  }
}

function* valuesOf(file: string): Generator<[table: string, value: Buffer]> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`,
    );
    for (const { name } of tables.all() as { name: string }[]) {
      const rows = database.prepare(`SELECT * FROM "${name}"`);
      // Hashes are 64-bit numbers, which JavaScript's cannot hold.
      rows.setReadBigInts(true);
      for (const row of rows.iterate()) {
        for (const value of Object.values(row)) {
          if (value instanceof Uint8Array) yield [name, Buffer.from(value)];
          else if (typeof value === 'string') yield [name, Buffer.from(value)];
        }
      }
    }
  } finally {
    database.close();
  }
}
