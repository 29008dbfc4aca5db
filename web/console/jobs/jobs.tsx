// The page "Jobs".
import { PageHead } from '../ui/page-head.tsx';

export function Jobs() {
  return <PageHead title="Jobs" />;
}
