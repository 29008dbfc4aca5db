// One job: its progress, pages and errors.
import { PageHead } from '../ui/page-head.tsx';

export function Job({ id }: { kind: string; id: string }) {
  return <PageHead title={`Job ${id}`} />;
}
