// Recognises test files that need a process of their own: they change or watch something that a whole process shares. The
// product has no such state (test/architecture holds that), so only test files and their helpers are read.
import { type ImportGraph, reachableFrom } from './import-graph.ts';

/** What to find in the code, by why it needs a process of its own. */
const SIGNS: Record<string, RegExp> = {
  'changes the environment': /\bprocess\.env(\.\w+|\[[^\]]+\]) *=[^=]|delete process\.env/,
  'changes the folder or ends the process': /\bprocess\.(chdir|exit|abort|kill\(process\.pid)\b/,
  'replaces timers or globals':
    /\bmock\.(timers|module|method\((globalThis|process|Date|Math|console|performance))|\bglobalThis\.\w+ *=[^=]/,
  'listens to the process': /\bprocess\.(on|once|prependListener)\((?!'exit')/,
  'looks at the processes or the memory of its own':
    /\bdescendants\(process\.pid|\/proc\/self|memoryUsage|getActiveResourcesInfo|monitorEventLoopDelay|eventLoopUtilization|setFlagsFromString/,
};

/** Why a file needs a process of its own; undefined if it can share one. */
export function ownProcessReason(file: string, graph: ImportGraph): string | undefined {
  const own = reachableFrom(graph, file, (path) => path.startsWith('test/'));
  for (const path of own) {
    const text = path.startsWith('test/') ? graph.get(path)?.text : undefined;
    const reason = text && Object.keys(SIGNS).find((sign) => SIGNS[sign]!.test(text));
    if (reason) return path === file ? reason : `${path} ${reason}`;
  }
  return undefined;
}
