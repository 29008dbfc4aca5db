// The page "Pages".
import { PageHead } from '../ui/page-head.tsx';

export function Pages() {
  return <PageHead title="Pages" />;
}
