// Everything that can be found without the token classifier.
import type { RedactedEntity } from '../contracts/scrape/redaction.ts';
import { guessLanguage } from '../text/words/language.ts';
import { findEmails } from './email/emails.ts';
import { expectedCountries } from './expected-countries.ts';
import { findBankAccounts } from './financial/bank-accounts.ts';
import { findCards } from './financial/cards.ts';
import { findIdentityNumbers } from './financial/identity/identity-numbers.ts';
import { findWallets } from './financial/wallets.ts';
import { type Finding, MIN_SCORE, type RuleOptions } from './finding.ts';
import { trimNames } from './persons/name-edges.ts';
import { findPersons } from './persons/persons.ts';
import { findPhones } from './phone/phones.ts';
import { findAddresses } from './places/addresses.ts';
import { findCoordinates } from './places/coordinates.ts';
import { findPlaceMentions } from './places/place-mentions.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { findSecrets } from './secrets/secrets.ts';

/** Sorted and disjoint. In mode `accurate`, persons and places other than coordinates are left to the classifier. */
export function findByRules(text: string, options: RuleOptions): Finding[] {
  const { mode, entities } = options;
  const language = (options.language ?? guessLanguage(text)).slice(0, 2).toLowerCase();
  const countries = expectedCountries(language, options.country);
  const usesLists = mode !== 'accurate';
  // What is not wanted is searched for all the same, except persons and places: a card must not be taken for a phone number.
  const isWanted = (entity: RedactedEntity) => entities === undefined || entities.includes(entity);
  const found = [
    ...findEmails(text),
    ...findSecrets(text),
    ...findCards(text),
    ...findBankAccounts(text),
    ...findIdentityNumbers(text, countries),
    ...findWallets(text),
    ...findPhones(text, countries),
    ...findCoordinates(text),
    ...(usesLists && isWanted('LOCATION') ? [...findAddresses(text, language), ...findPlaceMentions(text)] : []),
    ...(usesLists && isWanted('PERSON') ? findPersons(text, language) : []),
  ];
  const certain = found.filter(({ score }) => score >= MIN_SCORE[mode]);
  return trimNames(text, resolveOverlaps(text, certain), language).filter(({ entity }) => isWanted(entity));
}
