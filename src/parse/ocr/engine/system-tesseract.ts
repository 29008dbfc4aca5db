// The installed tesseract. Each picture is piped to a new process, which writes its report to stdout.
import { runProgram } from '../../../runtime/programs/run-program.ts';
import { damagedFile, tooComplex } from '../../parse-errors.ts';
import { MAX_REPORT_BYTES } from '../picture/picture-limits.ts';
import { readHocr } from './hocr.ts';
import type { OcrEngine } from './ocr-engine.ts';

const PAGE_MODES = { page: '3', rotated: '1', sparse: '11' };
const SCRIPT_DETECTION_MODE = '0';
/** Language data for script and orientation detection. */
const SCRIPT_DATA = 'osd';
// Pictures are read in parallel instead: tesseract's own threads mostly wait for each other.
const ENVIRONMENT = { OMP_THREAD_LIMIT: '1', LC_ALL: 'C.UTF-8' };
const MAX_LISTED_BYTES = 1024 * 1024;
const LISTING_MS = 10_000;

export function createSystemEngine(program: string, installed: readonly string[]): OcrEngine {
  const run = (args: readonly string[], input: Uint8Array, signal: AbortSignal) =>
    runProgram(
      { program, args: ['stdin', 'stdout', ...args], env: ENVIRONMENT, input, maxOutputBytes: MAX_REPORT_BYTES },
      signal,
    );
  return {
    async read({ bytes, dpi, languages, layout }, signal) {
      const resolution = dpi === undefined ? [] : ['--dpi', String(Math.round(dpi))];
      const args = ['-l', languages.join('+'), '--psm', PAGE_MODES[layout], ...resolution, 'hocr'];
      const { code, stdout, stderr } = await run(args, bytes, signal);
      if (code === null) throw tooComplex('Recognising its text needs too much memory.');
      if (code !== 0) throw damagedFile('The picture cannot be decoded.', stderr);
      return readHocr(stdout.toString());
    },
    async detectScript(bytes, signal) {
      if (!installed.includes(SCRIPT_DATA)) return undefined;
      const { code, stdout } = await run(['-l', SCRIPT_DATA, '--psm', SCRIPT_DETECTION_MODE], bytes, signal);
      const report = stdout.toString();
      const script = /^Script: (\w+)/m.exec(report)?.[1];
      if (code !== 0 || script === undefined) return undefined;
      return { script, isRotated: !/^Rotate: 0$/m.test(report) };
    },
  };
}

/** The installed languages; undefined if the program cannot be run. */
export async function listLanguages(program: string): Promise<string[] | undefined> {
  const run = { program, args: ['--list-langs'], env: ENVIRONMENT, maxOutputBytes: MAX_LISTED_BYTES };
  const outcome = await runProgram(run, AbortSignal.timeout(LISTING_MS)).catch(() => undefined);
  if (outcome?.code !== 0) return undefined;
  return outcome.stdout
    .toString()
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
