// The page "Health".
import { PageHead } from '../ui/page-head.tsx';

export function Health() {
  return <PageHead title="Health" />;
}
