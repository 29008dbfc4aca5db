// The page "Playground".
import { PageHead } from '../ui/page-head.tsx';

export function Playground() {
  return <PageHead title="Playground" />;
}
