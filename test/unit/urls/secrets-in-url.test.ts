import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carriesSecret } from '../../../src/urls/secrets-in-url.ts';

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N';

const SECRETS = [
  '?token=x',
  '?access_token=x',
  '?userToken=1',
  '?idtoken=1',
  '?a=1&API-Key=x',
  '?apikey=x',
  '?password=x',
  '?sig=x',
  '?X-Amz-Signature=x',
  '?X-Goog-Credential=x',
  '?client_secret=x',
  '?PHPSESSID=x',
  '?sessionId=x',
  '?auth[token]=x',
  '?key=a1b2c3d4e5',
  '?key=abcdefghijklmnopqrst',
  '?code=4/0AX4XfWh1b2c3',
  '?sid=0f9a8b7c6d',
  `?anything=${JWT}`,
  `?${JWT}`,
  '?x=AKIAIOSFODNN7EXAMPLE',
  '?doc=1F8hX2kQ9zR4mT7vB3nL',
  '?id=550e8400-e29b-41d4-a716-446655440000',
  '?a7f3c9e1b5d80246a7f3c9e1b5d80246',
  ';jsessionid=0F9A?page=2',
  '#access_token=x&expires=1',
  '#/reset?token=x',
  '?next=%2Fhome%3Ftoken%3Dx',
  '?url=https%3A%2F%2Fuser%3Apass%40site.test%2F',
  '?a=%3Fb%3D%253Ftoken%253Dx',
  '?%74oken=x',
  '?next=%252Fhome%253Ftoken%253Dx',
  '?p=%zz&token=x',
];

const NO_SECRETS = [
  '',
  '?',
  '?q=how+to+bake+bread',
  '?q=what%20is%20a%20token',
  '?token=',
  '?page=2&sort=key',
  '?id=123',
  '?id=1234567890',
  '?key=name',
  '?code=DE',
  '?s=80&d=mm',
  '?v=dQw4w9WgXcQ',
  '?date=2024-01-01T10:00:00',
  '?article=how-to-make-bread-2024',
  '?file=report-2024-q1-v2.pdf',
  '?author=meister&keyboard=qwerty&design=2',
  '?utm_source=a1b2',
  '#section-2',
  '/@user/post;v=1',
  '/tokens/list?page=1',
];

test('URLs that carry credentials are recognised, however they are spelled', () => {
  const missed = SECRETS.filter((text) => !carriesSecret(`https://site.test/page${text}`));
  assert.deepEqual(missed, []);
  assert.ok(carriesSecret('https://user:pass@site.test/'));
  assert.ok(carriesSecret('https://token@site.test/'));
  assert.ok(carriesSecret('//user:pass@site.test/?token=x'));
  assert.ok(carriesSecret('image.png?X-Amz-Signature=1'), 'a relative address');
});

test('ordinary URLs are not taken for them', () => {
  const wrong = NO_SECRETS.filter((text) => carriesSecret(`https://site.test/page${text}`));
  assert.deepEqual(wrong, []);
});

test('any text is read without a failure, and too many parameters count as a secret', () => {
  for (const text of ['%'.repeat(16_000), '?a=\ud800', `?a=${'%253F'.repeat(50)}`, `?${'a'.repeat(16_000)}`]) {
    assert.equal(carriesSecret(`https://site.test/${text}`), false, text.slice(0, 9));
  }
  for (const text of ['?'.repeat(16_000), '&=;'.repeat(5_000), `?a=${'%253F'.repeat(3_000)}`]) {
    assert.equal(carriesSecret(`https://site.test/${text}`), true, text.slice(0, 9));
  }
});
