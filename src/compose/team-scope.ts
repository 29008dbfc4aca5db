// Runs operations and tasks of jobs in the scope of their team, so that the store knows whose calls it gets.
import type { Call, KeyedOperation, Operations } from '../api/operation-call.ts';
import type { TaskHandler } from '../jobs/task-handler.ts';
import type { TeamScope } from '../util/team-scope.ts';

export function scopeOperations(scope: TeamScope, operations: Operations): Operations {
  const scoped = Object.entries(operations).map(([id, operation]) => [
    id,
    (call: Call<KeyedOperation>) => scope.run(call.caller.team.id, () => operation(call as never)),
  ]);
  // The same names with the same types; `Object.fromEntries` only knows strings.
  return Object.fromEntries(scoped) as Operations;
}

export const scopeTasks =
  (scope: TeamScope, handler: TaskHandler): TaskHandler =>
  (task, job, tools) =>
    scope.run(job.teamId, () => handler(task, job, tools));
