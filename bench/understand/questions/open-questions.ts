// Pages with questions for setting thresholds and weights.
import type { QuestionedPage } from './questioned-page.ts';

export const openQuestions: readonly QuestionedPage[] = [
  {
    title: 'Visit the Lighthouse Museum',
    markdown: `# Visit the Lighthouse Museum

The museum stands at the end of the pier, in the keeper's house of 1871. It tells the story of the light, the people who kept it burning, and the ships that did not see it in time.

## Opening hours

- April to October: daily from 10 am to 6 pm
- November to March: weekends only, 11 am to 4 pm
- Closed on Christmas Day

## Admission

| Visitor | Price |
| --- | --- |
| Adults | £9.50 |
| Children under 16 | £4 |
| Families | £22 |

Members of the Friends of the Light go in free. Carers do not pay.

## Getting here

The nearest railway station is Seahaven, fifteen minutes on foot. Bus 12 stops at the pier. There is no parking at the museum; use the car park in Quay Street.

## Access

The tower has 96 steps and no lift. The exhibition on the ground floor is accessible for wheelchairs. Dogs are welcome everywhere but in the lamp room.`,
    answered: [
      ['When does the museum open in winter?', 'November to March'],
      ['What does a ticket for a child cost?', 'Children under 16'],
      ['Which railway station is nearest to the museum?', 'Seahaven'],
      ['Where can I park my car?', 'Quay Street'],
      ['How many steps does the tower have?', '96 steps'],
      ['Are dogs welcome?', 'Dogs are welcome'],
      ['Do carers have to pay?', 'Carers do not pay'],
      ['When was the keeper’s house built?', '1871'],
    ],
    paraphrased: [
      ['How much do grown-ups pay for admission?', 'Adults'],
      ['When is the museum shut?', 'Closed on Christmas'],
      ['How do I get there by public transport, which bus?', 'Bus 12'],
      ['Is there an elevator or only steps?', '96 steps'],
      ['Can somebody in a wheelchair visit?', 'accessible for wheelchairs'],
    ],
    unanswered: [
      'Who designed the lighthouse?',
      'Is there a café where I can have lunch?',
      'Can I get married in the museum?',
      'What is the telephone number of the museum?',
      'How tall is the tower in metres?',
      'Do students get a discount?',
    ],
  },
  {
    title: 'Migrating to version 3 - Queuekit',
    markdown: `# Migrating to version 3

Version 3 of Queuekit removes callbacks. Every method returns a promise.

## Requirements

Queuekit 3 needs Node 20 or newer and Redis 6.2. Windows is supported through WSL only.

## Install

\`\`\`sh
npm install queuekit@3
\`\`\`

## Breaking changes

- \`queue.push()\` was renamed to \`queue.add()\`.
- The option \`retries\` is now called \`attempts\`, and its default is 3.
- Jobs that exceed their \`timeout\` are moved to the dead letter queue instead of being deleted.

## Time limits

By default, a job may run for 30 seconds. Change this with \`timeout\`:

\`\`\`js
const queue = new Queue('mail', { timeout: 60_000 });
\`\`\`

## FAQ

### Can I run both versions side by side?

Yes. Version 3 uses keys with another prefix, so both can share one Redis server.

### Is there a tool that rewrites my code?

Run \`npx queuekit-migrate src\`. It handles most renames, but not callbacks.`,
    answered: [
      ['Which version of Node do I need?', 'Node 20'],
      ['What is the default number of attempts?', 'its default is 3'],
      ['How do I install version 3?', 'npm install queuekit@3'],
      ['How long may a job run by default?', '30 seconds'],
      ['What happens to jobs that exceed their timeout?', 'dead letter queue'],
      ['Can both versions run side by side?', 'share one Redis server'],
      ['Is there a tool to rewrite code automatically?', 'npx queuekit-migrate'],
      ['What was queue.push renamed to?', 'queue.add()'],
    ],
    paraphrased: [
      ['Does it run on Windows?', 'Windows is supported'],
      ['What is the maximum duration of a job?', '30 seconds'],
      ['Which Redis do I have to set up?', 'Redis 6.2'],
      ['What replaces the option retries?', 'attempts'],
    ],
    unanswered: [
      'Under which licence is Queuekit published?',
      'How do I schedule a job with cron?',
      'Does Queuekit support PostgreSQL?',
      'When will version 2 reach its end of life?',
      'How can I monitor queues with Prometheus?',
    ],
  },
  {
    title: 'City council approves tram to the harbour',
    markdown: `# City council approves tram to the harbour

After eleven years of debate, the city council voted on Tuesday for a tram line from the central station to the new harbour district. The vote was 31 to 24.

Construction is to start in autumn 2027 and to take about four years. The line will be 5.8 kilometres long, with eleven stops. The city expects 18,000 passengers a day.

The project costs 214 million euros. The state pays three quarters of it; the rest comes from the city's own budget. "This is the most important decision of my term," said Mayor Elke Brandt. The opposition called the plan a luxury.

Residents of Mill Street had collected 4,200 signatures against the route, because 130 lime trees will have to be felled. The council promised to plant two new trees for each of them.

The existing bus line 14 will run until the tram opens. After that, it will end at the market square.`,
    answered: [
      ['How did the council vote?', '31 to 24'],
      ['When does construction start?', 'autumn 2027'],
      ['How long will the tram line be?', '5.8 kilometres'],
      ['How much does the project cost?', '214 million euros'],
      ['Who is the mayor?', 'Elke Brandt'],
      ['How many signatures did residents collect?', '4,200 signatures'],
      ['Why were residents of Mill Street against the route?', '130 lime trees'],
      ['What happens to bus line 14?', 'will run until the tram opens'],
      ['How many passengers does the city expect?', '18,000 passengers'],
    ],
    paraphrased: [
      ['How expensive is the project?', '214 million'],
      ['How many years does construction last?', 'four years'],
      ['What does the opposition think?', 'luxury'],
      ['Where will the tram begin?', 'central station'],
      ['How much of the money comes from the state?', 'three quarters'],
    ],
    unanswered: [
      'Which company will build the trams?',
      'How fast will the trams go?',
      'What will a ticket cost?',
      'Will the tram run at night?',
      'Who is the leader of the opposition?',
      'How old is the central station?',
    ],
  },
  {
    title: 'Anleitung: Sauerteig ansetzen',
    markdown: `# Sauerteig ansetzen

Ein Sauerteig braucht nur Mehl, Wasser und etwas Geduld. Nach etwa fünf Tagen ist er reif zum Backen.

## Zutaten

- 250 g Roggenvollkornmehl
- 250 ml lauwarmes Wasser

## So geht es

1. Am ersten Tag 50 g Mehl mit 50 ml Wasser verrühren und abdecken.
2. Jeden Tag die gleiche Menge Mehl und Wasser zugeben.
3. Bei 26 bis 28 Grad stehen lassen.

## Häufige Fragen

**Woran erkenne ich, dass der Teig verdorben ist?**

Rosa oder graue Stellen sind Schimmel. Dann muss alles weggeworfen werden.

**Wie bewahre ich ihn auf?**

Im Kühlschrank hält sich der Teig in einem Schraubglas etwa zwei Wochen. Danach muss er gefüttert werden.`,
    answered: [
      ['Wie lange dauert es, bis der Sauerteig reif ist?', 'fünf Tagen'],
      ['Bei welcher Temperatur soll der Teig stehen?', '26 bis 28 Grad'],
      ['Welches Mehl brauche ich?', 'Roggenvollkornmehl'],
      ['Wie lange hält sich der Teig im Kühlschrank?', 'zwei Wochen'],
      ['Woran erkenne ich verdorbenen Teig?', 'Rosa oder graue Stellen'],
    ],
    paraphrased: [
      ['Wie warm muss es sein, wo der Teig steht?', '26 bis 28 Grad'],
      ['Wie viel Wasser nehme ich insgesamt?', '250 ml'],
    ],
    unanswered: [
      'Wie viele Kalorien hat das Brot?',
      'Kann ich den Sauerteig einfrieren?',
      'Wer hat das Rezept geschrieben?',
      'Welcher Ofen eignet sich am besten?',
    ],
  },
  {
    title: 'Trail 41: Blue Lake Loop',
    markdown: `# Trail 41: Blue Lake Loop

The Blue Lake Loop is the most popular day hike in the valley. It climbs through larch forest to a lake that really is blue, and returns along the ridge.

| Fact | Value |
| --- | --- |
| Distance | 12.4 km |
| Elevation gain | 780 m |
| Time | 4 to 5 hours |
| Difficulty | moderate |
| Highest point | 2,310 m |

Start at the trailhead behind the fire station in Obernau. The path is marked in yellow and black.

**Water:** There is a spring after the first hour; the lake water must be treated.

**Season:** June to October. Snow can lie on the ridge until early July.

**Camping:** Wild camping is forbidden. The Edelhut takes guests from Thursday to Sunday, with 24 beds.

In August 2024, a rockfall closed the eastern descent. It has been open again since May 2025.`,
    answered: [
      ['How long is the hike?', '12.4 km'],
      ['What is the elevation gain?', '780 m'],
      ['Where does the trail start?', 'fire station in Obernau'],
      ['How is the path marked?', 'yellow and black'],
      ['Is wild camping allowed?', 'Wild camping is forbidden'],
      ['How many beds does the Edelhut have?', '24 beds'],
      ['In which season can I hike?', 'June to October'],
      ['Why was the eastern descent closed?', 'rockfall'],
    ],
    paraphrased: [
      ['How many hours should I plan?', '4 to 5 hours'],
      ['Can I drink the lake water?', 'must be treated'],
      ['How hard is it, what difficulty?', 'moderate'],
      ['Where can I sleep in a hut?', 'Edelhut takes guests'],
    ],
    unanswered: [
      'What does a night in the Edelhut cost?',
      'Are there bears in the valley?',
      'Which bus goes to Obernau?',
      'Who maintains the trail?',
      'Is fishing permitted in the lake?',
    ],
  },
  {
    title: '市立図書館のご利用案内',
    markdown: `# 市立図書館のご利用案内

開館時間は平日が午前九時から午後八時まで、土日祝日は午後五時までです。休館日は毎週月曜日です。

## 貸出

本は一人十冊まで、二週間借りることができます。予約が入っていない場合は、一回だけ延長できます。

## 利用カード

カードを作るには、住所が確認できる身分証明書が必要です。発行手数料は無料ですが、再発行には二百円かかります。

## 駐車場

駐車場は三十台分あり、最初の二時間は無料です。`,
    answered: [
      ['休館日はいつですか', '休館日は毎週月曜日です'],
      ['本は何冊まで借りられますか', '一人十冊まで'],
      ['カードの再発行はいくらですか', '二百円'],
      ['駐車場は無料ですか', '最初の二時間は無料'],
    ],
    unanswered: ['館長の名前は何ですか', '映画の上映会はありますか', '電話番号を教えてください'],
  },
  {
    title: 'Soutien scolaire - Association Les Passerelles',
    markdown: `# Soutien scolaire

L'association Les Passerelles propose une aide aux devoirs aux élèves du CP à la troisième. Les séances ont lieu le lundi, le mardi et le jeudi de 16 h 30 à 18 h.

Les groupes comptent six enfants au plus. Chaque groupe est suivi par deux bénévoles.

L'inscription coûte 20 euros par an et par famille. Elle se fait au bureau, 8 rue des Tilleuls, avec un justificatif de domicile.

Nous cherchons des bénévoles, en particulier pour les mathématiques. Aucun diplôme n'est exigé. Contact : Claire Morin, 02 00 00 12 34.`,
    answered: [
      ['Quels jours ont lieu les séances ?', 'le lundi, le mardi et le jeudi'],
      ['Combien coûte l’inscription ?', '20 euros'],
      ['Combien d’enfants y a-t-il dans un groupe ?', 'six enfants'],
      ['Où se fait l’inscription ?', 'rue des Tilleuls'],
      ['Faut-il un diplôme pour être bénévole ?', 'Aucun diplôme'],
    ],
    paraphrased: [
      ['Quel est le prix pour une famille ?', '20 euros'],
      ['Qui dois-je contacter ?', 'Claire Morin'],
    ],
    unanswered: [
      'L’association organise-t-elle des sorties pendant les vacances ?',
      'En quelle année l’association a-t-elle été fondée ?',
      'Les repas sont-ils fournis ?',
      'Qui est le président ?',
    ],
  },
  {
    title: 'Warranty and returns - Norrfell',
    markdown: `# Warranty and returns

We repair what we make. Every bag has a warranty of ten years against faults in material and workmanship. Normal wear, burns and dog bites are not covered, but we will usually mend them for a small fee.

## Returns

You can send back anything unused within 60 days of delivery. Write to [returns@norrfell.example](mailto:returns@norrfell.example) for a label. Sending it back is free within the EU; from other countries you pay the postage.

Refunds arrive within five working days after we have received the parcel.

## Repairs

1. Wash the bag. We do not repair dirty ones.
2. Fill in the [repair form](/repair-form).
3. Send it to our workshop in Umeå.

A repair takes about three weeks, in December up to six.`,
    answered: [
      ['How long is the warranty?', 'ten years'],
      ['Are dog bites covered?', 'dog bites are not covered'],
      ['How many days do I have to return an item?', '60 days'],
      ['When do I get my refund?', 'five working days'],
      ['Where is the workshop?', 'Umeå'],
      ['How long does a repair take?', 'three weeks'],
      ['Who pays the postage for a return from outside the EU?', 'you pay the postage'],
      ['What is the email address for returns?', 'returns@norrfell.example'],
    ],
    paraphrased: [
      ['How soon is the money refunded?', 'five working days'],
      ['For how many years is a bag guaranteed?', 'ten years'],
      ['How long must I wait for my repaired bag in December?', 'three weeks'],
    ],
    unanswered: [
      'Can I exchange a bag for another colour?',
      'Do you ship to Japan?',
      'What material are the bags made of?',
      'Is there a shop in Stockholm?',
      'How do I wash the bag, at which temperature?',
    ],
  },
];
