import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guessLanguage } from '../../../../src/text/words/language.ts';

const texts: [language: string, text: string][] = [
  ['en', 'The library is open on every day of the week, and it has a reading room.'],
  ['de', 'Die Bibliothek ist an jedem Tag der Woche geöffnet und hat einen Lesesaal.'],
  ['fr', 'La bibliothèque est ouverte tous les jours de la semaine et il y a une salle de lecture.'],
  ['es', 'La biblioteca está abierta todos los días de la semana y tiene una sala de lectura.'],
  ['pt', 'A biblioteca está aberta todos os dias da semana e tem uma sala de leitura, mas não tem café.'],
  ['it', 'La biblioteca è aperta tutti i giorni della settimana e ha una sala di lettura per gli studenti.'],
  ['nl', 'De bibliotheek is elke dag van de week open en heeft ook een leeszaal voor het publiek.'],
  ['sv', 'Biblioteket är öppet alla dagar i veckan och det har också en läsesal för studenter.'],
  ['da', 'Biblioteket er åbent hver dag i ugen, og der er også en læsesal for studerende, men ikke kaffe.'],
  ['pl', 'Biblioteka jest otwarta przez wszystkie dni tygodnia i ma czytelnię, która nie jest duża.'],
  ['ro', 'Biblioteca este deschisă în toate zilele săptămânii și are o sală de lectură pentru studenți.'],
  ['tr', 'Kütüphane haftanın her günü açıktır ve öğrenciler için bir okuma salonu vardır.'],
  ['vi', 'Thư viện mở cửa tất cả các ngày trong tuần và có một phòng đọc.'],
  ['ru', 'Библиотека открыта каждый день, и в ней есть читальный зал.'],
  ['uk', 'Бібліотека відкрита щодня, і в ній є читальна зала.'],
  ['bg', 'Библиотеката е отворена всеки ден и в нея има читалня за студенти, която не е голяма.'],
  ['el', 'Η βιβλιοθήκη είναι ανοιχτή κάθε μέρα της εβδομάδας.'],
  ['he', 'הספרייה פתוחה בכל יום של השבוע.'],
  ['ar', 'المكتبة مفتوحة في كل يوم من أيام الأسبوع.'],
  ['fa', 'کتابخانه هر روز هفته باز است و یک سالن مطالعه دارد.'],
  ['ur', 'لائبریری ہفتے کے ہر دن کھلی رہتی ہے۔'],
  ['hi', 'पुस्तकालय सप्ताह के हर दिन खुला रहता है।'],
  ['zh', '图书馆每天开放，设有阅览室。'],
  ['ja', '図書館は毎日開いていて、閲覧室があります。'],
  ['ko', '도서관은 매일 열려 있으며 열람실이 있습니다.'],
  ['th', 'ห้องสมุดเปิดทุกวันและมีห้องอ่านหนังสือ'],
];

for (const [language, text] of texts) {
  test(`text in ${language} is recognised`, () => assert.equal(guessLanguage(text), language));
}

test('the declared language wins if the script matches', () => {
  assert.equal(guessLanguage('Hello world', 'de-AT'), 'de');
  assert.equal(guessLanguage('Hello world', 'en_US'), 'en');
  assert.equal(guessLanguage('Hello world', ' DEU '), 'de');
  assert.equal(guessLanguage('Добар дан свима', 'sr'), 'sr');
  assert.equal(guessLanguage('Dobar dan svima', 'sr-Latn'), 'sr');
  assert.equal(guessLanguage('東京', 'ja'), 'ja');
});

test('many words of another language override the declared language, a few do not', () => {
  const german = texts.find(([language]) => language === 'de')![1];
  assert.equal(guessLanguage(`${german} ${german} Wir sind für Sie da, wenn es in der Stadt regnet.`, 'en'), 'de');
  assert.equal(guessLanguage('Wer ist das?', 'en'), 'en');
  assert.equal(guessLanguage(`${german} ${german}`, 'nb'), 'nb');
});

test('an impossible or unknown declaration is ignored', () => {
  assert.equal(guessLanguage('The cat is on the mat and it is not mine', 'ru'), 'en');
  assert.equal(guessLanguage('図書館は毎日開いています', 'en'), 'ja');
  for (const declared of ['', 'xx', 'english', '*', 'x-default', '%%', 'i18n', '🙂']) {
    assert.equal(guessLanguage('The cat is on the mat', declared), 'en', declared);
  }
});

test('words in another script do not change the language of a text', () => {
  assert.equal(guessLanguage('The word Москва is the name of the city, and it is in Russia.'), 'en');
  assert.equal(guessLanguage('Python と JavaScript の違いを説明します。React も使います。'), 'ja');
});

test('numbers, empty text and a few names have no language', () => {
  for (const text of ['', '1234 5678', '!!!', 'Zxcvb Qwerty', '\ud800']) assert.equal(guessLanguage(text), '');
});

test('the declared language is used for text without letters', () => {
  assert.equal(guessLanguage('2024', 'ru'), 'ru');
  assert.equal(guessLanguage('', 'ja-JP'), 'ja');
});
