// The page "Collections": the lasting sets of pages of the team, and one of them.
import { CollectionList } from './collection-list.tsx';
import { CollectionPage } from './collection-page.tsx';

export const Collections = ({ name }: { name?: string }) =>
  name === undefined || name === '' ? <CollectionList /> : <CollectionPage key={name} name={name} />;
