// An archive as Python's zipfile reads it.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const READ = `
import sys, zipfile, json
with zipfile.ZipFile(sys.argv[1]) as archive:
    assert archive.testzip() is None
    infos = archive.infolist()
    print(json.dumps([len(infos), infos[0].filename, archive.read(infos[-1]).decode(), list(infos[0].date_time)]))
`;

/** Undefined without Python. */
export async function readByPython(bytes: Uint8Array): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'trawl-zip-'));
  try {
    await writeFile(join(folder, 'a.zip'), bytes);
    const { stdout } = await promisify(execFile)('python3', ['-c', READ, join(folder, 'a.zip')]);
    return JSON.parse(stdout);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  } finally {
    await rm(folder, { recursive: true });
  }
}
