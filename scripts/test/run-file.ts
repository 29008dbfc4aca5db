// Runs one test file in a process of its own and prints its failures.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessGroups } from './process-group.ts';

const REPORTER = join(import.meta.dirname, 'reporter.mjs');
const OUTPUT_LINES = 40;

export interface TestResult {
  outcome: 'passed' | 'failed' | 'skipped';
  name: string;
  line?: number;
  error?: string;
}

export interface FileResult {
  ms: number;
  results: TestResult[];
}

export interface FileRunnerDeps {
  groups: ProcessGroups;
  /** Folder for the reports. */
  scratch: string;
  timeoutMs: number;
  /** Environment variables for the test files. */
  env: Record<string, string>;
}

export function createFileRunner({ groups, scratch, timeoutMs, env }: FileRunnerDeps) {
  return async (file: string): Promise<FileResult> => {
    const report = join(scratch, file.replaceAll('/', '-'));
    const args = [`--test-reporter=${REPORTER}`, `--test-reporter-destination=${report}`, file];
    const { code, output, ms, timedOut } = await groups.run(process.execPath, args, { timeoutMs, env });
    const results = readReport(report);
    const failures = results.filter(({ outcome }) => outcome === 'failed');
    if (timedOut) {
      failures.push({ outcome: 'failed', name: `The file did not end within ${timeoutMs / 1000} s` });
    } else if (code !== 0 && failures.length === 0) {
      failures.push({ outcome: 'failed', name: `The file ended with code ${code}` });
    } else if (results.length === 0) {
      failures.push({ outcome: 'failed', name: 'The file has no test' });
    }
    for (const { name, line, error } of failures) {
      console.log(`✖ ${file}${line ? `:${line}` : ''}  ${name}${error ? `\n${indent(error)}` : ''}`);
    }
    if (failures.length > 0 && output !== '') console.log(`  Output of ${file}:\n${indent(lastLines(output))}`);
    return { ms, results: [...results.filter(({ outcome }) => outcome !== 'failed'), ...failures] };
  };
}

function readReport(path: string): TestResult[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    // A last line without a line break was cut off.
    return lines.slice(0, -1).map((line) => JSON.parse(line) as TestResult);
  } catch {
    return [];
  }
}

const lastLines = (text: string): string => text.trimEnd().split('\n').slice(-OUTPUT_LINES).join('\n');
const indent = (text: string): string => text.replace(/^/gm, '    ');
