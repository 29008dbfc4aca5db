// The tesseract of this machine, one process a picture: the picture goes in by a pipe, the report comes out by another.
import { spawnSync } from 'node:child_process';
import { runProgram } from '../../../util/run-program.ts';
import { damagedFile, tooComplex } from '../../parse-errors.ts';
import { MAX_REPORT_BYTES } from '../picture/picture-limits.ts';
import { readHocr } from './hocr.ts';
import type { OcrEngine } from './ocr-engine.ts';

const LAYOUTS = { page: '3', turned: '1', sparse: '11' };
const LOOK_ONLY = '0';
/** The data by which it tells scripts and directions apart. */
const SCRIPT_DATA = 'osd';
// Several pictures are read at once rather than one by several threads, which only wait for each other.
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' };
const MAX_LISTED_BYTES = 1024 * 1024;

export function createSystemEngine(program: string, installed: readonly string[]): OcrEngine {
  const run = (args: readonly string[], input: Uint8Array, signal: AbortSignal) =>
    runProgram(
      { program, args: ['stdin', 'stdout', ...args], env: ENVIRONMENT, input, maxOutputBytes: MAX_REPORT_BYTES },
      signal,
    );
  return {
    async read({ bytes, dpi, languages, layout }, signal) {
      const resolution = dpi === undefined ? [] : ['--dpi', String(Math.round(dpi))];
      const args = ['-l', languages.join('+'), '--psm', LAYOUTS[layout], ...resolution, 'hocr'];
      const { code, stdout, stderr } = await run(args, bytes, signal);
      if (code === null) throw tooComplex('Its text could not be recognised with the memory that there is for it.');
      if (code !== 0) throw damagedFile('the picture cannot be decoded.', stderr);
      return readHocr(stdout.toString());
    },
    async look(bytes, signal) {
      if (!installed.includes(SCRIPT_DATA)) return undefined;
      const { code, stdout } = await run(['-l', SCRIPT_DATA, '--psm', LOOK_ONLY], bytes, signal);
      const said = stdout.toString();
      const script = /^Script: (\w+)/m.exec(said)?.[1];
      if (code !== 0 || script === undefined) return undefined;
      return { script, isTurned: !/^Rotate: 0$/m.test(said) };
    },
  };
}

/** What its data folder has; undefined if it cannot be run at all. */
export function listLanguages(program: string): string[] | undefined {
  const { status, stdout } = spawnSync(program, ['--list-langs'], {
    encoding: 'utf8',
    maxBuffer: MAX_LISTED_BYTES,
    timeout: 10_000,
  });
  if (status !== 0) return undefined;
  return stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
