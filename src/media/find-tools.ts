// Which media programs are on this machine. Looks for the files only.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';

export interface ToolChoice {
  /** `auto`, `off`, or the path of an executable. */
  ffmpeg: string;
  ytDlp: string;
  /** Folders with programs, as in PATH. */
  searchPath: string;
}

export interface MediaTools {
  ffmpeg: string;
  ffprobe: string;
}

export interface FoundTools {
  tools?: MediaTools;
  /** One sentence why there are none, and what to do about it. */
  problem?: string;
  ytDlp?: string;
  /** What holds a program to limits and ends it with us, where the system has it. */
  prlimit?: string;
  setpriv?: string;
  /** What yt-dlp may start by itself. */
  interpreters: Record<string, string>;
}

const INTERPRETERS = ['python3', 'deno'];

export function findTools({ ffmpeg, ytDlp, searchPath }: ToolChoice): FoundTools {
  const find = (name: string) =>
    searchPath
      .split(delimiter)
      .filter(isAbsolute)
      .map((folder) => join(folder, name))
      .find(isExecutable);
  const interpreters = INTERPRETERS.map((name) => [name, find(name)] as const).filter(([, path]) => path !== undefined);
  return {
    ...findFfmpeg(ffmpeg, find),
    ytDlp: chosen(ytDlp, () => find('yt-dlp')),
    prlimit: find('prlimit'),
    setpriv: find('setpriv'),
    interpreters: Object.fromEntries(interpreters as [string, string][]),
  };
}

function findFfmpeg(choice: string, find: (name: string) => string | undefined): Pick<FoundTools, 'tools' | 'problem'> {
  if (choice === 'off') return { problem: 'Audio and video are switched off (TRAWL_FFMPEG=off).' };
  const ffmpeg = chosen(choice, () => find('ffmpeg'));
  if (!ffmpeg) {
    return {
      problem:
        choice === 'auto'
          ? 'There is no ffmpeg on this machine. Install it (for example: apt install ffmpeg), or name one by TRAWL_FFMPEG, and start again.'
          : 'TRAWL_FFMPEG names a file that cannot be executed.',
    };
  }
  const ffprobe = [join(dirname(ffmpeg), 'ffprobe')].find(isExecutable) ?? find('ffprobe');
  if (ffprobe) return { tools: { ffmpeg, ffprobe } };
  return {
    problem: 'There is an ffmpeg on this machine, but no ffprobe. Put the one that belongs to it into the same folder.',
  };
}

function chosen(choice: string, find: () => string | undefined): string | undefined {
  if (choice === 'off') return undefined;
  return choice === 'auto' ? find() : [resolve(choice)].find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
