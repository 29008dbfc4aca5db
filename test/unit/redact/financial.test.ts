import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findByRules } from '../../../src/redact/find-by-rules.ts';
import { expectFound } from '../../support/redaction.ts';

const financial = (language = 'en') => ({ entity: 'FINANCIAL', language }) as const;

test('finds cards by issuer, grouping and Luhn', () => {
  expectFound(
    '⟦4111 1111 1111 1111⟧ 12/27, ⟦5555-5555-5555-4444⟧, ⟦3782 822463 10005⟧, ⟦6011111111111117⟧',
    financial(),
  );
  expectFound('4111 1111 1111 1112, 1234 5678 9012 3452, order 4111111111111111', financial());
});

test('finds bank accounts by check digits, or by label', () => {
  expectFound('IBAN ⟦DE89 3704 0044 0532 0130 00⟧ BIC: ⟦COBADEFFXXX⟧', financial('de'));
  expectFound('⟦GB29NWBK60161331926819⟧, ⟦FR14 2004 1010 0505 0001 3M02 606⟧, ⟦NL91 ABNA 0417 1643 00⟧', financial());
  expectFound('Sort code: ⟦20-45-45⟧, account number: ⟦12345678⟧. Routing number ⟦021000021⟧', financial());
  expectFound('Konto-Nr. ⟦532013000⟧, BLZ ⟦370 400 44⟧', financial('de'));
  expectFound('Acct # ⟦000123456789⟧, Kto.-Nr.: ⟦1234567⟧, NINO: ⟦QQ123456C⟧, CVC ⟦123⟧', financial());
  expectFound('DE88 3704 0044 0532 0130 00, routing number 021000022, COBADEFFXXX', financial());
});

test('finds numbers that stand directly beside words of scripts without blanks', () => {
  expectFound('カード⟦4111111111111111⟧です。訂單4111111111111111號', financial('ja'));
  expectFound('账号⟦DE89370400440532013000⟧请，身份证⟦110101199003077758⟧号', financial('zh'));
  expectFound('주민등록번호⟦900101-1234568⟧입니다', financial('ko'));
  expectFound('カード4111111111111112です。ab4111111111111111 4111111111111111cd', financial('ja'));
});

test('finds identity numbers of many countries by their check digits', () => {
  const valid: Record<string, string> = {
    'us-ssn': 'SSN 219-09-9998',
    'gb-nino': 'AB 12 34 56 C',
    'gb-nhs': 'NHS 943 476 5919',
    'de-tax-id': 'Steuer-ID 86 095 742 719',
    'de-insurance': '65 170839 J 003',
    'fr-nir': '2 55 08 14 168 025 38',
    'es-dni': '12345678Z',
    'it-codice-fiscale': 'RSSMRA85T10A562S',
    'nl-bsn': 'BSN 111222333',
    'be-national-number': '85.07.30-033.28',
    'pl-pesel': 'PESEL 44051401359',
    'se-personnummer': '811218-9876',
    'no-fodselsnummer': '15076500565',
    'fi-henkilotunnus': '131052-308T',
    'dk-cpr': 'CPR 070761-4285',
    'ch-ahv': '756.9217.0769.85',
    'at-insurance': 'SV-Nr. 1237 010180',
    'pt-nif': 'NIF 123456789',
    'br-cpf': '529.982.247-25',
    'br-cnpj': '11.222.333/0001-81',
    'in-aadhaar': '2341 2341 2346',
    'in-pan': 'ABCPE1234F',
    'cn-resident-id': '11010519491231002X',
    'kr-rrn': '900101-1234568',
    'jp-my-number': 'My Number 1234 5678 9018',
    'au-tfn': 'TFN 123 456 782',
    'ca-sin': 'SIN 130 692 544',
    'tr-kimlik': 'T.C. Kimlik 10000000146',
    'cz-birth-number': '736028/5163',
    'cl-rut': '12.345.678-5',
  };
  for (const [rule, text] of Object.entries(valid)) {
    const found = findByRules(text, { mode: 'fast', entities: ['FINANCIAL'], language: 'en' });
    assert.deepEqual(
      found.map((finding) => finding.rule),
      [rule],
      text,
    );
  }
});

test('a wrong check digit is not an identity number', () => {
  for (const text of [
    '12345678A',
    'RSSMRA85T10A562T',
    '131052-308U',
    '756.9217.0769.84',
    '529.982.247-26',
    '666-12-3456',
  ]) {
    assert.deepEqual(findByRules(text, { mode: 'fast', language: 'en' }), [], text);
  }
});

test('finds wallets by checksum, and Ethereum by context', () => {
  expectFound('⟦bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq⟧ ⟦1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa⟧', financial());
  expectFound('ETH: ⟦0x52908400098527886E0F7030069857D2E4169EE7⟧', financial());
  expectFound('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb, bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdp', financial());
});
