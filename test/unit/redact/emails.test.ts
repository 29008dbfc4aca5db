import { test } from 'node:test';
import { expectFound } from '../../support/redaction.ts';

const EMAIL = { entity: 'EMAIL' } as const;

test('finds addresses in text, links and other scripts', () => {
  expectFound("Write to ⟦jane.doe+news@mail.example.org⟧, or to <⟦o'hara@example.ie⟧>.", EMAIL);
  expectFound('[Write](mailto:⟦info@example.co.uk⟧?subject=Hello) to (⟦a_b@example.com⟧).', EMAIL);
  expectFound('Links: https://example.org/?to=⟦jane%40example.org⟧&x=1 and /contact/⟦jane@example.org⟧', EMAIL);
  expectFound('⟦jörg@münchen.example⟧ ⟦用户@例子.广告⟧ ⟦info@xn--mnchen-3ya.xn--vermgensberater-ctb⟧', EMAIL);
  expectFound('Markdown escapes: ⟦first\\_last@example.org⟧.', EMAIL);
});

test('finds addresses that are spelled out', () => {
  expectFound('⟦info (at) example.org⟧, ⟦jane[at]example[dot]org⟧, ⟦hans {ät} beispiel (punkt) de⟧', EMAIL);
  expectFound('Meet us at example.org. Mail ⟦jane at example dot org⟧.', { ...EMAIL, mode: 'aggressive' });
  expectFound('Mail jane at example dot org.', EMAIL);
});

test('leaves files, packages, handles, hosts and credentials alone', () => {
  expectFound('logo@2x.png lodash@4.17.21 @scope/name react@next @jane @user@social.example', EMAIL);
  expectFound('git clone git@github.com:owner/repository.git; maps/@52.5,13.4,15z', EMAIL);
  expectFound('https://user:secret9x@example.org/ and 5 @ 3.50 each', EMAIL);
});
