// The page "Search".
import { PageHead } from '../ui/page-head.tsx';

export function Search() {
  return <PageHead title="Search" />;
}
